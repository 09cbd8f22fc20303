"""What Dynamo asks of a device while it captures a graph."""

import torch
from torch._dynamo.device_interface import (
    DeviceInterface,
    get_registered_device_interfaces,
    register_interface_for_device,
)

from .. import neuron


class NeuronInterface(DeviceInterface):
    """Answers Dynamo from torch.neuron."""

    device = neuron.device
    Event = torch.Event
    Stream = torch.Stream

    class Worker:
        """For processes that compile on behalf of another."""

        set_device = staticmethod(neuron.set_device)
        current_device = staticmethod(neuron.current_device)
        get_device_properties = staticmethod(neuron.get_device_properties)

    current_device = staticmethod(neuron.current_device)
    set_device = staticmethod(neuron.set_device)
    exchange_device = staticmethod(neuron._exchange_device)
    maybe_exchange_device = staticmethod(neuron._maybe_exchange_device)
    device_count = staticmethod(neuron.device_count)
    is_available = staticmethod(neuron.is_available)
    stream = staticmethod(neuron.stream)
    current_stream = staticmethod(neuron.current_stream)
    set_stream = staticmethod(neuron.set_stream)
    synchronize = staticmethod(neuron.synchronize)
    get_compute_capability = staticmethod(neuron.get_device_capability)
    memory_allocated = staticmethod(neuron.memory_allocated)

    @staticmethod
    def get_raw_stream(device_idx: int) -> int:
        """Streams have no handle."""
        return 0

    @staticmethod
    def is_bf16_supported(including_emulation: bool = False) -> bool:
        """Whether bfloat16 may be used."""
        return neuron.is_bf16_supported(including_emulation)


def register() -> None:
    """Makes the device known to Dynamo; again does nothing."""
    known = {name for name, _ in get_registered_device_interfaces()}
    for name in ("neuron", *(f"neuron:{core}" for core in range(neuron.device_count()))):
        if name not in known:
            register_interface_for_device(name, NeuronInterface)
