"""Every checkpoint of the zoo computes what the base computes: Transformers itself is the witness, in float32."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from transformers import AutoModelForCausalLM, AutoModelForImageTextToText, AutoTokenizer, GenerationConfig

from zoo.catalog import CATALOG, OWNER
from zoo.mirror import Mirror

ROOT = Path(__file__).resolve().parents[2]
TEXT = "The quick brown fox jumps over the lazy dog. Paris is the capital of France, and London is the capital of"
QUESTION = "Why is the sky blue?"
# The largest difference of a logit (they reach 31) seen in float32 is 1e-4, with experts.
TOLERANCE = 5e-4


def make(mirror: Path, *names: str) -> str:
    """Runs the maker and returns what it said."""
    done = subprocess.run([sys.executable, "-m", "zoo", str(mirror), *names], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stderr


@pytest.fixture(scope="module")
def mirror() -> Mirror:
    """The whole zoo, kept between test runs: WILLITRUN_ZOO names it, else .cache/zoo."""
    root = Path(os.environ.get("WILLITRUN_ZOO", ROOT / ".cache" / "zoo"))
    make(root)
    return Mirror(root)


def load(mirror: Mirror, name: str):
    task = next(entry.task for entry in CATALOG if entry.name == name)
    model_class = AutoModelForImageTextToText if task == "image-text-to-text" else AutoModelForCausalLM
    return model_class.from_pretrained(mirror.files(f"{OWNER}/{name}"), dtype=torch.float32).eval()


@torch.no_grad()
def answer(model, tokenizer) -> tuple[torch.Tensor, list[int]]:
    """The logits over TEXT, and 32 greedy tokens after QUESTION."""
    logits = model(input_ids=tokenizer(TEXT, return_tensors="pt").input_ids).logits
    model.generation_config = GenerationConfig()
    chat = [{"role": "user", "content": QUESTION}]
    prompt = tokenizer.apply_chat_template(chat, add_generation_prompt=True, return_dict=True, return_tensors="pt")
    output = model.generate(**prompt, max_new_tokens=32, do_sample=False)
    return logits, output[0, prompt["input_ids"].shape[1] :].tolist()


@pytest.fixture(scope="module")
def tokenizer(mirror):
    return AutoTokenizer.from_pretrained(mirror.files(f"{OWNER}/smollm2-135m-llama"))


@pytest.fixture(scope="module")
def base_answer(mirror, tokenizer):
    return answer(load(mirror, "smollm2-135m-llama"), tokenizer)


def test_the_base_speaks_english(base_answer, tokenizer):
    assert "blue" in tokenizer.decode(base_answer[1])


@pytest.mark.parametrize(
    "name", [entry.name for entry in CATALOG if entry.task != "feature-extraction" and entry.name != "smollm2-135m-llama"]
)
def test_a_reshaped_model_computes_what_the_base_computes(mirror, tokenizer, base_answer, name):
    logits, tokens = answer(load(mirror, name), tokenizer)
    assert (logits - base_answer[0]).abs().max() <= TOLERANCE
    assert tokens == base_answer[1]


def test_the_router_sends_tokens_to_different_experts(mirror, tokenizer):
    """A model whose tokens all took the same experts could not show a token that was sent to the wrong ones."""
    model = load(mirror, "smollm2-135m-mixtral")
    chosen = []
    gate = model.model.layers[3].mlp.gate
    gate.register_forward_hook(lambda _, __, output: chosen.extend(map(tuple, output[2].sort().values.tolist())))
    with torch.no_grad():
        model(input_ids=tokenizer(TEXT, return_tensors="pt").input_ids)
    assert set(chosen) == {(0, 2, 4, 6), (1, 3, 5, 7)}


def test_making_again_keeps_what_is_intact(mirror):
    said = make(mirror.root)
    assert f"{len(CATALOG)} models in {mirror.root}: 0 made, {len(CATALOG)} kept" in said


def test_a_damaged_model_is_made_anew_with_the_same_bytes(tmp_path, mirror):
    name = "smollm2-135m-embedder"
    made = Mirror(tmp_path / "mirror")
    make(made.root, name)
    weights = made.files(f"{OWNER}/{name}") / "model.safetensors"
    with weights.open("r+b") as file:
        file.seek(-1, os.SEEK_END)
        file.write(b"\x55")
    assert "1 made" in make(made.root, name)
    assert made.info(f"{OWNER}/{name}") == mirror.info(f"{OWNER}/{name}")
    assert made.intact(f"{OWNER}/{name}")
