"""Which cores there are and which one is current. Asking does not touch the device; using it does."""

import dataclasses

import torch

from .. import _C

DEVICE_NAME = "trn2-emulated"


@dataclasses.dataclass(frozen=True)
class DeviceProperties:
    """What get_device_properties answers; total_memory in bytes."""

    name: str
    total_memory: int


def core_index(device=None) -> int:
    """The core that `device` names: an index, a device or its text; the current core for None or plain "neuron"."""
    if device is None:
        return _C.current_core()
    if isinstance(device, int):
        return device if device >= 0 else _C.current_core()
    named = torch.device(device)
    if named.type != "neuron":
        raise ValueError(f"expected a neuron device, not {named}")
    return _C.current_core() if named.index is None else named.index


def is_available() -> bool:
    """Whether there is a core to use."""
    return _C.num_cores() > 0


def is_initialized() -> bool:
    """Whether this process has touched the device."""
    return _C.is_initialized()


def init() -> None:
    """Touches the device, as the first tensor on it would."""
    _C.touch()


def _lazy_init() -> None:
    # PyTorch calls it before it makes a tensor on the device, which touches it, and also before it only sets the current
    # device (torch.accelerator.set_device_index), which must stay possible before init_process_group.
    if _C.is_forked():
        _C.touch()  # says why it cannot


def _is_in_bad_fork() -> bool:
    # PyTorch asks before it seeds the device or sends its tensors to another process.
    return _C.is_forked()


def device_count() -> int:
    """The cores that this process sees."""
    return _C.num_cores()


def current_device() -> int:
    """The index of this thread's core."""
    return _C.current_core()


def set_device(device) -> None:
    """Makes `device` this thread's core. Does not touch it, so it may come before init_process_group."""
    _C.set_current_core(core_index(device))


def _exchange_device(index: int) -> int:
    previous = _C.current_core()
    if index >= 0:
        _C.set_current_core(index)
    return previous


_maybe_exchange_device = _exchange_device


class device:
    """Context manager: inside it `device` is the current one."""

    def __init__(self, device):
        self.idx = core_index(device)
        self.prev_idx = -1

    def __enter__(self):
        self.prev_idx = _exchange_device(self.idx)

    def __exit__(self, *error):
        _exchange_device(self.prev_idx)


def get_device_name(device=None) -> str:
    """The name of the device; it says that it is emulated."""
    return DEVICE_NAME


def get_device_properties(device=None) -> DeviceProperties:
    """Name and memory of a core."""
    return DeviceProperties(DEVICE_NAME, _C.ledger(core_index(device))["capacity_bytes"])


def get_device_capability(device=None) -> tuple[int, int]:
    """Generation of the emulated device: Trainium2."""
    return (2, 0)


def synchronize(device=None) -> None:
    """Waits for the work of a core; work is done when its call returns, so nothing remains."""
    torch.accelerator.synchronize(core_index(device))
