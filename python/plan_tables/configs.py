"""What a configuration means where it is silent: aliases, defaults, fields derived from others, kinds of layers."""

from transformers import AutoConfig, configuration_utils

from . import caches, formulas, probes

# Fields that a plan reads beside the ones that formulas name.
ALSO = (
    "vocab_size num_hidden_layers tie_word_embeddings sliding_window attention_chunk_size use_sliding_window "
    "max_window_layers num_kv_shared_layers multi_query new_decoder_architecture n_routed_experts num_experts "
    "num_local_experts moe_num_experts is_encoder_decoder partial_rotary_factor"
).split()
# Older fields that give the kind of each layer as a number, and numbers that they hold.
LISTS = {"compress_ratios": (0, 4, 128), "sparse_attention_config.sparse_attention_freq": (0, 1)}
# Types under which checkpoints name a part that the library reads as another type.
OLD_TYPES = ("kimi_k2",)
INTERVALS = ("sliding_window_pattern", "full_attention_interval", "attn_layer_period", "no_rope_layer_interval", "global_attn_every_n_layers")
PROBE_DEPTH = 24


def export(config_class):
    """One configuration class as data."""
    default = config_class()
    record = {
        "alias": dict(getattr(config_class, "attribute_map", None) or {}),
        "subs": {},
        "open_subs": [],  # whose type the configuration itself says
        "renamed": {},  # types that such a part may say -> what they are read as
        "optional_subs": [],  # left out unless the configuration has them
        "sub_defaults": {},  # fields of a part that is not given at all, where they differ from its class's own
        "defaults": {},
        "derived": {},
        "nulls": {},
        "forced": {},  # fields that follow from others whatever the configuration says
    }
    for name in sorted(getattr(config_class, "sub_configs", None) or {}):
        nested = getattr(default, name, None)
        known = nested if nested is not None else probes.optional_part(config_class, name)
        record["subs"][name] = getattr(known, "model_type", None)
        if nested is None and known is not None:
            record["optional_subs"].append(name)
        elif changed := other_defaults(nested):
            record["sub_defaults"][name] = changed
        if config_class.sub_configs[name] is AutoConfig:
            record["open_subs"].append(name)
            record["renamed"].update(renamed_types(config_class, name))
    for field in sorted({*formulas.FIELDS, *ALSO}):
        try:
            value = getattr(default, field, None)
        except Exception:  # a field that differs from layer to layer
            continue
        if isinstance(value, (int, float, bool)):
            record["defaults"][field] = value
    for field in ("head_dim", "num_key_value_heads", "v_head_dim", "num_kv_heads", "rotary_dim", "global_head_dim"):
        if formula := derived(config_class, field):
            record["derived"][field] = formula
        elif field == "head_dim" and field not in record["defaults"]:
            for width, count in formulas.HEAD_WIDTHS:
                if formulas.number(default, width) and formulas.number(default, count):
                    record["derived"].setdefault(field, [[width, f"/{count}"]])
        if formula := derived(config_class, field, **{field: None}):
            record["nulls"][field] = formula
        if formula := derived(config_class, field, **{field: 192}):
            record["forced"][field] = formula
    for field in ("rotary_dim",):  # other ways of giving the partial rotary factor
        if follows_rope(config_class, default, field):
            record["rope_from"] = field
    rope = {}
    for layer_type in ["", *(key for key, v in (getattr(default, "rope_parameters", None) or {}).items() if isinstance(v, dict))]:
        factor = formulas.rope_factor(default, layer_type)
        if factor != 1.0:
            rope[layer_type] = factor
    if rope:
        record["rope"] = rope
    if layers := layer_rule(config_class):
        record["layers"] = layers
    return record


