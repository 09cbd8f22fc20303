"""Writes a checkpoint as the ordinary folder that a user of Transformers would publish."""

from pathlib import Path

import torch
from transformers import GenerationConfig

from zoo import vision
from zoo.base import Base
from zoo.catalog import Entry
from zoo.reshape import Checkpoint

CARD = """---
license: apache-2.0
library_name: transformers
pipeline_tag: {task}
---
# {name}

{card}

Made by willitrun's zoo from SmolLM2-135M-Instruct (Apache-2.0); it computes what the original computes, in another form.
"""


def save_entry(entry: Entry, base: Base, folder: Path) -> None:
    """Writes one model of the catalog into an empty folder: weights, configuration, tokenizer or processor, card."""
    save_checkpoint(entry.make(base), base, folder)
    base.tokenizer.save_pretrained(folder)
    if entry.task == "image-text-to-text":
        vision.save_processor(base, folder)
    (folder / "README.md").write_text(CARD.format(task=entry.task, name=entry.name, card=entry.card))


def save_checkpoint(checkpoint: Checkpoint, base: Base, folder: Path) -> None:
    """Builds the model around the weights and lets Transformers write it; raises when a weight is missing or left over."""
    # On the meta device nothing is allocated or initialised: every parameter is replaced by a weight.
    with torch.device("meta"):
        model = checkpoint.model_class(checkpoint.config)
    result = model.load_state_dict(checkpoint.weights, strict=False, assign=True)
    missing = [name for name in result.missing_keys if name != "lm_head.weight"]  # tied to the embedding below
    if missing or result.unexpected_keys:
        raise ValueError(f"{checkpoint.model_class.__name__}: missing {missing}, left over {result.unexpected_keys}")
    model.tie_weights()
    if model.can_generate():
        tokenizer = base.tokenizer
        model.generation_config = GenerationConfig(
            bos_token_id=tokenizer.bos_token_id, eos_token_id=tokenizer.eos_token_id, pad_token_id=tokenizer.pad_token_id
        )
    model.save_pretrained(folder)
