"""The memory account of a core: exact to the allocation, limited, in eager operators and their temporaries."""

import pytest
import torch
from torch_neuronx import _C

KIB = 1024


@pytest.fixture
def core():
    """A core whose account starts at zero and whose capacity is restored afterwards."""
    index = 5
    assert torch.neuron.memory_allocated(index) == 0
    capacity = torch.neuron.get_device_properties(index).total_memory
    torch.neuron.reset_peak_memory_stats(index)
    yield index
    _C.set_capacity(index, capacity)
    assert torch.neuron.memory_allocated(index) == 0, "a test left memory behind"


def test_default_capacity_is_that_of_a_logical_core():
    assert torch.neuron.get_device_properties(0).total_memory == 24 << 30


def test_allocations_are_counted_in_units_of_64_bytes(core):
    tensors = [torch.empty(n, dtype=torch.uint8, device=f"neuron:{core}") for n in (1, 64, 65, 0)]
    assert torch.neuron.memory_allocated(core) == 64 + 64 + 128
    del tensors
    assert torch.neuron.memory_allocated(core) == 0
    assert torch.neuron.max_memory_allocated(core) == 256


def test_peak_counts_results_while_arguments_live(core):
    x = torch.ones(KIB, device=f"neuron:{core}")
    y = x + x
    del y
    assert torch.neuron.memory_allocated(core) == 4 * KIB
    assert torch.neuron.max_memory_allocated(core) == 8 * KIB
    torch.neuron.reset_peak_memory_stats(core)
    assert torch.neuron.max_memory_allocated(core) == 4 * KIB


def test_temporaries_of_a_kernel_are_counted(core):
    x = torch.rand(KIB, device=f"neuron:{core}")
    torch.neuron.reset_peak_memory_stats(core)
    torch.linalg.norm(x.view(32, 32), ord="nuc")
    assert torch.neuron.max_memory_allocated(core) > 4 * KIB


def test_host_tensors_are_not_counted(core):
    x = torch.ones(KIB, device=f"neuron:{core}")
    before = torch.neuron.memory_allocated(core)
    y = torch.ones(1 << 20) * 2
    z = x.cpu()
    assert torch.neuron.memory_allocated(core) == before and y.numel() > z.numel()


def test_each_core_has_its_own_account(core):
    torch.neuron.reset_peak_memory_stats(core + 1)
    x = torch.ones(KIB, device=f"neuron:{core}")
    assert torch.neuron.max_memory_allocated(core + 1) == 0 and x.numel() == KIB


def test_a_full_core_refuses_in_the_real_words(core):
    _C.set_capacity(core, 10 * KIB)
    x = torch.ones(KIB, device=f"neuron:{core}")
    with pytest.raises(torch.OutOfMemoryError, match=rf"NRT allocation failed for size 8192 .*neuron:{core}.*\(OOM\)"):
        torch.cat([x, x])
    assert torch.neuron.memory_stats(core)["num_ooms"] == 1
    assert (x + 1).sum().item() == 2 * KIB, "what fits still works"


def test_a_request_beyond_all_memory_is_refused(core):
    with pytest.raises(torch.OutOfMemoryError, match="NRT allocation failed"):
        torch.empty(1 << 45, device=f"neuron:{core}")


def test_accelerator_answers_the_same_figures(core):
    x = torch.ones(KIB, device=f"neuron:{core}")
    assert torch.accelerator.memory_allocated(core) == torch.neuron.memory_allocated(core) == 4 * KIB
    assert torch.accelerator.max_memory_allocated(core) == torch.neuron.max_memory_allocated(core)
    assert torch.accelerator.get_memory_info(core) == torch.neuron.mem_get_info(core)
    assert "4096" in torch.neuron.memory_summary(core) and x.numel() == KIB


def test_capacity_comes_from_the_environment(run_python):
    done = run_python(
        "import torch; torch.ones(300, device='neuron')", NEURON_EMULATED_CORE_BYTES="1024", NEURON_EMULATED_CORES="2"
    )
    assert "1024 bytes are in use (OOM)" in done.stderr.replace("0 of ", "", 1)
