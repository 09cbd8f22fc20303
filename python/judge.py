"""Measures how likely, how repetitive and in which language texts are: the judge worker.

    python python/judge.py --model FOLDER

Reads texts and writes figures as JSON Lines (docs/formats/judge.md). The figures come from a small language model and a
language classifier; what counts as fluent is decided by the program that reads them.
"""

import argparse
import json
import os
import sys

# A judge's figures must not depend on a device that happens to be there, nor on a network.
os.environ["TORCH_DEVICE_BACKEND_AUTOLOAD"] = "0"
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")

PROTOCOL = 1
MAX_TOKENS = 512


class Judge:
    """A language model and a language classifier, loaded once."""

    def __init__(self, folder: str):
        import torch
        from py3langid.langid import MODEL_FILE, LanguageIdentifier
        from transformers import AutoModelForCausalLM, AutoTokenizer

        torch.set_num_threads(1)  # texts are short, and a lab has better use for the other cores
        self._torch = torch
        self._tokenizer = AutoTokenizer.from_pretrained(folder)
        self._model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
        self._languages = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)

    def figures(self, text: str) -> dict:
        """Returns the figures of one text, by the names of docs/formats/judge.md."""
        tokens = self._tokenizer(text, add_special_tokens=False)["input_ids"][:MAX_TOKENS]
        language, probability = self._languages.classify(text)
        return {
            "tokens": len(tokens),
            "mean_nll": self._mean_nll(tokens),
            "repeated_trigrams": round(repeated_trigrams(tokens), 4),
            "language": str(language),
            "language_probability": round(float(probability), 4),
        }

    def _mean_nll(self, tokens: list[int]) -> float | None:
        if not tokens:
            return None
        # The end-of-text token stands before a document, so that the first token of the text is predicted as well.
        start = self._tokenizer.convert_tokens_to_ids("<|endoftext|>")
        ids = self._torch.tensor([[start, *tokens]])
        with self._torch.inference_mode():
            logits = self._model(ids).logits[0, :-1]
        return round(self._torch.nn.functional.cross_entropy(logits, ids[0, 1:]).item(), 4)


def repeated_trigrams(tokens: list[int]) -> float:
    """Returns the share of trigrams that occurred before."""
    trigrams = list(zip(tokens, tokens[1:], tokens[2:]))
    return 1 - len(set(trigrams)) / len(trigrams) if trigrams else 0.0


def answer(judge, line: bytes) -> dict:
    """Returns the answer to one request; what is wrong with a request is part of the answer."""
    try:
        request = json.loads(line)
    except ValueError:
        return {"id": -1, "error": "the request is not JSON"}
    if not isinstance(request, dict) or type(request.get("id")) is not int:
        return {"id": -1, "error": "the request has no integer 'id'"}
    if not isinstance(request.get("text"), str):
        return {"id": request["id"], "error": "the request has no string 'text'"}
    return {"id": request["id"], **judge.figures(request["text"])}


def say(message: dict) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--model", required=True, metavar="FOLDER", help="checkpoint of the judging model")
    folder = parser.parse_args().model
    try:
        judge = Judge(folder)
    except (OSError, ValueError, ImportError) as error:
        print(f"judge: cannot load '{folder}': {error}", file=sys.stderr)
        return 1
    say({"ready": PROTOCOL, "model": folder})
    for line in sys.stdin.buffer:
        say(answer(judge, line))
    return 0


if __name__ == "__main__":
    sys.exit(main())
