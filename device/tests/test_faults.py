"""Injected faults: each really happens, where and when its rule says; a wrong file is refused by name."""

import os
import re
import signal
import subprocess
import sys
import time

import pytest
import torch
from ranks import run_ranks
from torch_neuronx import faults
from torch_neuronx.compiler import backend
from torch_neuronx.faults import codes, rules

STEPS = """
import torch, torch_neuronx
x = torch.eye(3, device="neuron")
for number in range(1, 4):
    x = x @ x
    print("step", number, x.sum().item(), flush=True)
print("done")
"""


@pytest.fixture
def run_with(run_python, tmp_path):
    """Runs STEPS under a file of faults."""

    def run(text: str, timeout_s: float = 120, **environment):
        file = tmp_path / "faults.toml"
        file.write_text(text)
        return run_python(STEPS, timeout_s=timeout_s, NEURON_EMULATED_FAULTS=str(file), **environment)

    return run


def test_runtime_status_at_the_nth_call(run_with):
    done = run_with('[[fault]]\nat = "operator"\neffect = "nrt"\nmatch = "aten::mm"\nnth = 3\nstatus = 1003')
    assert "step 2" in done.stdout and "step 3" not in done.stdout
    assert "nrt_execute: status=1003 (NRT_EXEC_COMPLETED_WITH_NUM_ERR)" in done.stderr


def test_segmentation_fault(run_with):
    done = run_with('[[fault]]\nat = "operator"\neffect = "crash"\nmatch = "aten::mm"\nnth = 2')
    assert done.returncode == -signal.SIGSEGV and done.stdout.split() == ["step", "1", "3.0"]


