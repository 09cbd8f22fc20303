"""Finds how a tensor's dimensions follow from a configuration.

A class says what it registers only by running its constructor. To know the size of a buffer or of a cache for *any*
configuration, the constructor is run on several configurations that differ in one field each, and the simplest product
of fields that explains every observed size is kept. A formula that explains only some is not exported.

A formula is a list of factors. A factor is a list: a field or a number, then steps `/field`, `/2` (floor division),
`^2` (division rounded up) or `*rope` / `*rope.<layer type>` (times the partial rotary factor, truncated). The size is the product of the factors.
"""

import copy
import itertools

FIELDS = (
    "qk_rope_head_dim head_dim hidden_size num_attention_heads num_key_value_heads max_position_embeddings rotary_dim "
    "global_head_dim num_global_key_value_heads swa_head_dim v_head_dim swa_v_head_dim qk_head_dim qk_nope_head_dim "
    "kv_lora_rank index_head_dim attention_head_size n_positions patch_size image_size num_positions kv_channels "
    "linear_num_value_heads linear_num_key_heads linear_key_head_dim linear_value_head_dim linear_conv_kernel_dim "
    "mamba_n_heads mamba_d_head mamba_d_state mamba_d_conv mamba_n_groups mamba_expand mamba_num_heads mamba_head_dim "
    "ssm_state_size conv_kernel n_groups state_size intermediate_size time_step_rank expand num_heads conv_L_cache "
    "swa_num_key_value_heads swa_num_attention_heads num_kv_heads sliding_window compress_rate attention_chunk_size "
    "d_model n_heads n_head n_embd embed_dim depth vocab_size max_position temporal_patch_size pos_emb_time "
    "init_pos_emb_time init_pos_emb_height kv_n_heads max_seq_len lru_width projection_dim hidden_dim"
).split()


# Where the width of a head comes from when nothing says it, first match first.
HEAD_WIDTHS = (("embed_dim", "num_heads"), ("hidden_size", "num_attention_heads"))


def number(config, field):
    try:
        value = getattr(config, field, None)
    except Exception:  # a field that differs from layer to layer refuses to be read as one value
        return None
    if value is None and field == "head_dim":  # what attention layers assume where a class leaves it open
        for width, count in HEAD_WIDTHS:
            if (whole := number(config, width)) and (heads := number(config, count)):
                return whole // heads
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def rope_factor(config, layer_type):
    """The partial rotary factor that a configuration gives for a layer type, 1.0 where it gives none."""
    parameters = getattr(config, "rope_parameters", None) or {}
    if layer_type:
        parameters = parameters.get(layer_type) or {}
    value = parameters.get("partial_rotary_factor")
    if value is None:
        value = getattr(config, "partial_rotary_factor", None)
    return 1.0 if value is None else value


def evaluate(factors, config):
    """The value of a formula for a configuration, or None where a field is absent."""
    product = 1
    for base, *steps in factors:
        value = number(config, base) if isinstance(base, str) else base
        if value is None:
            return None
        for step in steps:
            operand = step[1:]
            if step.startswith("*rope"):
                value = int(value * rope_factor(config, operand.removeprefix("rope").removeprefix(".")))
                continue
            divisor = int(operand) if operand.isdigit() else number(config, operand)
            if not divisor:
                return None
            value = {"/": value // divisor, "^": -(-value // divisor), "*": value * divisor}[step[0]]
        product *= value
    return product


def rope_steps(config):
    parameters = getattr(config, "rope_parameters", None) or {}
    nested = [key for key, value in parameters.items() if isinstance(value, dict)]
    return ["*rope", *(f"*rope.{key}" for key in nested)]


def candidates(config):
    """Formulas of one dimension, simplest first."""
    fields = [field for field in FIELDS if number(config, field)]
    for field in fields:
        yield [[field]]
    ratios = [("hidden_size", "num_attention_heads"), ("hidden_size", "num_heads"), ("d_model", "n_heads"), ("embed_dim", "num_heads")]
    ratios = [(a, b) for a, b in ratios if a in fields and b in fields]
    for a, b in ratios:
        yield [[a, f"/{b}"]]
    for divisor in (["^2"], ["/2", "^2"]):
        for rope in ("", *rope_steps(config)):
            middle = [rope] if rope else []
            for field in fields:
                yield [[field, *middle, *divisor]]
            for a, b in ratios:
                yield [[a, f"/{b}", *middle, *divisor]]
    for field in fields:  # half the share of one of three axes
        yield [[field, "/3", "/2"]]
    for a, b in ratios:
        yield [[a, f"/{b}", "/3", "/2"]]
    for a, b in itertools.combinations(fields, 2):
        yield [[a], [b]]
    for square in squares(fields):
        yield square
        yield [*square, ["head_dim"]]
        for a, b in ratios:
            yield [*square, [a, f"/{b}"]]
    for field in fields:
        yield [[field], [field]]
    for a, b in itertools.permutations(fields, 2):
        yield [[a, f"/{b}"]]
    for a, b in itertools.combinations(fields, 2):
        yield [[2, f"*{a}", f"*{b}"]]


def squares(fields):
    """The patches of a square image."""
    for size, patch in (("image_size", "patch_size"), ("input_size", "patch_size")):
        if size in fields and patch in fields:
            yield [[size, f"/{patch}"], [size, f"/{patch}"]]


def sums(config):
    """Sums of two or three simple terms, for caches that join parts: [[term], [term]]."""
    fields = [field for field in FIELDS if number(config, field)]
    for square in squares(fields):
        for extra in ([1], ["head_dim", "/2"], ["hidden_size", "/num_attention_heads", "/2"]):  # one place more for the class token
            yield ([*square, extra], [extra]) if extra != [1] else (square, [extra])
    products = [[[a], [b]] for a, b in itertools.combinations(fields, 2)]
    terms = [[[field]] for field in fields] + products
    for a, b in itertools.combinations(terms, 2):
        yield a, b
    for a, b in itertools.permutations(terms, 2):
        yield a, a, b


def fit(observations):
    """The first formula equal to the size in every (config, size), as a list of summands, or None."""
    first, size = observations[0]
    if len({s for _, s in observations}) == 1 and (size <= 8 or not varied(observations)):
        return [[[size]]]
    for formula in candidates(first):
        if evaluate(formula, first) == size and all(evaluate(formula, c) == s for c, s in observations):
            return [formula]
    for parts in sums(first):
        if sum(evaluate(p, first) or 0 for p in parts) == size and all(
            None not in (values := [evaluate(p, c) for p in parts]) and sum(values) == s for c, s in observations
        ):
            return list(parts)
    return [[[size]]] if len({s for _, s in observations}) == 1 else None


def varied(observations):
    return len(observations) > 1


def perturbed(config, fields=FIELDS):
    """Copies of `config` with one size field changed, so that fields of equal value can be told apart."""
    for field in FIELDS:
        if field not in fields:
            continue
        value = number(config, field)
        if value is None or value == 0:
            continue
        changed = copy.deepcopy(config)
        try:
            setattr(changed, field, value * 2)
        except Exception:
            continue
        yield changed
    changed = copy.deepcopy(config)
    if parameters := getattr(changed, "rope_parameters", None):
        nested = [v for v in parameters.values() if isinstance(v, dict)] or [parameters]
        for step, entry in enumerate(nested):
            entry["partial_rotary_factor"] = entry.get("partial_rotary_factor", 1.0) * (0.5 if step == 0 else 0.25)
        yield changed
