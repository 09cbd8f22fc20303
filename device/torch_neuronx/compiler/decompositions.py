"""Inductor's decompositions, without those that ask Inductor about device `neuron`, and with those accelerators need."""

import functools

import torch


def _histc(values, bins=100, min=0, max=0):
    """Counts of integers, one bin per integer, as Transformers asks of accelerators; the CPU's kernel takes floats only."""
    if values.is_floating_point() or bins != max - min + 1:
        return NotImplemented
    bin_values = torch.arange(min, max + 1, device=values.device, dtype=values.dtype)
    return (values.unsqueeze(-1) == bin_values).flatten(0, -2).sum(0).to(values.dtype)


@functools.cache
def table() -> dict:
    """The decompositions by operator."""
    from torch._inductor.decomposition import select_decomp_table

    decompositions = dict(select_decomp_table())
    decompositions[torch.ops.aten.histc.default] = _histc
    # Looks up features of the device in Inductor's own table, which lacks neuron; the CPU stage decomposes it.
    decompositions.pop(torch.ops.aten.masked_scatter.default, None)
    return decompositions
