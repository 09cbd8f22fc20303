#!/usr/bin/env python3
"""What the harness itself costs per attempt: everything but the script's process, the reference and the judge.

    python3 bench/harness_overhead.py [PROGRAM] [--json FILE]

An interpreter that answers at once takes Python's place: it hands over a report and logits of ordinary size (vocabulary
49,152). What then remains of an attempt is the harness: process start, journal, planning, run.py, sandbox twice, reading and
comparing 32 x 49,152 logits twice. In seconds; goals: under 0.3 s, and 2 % of a 30 s attempt.
"""
import argparse
import json
import os
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from figures import add_json_option, figure, report as report_figures

ROOT = Path(__file__).resolve().parent.parent
STEPS, VOCABULARY, REPEATS = 32, 49152, 9
SHELL = """#!/bin/sh
case "$*" in
  *"-c "*) exec /usr/bin/python3 -c '{answer}' ;;
  *) cat {folder}/report.jsonl >> report.jsonl; cat {folder}/logits.npy > logits.npy ;;
esac
"""


def report(reference: bool) -> str:
    tokens = list(range(1, STEPS + 1))
    start = {"event": "start", "t": 1.0, "rank": None, "schema": 1, "pid": 1, "model": "m", "revision": "", "task": "text-generation",
             "mode": "single", "cores": 1, "device": "cpu", "backend": "aot_eager", "reference": reference,
             "transformers": "5.24.0", "new_tokens": STEPS, "env": {}}  # fmt: skip
    marks = [{"event": "stage", "t": 1.0, "rank": 0, "stage": stage} for stage in ("place", "load", "shard", "compile", "generate")]
    result = {"event": "result", "t": 2.0, "rank": None, "prompt": "p", "prompt_tokens": 3, "tokens": tokens,
              "tokenizer_size": 64, "eos_at": None,
              "text": "words", "top2_tokens": [[t, 0] for t in tokens], "top2_logits": [[9.0, 0.0]] * STEPS, "finite": True,
              "repeatable": True, "load_s": 1.0, "cold_s": 2.0, "warm_s": 1.0, "compile_s": 1.0, "first_token_s": 0.1,
              "tokens_per_s": 30.0, "graphs": 2, "graphs_after_first": 0, "cache_class": "StaticCache",
              "compile_cache_hits": None, "compile_cache_misses": None, "fallback_ops": None,
              "parameter_bytes_per_core": 1, "buffer_bytes_per_core": 1, "peak_bytes_per_core": 1, "memory_meter": "process_rss",
              "capacity_bytes_per_core": None, "peak_bytes": [1], "parameter_bytes": [1], "versions": {}, "teacher": None,
              "logits": None}  # fmt: skip
    done = {"event": "stage", "t": 2.0, "rank": None, "stage": "done"}
    return "".join(json.dumps(line) + "\n" for line in [start, *marks, result, done])


def logits() -> bytes:
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({STEPS}, {VOCABULARY}), }}"
    header += " " * (64 - (10 + len(header) + 1) % 64) + "\n"
    rows = b"".join(struct.pack(f"<{VOCABULARY}f", *(9.0 if t == step + 1 else 0.0 for t in range(VOCABULARY))) for step in range(STEPS))
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + rows


def model(folder: Path) -> None:
    """A Llama of one layer, zeros."""
    folder.mkdir()
    config = {"architectures": ["LlamaForCausalLM"], "model_type": "llama", "vocab_size": 32, "hidden_size": 16,
              "intermediate_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "num_key_value_heads": 2, "head_dim": 8,
              "dtype": "bfloat16", "tie_word_embeddings": False, "max_position_embeddings": 512}  # fmt: skip
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "tokenizer.json").write_text("{}")
    layer = "model.layers.0."
    shapes = {"model.embed_tokens.weight": [32, 16], "lm_head.weight": [32, 16], "model.norm.weight": [16]}
    shapes |= {f"{layer}{norm}.weight": [16] for norm in ("input_layernorm", "post_attention_layernorm")}
    shapes |= {f"{layer}self_attn.{name}_proj.weight": [16, 16] for name in "qkvo"}
    shapes |= {f"{layer}mlp.{name}_proj.weight": [32, 16] for name in ("gate", "up")} | {f"{layer}mlp.down_proj.weight": [16, 32]}
    header, offset = {}, 0
    for name, shape in shapes.items():
        size = 2 * shape[0] * (shape[1] if len(shape) > 1 else 1)
        header[name] = {"dtype": "BF16", "shape": shape, "data_offsets": [offset, offset + size]}
        offset += size
    text = json.dumps(header).encode()
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(text)) + text + bytes(offset))


def prepare(folder: Path) -> dict[str, str]:
    """Makes model, interpreter and data folder; returns the environment of the program."""
    (folder / "report.jsonl").write_text(report(False))
    (folder / "logits.npy").write_bytes(logits())
    model(folder / "model")
    answer = {"python": "3.11.2", "packages": {"transformers": "5.24.0", "torch": "2.13.0"}, "folders": [str(folder)]}
    python = folder / "python"
    python.write_text(SHELL.format(answer=f"print({json.dumps(json.dumps(answer))})", folder=folder))
    python.chmod(0o755)
    folder.chmod(0o755)
    data = folder / "data"
    (data / "targets").mkdir(parents=True)
    for name in ("plans", "python", "selections"):
        (data / name).symlink_to(ROOT / name)
    target = f'name = "instant"\ndevice = "cpu"\ncompile_backend = "aot_eager"\n[cores]\ncounts = [1]\nmemory_bytes = 536870912\n'
    target += f'reserve_bytes = 0\n[[interpreter]]\ntransformers = "5.24.0"\npath = "{python}"\n'
    (data / "targets" / "instant.toml").write_text(target)
    return {"PATH": os.environ["PATH"], "HOME": str(folder), "WILLITRUN_HOME": str(folder / "home"), "WILLITRUN_DATA": str(data)}


def measure(program: Path, folder: Path) -> float:
    """Seconds of one whole `willitrun test`, run and reference included: both are instant. The reference is made anew."""
    environment = prepare(folder)
    command = [program, "test", "--json", "--force", "--target", "instant", folder / "model"]
    seconds = []
    for _ in range(REPEATS):
        started = time.perf_counter()
        done = subprocess.run(command, capture_output=True, text=True, env=environment)
        seconds.append(time.perf_counter() - started)
        row = json.loads(done.stdout) if done.stdout else {}
        if row.get("verdict") != "PASS":
            sys.exit(f"the instant run did not pass: {row or done.stderr}")
    return statistics.median(seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?", type=Path, default=ROOT / "build" / "release" / "bin" / "willitrun")
    add_json_option(parser)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        seconds = measure(options.program, Path(folder))
    figures = [figure("harness overhead of an attempt", "s", round(seconds, 4), "python3 bench/harness_overhead.py", goal=0.3)]
    report_figures(figures, options.json)


if __name__ == "__main__":
    main()
