"""The base model with an eye: a LLaVA checkpoint, for the task image-text-to-text.

The vision tower and the projector are small and random: the text does not depend on the image in a sensible way, but the whole
path of an image (processor, tower, projector, merge into the prompt) runs. Text alone gives the base's own logits.
"""

from pathlib import Path

import numpy
import torch
import transformers

from zoo.base import Base
from zoo.reshape import Checkpoint, common_config

# A special token that the tokenizer has and never uses: no resize of the vocabulary.
IMAGE_TOKEN = "<jupyter_script>"
IMAGE_SIZE, PATCH_SIZE = 32, 16

# The base's template, with a place for images among a message's parts.
CHAT_TEMPLATE = (
    "{% for message in messages %}"
    "{% if loop.first and message['role'] != 'system' %}"
    "<|im_start|>system\nYou are a helpful AI assistant named SmolLM, trained by Hugging Face<|im_end|>\n"
    "{% endif %}"
    "<|im_start|>{{ message['role'] }}\n"
    "{% if message['content'] is string %}{{ message['content'] }}"
    "{% else %}{% for part in message['content'] %}"
    "{% if part['type'] == 'image' %}" + IMAGE_TOKEN + "{% else %}{{ part['text'] }}{% endif %}"
    "{% endfor %}{% endif %}"
    "<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def llava(base: Base) -> Checkpoint:
    """The base as the language model of a LLaVA with a two-layer CLIP tower of width 32."""
    patches = (IMAGE_SIZE // PATCH_SIZE) ** 2
    config = transformers.LlavaConfig(
        vision_config=transformers.CLIPVisionConfig(
            hidden_size=32,
            intermediate_size=64,
            num_hidden_layers=2,
            num_attention_heads=2,
            image_size=IMAGE_SIZE,
            patch_size=PATCH_SIZE,
            projection_dim=32,
        ),
        text_config=transformers.LlamaConfig(**common_config(base)),
        image_token_index=base.tokenizer.convert_tokens_to_ids(IMAGE_TOKEN),
        image_seq_length=patches,
        tie_word_embeddings=True,
        dtype=torch.bfloat16,
    )
    weights = {f"model.language_model.{name.removeprefix('model.')}": tensor for name, tensor in base.weights.items()}
    return Checkpoint(transformers.LlavaForConditionalGeneration, config, weights | _random_eye(config))


def save_processor(base: Base, folder: Path) -> None:
    """Writes the processor (tokenizer, image processor, chat template) that belongs to `llava`."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    tokenizer.chat_template = CHAT_TEMPLATE
    tokenizer.image_token = IMAGE_TOKEN
    # The one that needs pillow alone; the default one needs torchvision.
    images = transformers.CLIPImageProcessorPil(
        size={"shortest_edge": IMAGE_SIZE}, crop_size={"height": IMAGE_SIZE, "width": IMAGE_SIZE}
    )
    transformers.LlavaProcessor(
        image_processor=images,
        tokenizer=tokenizer,
        patch_size=PATCH_SIZE,
        vision_feature_select_strategy="default",
        image_token=IMAGE_TOKEN,
        num_additional_image_tokens=1,
        chat_template=CHAT_TEMPLATE,
    ).save_pretrained(folder)


def _random_eye(config: transformers.LlavaConfig) -> dict[str, torch.Tensor]:
    with torch.device("meta"):
        model = transformers.LlavaForConditionalGeneration(config)
    random = numpy.random.RandomState(0)
    eye = {}
    for name, parameter in model.named_parameters():
        if "vision_tower" not in name and "multi_modal_projector" not in name:
            continue
        if name.endswith(".bias"):
            values = numpy.zeros(parameter.shape)
        elif "norm" in name:
            values = numpy.ones(parameter.shape)
        else:
            values = random.standard_normal(parameter.shape) * 0.1
        eye[name] = torch.from_numpy(values).to(torch.bfloat16)
    return eye
