"""What Transformers makes of one configuration: sizes, and a checkpoint to plan."""

import copy
import pathlib

import torch
import transformers
from plan_tables import probes
from transformers import AutoConfig
from transformers.models.auto.modeling_auto import (
    MODEL_FOR_CAUSAL_LM_MAPPING_NAMES,
    MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING_NAMES,
)

from . import checkpoints, sharded


class Unbuildable(Exception):
    """Why the library builds no text model of a configuration."""


def model_class(config):
    """The class that the auto classes would load: among those of the type, the one that `architectures` names."""
    names = []
    for mapping in (MODEL_FOR_CAUSAL_LM_MAPPING_NAMES, MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING_NAMES):
        name = mapping.get(config.model_type)
        names += [name] if isinstance(name, str) else list(name or ())
    if not names:
        raise Unbuildable(f"no text generation class for type {config.model_type}")
    wanted = [name for name in names if name in (config.architectures or ())]
    return getattr(transformers, (wanted or names)[0])


def build(config_class, config, dtype):
    """Builds on the meta device as the loader does: in `dtype`, without tying."""
    previous = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    try:
        with torch.device("meta"), probes.no_tie_weights():
            return config_class(copy.deepcopy(config)).eval()
    finally:
        torch.set_default_dtype(previous)


def tied_names(model):
    """Parameters that follow another one: never saved, never counted."""
    return set(model.get_expanded_tied_weights_keys(all_submodels=True))


def describe(config_file, folder):
    """Writes the sparse checkpoint of one configuration into `folder` and returns the expected sizes."""
    path = pathlib.Path(config_file)
    try:
        config = AutoConfig.from_pretrained(path.parent)
    except Exception as error:
        raise Unbuildable(f"{type(error).__name__}: {first_line(error)}") from error
    found = model_class(config)
    if not isinstance(config, found.config_class):
        config = next((c for _, c in probes.sub_configs(config) if isinstance(c, found.config_class)), config)
    dtype = config.dtype if isinstance(config.dtype, torch.dtype) else torch.bfloat16
    try:
        model = build(found, config, dtype)
    except Exception as error:
        raise Unbuildable(f"{type(error).__name__}: {first_line(error)}") from error
    dropped = tied_names(model)
    rule = sharded.DtypeRule(model, dtype)
    checkpoints.write(folder, path.read_text(), checkpoints.saved_tensors(model, dropped))
    return {
        "class": found.__name__,
        "loaded": sharded.parameter_bytes(model, dropped, rule),
        "parameters": sum(p.numel() for p in sharded.tensors_of(model, dropped).values()),
        "buffers": sharded.buffer_bytes(model, rule),
        "per_rank": sharded.per_rank(model, dropped, rule),
    }


def first_line(error):
    lines = str(error).strip().splitlines()
    return lines[0][:200] if lines else ""
