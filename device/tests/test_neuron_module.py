"""torch.neuron and torch.accelerator: every name of the real module, and what it answers."""

import threading

import pytest
import torch
import torch_neuronx

NAMES = """is_available is_initialized init device_count current_device set_device device get_device_name
get_device_properties manual_seed manual_seed_all seed seed_all initial_seed get_rng_state set_rng_state Stream Event
stream current_stream default_stream synchronize memory_stats memory_allocated max_memory_allocated memory_reserved
max_memory_reserved reset_peak_memory_stats memory_summary empty_cache get_amp_supported_dtype
is_bf16_supported""".split()


@pytest.mark.parametrize("name", NAMES)
def test_torch_neuron_offers(name):
    assert callable(getattr(torch.neuron, name))


def test_accelerator_is_neuron():
    assert torch.accelerator.current_accelerator().type == "neuron"
    assert torch.accelerator.is_available()
    assert torch.accelerator.device_count() == torch.neuron.device_count() == 16


def test_asking_does_not_initialise_and_touching_does(run_python):
    done = run_python(
        "import torch; n = torch.neuron; seen = [n.is_initialized()]\n"
        "n.device_count(); n.get_device_properties(0); n.set_device(1); torch.manual_seed(1)\n"
        "seen.append(n.is_initialized()); torch.empty(1, device='neuron'); print(seen, n.is_initialized())"
    )
    assert done.stdout.strip() == "[False, False] True", done.stderr


def test_device_context_and_default_device():
    with torch.neuron.device(3):
        assert torch.ones(1, device="neuron").device.index == 3
    assert torch.neuron.current_device() == 0
    with torch.device("neuron"):
        assert torch.nn.Linear(2, 2).weight.device.type == "neuron"


def test_current_device_belongs_to_the_thread():
    seen = []

    def use_core_two():
        torch.neuron.set_device(2)
        seen.append(torch.ones(1, device="neuron").device.index)

    thread = threading.Thread(target=use_core_two)
    thread.start()
    thread.join()
    assert seen == [2] and torch.neuron.current_device() == 0


def test_a_core_that_does_not_exist_is_refused():
    with pytest.raises(RuntimeError, match="invalid device ordinal 16"):
        torch.ones(1, device="neuron:16")
    with pytest.raises(RuntimeError, match="invalid device ordinal"):
        torch.neuron.set_device(99)


def test_seeds_give_the_numbers_of_the_cpu():
    torch.manual_seed(3)
    on_cpu = torch.randn(5)
    torch.manual_seed(3)
    assert torch.equal(torch.randn(5, device="neuron").cpu(), on_cpu)


def test_generator_state_round_trip():
    generator = torch.Generator("neuron")
    generator.manual_seed(5)
    state = generator.get_state()
    first = torch.rand(4, device="neuron", generator=generator)
    generator.set_state(state)
    assert torch.equal(torch.rand(4, device="neuron", generator=generator), first)
    saved = torch.neuron.get_rng_state()
    first = torch.rand(4, device="neuron")
    torch.neuron.set_rng_state(saved)
    assert torch.equal(torch.rand(4, device="neuron"), first)


def test_each_core_has_its_own_generator():
    torch.neuron.manual_seed_all(7)
    first = torch.rand(4, device="neuron:1")
    assert torch.equal(torch.rand(4, device="neuron:0").cpu(), first.cpu())
    assert not torch.equal(torch.rand(4, device="neuron:1"), first)


def test_fork_rng_restores_the_device():
    torch.manual_seed(1)
    with torch.random.fork_rng(devices=[0], device_type="neuron"):
        first = torch.rand(3, device="neuron")
    assert torch.equal(torch.rand(3, device="neuron"), first)


def test_streams_have_identity():
    one, other = torch.neuron.Stream(), torch.neuron.Stream()
    assert one != other and one.device.type == "neuron"
    before = torch.neuron.current_stream()
    assert before == torch.neuron.default_stream()
    with torch.neuron.stream(one):
        assert torch.neuron.current_stream() == one
    assert torch.neuron.current_stream() == before
    one.synchronize()
    assert one.query()


def test_events_measure_time():
    first, second = (torch.neuron.Event(enable_timing=True) for _ in range(2))
    first.record()
    torch.ones(1 << 20, device="neuron").sum()
    second.record()
    second.synchronize()
    assert second.query() and 0 < first.elapsed_time(second) < 10_000


def test_events_without_timing_refuse_to_measure():
    first, second = torch.neuron.Event(), torch.neuron.Event()
    first.record()
    second.record()
    with pytest.raises(ValueError, match="enable_timing"):
        first.elapsed_time(second)


def test_operators_are_tracked():
    torch_neuronx.clear_op_tracking()
    torch.ones(2, device="neuron") + 1
    assert "aten::add" in torch_neuronx.get_executed_ops()
    assert torch_neuronx.get_fallback_ops() == set()
    torch_neuronx.clear_op_tracking()
    assert torch_neuronx.get_executed_ops() == set()


def test_listed_operators_count_as_fallen_back(run_python):
    done = run_python(
        "import torch, torch_neuronx; x = torch.ones(2, device='neuron'); (x + 1).sum(); (x * 2).sum()\n"
        "print(sorted(torch_neuronx.get_fallback_ops()))",
        NEURON_EMULATED_FALLBACK_OPS="aten::sum,aten::cumsum",
    )
    assert done.stdout.strip() == "['aten::sum']", done.stderr
