"""Fixtures that every whole-program test shares: the real binary, an empty home, the optional shared data."""
import os
from pathlib import Path

import pytest

from program import ROOT, Program


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
