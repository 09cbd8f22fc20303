"""What torch.autocast("neuron") asks."""

import torch


def get_amp_supported_dtype() -> list[torch.dtype]:
    """The lower precisions that autocast may use."""
    return [torch.bfloat16, torch.float16]


def is_bf16_supported(including_emulation: bool = True) -> bool:
    """Whether bfloat16 may be used."""
    return True
