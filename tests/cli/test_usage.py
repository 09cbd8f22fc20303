"""What every command promises: help with an example, exit statuses, JSON alone on standard output."""
import pytest


def commands(program):
    lines = program("--help").out.split("Subcommands:")[1].splitlines()
    return [line.split()[0] for line in lines if line.startswith("  ") and not line.startswith("   ")]


def test_every_command_has_help_with_an_example(program):
    names = commands(program)
    assert "targets" in names
    for name in names:
        answer = program(name, "--help")
        assert answer.status == 0, name
        assert "Example" in answer.out, f"'{name} --help' shows no example"


@pytest.mark.parametrize("arguments", [[], ["no-such-command"], ["targets", "--no-such-option"]])
def test_wrong_usage_exits_with_2_and_prints_nothing_on_standard_output(program, arguments):
    answer = program(*arguments)
    assert (answer.status, answer.out) == (2, "")
    assert answer.err


def test_version_names_licence_and_build(program):
    answer = program("--version")
    assert answer.status == 0
    assert answer.out.startswith("willitrun ") and "Apache-2.0" in answer.out


def test_targets_are_listed_as_json(program):
    answer = program("targets", "--json").json()
    assert answer["schema"] == 1
    assert {"cpu", "trn2"} <= {row["name"] for row in answer["rows"]}


def test_colour_is_used_on_terminals_only(program):
    assert "\033[" not in program("targets").out