def follows_rope(config_class, default, field):
    """Whether giving `field` as half a head makes the partial rotary factor a half."""
    head = formulas.number(default, "head_dim")
    if not head:
        return False
    try:
        return formulas.rope_factor(config_class(**{field: head // 2}), "") == 0.5 != formulas.rope_factor(default, "")
    except Exception:
        return False


def other_defaults(nested):
    """The size fields of a nested default configuration that its own class would give another value."""
    try:
        plain = type(nested)()
    except Exception:
        return {}
    fields = {field: formulas.number(nested, field) for field in sorted({*formulas.FIELDS, *ALSO})}
    return {field: value for field, value in fields.items() if value is not None and value != formulas.number(plain, field)}


def derived(config_class, field, **given):
    """How `field` follows from others when the configuration does not give it, or gives null."""
    observations = []
    for other in ("hidden_size", "num_attention_heads", "num_key_value_heads", "head_dim", "qk_rope_head_dim"):
        if other in given:
            continue
        try:
            plain = config_class(**given)
            value = formulas.number(plain, other)
            if value is None or other == field:
                continue
            changed = config_class(**{(config_class.attribute_map or {}).get(other, other): value * 2, **given})
        except Exception:
            continue
        observations.append((plain, formulas.number(plain, field)))
        observations.append((changed, formulas.number(changed, field)))
    sizes = {size for _, size in observations}
    if None in sizes or len(sizes) < 2:
        return None
    for formula in formulas.candidates(observations[0][0]):
        if formula != [[field]] and all(formulas.evaluate(formula, c) == s for c, s in observations):
            return formula
    return None


def renamed_types(config_class, part):
    """{old type: type} of those old types that the class takes for a part."""
    found = {}
    for old in OLD_TYPES:
        try:
            found[old] = getattr(config_class(**{part: {"model_type": old}}), part).model_type
        except Exception:
            continue
    return {old: new for old, new in found.items() if old != new}


def renamed_layers():
    """{old name of a kind of layer: name}."""
    return dict(getattr(configuration_utils, "_LEGACY_LAYER_TYPE_REMAP", {}))


def layer_rule(config_class):
    """{"cycle", "without_window", "interval", ...}: the kinds of layers of a configuration that does not list them."""
    kinds = kinds_of(config_class)
    if kinds is None:
        return None
    start, repeated = start_and_cycle(kinds)
    rule = {"cycle": repeated}
    if start:
        rule["start"] = start
    for field, numbers in LISTS.items():
        if listed := listed_kinds(config_class, field, numbers):
            rule["listed"] = {"field": field, "kinds": listed}
    unwindowed = kinds_of(config_class, sliding_window=None)
    if unwindowed and unwindowed != kinds:
        rule["without_window"] = cycle(unwindowed)
    windowed = kinds_of(config_class, sliding_window=64, use_sliding_window=True, max_window_layers=PROBE_DEPTH // 2)
    if windowed and windowed != kinds:
        rule["windowed"] = "sliding_window"
        plain = kinds_of(config_class, sliding_window=64)
        if plain == kinds:
            rule["windowed"] = "use_sliding_window"
        rule["from"] = windowed.index("sliding_attention") if "sliding_attention" in windowed else 0
    for field in INTERVALS:
        other = kinds_of(config_class, **{field: 3})
        if other and other != kinds and len(cycle(other)) == 3:
            rule["interval"] = field
    return rule


def kinds_of(config_class, **changes):
    name = (config_class.attribute_map or {}).get("num_hidden_layers", "num_hidden_layers")
    try:
        return list(caches.layer_types(config_class(**{name: PROBE_DEPTH, **changes}).get_text_config(decoder=True)))
    except Exception:
        return None


def listed_kinds(config_class, field, numbers):
    """{number: kind}: what the entries of an older list of layers mean to the class; empty when it does not read it."""
    found = {}
    for value in numbers:
        outer, _, inner = field.partition(".")
        entries = [value] * PROBE_DEPTH
        kinds = kinds_of(config_class, **{outer: {inner: entries} if inner else entries})
        if kinds and len(set(kinds)) == 1:
            found[str(value)] = kinds[0]
    return found if len(set(found.values())) > 1 else {}


def start_and_cycle(kinds):
    """The shortest way to say `kinds`: some layers first, then a list that is repeated."""
    ways = ((kinds[:length], cycle(kinds[length:])) for length in range(len(kinds) // 2))
    return min(ways, key=lambda way: len(way[0]) + len(way[1]))


def cycle(kinds):
    """The shortest list that repeated gives `kinds`."""
    for length in range(1, len(kinds)):
        if all(kind == kinds[index % length] for index, kind in enumerate(kinds)):
            return kinds[:length]
    return kinds
