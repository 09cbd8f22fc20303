"""What run.py is as a text: short, self-contained, and helpful."""

import ast
import subprocess
import sys

import pytest
from running import GOLDEN

SCRIPTS = sorted(GOLDEN.glob("*.py"), key=lambda path: path.name)
# What a user installs, and what comes with it.
ALLOWED = {"torch", "transformers", "torch_neuronx", "numpy", "PIL"}


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_it_needs_nothing_but_torch_and_transformers(script):
    imported = set()
    for node in ast.walk(ast.parse(script.read_text())):
        if isinstance(node, ast.Import):
            imported |= {name.name.split(".")[0] for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add(node.module.split(".")[0])
    assert imported - set(sys.stdlib_module_names) <= ALLOWED


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_it_is_short_enough_to_read(script):
    lines = script.read_text().splitlines()
    assert len(lines) <= (300 if "-tp" in script.stem or "-ep" in script.stem else 245)
    assert max(map(len, lines)) <= 120


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_help_comes_without_torch(script):
    # -S: site-packages are not even on the path.
    done = subprocess.run([sys.executable, "-S", script, "--help"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for word in ("owner/model", "pip install transformers==", "--device", "--reference", "--report", "--teacher", "--logits"):
        assert word in done.stdout
