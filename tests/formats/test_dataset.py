"""The dataset as others read and write it: pandas, DuckDB and pyarrow, the public dataset's shapes, old files of ours."""
import json
from pathlib import Path

import duckdb
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from dataset_files import PUBLIC, dictionary_of, public_row, random_rows, to_table, write_public

FIXTURES = Path(__file__).parent / "fixtures"


def export(program, folder: Path) -> Path:
    answer = program("data", "export", str(folder))
    assert answer.status == 0, answer.err
    return folder


def pass_through(program, source: Path, folder: Path) -> pa.Table:
    """What comes out of the program after `source` went in, sorted by model."""
    answer = program("data", "import", str(source))
    assert answer.status == 0, answer.err
    return pq.read_table(export(program, folder) / "trn2").sort_by("model_id")


@pytest.fixture
def dictionary(program, tmp_path):
    """The columns of our format, as an exported file tells them."""
    source = write_public(tmp_path / "one" / "x.parquet", [public_row("a/b")])
    pass_through(program, source, tmp_path / "dictionary")
    (path,) = (tmp_path / "dictionary" / "trn2").iterdir()
    program.home = tmp_path / "other-home"
    program.environment["WILLITRUN_HOME"] = str(program.home)
    return dictionary_of(path)


def test_public_columns_come_first_with_their_types(program, tmp_path):
    table = pass_through(program, write_public(tmp_path / "in.parquet", [public_row("a/b", tp=4)]), tmp_path / "out")
    assert [(field.name, field.type) for field in table.schema][:24] == PUBLIC
    assert table.column_names[24] == "neuron_cores"


def test_a_folder_is_read_in_one_call_by_pandas_duckdb_and_pyarrow(program, tmp_path):
    write_public(tmp_path / "in" / "1.parquet", [public_row("Qwen/Qwen3-0.6B", tp=1), public_row("a/b", tp=4)])
    write_public(tmp_path / "in" / "2.parquet", [public_row("Qwen/Qwen3-0.6B", tp=2, neuronx_cc="2.28.0")])
    program("data", "import", str(tmp_path / "in"))
    folder = export(program, tmp_path / "out") / "trn2"
    assert len(list(folder.iterdir())) == 2

    df = pd.read_parquet(folder)
    columns = ["neuronx_cc", "library", "library_version", "neuron_cores", "result"]
    shown = df[df.model_id == "Qwen/Qwen3-0.6B"][columns]
    assert sorted(shown.itertuples(index=False, name=None)) == [
        ("2.27.1+ab12", "transformers", "5.10.2", 1, "PASS"), ("2.28.0", "transformers", "5.10.2", 2, "PASS")]
    query = f"select neuronx_cc, neuron_cores from '{folder}/*.parquet' where model_id = 'Qwen/Qwen3-0.6B' order by 1"
    assert duckdb.sql(query).fetchall() == [("2.27.1+ab12", 1), ("2.28.0", 2)]
    assert pq.read_table(folder).num_rows == 3


def test_files_with_and_without_a_column_and_with_both_names_of_the_core_column(program, tmp_path):
    write_public(tmp_path / "in" / "old.parquet", [public_row("a/old", tp=2)], leave_out=["exclusion", "run_py"])
    write_public(tmp_path / "in" / "new.parquet", [public_row("a/new", neuron_cores=8, exclusion="gated")],
                 cores_name="neuron_cores")
    rows = pass_through(program, tmp_path / "in", tmp_path / "out").to_pylist()
    assert [(r["model_id"], r["tp"], r["neuron_cores"], r["exclusion"]) for r in rows] == [
        ("a/new", 8, 8, "gated"), ("a/old", 2, 2, None)]


def test_words_that_nobody_documents_are_kept_and_never_become_a_verdict(program, tmp_path):
    source = write_public(tmp_path / "in.parquet", [public_row("a/b", result="PASS"), public_row("a/c", result="COMPILE_FAIL?")])
    rows = pass_through(program, source, tmp_path / "out").to_pylist()
    assert [(r["result"], r["verdict"]) for r in rows] == [("PASS", None), ("COMPILE_FAIL?", None)]


def test_unknown_columns_of_any_type_are_kept_through_import_and_export(program, tmp_path):
    extra = [("mood", pa.string()), ("big", pa.int64()), ("deep", pa.struct([("a", pa.list_(pa.float64()))]))]
    source = write_public(tmp_path / "in.parquet", [public_row("a/b", mood="é\"", big=2**62 + 1, deep={"a": [0.1, None]}),
                                                    public_row("a/c")], extra=extra)
    first = pass_through(program, source, tmp_path / "out")
    assert json.loads(first.to_pylist()[0]["other_columns"]) == {"mood": "é\"", "big": 2**62 + 1, "deep": {"a": [0.1, None]}}
    assert first.to_pylist()[1]["other_columns"] is None
    program.environment["WILLITRUN_HOME"] = str(tmp_path / "second-home")
    assert pass_through(program, tmp_path / "out", tmp_path / "again").equals(first)


