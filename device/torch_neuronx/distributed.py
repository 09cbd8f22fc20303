"""The process group backend `neuron`, carried by gloo."""

import os

import torch.distributed as dist

from . import _C, faults


def register() -> None:
    """Makes `init_process_group("neuron")` known, where PyTorch has distributed support."""
    if dist.is_available():
        # Compiled graphs hand over tensors of the CPU, so the group must take both.
        dist.Backend.register_backend("neuron", _create_backend, extended_api=True, devices=["neuron", "cpu"])


def _create_backend(options, _backend_options=None):
    is_first_group = _C.owned_core() < 0
    if is_first_group:
        _claim_core(options.store, options.group_rank)
        faults.arm_from_environment(options.group_rank)
    elif 1 < options.group_size < dist.get_world_size():
        raise RuntimeError(
            f"Backend neuron supports collectives on the default group only; a group of {options.group_size} "
            f"of {dist.get_world_size()} ranks was asked for"
        )
    inner = dist.ProcessGroupGloo(
        options.store, options.group_rank, options.group_size, timeout=options.timeout
    )
    return _C.NeuronBackend(inner)


def _claim_core(store, rank: int) -> None:
    """Gives this process the core of its local rank, which no other rank of the host may have."""
    if _C.is_initialized():
        raise RuntimeError(
            "the neuron device was used before init_process_group('neuron'): create the process group first, "
            "so that each process takes the core of its local rank"
        )
    core = int(os.environ.get("LOCAL_RANK", rank))
    taken = store.add(f"neuron_core/{os.uname().nodename}/{core}", 1)
    if taken > 1:
        raise RuntimeError(
            f"NeuronCore {core} is locked (in use) by another process, status NRT_EXEC_NC_BUSY (1005): "
            "two ranks have the same LOCAL_RANK"
        )
    os.environ.setdefault("NEURON_RT_VISIBLE_CORES", str(core))
    _C.own_only(core)
