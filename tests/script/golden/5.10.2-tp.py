#!/usr/bin/env python3
"""Does owner/model run on cpu?

32 greedy tokens with a static KV cache, prefill and decode compiled.

  python3 run.py               run it; it starts its 2 ranks itself
  python3 run.py --reference   what is right: the same on the CPU, uncompiled, with a dynamic cache

  model      owner/model at 0123456789abcdef0123456789abcdef01234567
  task       text-generation
  plan       tp over 2 cores, 123456789 bytes of parameters on each
  stack      transformers 5.10.2, accelerate 1.15.0, torch 2.13.0, python 3.11.2
  packages   pip install transformers==5.10.2 accelerate==1.15.0
"""

import argparse
import json
import os
import resource
import socket
import sys
import time
import traceback
from datetime import timedelta
from importlib import metadata
from pathlib import Path

MODEL, REVISION = "owner/model", "0123456789abcdef0123456789abcdef01234567"
TASK, MODE, CORES, DEVICE, BACKEND = "text-generation", "tp", 2, "cpu", "aot_eager"
TRANSFORMERS, NEW_TOKENS, PROMPT = "5.10.2", 32, "What is the capital of France?"


class Unproven(RuntimeError):
    """The run ends well but proves nothing: not placed, not sharded, not compiled, or its cache not static."""


def note(options, rank, event, **fields):
    """Appends an event to the report, in one write: ranks share the file, and a kill tears nothing."""
    if event == "stage":
        options.stage = fields["stage"]
    if options.report:
        line = json.dumps({"event": event, "t": time.time(), "rank": rank, **fields}, allow_nan=False)
        with open(options.report, "ab", buffering=0) as report:
            report.write(line.encode() + b"\n")


def load_prompt():
    """Returns the tokenizer and the model's input: the prompt in the model's own chat template."""
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(MODEL, revision=REVISION)
    if tokenizer.chat_template:
        chat = [{"role": "user", "content": PROMPT}]
        inputs = tokenizer.apply_chat_template(chat, add_generation_prompt=True, return_dict=True, return_tensors="pt")
    else:
        inputs = tokenizer(PROMPT, return_tensors="pt")
    return tokenizer, {name: inputs[name] for name in ("input_ids", "attention_mask")}


def load_model(options):
    """Returns the model as Transformers loads it, its code unmodified."""
    from transformers import AutoModelForCausalLM

    where = {"device_map": options.device}
    if options.cores > 1:
        where = {"tp_plan": "auto"}
    return AutoModelForCausalLM.from_pretrained(MODEL, revision=REVISION, dtype="auto", **where).eval()


def check_placement(model, options):
    """Raises unless the model lies where it should; returns the bytes of parameters and of buffers on this core."""
    held = [p.to_local() if hasattr(p, "to_local") else p for p in model.parameters()]
    elsewhere = {str(p.device) for p in held if p.device.type != options.device}
    if elsewhere:
        raise Unproven(f"not placed: parameters lie on {sorted(elsewhere)} instead of {options.device}")
    import torch
    from transformers import AutoModelForCausalLM

    with torch.device("meta"):  # which allocates nothing
        whole = sum(p.numel() for p in AutoModelForCausalLM.from_config(model.config).parameters())
    if options.cores > 1 and sum(p.numel() for p in held) >= whole:
        raise Unproven(f"not sharded: every rank holds all {whole} parameters")
    return [sum(t.numel() * t.element_size() for t in tensors) for tensors in (held, model.buffers())]


def generate(model, inputs, options, forced=None):
    """Generates NEW_TOKENS, greedily or those of `forced`; returns them, their raw logits, the cache's class, times."""
    import torch
    from transformers import LogitsProcessor, StaticCache

    class Steps(LogitsProcessor):
        def __call__(self, ids, scores):
            scores[0, 0].item()  # waits for the device
            times.append(time.perf_counter() - started)
            if not forced:
                return scores
            only = torch.tensor([forced[len(times) - 1]], device=scores.device)
            return torch.full_like(scores, -torch.inf).index_fill(1, only, 0)

    times, started = [], time.perf_counter()
    cache = None if options.reference else "static"
    steps = {"logits_processor": [Steps()], "output_logits": True, "return_dict_in_generate": True}
    # generate's own compilation, here disabled, would leave the prefill uncompiled.
    greedy = {"do_sample": False, "max_new_tokens": NEW_TOKENS, "cache_implementation": cache, "disable_compile": True}
    output = model.generate(**inputs, **greedy, **steps)
    tokens, times = output.sequences[0, -NEW_TOKENS:].tolist(), [*times, time.perf_counter() - started]
    vars(model).pop("_cache", None)  # generate keeps it for its next call, which must start afresh
    cache = getattr(output.past_key_values, "self_attention_cache", output.past_key_values)
    if len(output.logits) != NEW_TOKENS:
        raise Unproven(f"{len(output.logits)} tokens came instead of {NEW_TOKENS}")
    if not options.reference and not isinstance(cache, StaticCache):
        raise Unproven(f"static cache ignored: generate came back with a {type(cache).__name__}")
    return tokens, torch.cat(output.logits).float().cpu(), type(cache).__name__, times


