"""Every form of run.py, really run: it gives the reference's tokens and logits, and reports what report.md promises."""

import json
import subprocess
import sys

import numpy
import pytest
from running import ROOT, STAGES

from zoo.tiny import make_tiny

# The form, the model it is run with, how many ranks it starts, and the form that makes its reference.
FORMS = {
    "5.24.0-single": ("tiny/llama", 1, "5.24.0-single"),
    "5.24.0-single-image": ("tiny/llava", 1, "5.24.0-single-image"),
    "5.24.0-tp": ("tiny/llama", 2, "5.24.0-single"),
    "5.24.0-tp-image": ("tiny/llava", 2, "5.24.0-single-image"),
    "5.24.0-ep": ("tiny/zaya", 2, "5.24.0-ep"),
    "5.24.0-tp_ep": ("tiny/mixtral", 2, "5.24.0-tp_ep"),
    "5.10.2-single": ("tiny/llama", 1, "5.10.2-single"),
    "5.10.2-single-image": ("tiny/llava", 1, "5.10.2-single-image"),
    "5.10.2-tp": ("tiny/llama", 2, "5.10.2-single"),
    "5.10.2-ep": ("tiny/gpt_oss", 2, "5.10.2-ep"),
}
# float32; sums are ordered otherwise in sharded runs.
TOLERANCE = 1e-3


@pytest.mark.parametrize("form", FORMS)
def test_it_gives_what_the_reference_gives(form, bench, reference, tmp_path):
    model_id, ranks, reference_form = FORMS[form]
    expected = reference(reference_form, model_id)
    teacher = tmp_path / "teacher.json"
    teacher.write_text(json.dumps(expected.result["tokens"]))

    run = bench.run(form, model_id, "--teacher", str(teacher), "--logits", "logits.npy")

    assert run.result["tokens"] == expected.result["tokens"]
    assert run.result["text"] == expected.result["text"]
    assert run.result["prompt"] == expected.result["prompt"]
    assert run.result["teacher"]["agree"] == [True] * 32
    assert run.logits.shape == expected.logits.shape == (32, 260)
    assert numpy.abs(run.logits - expected.logits).max() < TOLERANCE
    check_good_report(run, ranks)
    if "-tp" in form:
        whole = expected.result["parameter_bytes"][0]
        # 5.10.2 leaves embedding and lm_head whole on every rank.
        most = 0.7 if form.startswith("5.24") else 0.9
        parts = run.result["parameter_bytes"]
        assert all(0.45 * whole < part < most * whole for part in parts), (parts, whole)


def check_good_report(run, ranks):
    """What docs/formats/report.md says of a good run."""
    start, *_, result, done = run.events
    assert (start["event"], start["schema"], start["rank"], start["reference"]) == ("start", 1, None, False)
    assert (start["device"], start["backend"], start["cores"], start["new_tokens"]) == ("cpu", "aot_eager", ranks, 32)
    assert (done["event"], done["stage"], done["rank"]) == ("stage", "done", None)
    assert result["event"] == "result"
    for rank in range(ranks):
        assert [e["stage"] for e in run.of("stage") if e["rank"] == rank] == STAGES
    assert not run.of("error")

    assert (result["graphs"], result["graphs_after_first"]) == (2, 0)
    assert result["cache_class"] == "StaticCache"
    assert result["repeatable"] and result["finite"]
    assert len(result["tokens"]) == len(result["top2_tokens"]) == len(result["top2_logits"]) == 32
    assert [best for best, _ in result["top2_tokens"]] == result["tokens"]
    for name in ("load_s", "cold_s", "warm_s", "compile_s", "first_token_s", "tokens_per_s"):
        assert result[name] > 0, name
    assert result["first_token_s"] < result["warm_s"] < result["cold_s"]
    for name in ("parameter_bytes", "buffer_bytes", "peak_bytes"):
        assert len(result[name]) == ranks
        assert result[f"{name}_per_core"] == max(result[name]) > 0
    assert result["memory_meter"] == "process_rss"
    for name in ("capacity_bytes_per_core", "fallback_ops", "compile_cache_hits", "compile_cache_misses"):
        assert result[name] is None
    assert (result["versions"]["transformers"], result["versions"]["torch_neuronx"]) == (start["transformers"], None)


