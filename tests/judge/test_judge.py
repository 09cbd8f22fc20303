"""The judge worker, as the lab talks to it: JSON Lines in, figures out, with the real model of the zoo."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(Path(__file__).resolve().parent)]

import measure  # noqa: E402  (beside this file)


@pytest.fixture(scope="module")
def model() -> Path:
    """The judging model, kept between test runs: WILLITRUN_ZOO names the mirror, else .cache/zoo."""
    mirror = Path(os.environ.get("WILLITRUN_ZOO", ROOT / ".cache" / "zoo"))
    name = "smollm2-135m-llama"
    done = subprocess.run([sys.executable, "-m", "zoo", str(mirror), name], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    folder = mirror / "models" / "willitrun-zoo" / name
    return folder / json.loads((folder / "info.json").read_text())["sha"]


@pytest.fixture
def worker(model):
    """A running worker that has said it is ready."""
    process = subprocess.Popen([sys.executable, measure.WORKER, "--model", model], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert json.loads(process.stdout.readline()) == {"ready": 1, "model": str(model)}
    yield process
    process.stdin.close()
    assert process.wait(timeout=30) == 0
    process.stdout.close()


def ask(worker, line: str) -> dict:
    worker.stdin.write(line + "\n")
    worker.stdin.flush()
    return json.loads(worker.stdout.readline())


def test_answers_each_request_at_once_and_survives_bad_ones(worker):
    good = ask(worker, '{"id": 7, "text": "Paris is the capital of France."}')
    assert good["id"] == 7 and good["language"] == "en" and 2 < good["mean_nll"] < 4.7
    assert ask(worker, "hello") == {"id": -1, "error": "the request is not JSON"}
    assert ask(worker, "[1]")["id"] == -1
    assert ask(worker, '{"id": "7", "text": "x"}')["id"] == -1
    assert ask(worker, '{"id": 8, "text": 3}') == {"id": 8, "error": "the request has no string 'text'"}
    empty = ask(worker, '{"id": 9, "text": ""}')
    assert empty["tokens"] == 0 and empty["mean_nll"] is None and empty["repeated_trigrams"] == 0
    long = ask(worker, json.dumps({"id": 10, "text": "a b c d " * 2000}))
    assert long["tokens"] == 512 and long["repeated_trigrams"] > 0.9
    assert ask(worker, '{"id": 7, "text": "Paris is the capital of France."}') == good


def test_gives_the_figures_that_the_rule_was_chosen_on(model):
    texts = measure.read_set("held_out.jsonl")[::8]
    for entry, answer in zip(texts, measure.judge(model, [entry["text"] for entry in texts]), strict=True):
        for figure in measure.FIGURES:
            assert answer[figure] == pytest.approx(entry[figure], abs=0.02) if figure != "language" else answer[figure] == entry[figure]


def test_text_sets_do_not_overlap_and_hold_every_kind():
    choosing, held_out = (measure.read_set(name) for name in measure.SETS)
    assert not {entry["text"] for entry in choosing} & {entry["text"] for entry in held_out}
    for entries in (choosing, held_out):
        assert {"fluent", "loop", "shuffled words", "other language", "mojibake", "broken grammar"} <= {e["kind"] for e in entries}


def test_a_model_that_is_not_there_ends_the_worker_with_a_message(tmp_path):
    done = subprocess.run([sys.executable, measure.WORKER, "--model", tmp_path / "none"], input="", capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stdout == ""
    assert "judge: cannot load" in done.stderr