@pytest.mark.parametrize("column, kind, right", [("tp", pa.int64(), "int32"), ("wall_s", pa.float64(), "int32"),
                                                  ("result", pa.int32(), "string"),
                                                  ("tested_at", pa.timestamp("ms"), "timestamp[ms, tz=UTC]")])
def test_a_wrong_type_names_file_column_and_types(program, tmp_path, column, kind, right):
    good = write_public(tmp_path / "in" / "good.parquet", [public_row("a/b")])
    table = pq.read_table(good)
    index = table.column_names.index(column)
    bad = table.set_column(index, pa.field(column, kind), pa.nulls(table.num_rows, kind))
    pq.write_table(bad, tmp_path / "in" / "bad.parquet")
    answer = program("data", "import", str(tmp_path / "in"))
    assert answer.status == 3
    assert f"'bad.parquet' has column '{column}' of type {kind}, where {right} is right" in answer.err
    assert "1 rows of 1 files imported" in answer.out, "the good file is imported all the same"


def test_random_tables_survive_pyarrow(program, tmp_path, dictionary):
    table = to_table(random_rows(dictionary, 300, seed=1), dictionary)
    pq.write_table(table, tmp_path / "in.parquet")
    assert pass_through(program, tmp_path / "in.parquet", tmp_path / "out").equals(table)


def test_random_tables_survive_duckdb_both_ways(program, tmp_path, dictionary):
    random_table = to_table(random_rows(dictionary, 300, seed=2), dictionary)
    duckdb.sql(f"copy (from random_table) to '{tmp_path}/in.parquet' (format parquet)")
    out = pass_through(program, tmp_path / "in.parquet", tmp_path / "out")
    assert out.equals(random_table)
    read = duckdb.sql(f"from '{tmp_path}/out/trn2/*.parquet' order by model_id").to_arrow_table()
    assert read.cast(random_table.schema).equals(random_table)


def test_random_tables_survive_pandas_both_ways(program, tmp_path, dictionary):
    table = to_table(random_rows(dictionary, 300, seed=3), dictionary)
    table.to_pandas(types_mapper=pd.ArrowDtype).to_parquet(tmp_path / "in.parquet")
    out = pass_through(program, tmp_path / "in.parquet", tmp_path / "out")
    assert out.equals(table)
    frame = pd.read_parquet(tmp_path / "out" / "trn2", dtype_backend="pyarrow").sort_values("model_id", ignore_index=True)
    assert pa.Table.from_pandas(frame, table.schema, preserve_index=False).equals(table)


def test_export_gives_the_same_bytes_from_another_home_and_order(program, tmp_path):
    rows = [public_row(f"a/{i}", tp=i % 5 + 1, run_py=f"print({i})") for i in range(50)]
    contents = []
    for name, order in (("first", rows), ("second", rows[::-1])):
        program.environment["WILLITRUN_HOME"] = str(tmp_path / name / "home")
        program("data", "import", str(write_public(tmp_path / name / "in.parquet", order)))
        folder = export(program, tmp_path / name / "out")
        contents.append({p.relative_to(folder): p.read_bytes() for p in folder.rglob("*.parquet")})
    assert contents[0] == contents[1] and len(contents[0]) == 1


@pytest.mark.parametrize("path", sorted(FIXTURES.glob("dataset_schema_*.parquet")), ids=lambda p: p.stem)
def test_files_of_every_schema_version_stay_readable(program, tmp_path, path):
    expected = json.loads(path.with_suffix(".json").read_text())
    table = pass_through(program, path, tmp_path / "out")
    rows = [{k: v.isoformat() if hasattr(v, "isoformat") else v for k, v in row.items() if v is not None}
            for row in table.to_pylist()]
    assert rows == expected


def test_every_schema_version_has_a_fixture(dictionary):
    assert {p.stem for p in FIXTURES.glob("dataset_schema_*.parquet")} == {"dataset_schema_1"}
    names = set(dictionary)
    fixture = set(pq.read_schema(FIXTURES / "dataset_schema_1.parquet").names)
    assert fixture <= names, f"columns of schema 1 are gone: {fixture - names}"


def test_a_newer_schema_is_refused_by_name(program, tmp_path):
    table = pq.read_table(FIXTURES / "dataset_schema_1.parquet").replace_schema_metadata(
        {"willitrun.schema": "2", "willitrun.kind": "verdicts"})
    pq.write_table(table, tmp_path / "in.parquet")
    answer = program("data", "import", str(tmp_path / "in.parquet"))
    assert answer.status == 3
    assert "was written by a newer willitrun (format 2, this program knows 1)" in answer.err
