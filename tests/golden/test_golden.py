"""Each tiny model goes through the whole pipeline with the real program, and must come out as its row in expected/ says.

    pytest tests/golden                        compare
    pytest tests/golden --regenerate -k NAME   write the rows that come out as the expected ones; read the diff before you commit
"""
import json
from pathlib import Path

import pytest
from models import MODELS

EXPECTED = Path(__file__).parent / "expected"
# What an outcome is; times, bytes and texts vary.
COLUMNS = (
    "verdict", "evidence", "reached", "stage", "class", "signature", "charged_to", "mode", "cores", "task", "model_type",
    "exclusion", "attempts", "first_mismatch", "cpu_match", "exit_status", "exit_signal", "sandboxed", "remote_code",
    "local_model", "target",
)  # fmt: skip


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
def test_each_model_comes_out_as_expected(lab, regenerate, model):
    if model.needs_cgroups and not lab.has_cgroups():
        pytest.skip("this host lets us make no control groups (willitrun doctor)")
    done = lab.test(model)
    assert done.stdout, done.stderr
    row = json.loads(done.stdout)
    outcome = {column: row[column] for column in COLUMNS if column in row}
    file = EXPECTED / f"{model.name}.json"
    if regenerate:
        file.write_text(json.dumps(outcome, indent=1) + "\n")
    assert file.exists(), f"no expected row: pytest tests/golden --regenerate -k {model.name}"
    assert outcome == json.loads(file.read_text()), (
        f"{row.get('error', '')}\nif this is right: pytest tests/golden --regenerate -k {model.name}"
    )
    assert done.returncode == {"PASS": 0, "INDETERMINATE": 3}.get(row["verdict"], 1)


def test_an_unchanged_model_is_not_run_again(lab):
    model = next(model for model in MODELS if model.name == "pass-single")
    lab.test(model)
    lab.command = [argument for argument in lab.command if argument != "--json"]
    done = lab.test(model)
    assert "unchanged, not run again" in done.stdout
    assert done.returncode == 0