def test_a_reference_is_uncompiled_and_dynamic(reference):
    run = reference("5.24.0-single", "tiny/llama")
    (start,) = run.of("start")
    assert (start["reference"], start["backend"]) == (True, None)
    assert (run.result["cache_class"], run.result["graphs"], run.result["compile_s"]) == ("DynamicCache", 0, None)


def test_a_sharded_script_makes_its_reference_in_one_process(reference):
    run = reference("5.24.0-tp_ep", "tiny/mixtral")
    assert {e["rank"] for e in run.of("stage")} == {0, None}
    assert len(run.result["parameter_bytes"]) == 1


def test_the_text_ends_where_the_model_ends_it(bench, reference):
    """End-of-text is neither forbidden nor the end of generation; it ends the text that a judge reads."""
    first = reference("5.24.0-single", "tiny/llama").result["tokens"]
    ending = first[9]

    def fill(folder):
        make_tiny("llama", folder, num_hidden_layers=1)
        settings = folder / "generation_config.json"
        settings.write_text(json.dumps(json.loads(settings.read_text()) | {"eos_token_id": [ending, 7]}))

    bench.add("tiny/ending", "text-generation", fill)
    result = bench.run("5.24.0-single", "tiny/ending", "--reference").result
    assert result["tokens"] == first
    assert result["eos_at"] == first.index(ending)


def test_what_the_checkpoint_prefers_does_not_change_the_choices(bench, reference):
    def fill(folder):
        make_tiny("llama", folder, num_hidden_layers=1)
        settings = folder / "generation_config.json"
        wishes = {"do_sample": True, "temperature": 2.0, "repetition_penalty": 1.8, "max_length": 5}
        settings.write_text(json.dumps(json.loads(settings.read_text()) | wishes))

    bench.add("tiny/wishes", "text-generation", fill)
    result = bench.run("5.24.0-single", "tiny/wishes", "--reference").result
    assert result["tokens"] == reference("5.24.0-single", "tiny/llama").result["tokens"]


def test_a_teacher_forces_tokens_that_the_model_would_not_choose(bench, reference, tmp_path):
    expected = reference("5.24.0-single", "tiny/llama")
    forced = [*expected.result["tokens"][:3], 5, *expected.result["tokens"][4:]]
    teacher = tmp_path / "teacher.json"
    teacher.write_text(json.dumps(forced))
    run = bench.run("5.24.0-single", "tiny/llama", "--reference", "--teacher", str(teacher), "--logits", "logits.npy")
    assert run.result["tokens"] == expected.result["tokens"]
    assert run.result["teacher"]["agree"][:4] == [True, True, True, False]
    assert numpy.abs(run.logits[:4] - expected.logits[:4]).max() < TOLERANCE
    assert numpy.abs(run.logits[4:] - expected.logits[4:]).max() > TOLERANCE


def test_people_read_the_text_and_a_summary(reference):
    run = reference("5.24.0-single", "tiny/llama")
    assert run.out.startswith(run.result["text"] + "\n")
    assert "DynamicCache" in run.out and "tokens/s" in run.out


@pytest.fixture
def hub_address(bench):
    """A Hub over real sockets that serves the tiny models."""
    command = [sys.executable, ROOT / "python" / "local_hub", bench.mirror.root]
    hub = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    yield hub.stdout.readline().strip()
    hub.kill()
    hub.wait()


def test_a_user_with_a_network_needs_nothing_but_the_script(bench, reference, hub_address, tmp_path):
    network = {"HF_HUB_OFFLINE": "0", "HF_ENDPOINT": hub_address, "HF_HUB_CACHE": str(tmp_path / "empty")}
    run = bench.run("5.24.0-single", "tiny/llama", "--reference", **network)
    assert run.result["tokens"] == reference("5.24.0-single", "tiny/llama").result["tokens"]
