"""Looking up in a home with ranked models and results on two stacks, imported from files like the public dataset's."""
import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "formats"))
from dataset_files import public_row, write_public  # noqa: E402

LLAMA = "meta-llama/Llama-3.1-8B"
GPT2 = "openai-community/gpt2"
SCRIPT = "print('32 tokens')\n"
RANKED = [("Qwen/Qwen3-0.6B", 9_000_000), (LLAMA, 5_000_000), (GPT2, 1_500_000), ("some/model-GGUF", 400)]


@pytest.fixture
def home(program, tmp_path):
    lists = tmp_path / "lists"
    lists.mkdir()
    lines = [json.dumps({"id": name, "pipeline_tag": "text-generation", "library": "transformers", "downloads_30d": downloads,
                         "trending_score": 1, "formats": ["gguf" if name.endswith("GGUF") else "safetensors"]})
             for name, downloads in RANKED]
    (lists / "test_models_2026-10-01.jsonl").write_text("\n".join(lines) + "\n")
    old = [public_row("Qwen/Qwen3-0.6B", neuronx_cc="2.27.1"), public_row(LLAMA, neuronx_cc="2.27.1")]
    new = [public_row("Qwen/Qwen3-0.6B", neuronx_cc="2.28.1", run_py=SCRIPT),
           public_row(LLAMA, neuronx_cc="2.28.1", result="FAIL", error="out of memory"),
           public_row("other/word", neuronx_cc="2.28.1", result="OK_BUT_SLOW")]
    write_public(tmp_path / "old.parquet", old)
    write_public(tmp_path / "new.parquet", new)
    for arguments in (["rank", "import", str(lists)], ["data", "import", str(tmp_path / "old.parquet")],
                      ["data", "import", str(tmp_path / "new.parquet")]):
        answer = program(*arguments)
        assert answer.status == 0, answer.err
    return program


def verdicts(answer):
    return {row["model_id"]: row["verdict"] for row in answer.json()["rows"]}


def test_the_newest_stack_is_shown_with_untested_models(home):
    answer = home("lookup", "--view", "downloads", "--json")
    assert answer.json()["stack"]["neuronx_cc"] == "2.28.1"
    shown = verdicts(answer)
    assert shown["Qwen/Qwen3-0.6B"] == "PASS"
    assert shown[LLAMA] == "FAIL"
    assert shown[GPT2] == "UNTESTED"
    assert shown["other/word"] == "OK_BUT_SLOW"


def test_rows_of_a_list_have_the_columns_of_the_dataset_but_not_the_script(home):
    row = home("lookup", "qwen3", "--json").json()["rows"][0]
    assert row["result"] == "PASS" and row["downloads"] == 9_000_000 and row["neuronx_cc"] == "2.28.1"
    assert "run_py" not in row


def test_an_older_stack_is_shown_on_request(home):
    assert verdicts(home("lookup", "llama", "--neuronx-cc", "2.27", "--json")) == {LLAMA: "PASS"}


def test_queries_look_across_stacks(home):
    assert list(verdicts(home("lookup", "--where", "seq(cc@2.27:pass cc@2.28:!pass)", "--json"))) == [LLAMA]


def test_people_get_a_table_with_the_result_and_what_it_covers(home):
    answer = home("lookup", "qwen3")
    assert answer.status == 0
    assert "neuronx-cc 2.28.1" in answer.out and "Qwen/Qwen3-0.6B" in answer.out and "PASS" in answer.out
    assert "1 of 1 models" in answer.out and "downloads pass" in answer.out


def test_a_text_without_its_separators_is_found_and_said(home):
    answer = home("lookup", "llama3.1")
    assert LLAMA in answer.out and "no name matches as typed" in answer.out


def test_show_prints_the_script_that_ran_and_nothing_else(home):
    script = home("show", "Qwen/Qwen3-0.6B", "--run-py")
    assert (script.status, script.err) == (0, "")
    assert script.out == SCRIPT


def test_show_tells_what_broke_since_when_and_how_to_get_the_cache(home):
    out = home("show", LLAMA).out
    assert "last good 2.27.1/" in out and "first bad 2.28.1/" in out
    assert "hf buckets sync hf://buckets/aws-neuron/torch-neuronx-neff-cache/neuronxcc-2.28.1 /tmp/neff_cache" in out
    assert "out of memory" in out


def test_an_untested_model_says_how_to_plan_and_test_it(home):
    answer = home("show", GPT2)
    assert answer.status == 0 and "no result yet" in answer.out and f"willitrun test {GPT2}" in answer.out


