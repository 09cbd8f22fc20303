"""Puts the plan table together."""

import inspect

import torch
import transformers
from transformers import CONFIG_MAPPING
from transformers.models.auto import modeling_auto

from . import buffers, caches, classes, configs, conversions, probes, quantisers, styles

FORMAT = 1

# Towers that composite configurations name although no default configuration does.
TOWERS = (
    "clip_vision_model siglip_vision_model siglip2_vision_model pixtral vit dinov2 internvl_vision aimv2_vision_model "
    "qwen2_5_vl idefics3_vision smolvlm_vision"
).split()


def export(only=None):
    """(table, {model type: reason it is left out})."""
    recorder, left_out, types = classes.Recorder(), {}, {}
    causal = modeling_auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES
    image_text = modeling_auto.MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING_NAMES
    bases = modeling_auto.MODEL_MAPPING_NAMES
    samples = {}  # class name -> (class, config)
    for model_type in sorted({*causal, *image_text, *(t for t in TOWERS if t in bases)}):
        if only and model_type not in only:
            continue
        entry = types.setdefault(model_type, {})
        for kind, names in (("causal", causal), ("image_text", image_text), ("base", bases)):
            if model_type in names:
                entry[kind] = class_name(names[model_type])
        try:
            visit(model_type, entry, recorder, samples)
        except Exception as error:
            left_out[model_type] = f"{type(error).__name__}: {str(error).strip().splitlines()[0][:160] if str(error) else ''}"
            entry["unbuildable"] = left_out[model_type]
    for name, (model_class, config) in sorted(samples.items()):
        try:
            recorder.records[name]["unsaved"] = buffers.export(model_class, config)
            recorder.records[name]["layers"] = classes.layer_lists(model_class, config)
        except Exception as error:
            left_out[f"{name} (buffers)"] = f"{type(error).__name__}: {str(error)[:120]}"
    for record in recorder.records.values():
        for slot in record["slots"]:
            types.setdefault(slot["type"], {}).setdefault("base", slot["class"])
    for model_type, entry in types.items():
        if model_type in CONFIG_MAPPING:
            try:
                entry["config"] = configs.export(CONFIG_MAPPING[model_type])
            except Exception as error:
                left_out[f"{model_type} (config)"] = str(error)[:160]
    names = {*types, *recorder.records}
    return {
        "format": FORMAT,
        "transformers": transformers.__version__,
        "torch": torch.__version__.split("+")[0],
        "known_types": sorted(CONFIG_MAPPING.keys()),
        "types": types,
        "classes": {name: compact(record) for name, record in recorder.records.items()},
        "conversions": conversions.export(names),
        "renamed_layers": configs.renamed_layers(),
        "styles": styles.export(),
        "quantisers": quantisers.export(),
        "forms": forms(),
        "sharding": sharding(),
    }, left_out


def visit(model_type, entry, recorder, samples):
    """Builds the classes of one model type in every variant and records them."""
    config = probes.default_config(model_type)
    for kind in ("causal", "image_text", "base"):
        model_class = getattr(transformers, entry.get(kind, ""), None)
        if model_class is None or (kind == "base" and len(entry) > 1):
            continue
        own = matching(config, model_class)
        model = probes.on_meta(model_class, own)
        recorder.record(model)
        note_samples(model, samples)
        for sample in probes.variants(own):
            try:
                recorder.record(probes.on_meta(model_class, sample))
            except Exception:
                continue  # the variant is no legal configuration
        if kind == "base":
            continue
        if (cache := caches.export(model_class, own)) is not None:
            text = own.get_text_config(decoder=True).model_type
            entry.setdefault("cache", {"type": text, "layers": cache})


def matching(config, model_class):
    """The part of `config` that `model_class` is built from."""
    wanted = model_class.config_class
    if wanted is None or isinstance(config, wanted):
        return config
    return next((nested for _, nested in probes.sub_configs(config) if isinstance(nested, wanted)), config)


def note_samples(model, samples):
    """Remembers one configuration for each class in `model` that can be built from its configuration alone."""
    for module in model.modules():
        if isinstance(module, transformers.PreTrainedModel) and type(module).__name__ not in samples:
            if "config" in inspect.signature(type(module).__init__).parameters:
                samples[type(module).__name__] = (type(module), module.config)


def class_name(value):
    return value if isinstance(value, str) else value[0]


def compact(record):
    """Drops what is empty, so that the table holds what is said and nothing else."""
    return {key: value for key, value in record.items() if value not in ({}, [], None)}


def forms():
    """The parallel forms in which this version can load a checkpoint, beside a single process.

    From 5.1x on, tp and ep plans are separate and an ep plan alone runs only where there is no tp plan; before, asking
    for expert parallelism put the ep plan in the place of the tp plan.
    """
    if styles.new_interface():
        return {"tp": True, "tp_ep": True, "ep": "without_tp_plan"}
    return {"tp": True, "tp_ep": False, "ep": "instead_of_tp_plan"}


# Projections whose output is split into heads: their rows can only be cut between heads.
HEADS = {
    "q_proj": ["num_attention_heads"],
    "q_b_proj": ["num_attention_heads"],
    "kv_b_proj": ["num_attention_heads"],
    "k_proj": ["num_key_value_heads", "num_global_key_value_heads"],
    "v_proj": ["num_key_value_heads", "num_global_key_value_heads"],
    "qkv_proj": ["num_attention_heads", "num_key_value_heads"],
    "query_key_value": ["num_attention_heads", "num_key_value_heads"],
}


def sharding():
    """What the names of plan entries mean."""
    return {
        "heads": HEADS,
        "head_styles": ["colwise"],
        # Heads of the cache are cut where one of these is (transformers, get_kv_heads_per_rank).
        "cache_heads": ["k_proj", "qkv_proj", "query_key_value"],
        "whole_experts": ["grouped_gemm"],
        "even": [] if styles.new_interface() else ["colwise_gather_output"],
    }
