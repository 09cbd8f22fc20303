"""Re-shapings of the base model into other architectures, which compute the same function.

One Llama model can be written as a Qwen2, a Phi3 or even a mixture-of-experts model: by naming, fusing, padding or splitting its
matrices. In exact arithmetic every checkpoint made here gives the base's logits, so each is fluent, and any difference between
two of them is a fault of whoever ran them. Measured in float32: equal for the dense ones, within 1e-4 for the two with experts;
greedy tokens equal in all.

Every function takes the base and returns a new `Checkpoint`; tensors that do not change are shared with the base, never copied.
"""

from dataclasses import dataclass

import numpy
import torch
import transformers
from transformers import PreTrainedConfig, PreTrainedModel

from zoo.base import Base

HEAD_DIM = 64
QUERY_HEADS, KV_HEADS = 9, 3
# Neither 9 nor 3 divides by 2; with one more group of 3 query heads and 1 kv head the model shards over 2 and 4 cores.
PADDED_QUERY_HEADS, PADDED_KV_HEADS = 12, 4
NUM_EXPERTS, EXPERTS_PER_TOKEN = 8, 4
# GptOss adds 1 to the up projection's output. Scaled up by this factor, and the down projection scaled down, a bias of -1
# cancels it with little rounding.
GPT_OSS_SCALE = 256.0


@dataclass(frozen=True)
class Checkpoint:
    """A model that is not built yet: its class, its configuration, and its weights under the names that the class uses."""

    model_class: type[PreTrainedModel]
    config: PreTrainedConfig
    weights: dict[str, torch.Tensor]


def common_config(base: Base, heads: tuple[int, int] = (QUERY_HEADS, KV_HEADS)) -> dict:
    """Returns the configuration values that all architectures of the family share; `heads` are query and kv heads."""
    return {
        "vocab_size": len(base.tokenizer),
        "hidden_size": base.hidden_size,
        "intermediate_size": base.intermediate_size,
        "num_hidden_layers": base.num_layers,
        "num_attention_heads": heads[0],
        "num_key_value_heads": heads[1],
        "hidden_act": "silu",
        "max_position_embeddings": 8192,
        "rms_norm_eps": base.rms_norm_eps,
        "rope_parameters": {"rope_type": "default", "rope_theta": 100000.0},
        "tie_word_embeddings": True,
        "bos_token_id": base.tokenizer.bos_token_id,
        "eos_token_id": base.tokenizer.eos_token_id,
        "pad_token_id": base.tokenizer.pad_token_id,
        "dtype": torch.bfloat16,
    }


def padded_config(base: Base) -> dict:
    """Returns `common_config` for the padded heads."""
    return {**common_config(base, (PADDED_QUERY_HEADS, PADDED_KV_HEADS)), "head_dim": HEAD_DIM}


def llama(base: Base) -> Checkpoint:
    """The base itself: 9 query and 3 kv heads, which no tensor parallelism divides."""
    return Checkpoint(transformers.LlamaForCausalLM, transformers.LlamaConfig(**common_config(base)), dict(base.weights))


def padded_llama(base: Base) -> Checkpoint:
    """The base with heads of zeros appended: shards over 2 and 4 cores."""
    return Checkpoint(transformers.LlamaForCausalLM, transformers.LlamaConfig(**padded_config(base)), _pad_heads(base))


def qwen2(base: Base) -> Checkpoint:
    """Qwen2 differs from Llama by biases on q, k and v: here zeros."""
    weights = dict(base.weights)
    for layer in range(base.num_layers):
        for name, heads in (("q", QUERY_HEADS), ("k", KV_HEADS), ("v", KV_HEADS)):
            weights[f"model.layers.{layer}.self_attn.{name}_proj.bias"] = _zeros(heads * HEAD_DIM)
    return Checkpoint(transformers.Qwen2ForCausalLM, transformers.Qwen2Config(**common_config(base)), weights)


def phi3(base: Base) -> Checkpoint:
    """Phi3 fuses q, k and v into one matrix, and gate and up into another."""
    weights = dict(base.weights)
    for layer in range(base.num_layers):
        attention, mlp = f"model.layers.{layer}.self_attn.", f"model.layers.{layer}.mlp."
        weights[attention + "qkv_proj.weight"] = torch.cat([weights.pop(f"{attention}{n}_proj.weight") for n in "qkv"])
        weights[mlp + "gate_up_proj.weight"] = torch.cat([weights.pop(f"{mlp}{n}_proj.weight") for n in ("gate", "up")])
    config = transformers.Phi3Config(**common_config(base), original_max_position_embeddings=8192)
    return Checkpoint(transformers.Phi3ForCausalLM, config, weights)


