"""Makes tiny random checkpoints in about a second: for tests that need a model of some architecture, but no language.

Two layers of width 64, a byte-level tokenizer made here, weights from a fixed seed: the same bytes every time, no network, no
other model. What they write is noise, but noise that an error changes: weights are large enough that outputs do not collapse
into one repeated token.

    make_tiny("mixtral", folder)                     # an ordinary checkpoint folder
    make_tiny("llama", folder, num_hidden_layers=4)  # any value of the configuration can be changed
"""

from dataclasses import dataclass
from pathlib import Path

import numpy
import torch
import transformers
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import GenerationConfig, PreTrainedConfig, PreTrainedModel, PreTrainedTokenizerFast

END, START, IMAGE, UNUSED = "<|end|>", "<|start|>", "<|image|>", "<|unused|>"
IMAGE_SIZE, PATCH_SIZE = 16, 8
DEFAULT_SEED = 0

CHAT_TEMPLATE = (
    "{% for message in messages %}" + START + "{{ message['role'] }}\n"
    "{% if message['content'] is string %}{{ message['content'] }}"
    "{% else %}{% for part in message['content'] %}"
    "{% if part['type'] == 'image' %}" + IMAGE + "{% else %}{{ part['text'] }}{% endif %}"
    "{% endfor %}{% endif %}" + END + "\n{% endfor %}"
    "{% if add_generation_prompt %}" + START + "assistant\n{% endif %}"
)


@dataclass(frozen=True)
class Kind:
    """An architecture that can be made: its model class, its configuration class, and what differs from `_common`."""

    model_class: type[PreTrainedModel]
    config_class: type[PreTrainedConfig]
    differs: dict
    task: str = "text-generation"


def _mixture(**values) -> dict:
    return {"num_local_experts": 4, "num_experts_per_tok": 2, **values}


KINDS = {
    "llama": Kind(transformers.LlamaForCausalLM, transformers.LlamaConfig, {}),
    "qwen2": Kind(transformers.Qwen2ForCausalLM, transformers.Qwen2Config, {}),
    "mixtral": Kind(transformers.MixtralForCausalLM, transformers.MixtralConfig, _mixture(sliding_window=None)),
    "gpt_oss": Kind(
        transformers.GptOssForCausalLM,
        transformers.GptOssConfig,
        # Without a window: `dynamic=False` would compile a sliding layer anew at every step.
        _mixture(layer_types=["full_attention"] * 2, rope_parameters={"rope_type": "default", "rope_theta": 10000.0}),
    ),
    # An expert-parallel plan and no tensor-parallel one.
    "zaya": Kind(
        transformers.ZayaForCausalLM,
        transformers.ZayaConfig,
        {
            "num_attention_heads": 4,
            "num_key_value_heads": 2,
            "num_experts": 4,
            "moe_intermediate_size": 64,
            "router_hidden_size": 16,
            "tie_word_embeddings": False,
        },
    ),
    # Generates with a state of its own: asks for a static cache are ignored.
    "rwkv": Kind(
        transformers.RwkvForCausalLM,
        transformers.RwkvConfig,
        {"attention_hidden_size": 64, "context_length": 256, "rescale_every": 0},
    ),
    "llava": Kind(transformers.LlavaForConditionalGeneration, transformers.LlavaConfig, {}, task="image-text-to-text"),
}


def make_tiny(kind: str, folder: Path, *, seed: int = DEFAULT_SEED, dtype: torch.dtype = torch.float32, **changes) -> None:
    """Writes a checkpoint of one of KINDS into `folder`, made when missing; `changes` are configuration values.

    For "llava" the changes are made to the configuration of its language model.
    """
    tokenizer = make_tokenizer()
    config = _llava_config(tokenizer, changes) if kind == "llava" else _config(KINDS[kind], tokenizer, changes)
    torch.manual_seed(seed)
    model = KINDS[kind].model_class(config)
    _randomise(model, seed)
    model.generation_config = GenerationConfig(
        bos_token_id=tokenizer.bos_token_id, eos_token_id=tokenizer.eos_token_id, pad_token_id=tokenizer.pad_token_id
    )
    model.to(dtype).save_pretrained(folder)
    if kind == "llava":
        _processor(tokenizer).save_pretrained(folder)
    else:
        tokenizer.save_pretrained(folder)


def make_tokenizer() -> PreTrainedTokenizerFast:
    """Returns a tokenizer that has one token per byte, and four special ones: 260 in all."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokenizer = Tokenizer(models.BPE(vocab={letter: index for index, letter in enumerate(alphabet)}, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens([END, START, IMAGE, UNUSED])
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, bos_token=START, eos_token=END, pad_token=END, chat_template=CHAT_TEMPLATE
    )


def _common(tokenizer: PreTrainedTokenizerFast) -> dict:
    # 8 query and 4 kv heads, and 260 tokens: everything divides by 4.
    return {
        "vocab_size": len(tokenizer),
        "hidden_size": 64,
        "intermediate_size": 128,
        "num_hidden_layers": 2,
        "num_attention_heads": 8,
        "num_key_value_heads": 4,
        "head_dim": 16,
        "max_position_embeddings": 512,
        "bos_token_id": tokenizer.bos_token_id,
        "eos_token_id": tokenizer.eos_token_id,
        "pad_token_id": tokenizer.pad_token_id,
    }


def _config(kind: Kind, tokenizer: PreTrainedTokenizerFast, changes: dict) -> PreTrainedConfig:
    return kind.config_class(**{**_common(tokenizer), **kind.differs, **changes})


def _llava_config(tokenizer: PreTrainedTokenizerFast, changes: dict) -> PreTrainedConfig:
    return transformers.LlavaConfig(
        vision_config=transformers.CLIPVisionConfig(
            hidden_size=32,
            intermediate_size=64,
            num_hidden_layers=2,
            num_attention_heads=2,
            image_size=IMAGE_SIZE,
            patch_size=PATCH_SIZE,
            projection_dim=32,
        ),
        text_config=_config(KINDS["llama"], tokenizer, changes),
        image_token_index=tokenizer.convert_tokens_to_ids(IMAGE),
        image_seq_length=(IMAGE_SIZE // PATCH_SIZE) ** 2,
        tie_word_embeddings=False,
    )


def _processor(tokenizer: PreTrainedTokenizerFast) -> transformers.ProcessorMixin:
    tokenizer.image_token = IMAGE
    return transformers.LlavaProcessor(
        image_processor=transformers.CLIPImageProcessorPil(
            size={"shortest_edge": IMAGE_SIZE}, crop_size={"height": IMAGE_SIZE, "width": IMAGE_SIZE}
        ),
        tokenizer=tokenizer,
        patch_size=PATCH_SIZE,
        vision_feature_select_strategy="default",
        image_token=IMAGE,
        num_additional_image_tokens=1,
        chat_template=CHAT_TEMPLATE,
    )


def _randomise(model: PreTrainedModel, seed: int) -> None:
    """Fills every matrix with normal values of deviation 0.1; vectors (norms, biases) keep what the class gave them."""
    random = numpy.random.RandomState(seed)
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.ndim >= 2:
                parameter.copy_(torch.from_numpy(random.standard_normal(tuple(parameter.shape)) * 0.1))
