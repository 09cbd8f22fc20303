"""Checkpoints of public models' exact shapes, as sparse files: real headers and indexes, holes for the data."""
import json
import struct
from pathlib import Path

BITS = {"BF16": 16, "F8_E4M3": 8, "F32": 32}


def dense_layers(num_layers, hidden, heads, kv_heads, head_dim, width, has_head_norms):
    """Attention, norms and a gated MLP, as Llama and Qwen3 name them."""
    for layer in range(num_layers):
        at = f"model.layers.{layer}."
        yield from attention(at, hidden, heads, kv_heads, head_dim, has_head_norms)
        yield from gated(f"{at}mlp.", hidden, width)


def attention(at, hidden, heads, kv_heads, head_dim, has_head_norms):
    yield f"{at}self_attn.q_proj.weight", [heads * head_dim, hidden]
    yield f"{at}self_attn.k_proj.weight", [kv_heads * head_dim, hidden]
    yield f"{at}self_attn.v_proj.weight", [kv_heads * head_dim, hidden]
    yield f"{at}self_attn.o_proj.weight", [hidden, heads * head_dim]
    if has_head_norms:
        yield f"{at}self_attn.q_norm.weight", [head_dim]
        yield f"{at}self_attn.k_norm.weight", [head_dim]
    yield f"{at}input_layernorm.weight", [hidden]
    yield f"{at}post_attention_layernorm.weight", [hidden]


def gated(at, hidden, width):
    yield f"{at}gate_proj.weight", [width, hidden]
    yield f"{at}up_proj.weight", [width, hidden]
    yield f"{at}down_proj.weight", [hidden, width]


def ends(vocab, hidden):
    yield "model.embed_tokens.weight", [vocab, hidden]
    yield "model.norm.weight", [hidden]
    yield "lm_head.weight", [vocab, hidden]


def in_bf16(tensors):
    return [(name, "BF16", shape) for name, shape in tensors]


def qwen3_moe():
    for layer in range(48):
        at = f"model.layers.{layer}."
        yield from attention(at, 2048, 32, 4, 128, True)
        yield f"{at}mlp.gate.weight", [128, 2048]
        for expert in range(128):
            yield from gated(f"{at}mlp.experts.{expert}.", 2048, 768)


