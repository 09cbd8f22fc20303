"""Builds model classes on the meta device from varied configurations."""

import copy
import re

import torch
from transformers import CONFIG_MAPPING
from transformers.initialization import no_tie_weights

# Enough layers to hold one of each kind in the default layouts, few enough to build quickly.
DEPTH = 8

# Fields without which a default configuration is refused by its own class.
NEEDED = {
    "deepseek_v2": {"num_experts_per_tok": 2},
    "dots1": {"n_routed_experts": 8, "n_shared_experts": 1, "num_experts_per_tok": 2, "first_k_dense_replace": 1},
    "hunyuan_v1_dense": {"head_dim": 128},
    "hunyuan_v1_moe": {"head_dim": 128, "moe_topk": 2},
    "lfm2_moe": {"layer_types": ["conv", "conv", "full_attention", "conv"] * (DEPTH // 4)},
    "ministral": {"head_dim": 128},
    "nemotron": {"num_key_value_heads": 8},
    "dbrx": {"attn_config": {"kv_n_heads": 8, "rope_theta": 10000.0, "clip_qkv": 8}},
    "reformer": {"is_decoder": True},
}

# Flags that may add or drop parameters. Others (dropout, caching, output) cannot.
STRUCTURAL = re.compile(
    r"bias|norm|gate|shared|proj|parallel|post|pre|per_layer|mlp|head|pos|embed|alibi|rotary|rope|sink|class|pool|"
    r"adapter|experts|moe|lora|scale|query|decoder_arch|conv|clip|attn|attention|mamba|multi|residual|ffn|standard"
)
COUNTS = re.compile(
    r"^(q_lora_rank|o_lora_rank|n_shared_experts|num_shared_experts|moe_num_shared_experts|first_k_dense_replace|"
    r"moe_layer_start_index|hidden_size_per_layer_input|num_experts|n_routed_experts|num_local_experts|moe_num_experts|"
    r"attention_layer_offset|shared_expert_intermediate_size|shared_intermediate_size|word_embed_proj_dim|"
    r"rotary_dim|num_dense_layers|interleave_moe_layer_step|moe_latent_size|use_mamba_kernels|enable_moe_block|n_inner|num_zero_experts|zero_expert_num)$"
)
SPECIAL = {"tie_word_embeddings", "is_decoder", "is_encoder_decoder", "use_cache", "return_dict", "add_cross_attention"}


def sub_configs(config, path=""):
    """Yields (path, config) for `config` and every configuration nested in it."""
    yield path, config
    for name in sorted(getattr(config, "sub_configs", None) or {}):
        nested = getattr(config, name, None)
        if nested is not None and hasattr(nested, "model_type"):
            yield from sub_configs(nested, f"{path}.{name}" if path else name)


def resolve(config, path):
    for name in path.split(".") if path else []:
        config = getattr(config, name)
    return config


def replaced(config, path, replacement):
    """A copy of `config` with the configuration at `path` replaced."""
    changed = copy.deepcopy(config)
    *outer, last = path.split(".")
    setattr(resolve(changed, ".".join(outer)), last, replacement)
    return changed


def default_config(model_type, depth=DEPTH, **changes):
    """The default configuration of `model_type`, cut to `depth` layers wherever it has a depth."""
    config_class = CONFIG_MAPPING[model_type]
    kwargs = shallow(config_class, depth)
    for path in getattr(config_class, "sub_configs", None) or {}:
        nested = getattr(config_class(), path, None) or optional_part(config_class, path)
        if nested is not None and hasattr(nested, "model_type"):
            kwargs[path] = {**shallow(type(nested), depth), "model_type": nested.model_type}
    needed = NEEDED.get(model_type, {})
    try:
        return config_class(**{**kwargs, **needed, **changes})
    except Exception:
        return config_class(**{**needed, **changes})


def optional_part(config_class, path):
    """A nested configuration that the default leaves out, or None where it cannot be had either."""
    try:
        return getattr(config_class(**{path: {}}), path)
    except Exception:
        return None


def shallow(config_class, depth):
    """Keyword arguments that make a `config_class` at most `depth` layers deep, or none where it refuses."""
    default = config_class()
    layers = getattr(default, "num_hidden_layers", None)
    if not isinstance(layers, int) or layers <= depth:
        return {}
    name = (getattr(config_class, "attribute_map", None) or {}).get("num_hidden_layers", "num_hidden_layers")
    try:
        config_class(**{name: depth})
        return {name: depth}
    except Exception:
        return {}


def on_meta(model_class, config):
    """Builds `model_class` without memory and without tying, so that every registered name is its own tensor."""
    with torch.device("meta"), no_tie_weights():
        previous = torch.get_default_dtype()
        torch.set_default_dtype(torch.bfloat16)
        try:
            return model_class(copy.deepcopy(config))
        finally:
            torch.set_default_dtype(previous)


def variants(config):
    """Yields changed copies of `config`, each differing in one field that may change which tensors exist."""
    for path, nested in sub_configs(config):
        for name, value in sorted(nested.to_dict().items()):
            if name in SPECIAL or name.startswith(("_", "output_")):
                continue
            if isinstance(value, bool) and STRUCTURAL.search(name):
                replacements = [not value]
            elif COUNTS.match(name) and (value is None or isinstance(value, (int, bool))):
                replacements = [other for other in (None, 0, 1, 2, 64) if other != value]
            else:
                continue
            for replacement in replacements:
                changed = copy.deepcopy(config)
                try:
                    setattr(resolve(changed, path), name, replacement)
                except Exception:
                    continue
                yield changed
        for fields in TOGETHER:
            if all(hasattr(nested, field) for field in fields):
                changed = copy.deepcopy(config)
                for field, value in fields.items():
                    setattr(resolve(changed, path), field, value)
                yield changed
        yield from other_layers(config, path, nested)


# Fields that add parameters only when all of them are set.
TOGETHER = (
    {"enable_moe_block": True, "num_experts": 4, "top_k_experts": 2, "moe_intermediate_size": 64},
)

ATTENTION_KINDS = (
    "full_attention sliding_attention chunked_attention linear_attention indexed_attention compressed_sparse_attention "
    "heavily_compressed_attention minimax_m3_sparse window_attention conv mamba hybrid hybrid_sliding moe mlp"
).split()

# Lists with one entry a layer -> what an entry may be.
LAYER_FIELDS = {
    "layer_types": ATTENTION_KINDS,
    "layers_block_type": ATTENTION_KINDS,
    "mlp_layer_types": ["dense", "sparse", "moe", "hash_moe"],
    "indexer_types": ["full", "shared"],
}

# Lists of the layers that have something.
LAYER_SETS = ("moe_layers", "mlp_only_layers", "full_attn_idxs")


def other_layers(config, path, nested, fields=tuple(LAYER_FIELDS)):
    """Copies of `config` in which every second layer is of another kind."""
    for field in fields:
        kinds = getattr(nested, field, None)
        if isinstance(kinds, list):
            for kind in LAYER_FIELDS[field]:
                yield with_value(config, path, field, [kind if i % 2 else old for i, old in enumerate(kinds)])
    for field in LAYER_SETS:
        if isinstance(getattr(nested, field, None), list):
            yield with_value(config, path, field, list(range(0, DEPTH, 2)))


def with_value(config, path, field, value):
    """A copy of `config` in which a field of the configuration at `path` has another value."""
    changed = copy.deepcopy(config)
    try:
        setattr(resolve(changed, path), field, value)
    except Exception:  # the field is a property: the copy is as good as the original
        pass
    return changed
