"""What each model class registers, holds, shards, ties and skips."""

import copy
import re

import torch
from transformers import PreTrainedModel

from . import probes

DIGITS = re.compile(r"(?<=\.)\d+(?=\.|$)|^\d+(?=\.)")


def wildcard(name):
    """`model.layers.3.mlp.weight` -> `model.layers.*.mlp.weight`."""
    return DIGITS.sub("*", name)


def maximal_sub_models(model):
    """The PreTrainedModel children that are not inside another one: [(name, module)]."""
    found = []
    for name, module in model.named_modules():
        if name and isinstance(module, PreTrainedModel) and not any(name.startswith(f"{outer}.") for outer, _ in found):
            found.append((name, module))
    return found


def config_path(config, nested):
    """Where `nested` sits in `config`: "" for itself, "text_config", ..., or None when it is a config of its own."""
    candidates = list(probes.sub_configs(config))
    for path, candidate in candidates:
        if candidate is nested:
            return path
    for path, candidate in candidates:
        if candidate.model_type == nested.model_type and type(candidate) is type(nested):
            return path
    return None


def dtype_text(tensor):
    """"" for the model's own dtype (the probes build in bfloat16), else the name of the fixed one."""
    return "" if tensor.dtype == torch.bfloat16 else str(tensor.dtype).removeprefix("torch.")


class Recorder:
    """Collects one record per model class, merging what several instances of the class show."""

    def __init__(self):
        self.records = {}

    def record(self, model):
        """Adds `model` and every sub-model in it."""
        name = type(model).__name__
        slots = maximal_sub_models(model)
        record = self.records.setdefault(name, self.facts(model, slots))
        inside = tuple(f"{slot}." for slot, _ in slots)
        unsaved = {buffer for buffer, _ in model.named_non_persistent_buffers(remove_duplicate=False)}
        for tensor_name, tensor in model.named_parameters(remove_duplicate=False):
            if not tensor_name.startswith(inside):
                record["params"][wildcard(tensor_name)] = dtype_text(tensor)
        for tensor_name, tensor in model.named_buffers(remove_duplicate=False):
            if not tensor_name.startswith(inside) and tensor_name not in unsaved:
                record["buffers"][wildcard(tensor_name)] = dtype_text(tensor)
        for slot, module in slots:
            known = [entry for entry in record["slots"] if entry["at"] == wildcard(slot)]
            if not known:
                record["slots"].append(self.slot(model, slot, module))
            self.record(module)

    @staticmethod
    def slot(model, name, module):
        path = config_path(model.config, module.config)
        return {
            "at": wildcard(name),
            "class": type(module).__name__,
            "type": module.config.model_type,
            "config": path,
            "plan": "." not in name,  # only direct children hand their parallel plan upwards
        }

    @staticmethod
    def facts(model, slots):
        direct = {slot: module for slot, module in slots if "." not in slot}
        record = {
            "prefix": model.base_model_prefix,
            "type": model.config.model_type,
            "params": {},
            "buffers": {},
            "slots": [],
            "ties": dict(getattr(model, "_tied_weights_keys", None) or {}),
            "ignore": own(model, slots, "_keys_to_ignore_on_load_unexpected"),
            "fp32": own(model, slots, "_keep_in_fp32_modules"),
            "fp32_strict": own(model, slots, "_keep_in_fp32_modules_strict"),
            "compiles": bool(getattr(type(model), "_can_compile_fullgraph", False)),
        }
        for kind in ("tp", "ep", "pp"):
            record[kind] = own_plan(model, direct, f"_{kind}_plan")
        return record


def own(model, slots, attribute):
    """The entries of a set attribute that do not come from a sub-model."""
    inherited = set()
    for _, module in slots:
        inherited |= set(getattr(module, attribute, None) or ())
    return sorted(set(getattr(model, attribute, None) or ()) - inherited)


def own_plan(model, direct, attribute):
    """The plan entries of `model` itself; those of direct sub-models are found in their own records."""
    plan = dict(getattr(model, attribute, None) or {})
    for slot, module in direct.items():
        for entry in getattr(module, attribute, None) or {}:
            plan.pop(f"{slot}.{entry}", None)
    return {key: value if isinstance(value, str) else True for key, value in plan.items()}


def layer_lists(model_class, config):
    """The lists of modules that `num_hidden_layers` of the class's own configuration counts: ["layers"]."""
    depth = getattr(config, "num_hidden_layers", None)
    if not isinstance(depth, int) or depth < 2:
        return []
    shallower = copy.deepcopy(config)
    try:
        shallower.num_hidden_layers = depth - 1
        lengths = [list_lengths(probes.on_meta(model_class, c)) for c in (config, shallower)]
    except Exception:
        return []  # the class takes no other depth without other changes
    return sorted(name for name, length in lengths[0].items() if length == depth and lengths[1].get(name) == depth - 1)


def list_lengths(model):
    inside = tuple(f"{slot}." for slot, _ in maximal_sub_models(model))
    return {
        wildcard(name): len(module)
        for name, module in model.named_modules()
        if isinstance(module, torch.nn.ModuleList) and not f"{name}.".startswith(inside)
    }
