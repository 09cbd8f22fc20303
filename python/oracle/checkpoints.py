"""Writes the checkpoint that a model would be saved as: real headers, holes for the data."""

import json
import struct

import torch
from transformers.core_model_loading import revert_weight_conversion

NAMES = {
    torch.float32: "F32", torch.float16: "F16", torch.bfloat16: "BF16", torch.int64: "I64", torch.int32: "I32",
    torch.bool: "BOOL", torch.uint8: "U8", torch.int8: "I8", torch.float64: "F64",
}
SHARD_BYTES = 20 << 30


def saved_tensors(model, dropped):
    """{checkpoint name: meta tensor} of a saved model."""
    state = {name: tensor for name, tensor in model.state_dict().items() if name not in dropped}
    return revert_weight_conversion(model, state)


def write(folder, config_text, tensors):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(config_text)
    shards, size = [[]], 0
    for name, tensor in sorted(tensors.items()):
        nbytes = tensor.numel() * tensor.element_size()
        if size and size + nbytes > SHARD_BYTES:
            shards.append([])
            size = 0
        shards[-1].append((name, tensor))
        size += nbytes
    if len(shards) == 1:
        write_shard(folder / "model.safetensors", shards[0])
        return
    places = {}
    for number, shard in enumerate(shards, 1):
        file = f"model-{number:05}-of-{len(shards):05}.safetensors"
        write_shard(folder / file, shard)
        places.update((name, file) for name, _ in shard)
    total = sum(t.numel() * t.element_size() for t in tensors.values())
    index = {"metadata": {"total_size": total}, "weight_map": places}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))


def write_shard(path, tensors):
    header, offset = {"__metadata__": {"format": "pt"}}, 0
    for name, tensor in tensors:
        nbytes = tensor.numel() * tensor.element_size()
        header[name] = {"dtype": NAMES[tensor.dtype], "shape": list(tensor.shape), "data_offsets": [offset, offset + nbytes]}
        offset += nbytes
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        file.truncate(8 + len(text) + offset)
