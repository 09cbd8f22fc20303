"""Faults that the emulated device injects come out of the whole program as what they are: stage, class, and who is charged."""
import json
import subprocess
from dataclasses import dataclass, replace

import pytest
from models import MODELS

GOOD = next(model for model in MODELS if model.name == "pass-single")


@dataclass(frozen=True)
class Fault:
    """A rule of the file of faults, and what the row must say."""

    rule: str
    outcome: tuple  # verdict, stage, class, who is charged
    cores: int = 1


FAULTS = {
    "a graph too large for the device": Fault(
        'at = "compile"\neffect = "ncc"\ncode = "NCC_EVRF009"', ("FAIL", "compile", "compiler_device_oom", "model")
    ),
    "an internal error of the compiler": Fault(
        'at = "compile"\neffect = "ncc"\ncode = "NCC_ITEN404"\nnth = 2', ("FAIL", "compile", "compiler_internal", "stack")
    ),
    "no memory to load a graph": Fault('at = "load"\neffect = "out_of_memory"', ("FAIL", "execute", "device_oom", "model")),
    "an execution that fails": Fault(
        'at = "load"\neffect = "nrt"\nstatus = 1004', ("FAIL", "execute", "nrt_execute_error", "stack")
    ),
    "memory with an error that cannot be corrected": Fault(
        'at = "operator"\neffect = "nrt"\nstatus = 1201\nmatch = "aten::argmax"\nnth = 3',
        ("INDETERMINATE", "infra", "device_hw", "infra"),
    ),
    "wrong numbers": Fault(
        'at = "load"\neffect = "wrong_numbers"\nnth = 2',
        ("FAIL", "verify", "token_mismatch", "model"),
    ),
    "a lost all-reduce": Fault(
        'at = "collective"\neffect = "lost"\nand_later = true', ("FAIL", "verify", "token_mismatch", "model"), cores=2
    ),
    "one rank that crashes in its 200th all-reduce": Fault(
        'at = "collective"\neffect = "crash"\nrank = 1\nnth = 200', ("FAIL", "execute", "crash", "model"), cores=2
    ),
}  # fmt: skip


@pytest.fixture
def row_with(lab, data, tmp_path):
    """Tests the model on so many cores of a device with this fault; gives the row."""

    def row_with(name: str, rule: str, cores: int = 1) -> dict:
        file = tmp_path / "faults.toml"
        file.write_text(f"[[fault]]\n{rule}\n")
        # A target of its own: what attempts on one target say together is another question.
        target = f"golden-fault-{name.replace(' ', '-')}"
        text = (data / "targets" / "golden-neuron.toml").read_text().replace('"golden-neuron"', f'"{target}"', 1)
        text = text.replace("counts = [1, 2, 4, 8, 16]", f"counts = [{cores}]")
        text = text.replace("[environment]\n", f'[environment]\nNEURON_EMULATED_FAULTS = "{file}"\n')
        (data / "targets" / f"{target}.toml").write_text(text)
        # Without a sandbox, which would hide the file; the faults are ours, and so is the model.
        command = [*lab.command_for(replace(GOOD, target=target)), "--no-sandbox"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=lab.environment)
        assert done.stdout, done.stderr
        return json.loads(done.stdout)

    return row_with


@pytest.mark.parametrize("name, fault", FAULTS.items(), ids=FAULTS.keys())
def test_a_fault_comes_out_as_what_it_is(row_with, name, fault):
    row = row_with(name, fault.rule, fault.cores)
    found = row["verdict"], row["stage"], row["class"], row["charged_to"]
    assert (found, row["cores"]) == (fault.outcome, fault.cores), row.get("error", "")[:2000]


def test_a_slow_compiler_only_takes_time(row_with):
    row = row_with("slow compiler", 'at = "compile"\neffect = "slow"\nseconds = 3')
    assert row["verdict"] == "PASS" and row["compile_s"] > 3