def test_hang(tmp_path):
    file = tmp_path / "faults.toml"
    file.write_text('[[fault]]\nat = "operator"\neffect = "hang"\nmatch = "aten::mm"\nnth = 2')
    process = subprocess.Popen(
        [sys.executable, "-c", STEPS],
        env={**os.environ, "NEURON_EMULATED_FAULTS": str(file)},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout.readline().startswith("step 1")
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(timeout=2)
    finally:
        process.kill()
    assert process.stdout.read() == "", "no second step"


def test_wrong_numbers_from_then_on(run_with):
    done = run_with(
        '[[fault]]\nat = "operator"\neffect = "wrong_numbers"\nmatch = "aten::mm"\nnth = 2\nand_later = true'
    )
    sums = [line.split()[2] for line in done.stdout.splitlines() if line.startswith("step")]
    assert sums == ["3.0", "-3.0", "-3.0"]


def test_out_of_memory(run_with):
    done = run_with('[[fault]]\nat = "operator"\neffect = "out_of_memory"\nmatch = "aten::mm"')
    assert "torch.OutOfMemoryError: NRT allocation failed" in done.stderr


COMPILE_FAULTS = {
    "compiler code": ('at = "compile"\neffect = "ncc"\ncode = "NCC_EVRF009"', "[NCC_EVRF009] the graph's tensors"),
    "internal error": ('at = "compile"\neffect = "ncc"\ncode = "NCC_IBIR297"', "exited with status 70"),
    "killed": ('at = "compile"\neffect = "killed"', "Backend exited with code -9"),
    "load": ('at = "load"\neffect = "nrt"\nstatus = 10', "nrt_load: status=10 (NRT_UNSUPPORTED_NEFF_VERSION)"),
    "full at load": ('at = "load"\neffect = "out_of_memory"', "NRT allocation failed"),
}


@pytest.fixture
def armed(tmp_path, monkeypatch):
    """Arms faults of compilation in this process, until the test is over."""

    def arm(text: str):
        file = tmp_path / "faults.toml"
        file.write_text(text)
        monkeypatch.setenv("NEURON_EMULATED_FAULTS", str(file))
        faults.arm_from_environment()

    torch._dynamo.reset()
    yield arm
    faults._graph_rules.clear()
    torch._dynamo.reset()


def compile_sine():
    backend._ready.clear()
    return torch.compile(lambda x: torch.sin(x) + 1, backend="neuron")(torch.zeros(3, device="neuron")).tolist()


@pytest.mark.parametrize("fault, words", COMPILE_FAULTS.values(), ids=COMPILE_FAULTS.keys())
def test_compilation_and_loading(armed, fault, words):
    armed(f'[[fault]]\n{fault}\nmatch = "aten.sin.*"')
    with pytest.raises(RuntimeError, match=re.escape(words)):
        compile_sine()
    torch._dynamo.reset()
    assert compile_sine() == [1, 1, 1], "the fault was for the first graph"


def test_graphs_without_the_operator_are_spared(armed):
    armed('[[fault]]\nat = "compile"\neffect = "ncc"\ncode = "NCC_EVRF009"\nmatch = "aten.cos.*"')
    assert compile_sine() == [1, 1, 1]


def test_a_slow_compiler_only_takes_time(armed):
    armed('[[fault]]\nat = "compile"\neffect = "slow"\nseconds = 0.5')
    started = time.monotonic()
    assert compile_sine() == [1, 1, 1] and time.monotonic() - started >= 0.5


def test_a_graph_that_cannot_compile_runs_eagerly_when_allowed(armed, monkeypatch, capsys):
    monkeypatch.setenv("TORCH_NEURONX_DISABLE_FALLBACK_EXECUTION", "0")
    armed('[[fault]]\nat = "compile"\neffect = "ncc"\ncode = "NCC_EVRF001"')
    assert compile_sine() == [1, 1, 1] and "the graph runs eagerly" in capsys.readouterr().err


def test_only_the_named_model(run_with):
    fault = '[[fault]]\nat = "operator"\neffect = "nrt"\nmatch = "aten::mm"\nstatus = 5\nmodel = "local/llama"'
    assert "done" in run_with(fault, NEURON_EMULATED_MODEL="local/qwen2").stdout
    assert "NRT_TIMEOUT" in run_with(fault, NEURON_EMULATED_MODEL="local/llama").stderr


ALL_REDUCE = """
import torch, torch.distributed as dist
dist.init_process_group("neuron")
x = torch.full((2,), dist.get_rank() + 1.0, device="neuron")
dist.all_reduce(x)
print(x.tolist())
"""


def test_a_lost_all_reduce_leaves_each_rank_its_own(tmp_path):
    file = tmp_path / "faults.toml"
    file.write_text('[[fault]]\nat = "collective"\neffect = "lost"')
    done = run_ranks(["-c", ALL_REDUCE], 2, NEURON_EMULATED_FAULTS=str(file))
    assert [rank.stdout.strip() for rank in done] == ["[1.0, 1.0]", "[2.0, 2.0]"]


def test_a_fault_of_one_rank(tmp_path):
    file = tmp_path / "faults.toml"
    file.write_text('[[fault]]\nat = "collective"\neffect = "nrt"\nstatus = 1200\nrank = 1')
    done = run_ranks(["-c", ALL_REDUCE], 2, NEURON_EMULATED_FAULTS=str(file))
    assert "NRT_EXEC_HW_ERR_COLLECTIVES" in done[1].stderr and "NRT_EXEC" not in done[0].stderr
    assert done[0].returncode != 0, "the rank that waits learns that the other is gone"


def test_a_rank_that_is_known_only_after_the_import(tmp_path):
    file = tmp_path / "faults.toml"
    file.write_text('[[fault]]\nat = "collective"\neffect = "nrt"\nstatus = 1200\nrank = 1')
    late = f"import os; rank = os.environ.pop('RANK'); import torch; os.environ['RANK'] = rank\n{ALL_REDUCE}"
    done = run_ranks(["-c", late], 2, NEURON_EMULATED_FAULTS=str(file))
    assert "NRT_EXEC_HW_ERR_COLLECTIVES" in done[1].stderr, done[1].stderr


def test_wrong_numbers_of_one_graph(armed):
    armed('[[fault]]\nat = "load"\neffect = "wrong_numbers"\nmatch = "aten.sin.*"')
    assert compile_sine() == [-1, -1, -1]
    torch._dynamo.reset()
    assert compile_sine() == [1, 1, 1], "the fault was for the first graph"


WRONG_FILES = {
    "unknown place": ('[[fault]]\nat = "disk"\neffect = "hang"', "at must be one of operator, collective"),
    "unknown effect": ('[[fault]]\nat = "load"\neffect = "slow"', "effect at load must be one of"),
    "unknown key": ('[[fault]]\nat = "load"\neffect = "hang"\nnht = 2', "unknown key 'nht'"),
    "unknown table": ("[fault_]\n", "unknown key 'fault_'"),
    "no status": ('[[fault]]\nat = "load"\neffect = "nrt"', "effect nrt needs status"),
    "unknown status": ('[[fault]]\nat = "load"\neffect = "nrt"\nstatus = 77', "unknown NRT status 77"),
    "no TOML": ("[[fault", "Expected"),
}


@pytest.mark.parametrize("text, words", WRONG_FILES.values(), ids=WRONG_FILES.keys())
def test_a_wrong_file_is_refused(tmp_path, text, words):
    file = tmp_path / "faults.toml"
    file.write_text(text)
    with pytest.raises(RuntimeError, match=words):
        rules.read(str(file))


def test_a_missing_file_is_refused():
    with pytest.raises(RuntimeError, match="No such file"):
        rules.read("/nowhere/faults.toml")


def test_every_status_has_its_name_in_the_message():
    for status, (name, _) in codes.NRT_STATUS.items():
        assert f"status={status} ({name})" in codes.nrt_message("nrt_execute", status)
