"""The judgement and the list of the cross (device/cross), without its hours."""

import json
import pathlib
import sys

import pytest
import torch
from generation import Generated

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "coverage"))

import cases  # noqa: E402
import generate_modes  # noqa: E402
import table  # noqa: E402

REFERENCE = Generated([1, 2], torch.tensor([[0.0, 8.0, 1.0], [0.0, 7.9999, 8.0]]))


def judged(tokens, logits, forced=None):
    got = Generated(tokens, torch.tensor(logits))
    return generate_modes.compare(REFERENCE, got, "bfloat16", lambda: Generated([1, 2], torch.tensor(forced)))["evidence"]


def test_equal_tokens_count_only_with_equal_logits():
    assert judged([1, 2], REFERENCE.logits.tolist()) == "tokens"
    assert judged([1, 2], [[6.0, 8.0, 1.0], [0.0, 7.9999, 8.0]]) == "differs"


def test_a_near_tie_needs_a_tie_and_equal_logits_under_teacher_forcing():
    good = REFERENCE.logits.tolist()
    assert judged([1, 1], good, good) == "near_tie"
    assert judged([1, 1], good, [[0.0, 8.0, 1.0], [6.0, 7.9999, 8.0]]) == "differs"
    assert judged([2, 2], good, good) == "differs", "the first step is no tie"
    assert judged([1, 0], good, good) == "differs", "not one of the two best"


def test_heads_that_do_not_divide_are_named():
    config = {"num_attention_heads": 9, "num_key_value_heads": 3}
    unit = cases.Unit("smollm2-135m-llava", "tp", 2, "float32")
    assert cases.why_not(unit, {"text_config": config}) == "9 query and 3 kv heads do not divide by 2"
    assert cases.why_not(cases.Unit("smollm2-135m-llama", "single", 1, "float32"), config) is None


def test_few_ranks_come_first_and_nothing_twice():
    units = cases.units()
    assert len(set(units)) == len(units) and units[0].ranks == 1 and units[-1].ranks == 4


class Kept:
    """Stands for a cross of which one mode of one unit has run."""

    compiler = "inductor"

    def __init__(self, folder):
        self.folder = folder

    def why_not(self, unit):
        return "heads" if unit.ranks == 4 else None

    def results(self, unit):
        return self.folder / unit.name


@pytest.mark.parametrize("evidence", ["tokens", "near_tie", "differs"])
def test_the_table_tells_what_ran_and_what_did_not(tmp_path, evidence):
    ran, missing, impossible = (cases.Unit("smollm2-135m-llama", "tp", ranks, "float32") for ranks in (1, 2, 4))
    outcome = {"evidence": evidence, "first_s": 3.2, "rms": 0.1, "largest": 0.2}
    if evidence != "tokens":
        outcome |= {"step": 5, "expected": 7, "actual": 8, "gap": 0.001}
    (tmp_path / ran.name).mkdir()
    (tmp_path / ran.name / "eager_static.json").write_text(json.dumps(outcome))
    text = table.markdown(Kept(tmp_path), [ran, missing, impossible])
    assert "8 combinations exist, 1 have run" in text and f"{missing.name}: all four ways" in text
    assert "smollm2-135m-llama, tp 4: heads" in text
    assert ("token 5 is 8 instead of 7" in text) == (evidence != "tokens")
