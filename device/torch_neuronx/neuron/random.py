"""Random generators: one per core. The same seed gives the same numbers as on the CPU."""

import torch

from .. import _C
from .device import core_index


def manual_seed(seed: int) -> None:
    """Seeds the current core's generator."""
    _C.default_generator(core_index()).manual_seed(int(seed))


def manual_seed_all(seed: int) -> None:
    """Seeds the generators of all cores alike."""
    for core in range(_C.num_cores()):
        _C.default_generator(core).manual_seed(int(seed))


def seed() -> None:
    """Seeds the current core's generator from the system's randomness."""
    _C.default_generator(core_index()).seed()


def seed_all() -> None:
    """Seeds all cores alike from the system's randomness."""
    manual_seed_all(_C.default_generator(core_index()).seed())


def initial_seed() -> int:
    """The seed of the current core's generator."""
    return _C.default_generator(core_index()).initial_seed()


def get_rng_state(device="neuron") -> torch.Tensor:
    """The state of a core's generator, as a byte tensor on the CPU."""
    return _C.default_generator(core_index(device)).get_state()


def set_rng_state(new_state: torch.Tensor, device="neuron") -> None:
    """Sets the state of a core's generator."""
    _C.default_generator(core_index(device)).set_state(new_state)


def get_rng_state_all() -> list[torch.Tensor]:
    """The states of all cores."""
    return [get_rng_state(core) for core in range(_C.num_cores())]


def set_rng_state_all(new_states) -> None:
    """Sets the states of all cores, in order."""
    for core, state in enumerate(new_states):
        set_rng_state(state, core)
