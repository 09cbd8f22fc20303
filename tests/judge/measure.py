"""Writes the judge's figures into the text sets: `python tests/judge/measure.py FOLDER`, FOLDER being the judging model.

Each line of choosing.jsonl and held_out.jsonl is a text with its kind, whether a reader calls it fluent, and the figures that
src/verify/fluency_test.cpp decides upon.
"""

import json
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
WORKER = HERE.parent.parent / "python" / "judge.py"
SETS = ("choosing.jsonl", "held_out.jsonl")
FIGURES = ("tokens", "mean_nll", "repeated_trigrams", "language", "language_probability")


def read_set(name: str) -> list[dict]:
    return [json.loads(line) for line in (HERE / name).read_text().splitlines()]


def judge(folder: Path, texts: list[str]) -> list[dict]:
    """Returns the worker's answers, without the `ready` line."""
    requests = "".join(json.dumps({"id": number, "text": text}) + "\n" for number, text in enumerate(texts))
    done = subprocess.run([sys.executable, WORKER, "--model", folder], input=requests, text=True, capture_output=True)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    return [json.loads(line) for line in done.stdout.splitlines()][1:]


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    for name in SETS:
        texts = read_set(name)
        answers = judge(Path(sys.argv[1]), [entry["text"] for entry in texts])
        with (HERE / name).open("w") as file:
            for entry, answer in zip(texts, answers, strict=True):
                kept = {key: entry[key] for key in ("kind", "fluent", "text")}
                file.write(json.dumps(kept | {"id": answer["id"]} | {key: answer[key] for key in FIGURES}, ensure_ascii=False) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
