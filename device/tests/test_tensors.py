"""Tensors of the device: views, in-place and out= writes, copies, autograd, autocast, saving."""

import copy
import io
import pickle

import pytest
import torch


def on_both(function, *shapes):
    """Runs `function` on the same random tensors on the CPU and on the device; returns both results."""
    generator = torch.Generator().manual_seed(0)
    tensors = [torch.randn(shape, generator=generator) for shape in shapes]
    return function(*tensors), function(*[tensor.to("neuron") for tensor in tensors])


def test_views_share_memory_and_writes_show_through():
    x = torch.zeros(4, 5, device="neuron")
    x[:, 1:3] += 1
    assert x.sum().item() == 8
    first, _ = x.split([2, 3], 1)
    first.fill_(7)
    assert x[0].tolist() == [7, 7, 1, 0, 0]


@pytest.mark.parametrize(
    "view",
    [
        lambda x: x.t(),
        lambda x: x.unfold(0, 2, 1),
        lambda x: x.view(-1),
        lambda x: x[1:],
        lambda x: x.unsqueeze(0).expand(3, -1, -1),
        lambda x: torch.view_as_complex(x.view(2, 2, 2)),
        lambda x: x.diagonal(),
        lambda x: x.detach(),
    ],
)
def test_view_operators_do_not_copy(view):
    x = torch.randn(4, 2, device="neuron")
    before = torch.neuron.memory_allocated()
    seen = view(x)
    assert torch.neuron.memory_allocated() == before and seen.device == x.device
    assert seen.untyped_storage().data_ptr() == x.untyped_storage().data_ptr()


def test_conjugate_views_are_resolved():
    x = torch.randn(3, dtype=torch.complex64)
    y = x.to("neuron").conj()
    assert y.is_conj() and torch.equal((y * 1).cpu(), x.conj() * 1)


def test_out_is_resized_and_charged():
    x = torch.ones(1000, device="neuron")
    out = torch.empty(0, device="neuron")
    before = torch.neuron.memory_allocated()
    assert torch.add(x, x, out=out) is out
    assert out.shape == (1000,) and out.sum().item() == 2000
    assert torch.neuron.memory_allocated() - before == 4032


def test_resize_keeps_content():
    x = torch.arange(4.0, device="neuron")
    x.resize_(6)
    assert x[:4].tolist() == [0, 1, 2, 3]
    x.untyped_storage().resize_(64)
    assert x.untyped_storage().nbytes() == 64 and x[:4].tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize(
    "function, shapes",
    [
        (lambda a, b: a @ b, [(4, 5), (5, 3)]),
        (lambda a, b: torch.cat([a, b]), [(2, 3), (4, 3)]),
        (lambda a: a[a > 0], [(5, 5)]),
        (lambda a: a.nonzero(), [(3, 4)]),
        (lambda a: a.softmax(-1), [(3, 7)]),
        (lambda a: a.topk(2).indices, [(3, 7)]),
        (lambda a, w: torch.nn.functional.conv2d(a, w), [(1, 3, 8, 8), (4, 3, 3, 3)]),
        (lambda a: torch.nn.functional.layer_norm(a, (7,)), [(3, 7)]),
        (lambda a: torch._foreach_mul([a, a + 1], 2.0)[1], [(3, 7)]),
        (lambda a: torch.histc(a, bins=5, min=-1, max=1), [(30,)]),
        (lambda a: torch.linalg.inv(a), [(4, 4)]),
        (lambda a: torch.fft.rfft(a), [(8,)]),
    ],
)
def test_operators_give_the_numbers_of_the_cpu(function, shapes):
    expected, actual = on_both(function, *shapes)
    assert actual.device.type == "neuron"
    torch.testing.assert_close(actual.cpu(), expected, rtol=0, atol=0)


def test_histc_takes_integers_as_accelerators_do():
    tokens = torch.tensor([0, 3, 3, 1], dtype=torch.int32, device="neuron")
    counts = torch.histc(tokens, bins=4, min=0, max=3)
    assert counts.tolist() == [1, 1, 0, 2] and counts.dtype == torch.int32


def test_autograd_and_optimiser_follow_the_cpu():
    def train(x):
        torch.manual_seed(0)
        model = torch.nn.Sequential(torch.nn.Conv1d(3, 4, 2), torch.nn.GELU(), torch.nn.Flatten(), torch.nn.Linear(12, 1))
        model.to(x.device)
        optimiser = torch.optim.AdamW(model.parameters(), lr=0.1)
        for _ in range(3):
            optimiser.zero_grad()
            model(x).square().mean().backward()
            optimiser.step()
        return torch.cat([p.detach().flatten() for p in model.parameters()])

    expected, actual = on_both(train, (2, 3, 4))
    torch.testing.assert_close(actual.cpu(), expected)


def test_attention_follows_the_cpu():
    def attention(q, k, v):
        return torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)

    expected, actual = on_both(attention, *[(1, 2, 5, 8)] * 3)
    torch.testing.assert_close(actual.cpu(), expected)


def test_autocast_lowers_products_and_keeps_sums():
    x = torch.randn(4, 4, device="neuron")
    with torch.autocast("neuron", dtype=torch.bfloat16):
        assert (x @ x).dtype == torch.bfloat16
        assert torch.nn.functional.softmax(x @ x, -1).dtype == torch.float32
    assert (x @ x).dtype == torch.float32


def test_copies_between_host_and_cores():
    x = torch.arange(6).view(2, 3)
    for core in ("neuron:0", "neuron:1"):
        assert torch.equal(x.to(core).cpu(), x)
    across = x.to("neuron:0").to("neuron:1")
    assert across.device.index == 1 and torch.equal(across.cpu(), x)
    assert torch.equal(x.neuron().to(torch.float64).cpu(), x.double())


def test_saving_keeps_the_device_and_map_location_changes_it():
    file = io.BytesIO()
    torch.save({"x": torch.ones(3, device="neuron:1")}, file)
    file.seek(0)
    assert torch.load(file)["x"].device == torch.device("neuron:1")
    file.seek(0)
    assert torch.load(file, map_location="cpu")["x"].device.type == "cpu"


def test_deepcopy_and_pickle():
    x = torch.randn(3, device="neuron")
    for other in (copy.deepcopy(x), pickle.loads(pickle.dumps(x))):
        assert other.device == x.device and torch.equal(other, x) and other.data_ptr() != x.data_ptr()


def test_storage_knows_its_device():
    storage = torch.ones(3, device="neuron").untyped_storage()
    assert storage.device.type == "neuron" and storage.is_neuron
    assert storage.cpu().device.type == "cpu" and storage.neuron().device.type == "neuron"


def test_pinned_memory_is_remembered():
    x = torch.ones(8)
    assert not x.is_pinned()
    pinned = x.pin_memory()
    assert pinned.is_pinned() and pinned[3:].is_pinned() and pinned.device.type == "cpu"
    assert torch.equal(pinned.to("neuron", non_blocking=True).cpu(), x)


def test_host_arrays_are_out_of_reach():
    with pytest.raises(TypeError, match="can't convert neuron:0 device type tensor to numpy"):
        torch.ones(2, device="neuron").numpy()


def test_dataloader_pins_for_the_device():
    loader = torch.utils.data.DataLoader(list(torch.arange(4)), batch_size=2, pin_memory=True)
    assert [batch.to("neuron").tolist() for batch in loader] == [[0, 1], [2, 3]]
