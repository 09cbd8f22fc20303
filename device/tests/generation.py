"""Generates text in each of the ways that a run.py does, and compares tokens with the CPU's by the near-tie rule."""

import dataclasses

import torch
import transformers

NEW_TOKENS = 8
# At a first difference the reference's two best logits may be this far apart, relative to the largest.
NEAR_TIE = {torch.float32: 1e-4, torch.bfloat16: 2e-2}

MODES = ("eager_dynamic", "eager_static", "compiled_decode", "compiled_both")


@dataclasses.dataclass(frozen=True)
class Generated:
    """New tokens and, for each, the logits that it was chosen from."""

    tokens: list[int]
    logits: torch.Tensor


def model_class(kind: str):
    """The class that loads a checkpoint of this kind."""
    is_image = kind == "llava"
    return transformers.AutoModelForImageTextToText if is_image else transformers.AutoModelForCausalLM


def prompt(kind: str) -> dict[str, torch.Tensor]:
    """A fixed prompt; for image-text models with an image."""
    ids = torch.randint(3, 250, (1, 12), generator=torch.Generator().manual_seed(1))
    inputs = {}
    if kind == "llava":
        ids[0, 2:6] = 258  # the image token, once per patch
        inputs["pixel_values"] = torch.rand(1, 3, 16, 16, generator=torch.Generator().manual_seed(2))
    return {"input_ids": ids, "attention_mask": torch.ones_like(ids)} | inputs


class Forced(transformers.LogitsProcessor):
    """Lets a generation take the given tokens, likely or not (teacher forcing)."""

    def __init__(self, tokens: list[int]):
        self._tokens = iter(tokens)

    def __call__(self, input_ids, scores):
        only = torch.tensor([next(self._tokens)], device=scores.device)
        return torch.full_like(scores, -torch.inf).index_fill(1, only, 0)


def generate(model, inputs: dict[str, torch.Tensor], mode: str, new_tokens=NEW_TOKENS, forced=None) -> Generated:
    """Generates greedily on the model's device, or the tokens of `forced`."""
    options = {"logits_processor": [Forced(forced)]} if forced else {}
    if mode != "eager_dynamic":
        options["cache_implementation"] = "static"
    if mode == "compiled_decode":
        options["compile_config"] = transformers.CompileConfig(
            backend="neuron", fullgraph=True, dynamic=False, mode="default"
        )
    else:
        options["disable_compile"] = True
    if mode == "compiled_both":
        model.forward = torch.compile(model.forward, backend="neuron", fullgraph=True, dynamic=False)
    try:
        output = model.generate(
            **{
                name: value.to(model.device, model.dtype if value.is_floating_point() else None)
                for name, value in inputs.items()
            },
            generation_config=transformers.GenerationConfig(max_new_tokens=new_tokens, do_sample=False),
            return_dict_in_generate=True,
            output_logits=True,
            **options,
        )
    finally:
        model.__dict__.pop("forward", None)
    new = output.sequences[0, -new_tokens:].tolist()
    return Generated(new, torch.cat([step.float().cpu() for step in output.logits]))


def evidence(reference: Generated, tokens: list[int], dtype: torch.dtype) -> str:
    """"tokens" when all are equal, "near_tie" when the first difference is one by the rule, else what differs."""
    for step, (expected, actual) in enumerate(zip(reference.tokens, tokens, strict=True)):
        if expected == actual:
            continue
        best, second = reference.logits[step].topk(2).values.tolist()
        # By value, not by place: of equal logits, any may come first.
        is_runner_up = reference.logits[step][actual].item() >= second
        gap = (best - second) / max(abs(best), 1e-9)
        if is_runner_up and gap <= NEAR_TIE[dtype]:
            return "near_tie"
        return f"token {step}: {actual} instead of {expected} (gap {gap:.2g})"
    return "tokens"
