"""generate() on the device gives the CPU's tokens: architectures x ways to run x dtypes, on one core.

The graphs run as captured (NEURON_EMULATED_COMPILER=graph); device/cross does the same with the zoo and the real compiler.
"""

import pytest
import torch
import torch_neuronx
from generation import MODES, Generated, evidence, generate, model_class, prompt

KINDS = ("llama", "qwen2", "mixtral", "gpt_oss", "llava", "zaya")
DTYPES = (torch.float32, torch.bfloat16)


@pytest.fixture(scope="module")
def checkpoints(tmp_path_factory):
    """Makes a tiny checkpoint of a kind, once."""
    from zoo.tiny import make_tiny

    made = {}

    def folder(kind: str):
        if kind not in made:
            made[kind] = tmp_path_factory.mktemp(kind)
            make_tiny(kind, made[kind])
        return made[kind]

    return folder


@pytest.fixture(scope="module")
def references(checkpoints):
    """What the CPU generates, eager, once per kind and dtype."""
    known = {}

    def reference(kind: str, dtype: torch.dtype):
        if (kind, dtype) not in known:
            model = model_class(kind).from_pretrained(checkpoints(kind), dtype=dtype)
            known[kind, dtype] = generate(model, prompt(kind), "eager_dynamic")
        return known[kind, dtype]

    return reference


@pytest.mark.parametrize("dtype", DTYPES, ids=["fp32", "bf16"])
@pytest.mark.parametrize("kind", KINDS)
def test_tokens_are_those_of_the_cpu(checkpoints, references, kind, dtype):
    model = model_class(kind).from_pretrained(checkpoints(kind), dtype=dtype, device_map="neuron")
    for mode in MODES:
        torch._dynamo.reset()
        graphs = len(torch_neuronx.get_dynamo_metrics())
        got = generate(model, prompt(kind), mode)
        assert evidence(references(kind, dtype), got.tokens, dtype) in ("tokens", "near_tie"), mode
        new_graphs = len(torch_neuronx.get_dynamo_metrics()) - graphs
        assert new_graphs == {"compiled_decode": 1, "compiled_both": 2}.get(mode, 0), mode


def test_wrong_numbers_are_noticed(checkpoints, references):
    model = model_class("llama").from_pretrained(checkpoints("llama"), device_map="neuron")
    with torch.no_grad():
        model.model.layers[0].self_attn.o_proj.weight.neg_()
    got = generate(model, prompt("llama"), "eager_dynamic")
    assert "instead of" in evidence(references("llama", torch.float32), got.tokens, torch.float32)


def test_of_equal_logits_any_is_a_near_tie_and_no_lesser_one():
    reference = Generated([1], torch.tensor([[0.0, 3.0, 2.0, 3.0, 3.0]]))
    found = {token: evidence(reference, [token], torch.float32) for token in range(5)}
    assert (found[1], found[3], found[4]) == ("tokens", "near_tie", "near_tie")
    assert "instead of" in found[0] and "instead of" in found[2]
