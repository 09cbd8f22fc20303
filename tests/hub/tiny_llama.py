"""A program for the test of the model mirror (src/hub/mirror_transformers_test.cpp).

  tiny_llama.py make FOLDER           writes a random Llama in several shards, with a tokenizer, into FOLDER
  tiny_llama.py generate MODEL [REV]  prints eight greedy tokens of a folder or a Hub id
"""
import sys

import torch
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import AutoModelForCausalLM, AutoTokenizer, LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

WORDS = ["<unk>", "the", "capital", "of", "France", "is", "Paris", "."]


def make(folder: str):
    torch.manual_seed(1)
    config = LlamaConfig(vocab_size=len(WORDS), hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4,
                         num_key_value_heads=2, max_position_embeddings=64, bos_token_id=None, eos_token_id=None, pad_token_id=0)
    LlamaForCausalLM(config).save_pretrained(folder, max_shard_size="20KB")
    words = Tokenizer(models.WordLevel({word: i for i, word in enumerate(WORDS)}, unk_token="<unk>"))
    words.pre_tokenizer = pre_tokenizers.Whitespace()
    PreTrainedTokenizerFast(tokenizer_object=words, unk_token="<unk>").save_pretrained(folder)


def generate(model_id: str, revision: str = "main"):
    tokenizer = AutoTokenizer.from_pretrained(model_id, revision=revision)
    model = AutoModelForCausalLM.from_pretrained(model_id, revision=revision)
    inputs = tokenizer("the capital of France is", return_tensors="pt")
    print(*model.generate(**inputs, max_new_tokens=8, do_sample=False)[0].tolist())


if __name__ == "__main__":
    {"make": make, "generate": generate}[sys.argv[1]](*sys.argv[2:])
