"""A home with a few results, served for all tests of this folder that only read."""
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from program import Program  # noqa: E402
from serving import Server, make_home  # noqa: E402


@pytest.fixture(scope="session")
def page_build(tmp_path_factory) -> Path:
    """What a build of the page looks like from outside."""
    folder = tmp_path_factory.mktemp("page")
    (folder / "assets").mkdir()
    (folder / "index.html").write_text('<!doctype html><base href="./"><title>willitrun</title>'
                                       '<meta name="description" content="willitrun"><script src="assets/main-1a2b.js"></script>')
    (folder / "assets" / "main-1a2b.js").write_text("let x = 1;\n")
    return folder


@pytest.fixture(scope="session")
def served_home(binary, tmp_path_factory) -> Program:
    folder = tmp_path_factory.mktemp("served")
    program = Program(binary, folder / "home")
    make_home(program, folder)
    return program


@pytest.fixture(scope="session")
def server(served_home, page_build):
    with Server(served_home, "--page", str(page_build)) as running:
        yield running


@pytest.fixture
def own_home(program, tmp_path) -> Program:
    """A home that a test may change."""
    make_home(program, tmp_path)
    return program
