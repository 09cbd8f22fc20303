"""Sizes of the tensors that a class registers but never saves (rotary tables, position ids, scales)."""

from . import classes, formulas, probes


def export(model_class, config):
    """{buffer: {"dtype", "elements", "each"}} for the non-persistent buffers that `model_class` owns itself."""
    observed = {}
    for sample in [config, *formulas.perturbed(config)]:
        try:
            model = probes.on_meta(model_class, sample)
        except Exception:
            continue
        for name, entry in own_buffers(model).items():
            observed.setdefault(name, []).append((sample, entry))
    exported, kinds = {}, kinds_with(model_class, config)
    for name, samples in sorted(observed.items()):
        elements = formulas.fit([(sample, entry["elements"]) for sample, entry in samples])
        exported[name] = {"dtype": samples[0][1]["dtype"], "elements": elements, "each": samples[0][1]["each"]}
        if exported[name]["each"] == "layer" and name in kinds:
            exported[name]["each"] = kinds[name]
        if kind := kind_in(name):
            exported[name]["with"] = kind
    return exported


def kind_in(name):
    """The layer type that a table is for, where its name says so: only configurations with such layers have it."""
    leaf = name.rpartition(".")[2]
    return next((kind for kind in probes.ATTENTION_KINDS if leaf.startswith(f"{kind}_") and "attention" in kind), None)


def kinds_with(model_class, config):
    """{buffer: layer types that have one} for the buffers that layers of some other type do without."""
    having, lacking = {}, {}
    for sample in [config, *probes.other_layers(config, "", config, ["layer_types"])]:
        kinds = getattr(sample, "layer_types", None)
        if not isinstance(kinds, list):
            continue
        try:
            model = probes.on_meta(model_class, sample)
        except Exception:
            continue
        for name, layers in layers_of_buffers(model).items():
            having.setdefault(name, set()).update(kind for index, kind in enumerate(kinds) if index in layers)
            lacking.setdefault(name, set()).update(kind for index, kind in enumerate(kinds) if index not in layers)
    return {name: sorted(having[name] - lacking[name]) for name in having if lacking[name]}


def layers_of_buffers(model):
    """{wildcard name: the layers that have such a buffer}."""
    found = {}
    for name, _ in model.named_non_persistent_buffers(remove_duplicate=True):
        numbers = [int(part) for part in name.split(".") if part.isdigit()]
        if numbers:
            found.setdefault(classes.wildcard(name), set()).add(numbers[0])
    return found


def own_buffers(model):
    """{wildcard name: facts} of the buffers outside every sub-model."""
    inside = tuple(f"{slot}." for slot, _ in classes.maximal_sub_models(model))
    found = {}
    for name, tensor in model.named_non_persistent_buffers(remove_duplicate=True):
        if name.startswith(inside):
            continue
        entry = found.setdefault(
            classes.wildcard(name),
            {"dtype": classes.dtype_text(tensor), "elements": tensor.numel(), "layers": []},
        )
        entry["layers"].append([int(part) for part in name.split(".") if part.isdigit()])
    for entry in found.values():
        entry["each"] = which_layers(model.config, [layer[0] for layer in entry.pop("layers") if layer])
    return found


def which_layers(config, layers):
    """How many instances there are: 1, "layer" (every layer), or the layer types that have one."""
    depth = getattr(config, "num_hidden_layers", 0)
    if not layers:
        return 1
    if len(layers) == depth:
        return "layer"
    types = getattr(config, "layer_types", None) or []
    kinds = sorted({types[layer] for layer in layers if layer < len(types)})
    if [index for index, kind in enumerate(types) if kind in kinds] == sorted(layers):
        return kinds
    return len(layers)
