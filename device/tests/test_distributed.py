"""The process group `neuron`: every collective on two ranks, and the rules of a core per process."""

import ast
import json
import pathlib

import pytest
from ranks import run_ranks

CHECKS_FILE = pathlib.Path(__file__).with_name("collective_checks.py")


def check_names() -> list[str]:
    """Names of the checks, read without importing the file: it needs a group."""
    functions = [node for node in ast.parse(CHECKS_FILE.read_text()).body if isinstance(node, ast.FunctionDef)]
    return [function.name for function in functions if function.decorator_list]


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory):
    """What both ranks printed."""
    folder = tmp_path_factory.mktemp("ranks")
    done = run_ranks(
        [str(CHECKS_FILE)],
        2,
        TORCH_NEURONX_NEFF_CACHE_DIR=str(folder / "neff"),
        TORCH_NEURONX_NEFF_LOCAL_CACHE_DIR=str(folder / "local"),
    )
    assert all(rank.returncode == 0 for rank in done), done
    return [json.loads(rank.stdout.splitlines()[-1]) for rank in done]


@pytest.mark.parametrize("name", check_names())
def test_on_two_ranks(outcomes, name):
    for rank, outcome in enumerate(outcomes):
        assert outcome[name] is None, f"rank {rank}: {outcome[name]}"


def test_the_device_may_not_be_used_before_the_group():
    code = "import torch, torch.distributed as d; torch.ones(1, device='neuron'); d.init_process_group('neuron')"
    (done,) = run_ranks(["-c", code], 1)
    assert "was used before init_process_group('neuron')" in done.stderr


def test_setting_the_device_before_the_group_is_no_use():
    code = (
        "import torch, torch.distributed as d; torch.neuron.set_device(0)\n"
        "torch.accelerator.set_device_index(0); d.init_process_group('neuron')\n"
        "x = torch.ones(1, device='neuron'); d.all_reduce(x); print(x.item())"
    )
    (done,) = run_ranks(["-c", code], 1)
    assert done.stdout.strip() == "1.0", done.stderr


def test_the_group_takes_the_core_before_any_tensor():
    # PyTorch remembers what a fake tensor looks like, its device too: all of a process's must be on one core.
    code = (
        "import torch, torch.distributed as d; d.init_process_group('neuron')\n"
        "from torch._subclasses import FakeTensorMode\n"
        "devices = []\n"
        "for size in (2, 2, 3):\n"
        "    with FakeTensorMode(): devices.append(torch.empty(size, device='neuron').device.index)\n"
        "    torch.ones(1, device='neuron')\n"
        "print(devices)"
    )
    done = run_ranks(["-c", code], 2)
    assert [rank.stdout.strip() for rank in done] == ["[0, 0, 0]", "[1, 1, 1]"], done


def test_two_ranks_cannot_have_one_core():
    code = "import torch, torch.distributed as d; d.init_process_group('neuron')"
    done = run_ranks(["-c", code], 2, local_ranks=[0, 0], timeout_s=60)
    assert any("NRT_EXEC_NC_BUSY (1005)" in rank.stderr for rank in done), done


def test_a_part_of_the_ranks_is_no_group():
    code = (
        "import torch, torch.distributed as d; d.init_process_group('neuron'); d.new_group([0])\n"
        "try: d.new_group([0, 1])\n"
        "except RuntimeError as error: print(error)\n"
    )
    done = run_ranks(["-c", code], 3)
    assert "on the default group only; a group of 2 of 3 ranks" in done[0].stdout, done[0].stderr
