"""Faults that the emulated device injects come out of the whole program as what they are: stage, class, and who is charged."""
import dataclasses
import json
import subprocess

import pytest
from models import MODELS

GOOD = next(model for model in MODELS if model.name == "pass-single")
# Each with what its row must say.
FAULTS = {
    "a graph too large for the device": (
        'at = "compile"\neffect = "ncc"\ncode = "NCC_EVRF009"', ("FAIL", "compile", "compiler_device_oom", "model")
    ),
    "an internal error of the compiler": (
        'at = "compile"\neffect = "ncc"\ncode = "NCC_ITEN404"', ("FAIL", "compile", "compiler_internal", "stack")
    ),
    "no memory to load a graph": ('at = "load"\neffect = "out_of_memory"', ("FAIL", "execute", "device_oom", "model")),
    "an execution that fails": (
        'at = "load"\neffect = "nrt"\nstatus = 1004', ("FAIL", "execute", "nrt_execute_error", "stack")
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def fault_file(data):
    """The file that the target `golden-faults` makes the device read."""
    path = data / "faults.toml"
    target = (data / "targets" / "golden-neuron.toml").read_text().replace('"golden-neuron"', '"golden-faults"', 1)
    variable = f'[environment]\nNEURON_EMULATED_FAULTS = "{path}"\n'
    (data / "targets" / "golden-faults.toml").write_text(target.replace("[environment]\n", variable))
    return path


@pytest.mark.parametrize("fault, expected", FAULTS.values(), ids=FAULTS.keys())
def test_a_fault_comes_out_as_what_it_is(lab, fault_file, fault, expected):
    fault_file.write_text(f"[[fault]]\n{fault}\n")
    model = dataclasses.replace(GOOD, target="golden-faults")
    # Without a sandbox, which would hide the file; the faults are ours, and so is the model.
    command = [*lab.command_for(model), "--no-sandbox", "--force"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=lab.environment)
    assert done.stdout, done.stderr
    row = json.loads(done.stdout)
    found = row["verdict"], row["stage"], row["class"], row["charged_to"]
    assert found == expected, row.get("error", "")[:2000]
