"""Fixtures of the device's tests. They run in an environment that holds the emulated torch_neuronx."""

import os
import pathlib
import subprocess
import sys
import tempfile

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parents[2]))  # the zoo

# Compiled graphs of tests go nowhere that a user's do; the quick compiler is the default here.
os.environ.setdefault("NEURON_EMULATED_COMPILER", "graph")


@pytest.fixture(autouse=True)
def private_cache(tmp_path, monkeypatch):
    """Gives each test an empty cache and lock folder, which processes that it starts inherit; not what Inductor finds out
    about the CPU, which takes ten seconds."""
    (tmp_path / "local").mkdir()
    found_out = pathlib.Path(tempfile.gettempdir()) / f"neuron_emulated_{os.getuid()}" / "tests"
    found_out.mkdir(mode=0o700, parents=True, exist_ok=True)
    (tmp_path / "local" / f"emulated_{os.getuid()}").symlink_to(found_out)
    monkeypatch.setenv("TORCH_NEURONX_NEFF_CACHE_DIR", str(tmp_path / "neff"))
    monkeypatch.setenv("TORCH_NEURONX_NEFF_LOCAL_CACHE_DIR", str(tmp_path / "local"))


@pytest.fixture
def run_python():
    """Runs Python code in a fresh process and returns its subprocess.CompletedProcess (text)."""

    def run(code: str, timeout_s: float = 120, **environment: str) -> subprocess.CompletedProcess:
        return subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            timeout=timeout_s,
        )

    return run