def test_compare_prints_every_class_and_the_indeterminate_share(home):
    answer = home("compare", "2.27", "2.28")
    assert answer.status == 1, "a model regressed"
    for name in ("regressed", "fixed", "same_pass", "same_fail", "moved_stage", "flaky", "indeterminate", "not_comparable", "added", "removed"):
        assert name in answer.out
    assert "indeterminate: 0.0 % of 2 compared models" in answer.out
    classes = home("compare", "2.27", "2.28", "--json").json()["classes"]
    assert {name: counts["models"] for name, counts in classes.items() if counts["models"]} == {"regressed": 1, "same_pass": 1, "added": 1}


def test_history_and_bisect_name_the_stacks(home):
    history = home("history", LLAMA, "--json").json()["history"]
    assert [len(line["transitions"]) for line in history] == [2]
    assert "first bad 2.28.1/" in home("bisect", LLAMA).out


def test_failures_are_listed_by_downloads(home):
    rows = home("failures", "--json").json()["rows"]
    assert [row["models"][0]["model_id"] for row in rows] == [LLAMA]
    assert rows[0]["downloads"] == 5_000_000


def test_another_target_has_no_results_and_says_where_some_are(home):
    answer = home("lookup", "qwen3", "--target", "cpu")
    assert "UNTESTED" in answer.out
    assert "there are results on trn2 (5)" in answer.err


def test_a_new_result_is_seen_by_the_next_lookup(home, tmp_path):
    assert verdicts(home("lookup", "qwen3", "--json")) == {"Qwen/Qwen3-0.6B": "PASS"}
    write_public(tmp_path / "new.parquet", [public_row("Qwen/Qwen3-0.6B", neuronx_cc="2.28.1", result="FAIL")])
    assert home("data", "import", str(tmp_path / "new.parquet")).status == 0
    assert verdicts(home("lookup", "qwen3", "--json")) == {"Qwen/Qwen3-0.6B": "FAIL"}


def test_the_snapshot_file_is_never_trusted_when_it_is_not_whole(home):
    expected = home("lookup", "--view", "downloads").out
    file = home.home / "lookup.snapshot"
    whole = file.read_bytes()
    for content in (b"", whole[:len(whole) // 2], b"not a snapshot", bytes([*whole[:9], 99, *whole[10:]])):
        file.write_bytes(content)
        answer = home("lookup", "--view", "downloads")
        assert (answer.status, answer.out) == (0, expected)
        assert file.read_bytes() == whole, "it was made again"
    file.unlink()
    assert home("lookup", "--view", "downloads").out == expected


def test_a_dataset_alone_answers_every_question_of_a_home(home, tmp_path):
    folder = tmp_path / "exported"
    assert home("data", "export", str(folder)).status == 0
    empty = {"WILLITRUN_HOME": str(tmp_path / "empty"), "timeout_s": 120}
    ours, theirs = home("lookup", "--view", "downloads", "--json").json(), home("lookup", "--dataset", str(folder), "--json", **empty).json()
    tested = {row["model_id"]: row["verdict"] for row in ours["rows"] if row["verdict"] != "UNTESTED" and row["verdict"] != "EXCLUDED"}
    assert {row["model_id"]: row["verdict"] for row in theirs["rows"]} == tested
    for command, part in ((["show", LLAMA], "out of memory"), (["history", LLAMA], "first bad"), (["bisect", LLAMA], "first bad"), (["failures"], "1 ")):
        answer = home(*command, "--dataset", str(folder), **empty)
        assert (answer.status, answer.err) == (0, "") and part in answer.out
    assert home("show", "Qwen/Qwen3-0.6B", "--run-py", "--dataset", str(folder), **empty).out == SCRIPT
    assert home("compare", "2.27", "2.28", "--dataset", str(folder), **empty).status == 1
    assert list(verdicts(home("lookup", "--dataset", str(folder), "--json", "--where", "seq(cc@2.27:pass cc@2.28:!pass)", **empty))) == [LLAMA]


def test_a_dataset_whose_file_is_replaced_is_read_again(program, tmp_path):
    folder = tmp_path / "dataset"
    for result in ("PASS", "FAIL"):
        write_public(folder / "1.parquet", [public_row(GPT2, result=result)])
        for _ in range(2):
            assert verdicts(program("lookup", "--dataset", str(folder), "--json")) == {GPT2: result}


def test_a_dataset_that_is_not_there_or_is_cut_is_named(program, tmp_path):
    answer = program("lookup", "--dataset", str(tmp_path / "none"))
    assert answer.status == 3 and "there is no" in answer.err
    path = write_public(tmp_path / "cut.parquet", [public_row(GPT2)])
    path.write_bytes(path.read_bytes()[:-9])
    answer = program("lookup", "--dataset", str(path))
    assert answer.status == 3 and "cut.parquet" in answer.err and "its end is missing" in answer.err
