"""The key of a graph: the same for the same work anywhere, another for each thing that the compiled form depends on."""

import pytest
import torch
from torch.fx.experimental.proxy_tensor import make_fx
from torch_neuronx.compiler import graph_key, requirements

HOST = {"torch": "2.13.0", "cpu_features": ["avx2", "fma"], "threads": 1}


def key_of(function, *inputs, mode="graph", flags="", host=HOST):
    return graph_key.graph_key(make_fx(function)(*inputs), inputs, mode, flags, host)[0]


def double(x):
    return torch.ops.aten.mul.Tensor(x, 2.0)


BASE = key_of(double, torch.ones(2, 3))


def test_keys_are_32_hex_digits_and_repeat():
    assert len(BASE) == 32 and int(BASE, 16) >= 0
    assert key_of(double, torch.zeros(2, 3)) == BASE, "values of inputs do not matter"


CHANGES = {
    "operator": lambda: key_of(lambda x: torch.ops.aten.add.Tensor(x, 2.0), torch.ones(2, 3)),
    "constant": lambda: key_of(lambda x: torch.ops.aten.mul.Tensor(x, 3.0), torch.ones(2, 3)),
    "shape": lambda: key_of(double, torch.ones(3, 2)),
    "stride": lambda: key_of(double, torch.ones(3, 2).t()),
    "dtype": lambda: key_of(double, torch.ones(2, 3, dtype=torch.bfloat16)),
    "mode": lambda: key_of(double, torch.ones(2, 3), mode="inductor"),
    "flags": lambda: key_of(double, torch.ones(2, 3), flags="--native-int64=disabled"),
    "torch": lambda: key_of(double, torch.ones(2, 3), host=HOST | {"torch": "2.13.1"}),
    "cpu": lambda: key_of(double, torch.ones(2, 3), host=HOST | {"cpu_features": ["avx2"]}),
    "threads": lambda: key_of(double, torch.ones(2, 3), host=HOST | {"threads": 2}),
    "toolchain": lambda: key_of(double, torch.ones(2, 3), host=HOST | {"toolchain": "g++ 13"}),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_each_input_changes_the_key(change):
    assert change() != BASE


def test_tensors_inside_a_graph_count_by_content():
    def with_constant(values):
        constant = torch.tensor(values)
        return make_fx(lambda x: x + constant)

    def key(values):
        graph = with_constant(values)(torch.ones(2))
        return graph_key.graph_key(graph, [torch.ones(2)], "graph", "", HOST)[0]

    assert key([1.0, 2.0]) == key([1.0, 2.0]) != key([1.0, 3.0])


def test_keys_are_the_same_in_another_process(run_python):
    code = (
        "import torch; x = torch.ones(3, device='neuron')\n"
        "torch.compile(lambda x: torch.nn.functional.gelu(x) @ x, backend='neuron')(x)\n"
        "import torch_neuronx; print(torch_neuronx.get_dynamo_metrics()[0]['graph_id'])"
    )
    first, second = (run_python(code, PYTHONHASHSEED=seed).stdout.strip() for seed in ("1", "2"))
    assert len(first) == 32 and first == second


class TestRequirements:
    """Whether a file's needs are met."""

    def test_a_better_cpu_will_do(self):
        assert requirements.unmet(HOST, HOST | {"cpu_features": ["avx2", "avx512f", "fma"]}) is None

    @pytest.mark.parametrize(
        "host, reason",
        [
            (HOST | {"cpu_features": ["avx2"]}, "other CPU: it lacks fma"),
            (HOST | {"torch": "2.14.0"}, "other torch: needs 2.13.0, host has 2.14.0"),
            (HOST | {"threads": 4}, "other threads: needs 1, host has 4"),
        ],
    )
    def test_what_is_unmet_is_named(self, host, reason):
        assert requirements.unmet(HOST, host) == reason