def run(rank, options):
    """Runs the model on the core of this rank and returns what is worth telling, as plain values."""
    note(options, rank, "stage", stage="place")
    import torch
    from torch._dynamo.utils import counters
    from transformers import GenerationConfig

    torch.set_grad_enabled(False)
    if options.cores > 1:  # before the device is touched; and ranks may load unequally long
        group = "gloo" if options.device == "cpu" else options.device
        torch.distributed.init_process_group(group, timeout=timedelta(hours=2))

    note(options, rank, "stage", stage="load")
    started = time.perf_counter()
    processor, inputs = load_prompt()
    model = load_model(options)
    note(options, rank, "stage", stage="shard")
    parameter_bytes, buffer_bytes = check_placement(model, options)
    load_s = time.perf_counter() - started
    inputs = {n: v.to(model.device, model.dtype if v.is_floating_point() else None) for n, v in inputs.items()}
    # What the checkpoint asks for (sampling, penalties, where to end) would hide the raw choices that are compared.
    tokenizer, own = getattr(processor, "tokenizer", processor), model.generation_config
    ends = {tokenizer.eos_token_id, *(own.eos_token_id if isinstance(own.eos_token_id, list) else [own.eos_token_id])}
    plain = {"pad_token_id": own.pad_token_id, "decoder_start_token_id": own.decoder_start_token_id}
    model.generation_config = GenerationConfig(**plain)

    note(options, rank, "stage", stage="compile")
    if not options.reference:
        model.forward = torch.compile(model.forward, backend=options.backend, fullgraph=True, dynamic=False)
    tokens, logits, cache_class, cold = generate(model, inputs, options)
    first_graphs = counters["stats"]["unique_graphs"]
    if not options.reference and first_graphs < 2:
        raise Unproven(f"not compiled: {first_graphs} graphs were captured, prefill and decode need 2")

    note(options, rank, "stage", stage="generate")
    again, _, _, warm = generate(model, inputs, options)
    graphs = counters["stats"]["unique_graphs"]
    teacher, written = None, logits
    if options.teacher:
        written = generate(model, inputs, options, options.teacher)[1]
        given = written[range(NEW_TOKENS), options.teacher]
        teacher = {"agree": (given == written.amax(1)).tolist()}
    if options.logits and rank == 0:
        import numpy

        with open(options.logits, "wb") as file:
            numpy.save(file, written.numpy())
    best, choices = logits.topk(2)
    finite = (best.isfinite().all(1) & ~logits.isnan().any(1)).tolist()
    eos_at = next((i for i, token in enumerate(tokens) if token in ends), None)
    text = {
        "prompt": tokenizer.decode(inputs["input_ids"][0]), "prompt_tokens": inputs["input_ids"].shape[1],
        "tokens": tokens, "tokenizer_size": len(tokenizer),
        "eos_at": eos_at, "text": tokenizer.decode(tokens[:eos_at], skip_special_tokens=True),
        "top2_tokens": choices.tolist(), "finite": all(finite), "repeatable": again == tokens,
        "top2_logits": [pair if good else None for pair, good in zip(best.tolist(), finite)], "teacher": teacher,
        "logits": options.logits and {"file": options.logits, "shape": [*written.shape], "dtype": "float32"},
    }  # fmt: skip
    graphs = {"graphs": graphs, "graphs_after_first": graphs - first_graphs, "cache_class": cache_class}
    times = {"load_s": load_s, "cold_s": cold[-1], "warm_s": warm[-1], "first_token_s": warm[0]}
    times["tokens_per_s"] = (NEW_TOKENS - 1) / (warm[-2] - warm[0])
    memory = {"parameter_bytes": [parameter_bytes], "buffer_bytes": [buffer_bytes]}
    return {**text, **graphs, **times, **memory, **ask_device(options)}


