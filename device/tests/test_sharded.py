"""Sharded generate() gives the single process's tokens: tensor and expert parallel over 2 and 4 cores."""

import json
import pathlib

import pytest
import torch
from generation import evidence, generate, model_class, prompt
from ranks import run_ranks

# As scripts run: prefill and decode compiled. Eager sharded generation is a known gap (device/README.md).
FORMS = [("llama", "tp"), ("qwen2", "tp"), ("mixtral", "tp"), ("mixtral", "ep"), ("gpt_oss", "ep"), ("zaya", "ep")]
CASES = {
    2: [f"{kind}:{form}:compiled_both" for kind, form in FORMS],
    4: [f"{kind}:{form}:compiled_both" for kind, form in FORMS if kind in ("llama", "gpt_oss")],
}


@pytest.fixture(scope="module")
def checkpoints(tmp_path_factory) -> pathlib.Path:
    """A folder with a tiny checkpoint of each kind."""
    from zoo.tiny import make_tiny

    folder = tmp_path_factory.mktemp("checkpoints")
    for kind in dict(FORMS):
        make_tiny(kind, folder / kind)
    return folder


@pytest.fixture(scope="module")
def outcomes(checkpoints, tmp_path_factory):
    """What the ranks of a world size printed; each size runs once."""
    known = {}

    def of(world_size: int):
        if world_size not in known:
            folder = tmp_path_factory.mktemp("cache")
            script = str(pathlib.Path(__file__).with_name("sharded_generation.py"))
            done = run_ranks(
                [script, str(checkpoints), *CASES[world_size]],
                world_size,
                timeout_s=600,
                TORCH_NEURONX_NEFF_CACHE_DIR=str(folder / "neff"),
                TORCH_NEURONX_NEFF_LOCAL_CACHE_DIR=str(folder / "local"),
            )
            known[world_size] = dict(json.loads(line) for line in done[0].stdout.splitlines())
            known[world_size]["errors"] = [rank.stderr[-2000:] for rank in done]
        return known[world_size]

    return of


@pytest.mark.parametrize("world_size, case", [(size, case) for size, cases in CASES.items() for case in cases])
def test_tokens_are_those_of_one_process(checkpoints, outcomes, world_size, case):
    kind = case.split(":")[0]
    assert case in outcomes(world_size), "\n".join(outcomes(world_size)["errors"])
    tokens = outcomes(world_size)[case]
    reference = generate(model_class(kind).from_pretrained(checkpoints / kind), prompt(kind), "eager_dynamic")
    assert evidence(reference, tokens, torch.float32) in ("tokens", "near_tie")
