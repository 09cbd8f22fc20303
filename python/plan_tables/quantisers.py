"""Which quantised checkpoints a device can load, and how: asked of each quantiser's own check of its environment."""

import contextlib
from unittest import mock

import torch
from transformers.quantizers.auto import AUTO_QUANTIZATION_CONFIG_MAPPING, AUTO_QUANTIZER_MAPPING

DEVICES = ("cpu", "neuron")


def export():
    """{method: {device: "keeps" | "dequantises" | reason that it cannot}}."""
    return {
        method: {device: outcome(method, device) for device in DEVICES}
        for method in sorted(AUTO_QUANTIZER_MAPPING)
        if method in AUTO_QUANTIZATION_CONFIG_MAPPING
    }


def outcome(method, device):
    try:
        settings = AUTO_QUANTIZATION_CONFIG_MAPPING[method]()
    except Exception:
        try:
            settings = AUTO_QUANTIZATION_CONFIG_MAPPING[method](bits=4)
        except Exception as error:
            return f"cannot: {first_line(error)}"
    try:
        with on_device(device):
            quantiser = AUTO_QUANTIZER_MAPPING[method](settings, pre_quantized=True)
            quantiser.validate_environment(device_map={"": device})
            dequantises = bool(getattr(quantiser.quantization_config, "dequantize", False))
    except Exception as error:
        return f"cannot: {first_line(error)}"
    return "dequantises" if dequantises else "keeps"


def first_line(error):
    return str(error).strip().splitlines()[0][:160]


@contextlib.contextmanager
def on_device(device):
    """Lets the library believe that the current accelerator is `device`."""
    if device == "cpu":
        yield
        return
    accelerator = torch.device("cpu")
    accelerator = mock.Mock(spec=accelerator, type=device, index=0)
    with mock.patch("torch.accelerator.current_accelerator", return_value=accelerator), mock.patch(
        "torch.accelerator.is_available", return_value=True
    ):
        yield