def ask_device(options):
    """Returns what the device tells: memory in bytes, operators that fell back to the CPU, ids of compiled graphs."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    memory = {"peak_bytes": [peak], "memory_meter": "process_rss", "capacity_bytes_per_core": None}
    return memory | {"fallback_ops": None, "neffs": None}


def attempt(rank, options):
    """Runs one rank; an error is reported before it ends the process."""
    try:
        return run(rank, options)
    except Exception as error:
        kind = "Unproven" if isinstance(error, Unproven) else f"{type(error).__module__}.{type(error).__qualname__}"
        fields = {"stage": options.stage, "type": kind, "message": str(error)[:4000]}
        note(options, rank, "error", **fields, traceback=traceback.format_exc()[-20000:])
        raise


def start_rank(rank, options, outcomes):
    """Is the process of one rank."""
    os.environ.update(RANK=str(rank), LOCAL_RANK=str(rank))
    outcomes.put((rank, attempt(rank, options)))


def run_ranks(options):
    """Runs every rank in a process of its own, and returns their outcomes as one."""
    import torch.multiprocessing as mp

    with socket.create_server(("127.0.0.1", 0)) as server:
        os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(server.getsockname()[1]))
    os.environ.update(WORLD_SIZE=str(CORES), LOCAL_WORLD_SIZE=str(CORES))
    outcomes = mp.get_context("spawn").SimpleQueue()
    try:
        mp.spawn(start_rank, (options, outcomes), nprocs=CORES)
    except mp.ProcessExitedException as death:  # by a signal or by _exit: it could not report itself
        fields = {"stage": None, "type": "RankDied", "message": str(death), "traceback": ""}
        note(options, death.error_index, "error", **fields, exit_code=death.exit_code, signal=death.signal_name)
        sys.exit(f"run.py: {death}")
    of_rank = dict(outcomes.get() for _ in range(CORES))
    ranks = [of_rank[rank] for rank in range(CORES)]
    result = dict(ranks[0])
    if any(rank["tokens"] != result["tokens"] for rank in ranks):
        text = f"ranks ended with different tokens: {[rank['tokens'] for rank in ranks]}"
        note(options, None, "error", stage="generate", type="RanksDisagree", message=text, traceback="")
        sys.exit(f"run.py: {text}")
    for name in ("load_s", "cold_s", "warm_s", "graphs", "graphs_after_first"):
        result[name] = max(rank[name] for rank in ranks)
    for name in ("parameter_bytes", "buffer_bytes", "peak_bytes", "fallback_ops", "neffs"):
        result[name] = None if result[name] is None else sum((rank[name] for rank in ranks), [])
    return result


def parse_options():
    """Returns the command line's options, and what they imply."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--device", choices=sorted({DEVICE, "cpu"}), default=DEVICE, help=f"where to run (default: {DEVICE})")
    add("--reference", action="store_true", help="run on the CPU, uncompiled, with a dynamic cache, in one process")
    add("--report", metavar="FILE", help="append what happens to FILE, one JSON object per line")
    add("--teacher", metavar="FILE", help=f"then generate the {NEW_TOKENS} token ids of a JSON array, likely or not")
    add("--logits", metavar="FILE", help="write each step's logits to FILE (.npy); with --teacher, those of its run")
    options = parser.parse_args()
    if options.teacher:
        options.teacher = json.loads(Path(options.teacher).read_text())
        if len(options.teacher) != NEW_TOKENS or not all(type(token) is int for token in options.teacher):
            parser.error(f"--teacher needs an array of {NEW_TOKENS} token ids")
    options.device = "cpu" if options.reference else options.device
    options.backend = None if options.reference else BACKEND if options.device == DEVICE else "aot_eager"
    options.cores, options.stage = 1 if options.reference else CORES, None
    return options


def main():
    options = parse_options()
    os.environ["HF_DEACTIVATE_ASYNC_LOAD"] = "1"  # loading in threads has hung on neuron
    if options.device == "cpu":
        os.environ["TORCH_DEVICE_BACKEND_AUTOLOAD"] = "0"  # an installed torch_neuronx stays out
    # Of two copies on the path, the first is imported.
    installed = {str(d.name).replace("-", "_"): d.version for d in reversed([*metadata.distributions()])}
    if (found := installed.get("transformers")) != TRANSFORMERS:
        print(f"run.py: written for transformers {TRANSFORMERS}, not {found}", file=sys.stderr)
    facts = {"model": MODEL, "revision": REVISION, "task": TASK, "mode": MODE, "cores": CORES, "new_tokens": NEW_TOKENS}
    facts |= {"transformers": TRANSFORMERS, "device": options.device, "backend": options.backend}
    env = {name: value for name, value in os.environ.items() if "NEURON" in name or name == "OMP_NUM_THREADS"}
    note(options, None, "start", schema=1, pid=os.getpid(), reference=options.reference, **facts, env=env)

    result = run_ranks(options) if options.cores > 1 else attempt(0, options)
    result |= {f"{name}_per_core": max(result[name]) for name in ("parameter_bytes", "buffer_bytes", "peak_bytes")}
    result["compile_s"] = None if options.reference else max(0.0, result["cold_s"] - result["warm_s"])
    result["compile_cache_hits"] = result["compile_cache_misses"] = result.pop("neffs")
    packages = "torch transformers accelerate tokenizers safetensors torch_neuronx neuronx_cc nki".split()
    versions = {"python": sys.version.split()[0], **{name: installed.get(name) for name in packages}}
    note(options, None, "result", **result, versions=versions)
    note(options, None, "stage", stage="done")
    print(f"{result['text']}\n\n{result['graphs']} graphs, {result['cache_class']}, load {result['load_s']:.1f} s")
    print(f"first run {result['cold_s']:.1f} s, second {result['warm_s']:.2f} s, {result['tokens_per_s']:.1f} tokens/s")
    print(f"peak memory {result['peak_bytes_per_core'] / 1e9:.2f} GB per core ({result['memory_meter']})")


if __name__ == "__main__":
    main()