def mixtral(base: Base) -> Checkpoint:
    """Mixtral with 8 experts, 4 per token (see `_split_into_experts`), and padded heads."""
    weights = _pad_heads(base)
    for layer in range(base.num_layers):
        mlp = f"model.layers.{layer}.mlp."
        router, experts = _split_into_experts(weights, mlp, layer)
        weights[mlp + "gate.weight"] = router
        weights[mlp + "experts.gate_up_proj"] = torch.stack([torch.cat([gate, up]) for gate, up, _ in experts])
        weights[mlp + "experts.down_proj"] = torch.stack([down for _, _, down in experts])
    config = transformers.MixtralConfig(
        **{**padded_config(base), "intermediate_size": base.intermediate_size // EXPERTS_PER_TOKEN},
        num_local_experts=NUM_EXPERTS,
        num_experts_per_tok=EXPERTS_PER_TOKEN,
        sliding_window=None,
    )
    return Checkpoint(transformers.MixtralForCausalLM, config, weights)


def gpt_oss(base: Base) -> Checkpoint:
    """GptOss with 8 experts, 4 per token; what it adds to Llama (biases, attention sinks, clamps) is set to do nothing."""
    weights = _pad_heads(base)
    width = base.intermediate_size // EXPERTS_PER_TOKEN
    widths = {"q": PADDED_QUERY_HEADS * HEAD_DIM, "k": PADDED_KV_HEADS * HEAD_DIM, "v": PADDED_KV_HEADS * HEAD_DIM}
    for layer in range(base.num_layers):
        attention, mlp = f"model.layers.{layer}.self_attn.", f"model.layers.{layer}.mlp."
        for name, size in {**widths, "o": base.hidden_size}.items():
            weights[f"{attention}{name}_proj.bias"] = _zeros(size)
        weights[attention + "sinks"] = torch.full((PADDED_QUERY_HEADS,), -1e4, dtype=torch.bfloat16)  # exp(-1e4) is 0
        router, experts = _split_into_experts(weights, mlp, layer)
        weights[mlp + "router.weight"] = router
        weights[mlp + "router.bias"] = _zeros(NUM_EXPERTS)
        # Gate and up columns alternate in GptOss; its matrices are stored transposed.
        interleaved = [torch.stack([gate.T, up.T * GPT_OSS_SCALE], -1).flatten(1) for gate, up, _ in experts]
        bias = _zeros(NUM_EXPERTS, 2 * width)
        bias[:, 1::2] = -1
        weights[mlp + "experts.gate_up_proj"] = torch.stack(interleaved)
        weights[mlp + "experts.gate_up_proj_bias"] = bias
        weights[mlp + "experts.down_proj"] = torch.stack([(down.T / GPT_OSS_SCALE).contiguous() for _, _, down in experts])
        weights[mlp + "experts.down_proj_bias"] = _zeros(NUM_EXPERTS, base.hidden_size)
    config = transformers.GptOssConfig(
        **{**padded_config(base), "intermediate_size": width},
        num_local_experts=NUM_EXPERTS,
        num_experts_per_tok=EXPERTS_PER_TOKEN,
        layer_types=["full_attention"] * base.num_layers,
        sliding_window=128,
        swiglu_alpha=1.0,
        swiglu_limit=1e6,
        attention_bias=True,
    )
    return Checkpoint(transformers.GptOssForCausalLM, config, weights)


def embedder(base: Base) -> Checkpoint:
    """The first four layers without a language-model head: a model for feature extraction, a task that is not tested."""
    num_layers = 4
    dropped = tuple(f"model.layers.{layer}." for layer in range(num_layers, base.num_layers))
    kept = {name: tensor for name, tensor in base.weights.items() if not name.startswith(dropped)}
    config = transformers.LlamaConfig(**{**common_config(base), "num_hidden_layers": num_layers})
    return Checkpoint(transformers.LlamaModel, config, {name.removeprefix("model."): t for name, t in kept.items()})


def _zeros(*shape: int) -> torch.Tensor:
    return torch.zeros(*shape, dtype=torch.bfloat16)


def _pad_heads(base: Base) -> dict[str, torch.Tensor]:
    """Appends heads of zeros. Query heads are grouped contiguously, 3 per kv head, so the new ones form a group of their own;
    zero columns in the output projection make sure that what they attend to counts for nothing."""
    weights = dict(base.weights)
    for layer in range(base.num_layers):
        attention = f"model.layers.{layer}.self_attn."
        for name, heads in (("q", PADDED_QUERY_HEADS), ("k", PADDED_KV_HEADS), ("v", PADDED_KV_HEADS)):
            old = weights[f"{attention}{name}_proj.weight"]
            weights[f"{attention}{name}_proj.weight"] = torch.cat([old, _zeros(heads * HEAD_DIM - old.shape[0], old.shape[1])])
        old = weights[attention + "o_proj.weight"]
        missing = PADDED_QUERY_HEADS * HEAD_DIM - old.shape[1]
        weights[attention + "o_proj.weight"] = torch.cat([old, _zeros(old.shape[0], missing)], dim=1)
    return weights


def _split_into_experts(
    weights: dict[str, torch.Tensor], mlp: str, layer: int
) -> tuple[torch.Tensor, list[tuple[torch.Tensor, torch.Tensor, torch.Tensor]]]:
    """Takes a layer's dense MLP out of `weights` and returns a router and experts (gate, up, down) that compute the same.

    The MLP is cut into quarters, and each quarter is held by two experts, an even and an odd one. The router's rows are v, -v, v,
    -v, ...: depending on the token either all even or all odd experts win, with equal weights of 1/4, which a down projection
    four times as large makes up for. So which experts work depends on the token, and a token sent to the wrong ones shows; the
    copies alternate, so that every rank has work for every token.
    """
    gate, up, down = (weights.pop(f"{mlp}{name}_proj.weight") for name in ("gate", "up", "down"))
    gates, ups, downs = gate.chunk(EXPERTS_PER_TOKEN), up.chunk(EXPERTS_PER_TOKEN), down.chunk(EXPERTS_PER_TOKEN, dim=1)
    quarters = [(g, u, d * EXPERTS_PER_TOKEN) for g, u, d in zip(gates, ups, downs)]
    experts = [quarter for quarter in quarters for _ in range(2)]
    # NumPy's legacy generator gives the same numbers in every version; torch's promises no such thing.
    direction = numpy.random.RandomState(layer).standard_normal(gate.shape[1]) * 0.05
    row = torch.from_numpy(direction).to(torch.bfloat16)
    return torch.stack([row, -row] * EXPERTS_PER_TOKEN), experts
