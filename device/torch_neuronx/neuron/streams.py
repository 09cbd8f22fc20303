"""Streams and events. Work is done when its call returns: streams order nothing, events are always complete."""

import torch

from .device import core_index


# PyTorch's own classes make streams and events of the current accelerator, which is this device.
Stream = torch.Stream
Event = torch.Event


def current_stream(device=None) -> torch.Stream:
    """The stream that this thread uses on a core."""
    return torch.accelerator.current_stream(core_index(device))


def default_stream(device=None) -> torch.Stream:
    """The stream that is current where no other was set."""
    return torch.Stream(stream_id=0, device_index=core_index(device), device_type=current_stream(device).device_type)


def set_stream(stream: torch.Stream) -> None:
    """Makes `stream` current on its core."""
    torch.accelerator.set_stream(stream)


def stream(stream: torch.Stream | None):
    """Context manager: inside it `stream` is current."""
    return stream if stream is not None else torch.neuron.current_stream()
