"""The memory account of each core, in bytes. Nothing is cached: reserved equals allocated."""

from .. import _C
from .device import core_index


def memory_allocated(device=None) -> int:
    """Bytes in use on a core, each allocation rounded up to 64."""
    return _C.ledger(core_index(device))["current_bytes"]


def max_memory_allocated(device=None) -> int:
    """The most bytes that were in use at once since the start or the last reset_peak_memory_stats."""
    return _C.ledger(core_index(device))["peak_bytes"]


memory_reserved = memory_allocated
max_memory_reserved = max_memory_allocated


def mem_get_info(device=None) -> tuple[int, int]:
    """Free and total bytes of a core."""
    account = _C.ledger(core_index(device))
    return max(0, account["capacity_bytes"] - account["current_bytes"]), account["capacity_bytes"]


def memory_stats(device=None) -> dict[str, int]:
    """The account under the names that PyTorch's allocators use."""
    account = _C.ledger(core_index(device))
    return {
        "allocated_bytes.all.current": account["current_bytes"],
        "allocated_bytes.all.peak": account["peak_bytes"],
        "reserved_bytes.all.current": account["current_bytes"],
        "reserved_bytes.all.peak": account["peak_bytes"],
        "allocation.all.allocated": account["num_allocations"],
        "num_ooms": account["num_refusals"],
    }


def memory_summary(device=None, abbreviated: bool = False) -> str:
    """The account as text for people."""
    core = core_index(device)
    account = _C.ledger(core)
    lines = [f"neuron:{core} (emulated), bytes"]
    names = ("current_bytes", "peak_bytes", "capacity_bytes")
    if not abbreviated:
        names += ("num_allocations", "num_refusals")
    lines += [f"  {name:<16} {account[name]:>16}" for name in names]
    return "\n".join(lines)


def reset_peak_memory_stats(device=None) -> None:
    """Lets the peak start again at what is in use now."""
    _C.reset_peak(core_index(device))


def reset_accumulated_memory_stats(device=None) -> None:
    """Starts the counts of allocations and refusals again at zero."""
    _C.reset_counts(core_index(device))


def empty_cache() -> None:
    """Returns cached memory; there is none."""
