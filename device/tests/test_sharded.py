"""Sharded generate() gives the single process's tokens: tensor and expert parallel over 2 and 4 cores."""

import json
import pathlib

import pytest
import torch
from generation import MODES, evidence, generate, model_class, prompt
from ranks import run_ranks

FORMS = ("llama:tp", "qwen2:tp", "mixtral:tp", "mixtral:ep", "gpt_oss:ep", "zaya:ep")
ONCE_EACH_WAY = ("llama:tp", "gpt_oss:ep")
# Scripts run "compiled_both". Every form does so in both dtypes; the other ways are tried where they differ.
CASES = {
    2: [f"{form}:float32:{mode}" for form in FORMS for mode in MODES if form in ONCE_EACH_WAY or mode != "compiled_decode"]
    + [f"{form}:bfloat16:compiled_both" for form in FORMS],
    4: [f"{form}:{dtype}:compiled_both" for form in ONCE_EACH_WAY for dtype in ("float32", "bfloat16")],
}


@pytest.fixture(scope="module")
def checkpoints(tmp_path_factory) -> pathlib.Path:
    """A folder with a tiny checkpoint of each kind."""
    from zoo.tiny import make_tiny

    folder = tmp_path_factory.mktemp("checkpoints")
    for kind in {form.split(":")[0] for form in FORMS}:
        make_tiny(kind, folder / kind)
    return folder


@pytest.fixture(scope="module")
def references(checkpoints):
    """What one process generates on the CPU, once per kind and dtype."""
    known = {}

    def reference(kind: str, dtype: torch.dtype):
        if (kind, dtype) not in known:
            model = model_class(kind).from_pretrained(checkpoints / kind, dtype=dtype)
            known[kind, dtype] = generate(model, prompt(kind), "eager_dynamic")
        return known[kind, dtype]

    return reference


@pytest.fixture(scope="module")
def outcomes(checkpoints, tmp_path_factory):
    """What the ranks of a world size printed; each size runs once."""
    known = {}

    def of(world_size: int):
        if world_size not in known:
            folder = tmp_path_factory.mktemp("cache")
            script = str(pathlib.Path(__file__).with_name("sharded_generation.py"))
            known[world_size] = {"errors": ["the ranks did not come to their end"]}  # stands when run_ranks gives up
            done = run_ranks(
                [script, str(checkpoints), *CASES[world_size]],
                world_size,
                timeout_s=1800,
                TORCH_NEURONX_NEFF_CACHE_DIR=str(folder / "neff"),
                TORCH_NEURONX_NEFF_LOCAL_CACHE_DIR=str(folder / "local"),
            )
            known[world_size] = dict(json.loads(line) for line in done[0].stdout.splitlines())
            known[world_size]["errors"] = [rank.stderr[-2000:] for rank in done]
        return known[world_size]

    return of


@pytest.mark.parametrize("world_size, case", [(size, case) for size, cases in CASES.items() for case in cases])
def test_tokens_are_those_of_one_process(references, outcomes, world_size, case):
    kind, _, dtype, _ = case.split(":")
    dtype = getattr(torch, dtype)
    assert case in outcomes(world_size), "\n".join(outcomes(world_size)["errors"])
    assert evidence(references(kind, dtype), outcomes(world_size)[case], dtype) in ("tokens", "near_tie")
