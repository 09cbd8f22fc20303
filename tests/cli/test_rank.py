"""`rank import`, `select` and `stacks`: lists of models, the Selected rule with its reasons, what has results."""
import json
import sys
from datetime import datetime, timezone
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "formats"))
from dataset_files import public_row, write_public  # noqa: E402

HEADER = "id\tdownloads_30d\tlikes\ttrending_score\tparameters\tlibrary\tgated\tformats\tlicense\n"


def write_tsv(path: Path, *models: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(HEADER + "".join(line + "\n" for line in models))
    return path


def chosen(program, *arguments) -> dict:
    answer = program("select", "--json", *arguments)
    assert answer.status == 0, answer.err
    return {row["model_id"]: row for row in answer.json()["rows"]}


def test_lists_by_file_name_come_in_with_their_dates(program, tmp_path):
    write_tsv(tmp_path / "in" / "radar_text-generation_2026-08-22.tsv", "a/b\t10\t1\t2\t3\ttransformers\t0\tsafetensors\tmit")
    (tmp_path / "in" / "SOURCES.md").write_text("not a list")
    answer = program("rank", "import", str(tmp_path / "in"))
    assert answer.status == 0
    assert answer.out.startswith("radar_text-generation of 2026-08-22: 1 models of 1 tasks\n")


def test_the_newest_list_counts_whatever_the_order_of_import(program, tmp_path):
    new = write_tsv(tmp_path / "radar_text-generation_2026-08-22.tsv", "a/new\t10\t1\t2\t3\ttransformers\t0\tsafetensors\tmit")
    old = write_tsv(tmp_path / "radar_text-generation_2026-08-01.tsv", "a/old\t10\t1\t2\t3\ttransformers\t0\tsafetensors\tmit")
    for path in (new, old):
        assert program("rank", "import", str(path)).status == 0
    assert list(chosen(program, "--all")) == ["a/new"]


def test_select_prints_why_each_model_is_in_or_out(program, tmp_path):
    write_tsv(tmp_path / "radar_text-generation_2026-08-22.tsv",
              "a/first\t30\t1\t0\t3\ttransformers\t0\tsafetensors\tmit",
              "a/Second-AWQ\t20\t1\t9\t3\ttransformers\t0\tsafetensors\tmit",
              "a/third\t10\t1\t0\t3\tmlx\t0\tmlx\tmit")
    program("rank", "import", str(tmp_path))
    rows = chosen(program, "--all")
    assert list(rows) == ["a/first", "a/Second-AWQ", "a/third"]
    assert rows["a/first"] | {"downloads": 30} == rows["a/first"]
    assert (rows["a/first"]["selected"], rows["a/first"]["reason"]) == (True, "place 1 by downloads")
    second = rows["a/Second-AWQ"]
    assert second["reason"] == "excluded (incompatible): AWQ weights are unpacked by CUDA kernels"
    assert second["exclusion"]["kind"] == "incompatible" and second["exclusion"]["owner"]
    assert rows["a/third"]["reason"] == "its library is 'mlx'"
    assert set(chosen(program)) == {"a/first", "a/Second-AWQ"}, "excluded models are always shown"
    people = program("select")
    assert "1 of 3 ranked models are selected by 'selected', 1 are excluded" in people.err


def test_a_rule_of_ones_own_and_an_expired_exclusion(program, tmp_path):
    data = tmp_path / "data"
    (data / "selections").mkdir(parents=True)
    (data / "selections" / "exclusions.toml").write_text(
        '[[exclusion]]\nmodel = "a/b"\nkind = "priority"\nreason = "later"\nowner = "jane"\nexpires = "2020-01-01"\n')
    rule = tmp_path / "mine.toml"
    rule.write_text('name = "mine"\ntasks = ["text-generation"]\nlibraries = ["transformers"]\nformats = ["safetensors"]\n'
                    "top_downloads = 1\n")
    write_tsv(tmp_path / "radar_text-generation_2026-08-22.tsv", "a/b\t10\t1\t2\t3\ttransformers\t0\tsafetensors\tmit",
              "a/c\t9\t1\t2\t3\ttransformers\t0\tsafetensors\tmit")
    program("rank", "import", str(tmp_path))
    answer = program("select", "--rule", str(rule), WILLITRUN_DATA=str(data))
    assert answer.status == 0 and "a/b" in answer.out and "a/c" not in answer.out
    assert "the exclusion of 'a/b' expired on 2020-01-01; its owner is jane" in answer.err
    rule.write_text(rule.read_text() + "top_donwloads = 3\n")
    answer = program("select", "--rule", str(rule), WILLITRUN_DATA=str(data))
    assert answer.status == 2 and "'top_donwloads' is not a known key" in answer.err


@pytest.mark.parametrize("line, problem", [("a/b\tmany\t1\t2\t3\tx\t0\ty\tz", "line 2: 'many' is no value of column 'downloads_30d'"),
                                           ("a/b\t1", "line 2: it has 2 columns, the first line has 9"),
                                           ("../b\t1\t1\t2\t3\tx\t0\ty\tz", "line 2: '../b' is no Hub id")])
def test_a_broken_list_is_named_with_its_line(program, tmp_path, line, problem):
    path = write_tsv(tmp_path / "radar_text-generation_2026-08-22.tsv", line)
    answer = program("rank", "import", str(path))
    assert answer.status == 3 and f"{path}: {problem}" in answer.err


def test_a_folder_without_lists_says_how_lists_are_named(program, tmp_path):
    answer = program("rank", "import", str(tmp_path))
    assert answer.status == 3 and "<source>_<task>_<date>.tsv" in answer.err
    answer = program("select")
    assert answer.status == 3 and "willitrun rank import" in answer.err


def test_a_local_mirrors_models_have_no_place_in_the_hubs_lists(program, tmp_path):
    info = {"id": "zoo/tiny", "pipeline_tag": "text-generation", "library_name": "transformers", "downloads": 0, "local": True,
            "tags": ["safetensors"]}
    (tmp_path / "listing.jsonl").write_text(json.dumps(info) + "\n")
    assert program("rank", "import", str(tmp_path)).status == 0
    row = chosen(program, "--all")["zoo/tiny"]
    assert row["downloads_rank"] is None and row["selected"] is False


def test_stacks_with_results_newest_first(program, tmp_path):
    assert "no results yet" in program("stacks").out
    write_public(tmp_path / "in" / "1.parquet", [public_row("a/b", neuronx_cc="2.9.1"), public_row("a/c", neuronx_cc="2.9.1")])
    write_public(tmp_path / "in" / "2.parquet", [public_row("a/b", neuronx_cc="2.28.0", torch="2.8.0",
                                                            tested_at=datetime(2026, 9, 1, tzinfo=timezone.utc))])
    program("data", "import", str(tmp_path / "in"))
    rows = program("stacks", "--json").json()["rows"]
    assert [(row["name"], row["models"], row["passed"], row["torch"]) for row in rows] == [
        ("2.28.0/5.10.2", 1, 1, "2.8.0"), ("2.9.1/5.10.2", 2, 2, "")], "as lookup shows them"
    assert rows[0]["newest"] == "2026-09-01T00:00:00.000Z"
    assert "2.28.0/5.10.2" in program("stacks").out


def test_the_hubs_real_lists(program, shared_data):
    """15,904 models as the radar collection saw them."""
    answer = program("rank", "import", str(shared_data / "hub_listing"))
    assert answer.status == 0, answer.err
    assert "radar_models of 2026-08-22: 15904 models" in answer.out
    assert "radar_text-generation of 2026-08-22: 3849 models" in answer.out
    rows = chosen(program, "--all", "--task", "text-generation")
    top = [row for row in rows.values() if row["downloads_rank"]]
    assert min(top, key=lambda row: row["downloads_rank"])["model_id"] == "Qwen/Qwen3-0.6B"
    ranked = sorted(top, key=lambda row: row["downloads_rank"])
    assert all(a["downloads"] >= b["downloads"] for a, b in zip(ranked, ranked[1:]))
    selected = [row for row in chosen(program).values() if row["selected"]]
    assert 100 < len(selected) <= 600
    assert all(row["reason"] for row in rows.values())
