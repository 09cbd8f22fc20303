"""`willitrun script` prints what the golden files hold, for a model that it has planned itself."""

import re

import pytest
from running import GOLDEN


def without_facts(script: str) -> str:
    """A script without what tells one model from another: its header and the constants that name it."""
    return re.sub(r"^MODEL, REVISION = .*$", "", script.split('"""', 2)[2], flags=re.M)


@pytest.mark.parametrize(
    ("golden", "kind", "options"),
    [
        ("5.24.0-single", "llama", []),
        ("5.24.0-tp", "llama", ["--cores", "2"]),
        ("5.24.0-tp", "gpt_oss", ["--cores", "2"]),  # both fit: tp comes before tp_ep
        ("5.24.0-ep", "zaya", ["--cores", "2"]),
        ("5.24.0-single-image", "llava", []),
        ("5.10.2-tp", "llama", ["--cores", "2", "--transformers", "5.10.2"]),
        ("5.10.2-ep", "gpt_oss", ["--cores", "2", "--transformers", "5.10.2"]),
    ],
)
def test_it_plans_the_model_and_prints_its_script(golden, kind, options, bench, program):
    folder = bench.mirror.files(f"tiny/{kind}")
    answer = program("script", str(folder), "--target", "cpu", *options)
    assert answer.status == 0, answer.err
    assert without_facts(answer.out) == without_facts((GOLDEN / f"{golden}.py").read_text())
    assert f'MODEL, REVISION = "{folder}", None' in answer.out
    assert program("script", str(folder), "--target", "cpu", *options).out == answer.out


def test_it_is_printed_for_a_device_that_is_not_here(bench, program):
    answer = program("script", str(bench.mirror.files("tiny/llama")), "--target", "trn2")
    assert answer.status == 0, answer.err
    assert 'DEVICE, BACKEND = "text-generation", "single", 1, "neuron", "neuron"' in answer.out


def test_a_model_that_does_not_fit_has_no_script(bench, program):
    answer = program("script", str(bench.mirror.files("tiny/rwkv")), "--target", "cpu", "--cores", "2")
    assert (answer.status, answer.out) == (1, "")
    assert "no script for" in answer.err


def test_a_core_count_that_the_target_lacks_is_wrong_usage(bench, program):
    answer = program("script", str(bench.mirror.files("tiny/llama")), "--target", "cpu", "--cores", "3")
    assert (answer.status, answer.out) == (2, "")
    assert "1, 2, 4" in answer.err


def test_remote_code_is_allowed_only_when_asked(bench, program):
    folder = str(bench.mirror.files("tiny/llama"))
    assert "trust_remote_code" not in program("script", folder, "--target", "cpu").out
    assert "trust_remote_code=True" in program("script", folder, "--target", "cpu", "--allow-remote-code").out