def deepseek_v3():
    """Weights in 8-bit floats with one scale for each block of 128 x 128, without the multi-token prediction layer."""
    def quantised(name, shape):
        blocks = [-(-size // 128) for size in shape]
        return [(name, "F8_E4M3", shape), (f"{name}_scale_inv", "F32", blocks)]

    for layer in range(61):
        at = f"model.layers.{layer}."
        for name, shape in (("q_a", [1536, 7168]), ("q_b", [24576, 1536]), ("kv_a", [576, 7168]), ("kv_b", [32768, 512]), ("o", [7168, 16384])):
            yield from quantised(f"{at}self_attn.{name}_proj{'_with_mqa' if name == 'kv_a' else ''}.weight", shape)
        for name, size in (("self_attn.q_a_layernorm", 1536), ("self_attn.kv_a_layernorm", 512), ("input_layernorm", 7168), ("post_attention_layernorm", 7168)):
            yield f"{at}{name}.weight", "BF16", [size]
        parts = [(f"{at}mlp.", 18432)]
        if layer >= 3:
            yield f"{at}mlp.gate.weight", "BF16", [256, 7168]
            yield f"{at}mlp.gate.e_score_correction_bias", "F32", [256]
            parts = [(f"{at}mlp.shared_experts.", 2048), *((f"{at}mlp.experts.{expert}.", 2048) for expert in range(256))]
        for part, width in parts:
            for name, shape in gated(part, 7168, width):
                yield from quantised(name, shape)
    yield from in_bf16(ends(129280, 7168))


LLAMA = {"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32,
         "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 128256, "tie_word_embeddings": False, "dtype": "bfloat16",
         "max_position_embeddings": 131072}  # fmt: skip
QWEN3 = {"architectures": ["Qwen3ForCausalLM"], "model_type": "qwen3", "hidden_size": 1024, "intermediate_size": 3072, "num_hidden_layers": 28,
         "num_attention_heads": 16, "num_key_value_heads": 8, "head_dim": 128, "vocab_size": 151936, "tie_word_embeddings": True,
         "dtype": "bfloat16", "max_position_embeddings": 40960}  # fmt: skip
QWEN3_MOE = {"architectures": ["Qwen3MoeForCausalLM"], "model_type": "qwen3_moe", "hidden_size": 2048, "intermediate_size": 6144,
             "moe_intermediate_size": 768, "num_hidden_layers": 48, "num_attention_heads": 32, "num_key_value_heads": 4, "head_dim": 128,
             "num_experts": 128, "num_experts_per_tok": 8, "decoder_sparse_step": 1, "mlp_only_layers": [], "vocab_size": 151936,
             "tie_word_embeddings": False, "dtype": "bfloat16", "max_position_embeddings": 40960}  # fmt: skip
DEEPSEEK_V3 = {"architectures": ["DeepseekV3ForCausalLM"], "model_type": "deepseek_v3", "hidden_size": 7168, "intermediate_size": 18432,
               "moe_intermediate_size": 2048, "num_hidden_layers": 61, "num_attention_heads": 128, "num_key_value_heads": 128,
               "n_routed_experts": 256, "n_shared_experts": 1, "num_experts_per_tok": 8, "first_k_dense_replace": 3, "n_group": 8, "topk_group": 4,
               "q_lora_rank": 1536, "kv_lora_rank": 512, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128, "vocab_size": 129280,
               "tie_word_embeddings": False, "dtype": "bfloat16", "max_position_embeddings": 163840,
               "quantization_config": {"quant_method": "fp8", "fmt": "e4m3", "activation_scheme": "dynamic", "weight_block_size": [128, 128]}}  # fmt: skip

# name -> (configuration, tensors, number of shards)
SHAPES = {
    "Qwen3-0.6B": (QWEN3, lambda: in_bf16([*ends(151936, 1024), *dense_layers(28, 1024, 16, 8, 128, 3072, True)]), 1),
    "Llama-3.1-8B": (LLAMA, lambda: in_bf16([*ends(128256, 4096), *dense_layers(32, 4096, 32, 8, 128, 14336, False)]), 4),
    "Qwen3-30B-A3B": (QWEN3_MOE, lambda: in_bf16([*ends(151936, 2048), *qwen3_moe()]), 16),
    "DeepSeek-V3": (DEEPSEEK_V3, lambda: list(deepseek_v3()), 158),
}


def size_of(dtype, shape):
    size = BITS[dtype] // 8
    for dimension in shape:
        size *= dimension
    return size


def write_shard(path, tensors):
    """Returns the bytes that a reader of the header needs: its length and itself."""
    header, offset = {"__metadata__": {"format": "pt"}}, 0
    for name, dtype, shape in tensors:
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [offset, offset + size_of(dtype, shape)]}
        offset += size_of(dtype, shape)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        file.truncate(8 + len(text) + offset)
    return 8 + len(text)


def write(folder: Path, name: str) -> int:
    """Writes a checkpoint and returns the least bytes from which its plan follows: configuration, index and headers."""
    config, tensors, num_shards = SHAPES[name]
    folder.mkdir(parents=True)
    text = json.dumps(config, indent=2)
    (folder / "config.json").write_text(text)
    tensors, least = tensors(), len(text)
    if num_shards == 1:
        return least + write_shard(folder / "model.safetensors", tensors)
    places, share = {}, -(-len(tensors) // num_shards)
    for number in range(num_shards):
        part = tensors[number * share : (number + 1) * share]
        file = f"model-{number + 1:05}-of-{num_shards:05}.safetensors"
        least += write_shard(folder / file, part)
        places.update((tensor[0], file) for tensor in part)
    total = sum(size_of(dtype, shape) for _, dtype, shape in tensors)
    index = json.dumps({"metadata": {"total_size": total}, "weight_map": places}, indent=2)
    (folder / "model.safetensors.index.json").write_text(index)
    return least + len(index)
