"""One rank of one unit: loads a checkpoint, generates in each mode asked for, compares, and writes a file per mode.

    generate_modes.py FOLDER --reference FILE --dtype DTYPE                        on the CPU: writes FILE
    generate_modes.py FOLDER --reference FILE --dtype DTYPE --form FORM --results DIR --modes MODE...

cross.py starts it once per rank. Rank 0 writes DIR/<mode>.json when the mode is done.
"""

import argparse
import json
import os
import pathlib
import sys
import time

import torch

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "tests"))

from generation import Generated, generate  # noqa: E402

NEW_TOKENS = 32
PROMPT = "What is the capital of France?"
# docs/verdicts.md, "Tolerances", the CPU's: relative to a step's largest absolute logit.
TOLERANCES = {"float32": (1e-5, 1e-5, 1e-4), "bfloat16": (0.025, 0.035, 0.08)}  # tie, rms, largest


def load(folder: pathlib.Path, dtype: str, form: str):
    """The model, on the device or on the CPU, and its input."""
    import transformers

    config = transformers.AutoConfig.from_pretrained(folder)
    is_image = hasattr(config, "vision_config")
    kind = transformers.AutoModelForImageTextToText if is_image else transformers.AutoModelForCausalLM
    where = {"device_map": "cpu" if form == "cpu" else "neuron"}
    if form in ("tp", "ep"):
        from transformers.distributed import DistributedConfig

        ranks = int(os.environ["WORLD_SIZE"])
        sizes = {"tp_size": ranks} | ({"ep_size": ranks} if form == "ep" else {})
        where = {"distributed_config": DistributedConfig(**sizes)}
    model = kind.from_pretrained(folder, dtype=getattr(torch, dtype), **where).eval()
    # Neither sampling nor an end: the raw choices are compared.
    model.generation_config = transformers.GenerationConfig(pad_token_id=model.generation_config.pad_token_id)
    return model, image_prompt(folder) if is_image else text_prompt(folder)


def text_prompt(folder: pathlib.Path) -> dict[str, torch.Tensor]:
    """The prompt in the model's own chat template."""
    from transformers import AutoTokenizer

    chat = [{"role": "user", "content": PROMPT}]
    form = {"add_generation_prompt": True, "return_dict": True, "return_tensors": "pt"}
    inputs = AutoTokenizer.from_pretrained(folder).apply_chat_template(chat, **form)
    return {name: inputs[name] for name in ("input_ids", "attention_mask")}


def image_prompt(folder: pathlib.Path) -> dict[str, torch.Tensor]:
    """The prompt with an image made here."""
    from PIL import Image
    from transformers import AutoProcessor

    image = Image.linear_gradient("L").convert("RGB")
    chat = [{"role": "user", "content": [{"type": "image", "image": image}, {"type": "text", "text": PROMPT}]}]
    form = {"add_generation_prompt": True, "tokenize": True, "return_dict": True, "return_tensors": "pt"}
    return AutoProcessor.from_pretrained(folder).apply_chat_template(chat, **form)


def first_difference(expected: list[int], actual: list[int]) -> int | None:
    """The step at which two generations part."""
    return next((step for step, pair in enumerate(zip(expected, actual, strict=True)) if pair[0] != pair[1]), None)


def differences(expected: torch.Tensor, actual: torch.Tensor) -> tuple[float, float]:
    """Of any step the largest root mean square, and the largest single difference; relative to its largest logit."""
    apart = (expected - actual).abs() / expected.abs().amax(1, keepdim=True)
    return apart.square().mean(1).sqrt().max().item(), apart.max().item()


def compare(reference: Generated, got: Generated, dtype: str, force) -> dict:
    """What ties a generation to the reference. `force` gives the generation with the reference's tokens; asked only when
    the tokens part."""
    tie, rms_limit, largest_limit = TOLERANCES[dtype]
    step = first_difference(reference.tokens, got.tokens)
    same_input = got if step is None else force()
    rms, largest = differences(reference.logits, same_input.logits)
    facts = {"rms": rms, "largest": largest}
    do_logits_agree = rms <= rms_limit and largest <= largest_limit
    if step is None:
        return {"evidence": "tokens" if do_logits_agree else "differs", **facts}
    logits = reference.logits[step]
    best, second = logits.topk(2).values.tolist()
    gap = (best - second) / logits.abs().max().item()
    is_tie = gap <= tie and logits[got.tokens[step]].item() >= second
    facts |= {"step": step, "expected": reference.tokens[step], "actual": got.tokens[step], "gap": gap}
    return {"evidence": "near_tie" if is_tie and do_logits_agree else "differs", **facts}


def do_ranks_agree(tokens: list[int]) -> bool:
    """Whether every rank generated these."""
    if not torch.distributed.is_initialized():
        return True
    of_ranks = [None] * torch.distributed.get_world_size()
    torch.distributed.all_gather_object(of_ranks, tokens)
    return all(other == tokens for other in of_ranks)


def try_mode(mode: str, model, inputs, reference: Generated, dtype: str) -> dict:
    """Generates in one mode: what came of it, and what it took."""
    import torch_neuronx

    torch._dynamo.reset()
    num_graphs = len(torch_neuronx.get_dynamo_metrics())
    started = time.monotonic()
    got = generate(model, inputs, mode, NEW_TOKENS)
    first_s = time.monotonic() - started
    graphs = torch_neuronx.get_dynamo_metrics()[num_graphs:]
    if not do_ranks_agree(got.tokens):
        outcome = {"evidence": "differs", "reason": "the ranks have different tokens"}
    else:
        outcome = compare(reference, got, dtype, lambda: generate(model, inputs, mode, NEW_TOKENS, reference.tokens))
    if mode.startswith("compiled") and not graphs:
        outcome = {"evidence": "differs", "reason": "no graph was compiled"}
    return outcome | {
        "tokens": got.tokens,
        "first_s": round(first_s, 2),
        "graphs": [{key: graph[key] for key in ("source", "compile_time_s")} for graph in graphs],
        "peak_bytes": torch.neuron.max_memory_allocated(),
    }


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--reference", type=pathlib.Path, required=True)
    parser.add_argument("--dtype", choices=TOLERANCES, required=True)
    parser.add_argument("--form", choices=("cpu", "single", "tp", "ep"), default="cpu")
    parser.add_argument("--results", type=pathlib.Path)
    parser.add_argument("--modes", nargs="*", default=[])
    return parser.parse_args()


def write_whole(path: pathlib.Path, write) -> None:
    """Lets `write` fill a file that has its name only when it is whole."""
    temporary = path.with_name(path.name + ".tmp")
    write(temporary)
    os.replace(temporary, path)


@torch.no_grad()
def main() -> None:
    arguments = parse_arguments()
    model, inputs = load(arguments.folder, arguments.dtype, arguments.form)
    if arguments.form == "cpu":
        made = generate(model, inputs, "eager_dynamic", NEW_TOKENS)
        write_whole(arguments.reference, lambda path: torch.save([made.tokens, made.logits], path))
        return
    reference = Generated(*torch.load(arguments.reference))
    for mode in arguments.modes:
        outcome = try_mode(mode, model, inputs, reference, arguments.dtype)
        if os.environ.get("RANK", "0") == "0":
            text = json.dumps(outcome)
            write_whole(arguments.results / f"{mode}.json", lambda path: path.write_text(text))
            print(f"{mode}: {outcome['evidence']}, {outcome['first_s']:.1f} s", flush=True)
    if torch.distributed.is_initialized():
        torch.distributed.destroy_process_group()


if __name__ == "__main__":
    main()
