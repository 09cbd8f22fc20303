"""Graphs that one run compiled are found by the next, through the sandbox, on the emulated device; and code of a model's own
reaches none of them.
"""
import dataclasses
import json
import re
from pathlib import Path

import pytest
from models import MODELS

GOOD = next(model for model in MODELS if model.name == "pass-single")
SPOILER = next(model for model in MODELS if model.name == "spoil-graphs")
FOLDER = "neff/neuronxcc-0.0.0+emu"


def run(lab, model) -> dict:
    """Tests a model, whether or not it was tested before; returns its row and what the run's log says was compiled."""
    done = lab.test(dataclasses.replace(model, target="golden-neuron"))
    assert done.stdout, done.stderr
    row = json.loads(done.stdout)
    log = (lab.home / "attempts" / row["attempt_id"] / "run.log").read_text()
    (count,) = re.findall(r'"CompilationCache.TotalCompilations": (\d+)', log)
    return row | {"compilations": int(count)}


def graphs(home: Path) -> dict[str, tuple[int, bytes]]:
    """The compiled graphs of a home: when each was written, and its bytes."""
    files = sorted((home / FOLDER).glob("*/*/*.neff"))
    return {file.name: (file.stat().st_mtime_ns, file.read_bytes()) for file in files}


@pytest.fixture
def forcing_lab(fresh_lab):
    fresh_lab.command.append("--force")
    return fresh_lab


def test_the_second_run_finds_what_the_first_compiled_and_a_hostile_model_changes_nothing(forcing_lab):
    cold = run(forcing_lab, GOOD)
    assert (cold["verdict"], cold["evidence"], cold["graphs"]) == ("PASS", "tokens", 2)
    assert (cold["cache_hits"], cold["cache_misses"], cold["compilations"]) == (0, 2, 2)
    written = graphs(forcing_lab.home)
    assert len(written) == 2

    warm = run(forcing_lab, GOOD)
    assert (warm["verdict"], warm["tokens"], warm["graphs"]) == ("PASS", cold["tokens"], 2)
    assert (warm["cache_hits"], warm["cache_misses"], warm["compilations"]) == (2, 0, 0)
    assert warm["warm_s"] > 0

    hostile = run(forcing_lab, SPOILER)
    assert (hostile["verdict"], hostile["remote_code"]) == ("PASS", True)
    assert (hostile["cache_hits"], hostile["compilations"]) == (0, 2), "it finds nobody's graphs"
    assert graphs(forcing_lab.home) == written
