"""Runs that fail, for real reasons: each says where and why, and ends with a status that is not 0."""

import json
import signal

import pytest
from running import Run

from zoo.tiny import make_tiny

# Checkpoints may bring code of their own. This one's rank 1 misbehaves in its first forward,
FAULTY = """
import os, signal
from transformers import LlamaForCausalLM

class OwnForCausalLM(LlamaForCausalLM):
    def forward(self, *arguments, **named):
        if os.environ.get("RANK") == "1":
            {fault}
        return super().forward(*arguments, **named)
"""
# and this one never comes to the forward that was compiled.
EVASIVE = """
from transformers import LlamaForCausalLM

class OwnForCausalLM(LlamaForCausalLM):
    def __call__(self, *arguments, **named):
        return LlamaForCausalLM.forward(self, *arguments, **named)
"""


def add_code(bench, name: str, code: str) -> str:
    """Adds a tiny Llama whose class is `code`'s; returns its name."""

    def fill(folder):
        make_tiny("llama", folder, num_hidden_layers=1)
        (folder / "own.py").write_text(code)
        config = folder / "config.json"
        auto_map = {"auto_map": {"AutoModelForCausalLM": "own.OwnForCausalLM"}}
        config.write_text(json.dumps(json.loads(config.read_text()) | auto_map))

    bench.add(name, "text-generation", fill)
    return name


def add_faulty(bench, name: str, fault: str) -> str:
    return add_code(bench, name, FAULTY.format(fault=fault))


def last_stage(run: Run, rank: int) -> str:
    return [e["stage"] for e in run.of("stage") if e["rank"] == rank][-1]


def test_a_model_that_ignores_the_static_cache_fails(bench):
    run = bench.run("5.24.0-single", "tiny/rwkv")
    assert run.status == 1
    assert (run.error["type"], run.error["stage"]) == ("Unproven", "compile")
    assert run.error["message"].startswith("static cache ignored: ")
    assert not run.of("result")


def test_compilation_that_is_switched_off_fails(bench):
    run = bench.run("5.24.0-single", "tiny/llama", TORCH_COMPILE_DISABLE="1")
    assert run.status == 1
    assert run.error["stage"] == "compile"
    assert "no compiled frames" in run.error["message"]


def test_a_model_that_goes_past_its_forward_is_not_compiled(bench):
    name = add_code(bench, "tiny/evades", EVASIVE)
    run = bench.run("5.24.0-single", name, remote_code=True)
    assert run.status == 1
    assert run.error["type"] == "Unproven"
    assert run.error["message"].startswith("not compiled: ")


def test_a_sharded_run_that_is_not_sharded_fails(bench):
    """Transformers 5.10.2 has no expert-parallel plan for Mixtral, says nothing, and computes everything on every rank."""
    run = bench.run("5.10.2-ep", "tiny/mixtral")
    assert run.status == 1
    assert (run.error["type"], run.error["stage"]) == ("Unproven", "shard")
    assert run.error["message"].startswith("not sharded: ")


def test_an_exception_in_one_rank_is_reported_by_that_rank(bench):
    name = add_faulty(bench, "tiny/raises", 'raise ValueError("shape is invalid here")')
    run = bench.run("5.24.0-tp", name, remote_code=True, TORCH_COMPILE_DISABLE="1")
    assert run.status == 1
    assert run.error["rank"] == 1
    assert "shape is invalid here" in run.error["message"] + run.error["traceback"]
    assert "own.py" in run.error["traceback"]
    assert "shape is invalid here" in run.err
    assert not run.leaves_processes


def test_a_rank_that_is_killed_is_reported_by_the_parent(bench):
    name = add_faulty(bench, "tiny/crashes", "os.kill(os.getpid(), signal.SIGSEGV)")
    run = bench.run("5.24.0-tp", name, remote_code=True, TORCH_COMPILE_DISABLE="1")
    assert run.status == 1
    assert (run.error["type"], run.error["rank"], run.error["signal"]) == ("RankDied", 1, "SIGSEGV")
    assert run.error["exit_code"] == -signal.SIGSEGV
    assert last_stage(run, 1) == "compile"
    assert not run.of("result")
    assert not run.leaves_processes


def test_heads_that_do_not_divide_fail(bench):
    odd = {"hidden_size": 48, "num_attention_heads": 3, "num_key_value_heads": 1, "num_hidden_layers": 1}
    bench.add("tiny/odd", "text-generation", lambda folder: make_tiny("llama", folder, **odd))
    run = bench.run("5.24.0-tp", "tiny/odd")
    assert run.status == 1
    assert run.error["stage"] in ("load", "compile")
    assert run.error["traceback"]


def test_a_kill_leaves_the_marks_up_to_it(bench):
    run = bench.run_until("compile", "5.24.0-single", "tiny/llama")
    assert run.status == -signal.SIGKILL
    assert [e["stage"] for e in run.of("stage")] == ["place", "load", "shard", "compile"]
    assert not run.of("error") and not run.of("result")


def test_a_model_that_is_not_there_fails_in_load(bench, tmp_path):
    run = bench.run("5.24.0-single", "tiny/llama", HF_HUB_CACHE=str(tmp_path))
    assert run.status == 1
    assert (run.error["stage"], run.error["type"]) == ("load", "builtins.OSError")


@pytest.mark.parametrize("teacher", ["[1, 2, 3]", "[" + ", ".join(["1.5"] * 32) + "]", "{}"])
def test_a_wrong_teacher_is_wrong_usage(teacher, bench, tmp_path):
    (tmp_path / "teacher.json").write_text(teacher)
    run = bench.run("5.24.0-single", "tiny/llama", "--teacher", str(tmp_path / "teacher.json"))
    assert run.status == 2
    assert "--teacher needs an array of 32 token ids" in run.err
    assert not run.events
