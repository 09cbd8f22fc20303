"""`data pull`, `data import DATASET` and `rank import` against a local Hub, over real sockets."""
import shutil
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "formats"))
from dataset_files import public_row, write_public  # noqa: E402

DATASET = "aws-neuron/torch-neuronx-model-support"


@pytest.fixture
def publish(repositories, tmp_path):
    """Makes the files of the dataset on the Hub what `files` says: name -> rows."""

    def publish(files: dict[str, list[dict]]) -> None:
        shutil.rmtree(repositories.root / "datasets" / DATASET, ignore_errors=True)
        shutil.rmtree(repositories.root / "models" / DATASET, ignore_errors=True)
        repositories.add_dataset(DATASET, {name: write_public(tmp_path / "x.parquet", rows).read_bytes()
                                           for name, rows in files.items()} | {"README.md": b"# results\n"})

    return publish


def models(program, folder: Path) -> list[str]:
    answer = program("data", "export", str(folder))
    assert answer.status == 0, answer.err
    return sorted(pq.read_table(folder / "trn2")["model_id"].to_pylist())


def test_pull_follows_the_dataset(program, publish, endpoint, tmp_path):
    publish({"data/2.27.1~ab12.parquet": [public_row("a/b"), public_row("a/c")], "data/gone.parquet": [public_row("a/gone")]})
    answer = program("data", "pull", HF_ENDPOINT=endpoint)
    assert answer.status == 0, answer.err
    assert answer.out == f"{DATASET}: 3 rows of 2 files imported; 0 files unchanged, 0 no longer there\n"
    assert models(program, tmp_path / "1") == ["a/b", "a/c", "a/gone"]

    publish({"data/2.27.1~ab12.parquet": [public_row("a/b"), public_row("a/d")], "data/more.parquet": [public_row("a/e")]})
    answer = program("data", "pull", HF_ENDPOINT=endpoint)
    assert "1 no longer there" in answer.out
    assert models(program, tmp_path / "2") == ["a/b", "a/d", "a/e"]


def test_pull_reads_nothing_when_the_commit_is_known(program, publish, endpoint):
    publish({"data/a.parquet": [public_row("a/b")]})
    program("data", "pull", HF_ENDPOINT=endpoint)
    answer = program("data", "pull", HF_ENDPOINT=endpoint)
    assert answer.out == f"{DATASET}: 0 rows of 0 files imported; 1 files unchanged, 0 no longer there\n"


def test_a_bad_file_in_the_dataset_is_named_and_the_rest_arrives(program, publish, repositories, endpoint, tmp_path):
    good = write_public(tmp_path / "good.parquet", [public_row("a/b")]).read_bytes()
    repositories.add_dataset("me/mixed", {"good.parquet": good, "cut.parquet": good[:-9]})
    answer = program("data", "import", "me/mixed", HF_ENDPOINT=endpoint)
    assert answer.status == 3 and "'cut.parquet' is cut" in answer.err
    assert models(program, tmp_path / "out") == ["a/b"]


def test_without_a_network_pull_says_so_and_keeps_what_is_there(program, publish, endpoint, tmp_path):
    publish({"data/a.parquet": [public_row("a/b")]})
    program("data", "pull", HF_ENDPOINT=endpoint)
    answer = program("data", "pull", HF_ENDPOINT=endpoint, HF_HUB_OFFLINE="1")
    assert answer.status == 3 and answer.err
    assert models(program, tmp_path / "out") == ["a/b"]
    assert program("data", "import", "no/such-dataset", HF_ENDPOINT=endpoint).status == 3


def test_rank_import_asks_the_hub_for_both_lists(program, repositories, endpoint):
    for name, downloads, trending in (("hub/first", 30, 1), ("hub/second", 20, 0), ("hub/third", 10, 9)):
        repositories.add_model(name, downloads=downloads, trendingScore=trending, library_name="transformers", tags=["safetensors"])
    answer = program("rank", "import", HF_ENDPOINT=endpoint)
    assert answer.status == 0, answer.err
    assert answer.out.startswith("hub of 20")
    rows = {row["model_id"]: row for row in program("select", "--json", "--all").json()["rows"]}
    assert {"hub/first", "hub/second", "hub/third"} <= set(rows)
