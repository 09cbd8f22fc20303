"""Asks DuckDB and pandas what bench_snapshot asks its snapshot, on the same results.

  build/release/bin/bench_snapshot 50000 200 /tmp/cells.csv > /tmp/ours.jsonl
  .venv/bin/python bench/snapshot_peers.py /tmp/cells.csv /tmp/ours.jsonl

Prints one line of JSON per question and peer, with ours from the same machine beside it. DuckDB and pandas hold the table in
memory, words as enumerations and categories, and use one thread, as ours does; times are processor time, the median of five. The
aim is a ratio of ten and more.
"""
import json
import statistics
import sys
import time
from pathlib import Path

import duckdb
import pandas as pd
import pyarrow.csv
import pyarrow.parquet

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


def main(csv, ours_path):
    table = pyarrow.csv.read_csv(csv, convert_options=pyarrow.csv.ConvertOptions(strings_can_be_null=True))
    parquet = Path(csv).with_suffix(".parquet")
    pyarrow.parquet.write_table(table, parquet)
    del table
    ours = {}
    for line in Path(ours_path).read_text().splitlines():
        figure = json.loads(line)
        ours[figure["name"].split(": ", 1)[1].rsplit(" (", 1)[0]] = figure

    db = duckdb.connect(config={"threads": 1})
    enums = ", ".join(f"{word}::{word}_words as {word}" for word in WORDS)
    for word in WORDS:
        db.execute(f"create type {word}_words as enum (select distinct {word} from '{parquet}' where {word} is not null order by 1)")
    db.execute(f"create table cells as select * replace ({enums}) from '{parquet}'")
    newest = db.execute("select neuronx_cc::varchar, transformers::varchar from cells order by 1 desc, 2 desc limit 1").fetchone()
    cells = pd.read_parquet(parquet)
    for word in WORDS + ["model_id"]:
        cells[word] = cells[word].astype("category")

    def report(name, peer, peer_ms, answer):
        figure = ours[name]
        found = int(figure["name"].rsplit(" (", 1)[1].split()[0])
        assert found == answer, f"{name}: ours {found}, {peer} {answer}"
        print(json.dumps({"name": figure["name"], "unit": "ms", "ours": figure["ours"], "peer": round(peer_ms, 3), "peer_name": peer,
                          "ratio": round(peer_ms / figure["ours"], 1) if figure["ours"] else None, "goal": figure["goal"], "command": " ".join(sys.argv)}), flush=True)

    for name, sql in duckdb_questions(newest).items():
        report(name, "DuckDB", cpu_ms(lambda: db.execute(sql).fetchall()), db.execute(sql).fetchone()[0])
    for name, ask in pandas_questions(cells, newest).items():
        report(name, "pandas", cpu_ms(ask), ask())


if __name__ == "__main__":
    main(*sys.argv[1:3])
