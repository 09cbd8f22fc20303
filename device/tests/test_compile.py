"""torch.compile(backend="neuron"): results, static shapes, memory, and what it refuses."""

import pytest
import torch
import torch_neuronx
from torch_neuronx.compiler import inductor


@pytest.fixture(autouse=True)
def fresh_dynamo():
    torch._dynamo.reset()
    yield
    torch._dynamo.reset()


def compiled(function, **options):
    return torch.compile(function, backend="neuron", fullgraph=True, **options)


def num_graphs() -> int:
    return len(torch_neuronx.get_dynamo_metrics())


def test_backend_is_known_by_name():
    assert "neuron" in torch.compiler.list_backends()


def test_results_mutations_and_views_are_those_of_eager():
    def step(x, weight, cache, index):
        cache.index_copy_(0, index, x)
        return torch.nn.functional.silu(x @ weight) + torch.arange(16, device=x.device), x.t(), cache[:2]

    host = [torch.randn(4, 8), torch.randn(8, 16), torch.zeros(10, 8), torch.tensor([1, 2, 5, 6])]
    device = [tensor.to("neuron") for tensor in host]
    expected = step(*host)
    actual = compiled(step, dynamic=False)(*device)
    for want, got in zip(expected, actual, strict=True):
        assert got.device.type == "neuron"
        torch.testing.assert_close(got.cpu(), want)
    assert torch.equal(device[2].cpu(), host[2])
    assert actual[1].data_ptr() == device[0].data_ptr()


def test_gradients_are_those_of_eager():
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.GELU(), torch.nn.Linear(8, 1)).to("neuron")
    x = torch.randn(3, 8, device="neuron")
    model(x).sum().backward()
    expected = model[0].weight.grad.clone()
    model.zero_grad()
    compiled(model)(x).sum().backward()
    torch.testing.assert_close(model[0].weight.grad, expected)


def test_constants_inside_a_graph():
    table = torch.tensor([3.0, 4.0], device="neuron")
    function = compiled(lambda x: x + table + torch.tensor([1.0, 2.0], device="neuron"))
    assert function(torch.zeros(2, device="neuron")).tolist() == [4.0, 6.0]


def test_graphs_that_hold_graphs():
    def branches(x, flag):
        return torch.cond(flag, lambda x: x + 1, lambda x: x - 1, (x,))

    function = compiled(branches)
    x = torch.zeros(2, device="neuron")
    assert function(x, torch.tensor(True, device="neuron")).tolist() == [1, 1]
    assert function(x, torch.tensor(False, device="neuron")).tolist() == [-1, -1]


def test_no_output_and_none_output():
    def nothing(x):
        x.add_(1)

    x = torch.zeros(2, device="neuron")
    assert compiled(nothing)(x) is None and x.tolist() == [1, 1]


def test_every_new_shape_compiles_again():
    function = compiled(lambda x: x * 2)
    before = num_graphs()
    for length in (3, 4, 5):
        assert function(torch.ones(length, device="neuron")).tolist() == [2.0] * length
    assert num_graphs() - before == 3


def test_dynamic_shapes_are_refused():
    with pytest.raises(torch._dynamo.exc.BackendCompilerFailed, match=r"\[NCC_EMOD025\] dynamic=True"):
        compiled(lambda x: x * 2, dynamic=True)(torch.ones(3, device="neuron"))


def test_other_modes_warn():
    with pytest.warns(UserWarning, match="mode='max-autotune' is ignored"):
        compiled(lambda x: x * 2, mode="max-autotune")(torch.ones(3, device="neuron"))


def test_results_and_buffers_are_charged_to_the_core():
    core = 7
    x = torch.ones(1024, device=f"neuron:{core}")
    function = compiled(lambda x: torch.sort(x * 2).values + 1)
    function(x)
    torch.neuron.reset_peak_memory_stats(core)
    y = function(x)
    assert y.device.index == core
    assert torch.neuron.memory_allocated(core) == 2 * 4096
    assert torch.neuron.max_memory_allocated(core) > 3 * 4096, "what sort needs inside is counted"
    del x, y
    assert torch.neuron.memory_allocated(core) == 0


def test_a_full_core_refuses_inside_compiled_code():
    core = 8
    capacity = torch.neuron.get_device_properties(core).total_memory
    x = torch.ones(1024, device=f"neuron:{core}")
    function = compiled(lambda x: x * 2 + 1)
    torch_neuronx._C.set_capacity(core, 5000)
    try:
        with pytest.raises(torch.OutOfMemoryError, match="NRT allocation failed for size 4096"):
            function(x)
    finally:
        torch_neuronx._C.set_capacity(core, capacity)
    assert function(x).sum().item() == 3 * 1024


def test_integer_histc_compiles():
    tokens = torch.tensor([0, 3, 3, 1], dtype=torch.int32, device="neuron")
    assert compiled(lambda x: torch.histc(x, bins=4, min=0, max=3))(tokens).tolist() == [1, 1, 0, 2]


def test_masked_scatter_compiles():
    x = torch.zeros(4, device="neuron")
    mask = torch.tensor([True, False, True, False], device="neuron")
    result = compiled(lambda x, m, s: x.masked_scatter(m, s))(x, mask, torch.tensor([5.0, 6.0], device="neuron"))
    assert result.tolist() == [5, 0, 6, 0]


def test_random_numbers_follow_the_seed():
    function = compiled(lambda x: x + torch.rand_like(x))
    x = torch.zeros(4, device="neuron")
    torch.manual_seed(1)
    first = function(x)
    assert not torch.equal(function(x), first)
    torch.manual_seed(1)
    assert torch.equal(function(x), first)


def test_a_library_of_the_instruction_set_test_is_loaded_once(tmp_path):
    answers, library = [False, True], str(tmp_path / "probe.so")
    probe = inductor._remembering(lambda _isa, _library: answers.pop(0))
    assert [probe(None, library) for _ in range(4)] == [False, True, True, True] and not answers
