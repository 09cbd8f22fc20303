"""A program for the test of the model mirror (src/hub/mirror_transformers_test.cpp).

  tiny_llama.py make FOLDER          writes a tiny Llama in several shards into FOLDER, and prints its tokens
  tiny_llama.py generate ID COMMIT   prints the tokens of a model that is named as on the Hub
"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from transformers import AutoModelForCausalLM, AutoTokenizer  # noqa: E402

from zoo.tiny import make_tiny  # noqa: E402


def make(folder: str):
    make_tiny("llama", Path(folder))
    whole = Path(folder) / "model.safetensors"
    model = AutoModelForCausalLM.from_pretrained(folder)
    whole.unlink()
    model.save_pretrained(folder, max_shard_size="200KB")
    generate(folder)


def generate(model_id: str, revision: str = "main"):
    tokenizer = AutoTokenizer.from_pretrained(model_id, revision=revision)
    model = AutoModelForCausalLM.from_pretrained(model_id, revision=revision)
    inputs = tokenizer("The capital of France is", return_tensors="pt")
    print(*model.generate(**inputs, max_new_tokens=8, do_sample=False)[0].tolist())


if __name__ == "__main__":
    {"make": make, "generate": generate}[sys.argv[1]](*sys.argv[2:])
