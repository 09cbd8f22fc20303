"""How fast a large snapshot answers: bench_snapshot at 10^4 to 10^7 results, and DuckDB and pandas on the largest.

  .venv/bin/python bench/snapshot_peers.py [--models 50000] [--stacks 200] [--json FILE]

DuckDB and pandas hold the same results in memory, words as enumerations and categories, and use one thread, as ours does; their answers
must be ours. Times are processor time, the median of five. The aim is a ratio of ten and more.
"""
import argparse
import json
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import duckdb
import pandas as pd
import pyarrow.csv
import pyarrow.parquet

from figures import add_json_option, report

BINARY = Path(__file__).resolve().parent.parent / "build/release/bin/bench_snapshot"
WORDS = ["task", "neuronx_cc", "transformers", "verdict", "stage", "signature"]


def cpu_ms(work, repeats=5):
    times = []
    for _ in range(repeats):
        begin = time.process_time()
        work()
        times.append((time.process_time() - begin) * 1000)
    return statistics.median(times)


def duckdb_questions(newest):
    shown = f"from cells where neuronx_cc = '{newest[0]}' and transformers = '{newest[1]}'"
    return {
        "qwen cores<=4 is:pass": f"select count(*) {shown} and model_id ilike '%qwen%' and cores <= 4 and verdict = 'PASS'",
        "task:text-generation stage:compile": f"select count(*) {shown} and task = 'text-generation' and stage = 'compile'",
        "sig:NCC_EVRF009": f"select count(*) {shown} and contains(signature::varchar, 'NCC_EVRF009')",
        "count>=2(is:flaky)": "select count(*) from (select model_id from cells where verdict = 'FLAKY' group by model_id having count(*) >= 2)",
        "all(is:pass) not is:untested": "select count(*) from (select model_id from cells group by model_id having bool_and(verdict = 'PASS'))",
        "seq(is:pass is:fail)": """select count(distinct model_id) from (select model_id, verdict,
            lead(verdict) over (partition by model_id, transformers order by neuronx_cc) as c,
            lead(verdict) over (partition by model_id, neuronx_cc order by transformers) as t from cells)
            where verdict = 'PASS' and (c = 'FAIL' or t = 'FAIL')""",
        "any(stage:compile) none(is:pass)": "select count(*) from (select model_id from cells group by model_id having bool_or(coalesce(stage = 'compile', false)) and not bool_or(verdict = 'PASS'))",
    }


def pandas_questions(cells, newest):
    def shown():
        return cells[(cells.neuronx_cc == newest[0]) & (cells.transformers == newest[1])]

    return {
        "qwen cores<=4 is:pass": lambda: len((s := shown())[s.model_id.astype(str).str.lower().str.contains("qwen") & (s.cores <= 4) & (s.verdict == "PASS")]),
        "task:text-generation stage:compile": lambda: len((s := shown())[(s.task == "text-generation") & (s.stage == "compile")]),
        "sig:NCC_EVRF009": lambda: len((s := shown())[s.signature.astype(str).str.contains("NCC_EVRF009")]),
        "count>=2(is:flaky)": lambda: int((cells[cells.verdict == "FLAKY"].groupby("model_id", observed=True).size() >= 2).sum()),
        "all(is:pass) not is:untested": lambda: int((cells.verdict == "PASS").groupby(cells.model_id, observed=True).all().sum()),
    }


def run_ours(models, stacks, folder, csv=None):
    """The figures of one size."""
    result = folder / "ours.json"
    subprocess.run([BINARY, str(models), str(stacks), *([csv] if csv else []), "--json", result], check=True, stdout=subprocess.DEVNULL)
    return json.loads(result.read_text())


def open_peers(csv):
    """Both peers with the results in memory, and the newest stack."""
    table = pyarrow.csv.read_csv(csv, convert_options=pyarrow.csv.ConvertOptions(strings_can_be_null=True))
    parquet = csv.with_suffix(".parquet")
    pyarrow.parquet.write_table(table, parquet)
    del table
    database = duckdb.connect(config={"threads": 1})
    for word in WORDS:
        database.execute(f"create type {word}_words as enum (select distinct {word} from '{parquet}' where {word} is not null order by 1)")
    enums = ", ".join(f"{word}::{word}_words as {word}" for word in WORDS)
    database.execute(f"create table cells as select * replace ({enums}) from '{parquet}'")
    newest = database.execute("select neuronx_cc::varchar, transformers::varchar from cells order by 1 desc, 2 desc limit 1").fetchone()
    cells = pd.read_parquet(parquet)
    for word in WORDS + ["model_id"]:
        cells[word] = cells[word].astype("category")
    return database, cells, newest


def beside(figures, name, peer, peer_ms, answer):
    """The figure of a question with a peer's beside it."""
    ours = next(figure for figure in figures if figure["name"].split(": ", 1)[1].rsplit(" (", 1)[0] == name)
    found = int(ours["name"].rsplit(" (", 1)[1].split()[0])
    assert found == answer, f"{name}: ours {found}, {peer} {answer}"
    return ours | {"peer": round(peer_ms, 3), "peer_name": peer, "ratio": round(peer_ms / ours["ours"], 1) if ours["ours"] else None}


def compare(figures, csv):
    database, cells, newest = open_peers(csv)
    for name, sql in duckdb_questions(newest).items():
        yield beside(figures, name, "DuckDB", cpu_ms(lambda: database.execute(sql).fetchall()), database.execute(sql).fetchone()[0])
    for name, ask in pandas_questions(cells, newest).items():
        yield beside(figures, name, "pandas", cpu_ms(ask), ask())


def measure(models, stacks, folder):
    figures = []
    for part in (1000, 100, 10):
        if models >= 50 * part:
            figures += run_ours(models // part, stacks, folder)
    largest = run_ours(models, stacks, folder, folder / "cells.csv")
    figures += largest + list(compare(largest, folder / "cells.csv"))
    return [figure | {"command": f"python bench/snapshot_peers.py --models {models} --stacks {stacks}"} for figure in figures]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", type=int, default=50_000)
    parser.add_argument("--stacks", type=int, default=200)
    add_json_option(parser)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        figures = measure(options.models, options.stacks, Path(folder))
    report(figures, options.json)


if __name__ == "__main__":
    main()
