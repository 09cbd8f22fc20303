"""Without a network: what lies on this host can be planned and tested, and what does not is said to be unavailable."""
import json

import pytest

from zoo.tiny import make_tiny

OFFLINE = {"HF_HUB_OFFLINE": "1"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models") / "tiny"
    make_tiny("llama", folder)
    return str(folder)


def test_a_folder_needs_no_hub(program, folder):
    assert program("plan", folder, "--target", "cpu", **OFFLINE).status == 0
    script = program("script", folder, "--target", "cpu", **OFFLINE)
    assert script.status == 0, script.err
    assert "from_pretrained" in script.out


@pytest.mark.parametrize("command", ["plan", "script", "test"])
def test_a_model_that_is_not_here_is_unavailable(program, command):
    arguments = ["me/elsewhere", "--target", "cpu"] + (["--json"] if command == "test" else [])
    answer = program(command, *arguments, **OFFLINE)
    assert answer.status == 3
    assert "offline" in (answer.out + answer.err).lower()
    if command == "test":
        row = json.loads(answer.out)
        assert (row["verdict"], row["charged_to"]) == ("INDETERMINATE", "infra")
