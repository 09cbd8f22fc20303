"""Tiny checkpoints are ordinary ones: Transformers loads them, they say different things, and the same ones every time."""

import time

import pytest
import torch
from transformers import AutoModelForCausalLM, AutoModelForImageTextToText, AutoProcessor, AutoTokenizer, GenerationConfig

from zoo.tiny import KINDS, make_tiny


@pytest.mark.parametrize("kind", KINDS)
def test_the_library_loads_it_and_it_generates(kind, tmp_path):
    make_tiny(kind, tmp_path)
    is_image = KINDS[kind].task == "image-text-to-text"
    model_class = AutoModelForImageTextToText if is_image else AutoModelForCausalLM
    tokenizer = AutoTokenizer.from_pretrained(tmp_path)
    chat = [{"role": "user", "content": "What is the capital of France?"}]
    prompt = tokenizer.apply_chat_template(chat, add_generation_prompt=True, return_dict=True, return_tensors="pt")
    model = model_class.from_pretrained(tmp_path)
    model.generation_config = GenerationConfig()
    with torch.no_grad():
        ids = prompt["input_ids"]
        output = model.generate(input_ids=ids, attention_mask=prompt["attention_mask"], max_new_tokens=32, do_sample=False)
    assert len(set(output[0, ids.shape[1] :].tolist())) > 2


@pytest.mark.parametrize("kind", ["llama", "llava"])
def test_the_same_kind_is_the_same_bytes(kind, tmp_path):
    for copy in ("one", "two"):
        make_tiny(kind, tmp_path / copy)
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes(), path.name


def test_seed_configuration_and_dtype_can_be_changed(tmp_path):
    make_tiny("llama", tmp_path, seed=5, dtype=torch.bfloat16, num_hidden_layers=3)
    model = AutoModelForCausalLM.from_pretrained(tmp_path)
    assert (model.dtype, model.config.num_hidden_layers) == (torch.bfloat16, 3)


def test_every_byte_survives_the_tokenizer(tmp_path):
    make_tiny("llama", tmp_path)
    tokenizer = AutoTokenizer.from_pretrained(tmp_path)
    text = "naïve café, 東京, \t\n and ' \" marks"
    assert tokenizer.decode(tokenizer(text)["input_ids"]) == text


def test_the_image_becomes_as_many_positions_as_the_tower_gives(tmp_path):
    make_tiny("llava", tmp_path)
    processor = AutoProcessor.from_pretrained(tmp_path)
    image = torch.zeros(3, 20, 30)
    inputs = processor(text="<|image|>what?", images=image, return_tensors="pt")
    image_token = processor.tokenizer.convert_tokens_to_ids("<|image|>")
    assert (inputs["input_ids"] == image_token).sum() == 4


def test_one_is_made_in_less_than_two_seconds(tmp_path):
    make_tiny("llama", tmp_path / "warm")
    started = time.monotonic()
    make_tiny("gpt_oss", tmp_path / "timed")
    assert time.monotonic() - started < 2
