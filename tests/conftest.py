"""Fixtures that every whole-program test shares: the real binary, an empty home, the optional shared data."""
import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@dataclass
class Answer:
    """What a run of the program gave."""

    status: int
    out: str
    err: str

    def json(self):
        return json.loads(self.out)

    def json_lines(self):
        return [json.loads(line) for line in self.out.splitlines()]


class Program:
    """Runs the real binary with a home of its own."""

    def __init__(self, binary: Path, home: Path):
        self.binary = binary
        self.home = home
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(home), "WILLITRUN_HOME": str(home), "LC_ALL": "C.UTF-8"}

    def __call__(self, *arguments: str, timeout_s: float = 120, **environment: str) -> Answer:
        done = subprocess.run([self.binary, *arguments], capture_output=True, text=True, timeout=timeout_s,
                              env=self.environment | environment)
        return Answer(done.returncode, done.stdout, done.stderr)


@pytest.fixture(scope="session")
def binary() -> Path:
    """The program under test: WILLITRUN_BINARY, else the release build."""
    return Path(os.environ.get("WILLITRUN_BINARY", ROOT / "build" / "release" / "bin" / "willitrun"))


@pytest.fixture
def program(binary, tmp_path) -> Program:
    return Program(binary, tmp_path / "home")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Real input that lies beside the project for its developers; tests that need it are skipped without it."""
    folder = Path(os.environ.get("WILLITRUN_SHARED", ROOT.parent / "shared")) / "data"
    if not folder.is_dir():
        pytest.skip(f"no shared data at {folder}")
    return folder
