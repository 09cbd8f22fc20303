"""What the static cache of `generate` holds per layer: asked of a forward pass on the meta device."""

import inspect
import warnings

import torch
from transformers import StaticCache

from . import formulas, probes

# A length that no configuration field has, so that it is recognised in a shape.
LENGTH = 1237

FIELDS = {
    "head_dim", "hidden_size", "num_attention_heads", "num_key_value_heads", "global_head_dim", "v_head_dim",
    "num_global_key_value_heads", "kv_lora_rank", "qk_rope_head_dim", "qk_nope_head_dim", "index_head_dim", "swa_head_dim",
    "swa_v_head_dim", "swa_num_key_value_heads", "num_kv_heads", "linear_num_value_heads", "linear_num_key_heads",
    "linear_key_head_dim", "linear_value_head_dim", "linear_conv_kernel_dim", "mamba_n_heads", "mamba_d_head",
    "mamba_d_state", "mamba_d_conv", "mamba_n_groups", "mamba_expand", "mamba_num_heads", "mamba_head_dim",
    "ssm_state_size", "conv_kernel", "n_groups", "state_size", "expand", "num_heads", "conv_L_cache", "kv_channels",
}


def export(model_class, config):
    """{layer type: {tensor: {"dtype", "dims"}}}; a dim is "length" or a formula (a sum of products).

    Returns None where the class does not run on the meta device with a static cache.
    """
    observed = {}
    base = measure(model_class, config)
    if base is None:
        return None
    for sample, shapes in [(config, base), *((c, measure(model_class, c)) for c in changed(model_class, config))]:
        for layer_type, tensors in (shapes or {}).items():
            for name, (shape, dtype) in tensors.items():
                observed.setdefault(layer_type, {}).setdefault(name, []).append((sample, shape, dtype))
    return {
        layer_type: {name: describe(samples) for name, samples in sorted(tensors.items())}
        for layer_type, tensors in sorted(observed.items())
    }


def changed(model_class, config):
    """Copies with other sizes, and copies with other kinds of layers in other sizes."""
    text = config.get_text_config(decoder=True)
    path = next((path for path, nested in probes.sub_configs(config) if nested is text), None)
    if path is None:  # the text part is made anew at each look, and cannot be changed
        return
    for sample in formulas.perturbed(text, FIELDS):
        yield probes.replaced(config, path, sample) if path else sample
    met = set(layer_types(text))
    for other in probes.other_layers(config, path, text, ["layer_types"]):
        nested = probes.resolve(other, path)
        kinds = set(getattr(nested, "layer_types", None) or ())
        if kinds <= met or measure(model_class, other) is None:
            continue
        met |= kinds
        yield other
        for sample in formulas.perturbed(nested, FIELDS):
            yield probes.replaced(other, path, sample) if path else sample


def describe(samples):
    config, first, dtype = samples[0]
    dims = []
    for axis, size in enumerate(first):
        if axis == 0 and size == 1:
            continue  # the batch
        same_rank = [(c.get_text_config(decoder=True), shape[axis]) for c, shape, _ in samples if len(shape) == len(first)]
        dims.append("length" if size == "length" else formulas.fit(same_rank))
    return {"dtype": "" if dtype == torch.bfloat16 else str(dtype).removeprefix("torch."), "dims": dims}


def measure(model_class, config):
    """{layer type: {tensor: (shape, dtype)}} after one forward pass, or None."""
    try:
        config._attn_implementation = "eager"
        model = probes.on_meta(model_class, config).eval()
        if hasattr(model, "set_experts_implementation"):
            model.set_experts_implementation("batched_mm")
        text = config.get_text_config(decoder=True)
        cache = StaticCache(config=text, max_cache_len=LENGTH)
        forward = inspect.signature(type(model).forward).parameters
        argument = "cache" if "cache" in forward else "past_key_values"
        tokens = torch.zeros(1, 8, dtype=torch.long, device="meta")
        with torch.no_grad(), torch.device("meta"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model(input_ids=tokens, use_cache=True, **{argument: cache})
    except Exception:
        return None
    found = {}
    for layer_type, layer in zip(layer_types(text), cache.layers):
        found.setdefault(layer_type, tensors(layer))
    return found


def tensors(layer):
    found = {}
    for name, value in sorted(vars(layer).items()):
        values = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else [("", value)]
        for key, tensor in values:
            if isinstance(tensor, torch.Tensor) and tensor.dim() > 1:
                length = getattr(layer, "max_cache_len", LENGTH)
                shape = ["length" if size == length and axis else size for axis, size in enumerate(tensor.shape)]
                found[f"{name}.{key}" if key != "" else name] = (shape, tensor.dtype)
    return found


def layer_types(text):
    """The kind of cache of each layer, as the library itself decides it."""
    try:
        from transformers.cache_utils import get_layer_types_and_kwargs

        return get_layer_types_and_kwargs(text)[0]
    except ImportError:
        pass
    types = getattr(text, "layer_types", None)
    if types is None:
        kind = "full_attention"
        if getattr(text, "sliding_window", None) is not None:
            kind = "sliding_attention"
        elif getattr(text, "attention_chunk_size", None) is not None:
            kind = "chunked_attention"
        types = [kind] * text.num_hidden_layers
    shared = getattr(text, "num_kv_shared_layers", 0) or 0
    return types[: len(types) - shared]
