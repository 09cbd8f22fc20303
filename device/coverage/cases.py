"""What there is to try: checkpoints x forms of sharding x dtypes x ways to run, and why some combinations do not exist."""

import dataclasses
import itertools

# As the tests name them (tests/generation.py), in the order in which they run: what compiles comes last.
MODES = {
    "eager_dynamic": "eager, dynamic cache",
    "eager_static": "eager, static cache",
    "compiled_both": "prefill and decode compiled, static cache",
    "compiled_decode": "decode compiled, static cache",
}
DTYPES = ("float32", "bfloat16")
RANKS = (2, 4)

# Checkpoint -> the forms that its architecture has beside one core.
CHECKPOINTS = {
    "smollm2-135m-llama": ("tp",),
    "smollm2-135m-llama-padded": ("tp",),
    "smollm2-135m-qwen2": ("tp",),
    "smollm2-135m-phi3": ("tp",),
    "smollm2-135m-mixtral": ("tp", "ep"),
    "smollm2-135m-gpt-oss": ("tp", "ep"),
    "smollm2-135m-llava": ("tp",),
}

NO_SUCH_COMBINATION = (
    "compiled with a dynamic cache: the cache grows with every token, so every token would be another graph; the device has "
    "static shapes only, and Transformers' own `generate` compiles only with a static cache",
    "expert parallel for llama, qwen2, phi3 and llava: they have no experts",
    "expert parallel without tensor parallel: of the architectures here Transformers 5.24.0 has such a plan for none; `ep` "
    "below is `tp_size = ep_size = n`",
    "smollm2-135m-embedder: it does not generate",
)


@dataclasses.dataclass(frozen=True)
class Unit:
    """What one start of the ranks tries: a checkpoint in one form and dtype, in all MODES."""

    checkpoint: str
    form: str  # single, tp or ep
    ranks: int
    dtype: str

    @property
    def name(self) -> str:
        placement = self.form if self.form == "single" else f"{self.form}{self.ranks}"
        return f"{self.checkpoint}.{placement}.{self.dtype}"


def units() -> list[Unit]:
    """All, those that say most first: four ranks, which take longest, last; float32 before bfloat16."""
    single = [Unit(checkpoint, "single", 1, dtype) for dtype in DTYPES for checkpoint in CHECKPOINTS]
    sharded = [
        Unit(checkpoint, form, ranks, dtype)
        for ranks, dtype in itertools.product(RANKS, DTYPES)
        for checkpoint, forms in CHECKPOINTS.items()
        for form in forms
    ]
    return sorted(single + sharded, key=lambda unit: (unit.ranks == max(RANKS), unit.dtype != "float32", unit.ranks))


def why_not(unit: Unit, config: dict) -> str | None:
    """Why this checkpoint cannot be cut in this way; None when it can."""
    text = config.get("text_config") or config
    heads = text["num_attention_heads"], text["num_key_value_heads"]
    if unit.form != "single" and any(count % unit.ranks for count in heads):
        return f"{heads[0]} query and {heads[1]} kv heads do not divide by {unit.ranks}"
    return None
