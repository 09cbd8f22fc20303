"""How long `willitrun lookup qwen3` takes from process start, on a home of 16,000 ranked models and 10,000 results.

  .venv/bin/python bench/lookup_start.py [--binary build/release/bin/willitrun] [--json FILE]

The home is made anew in a temporary folder, by the program's own commands: `rank import` of a list and `data import` of Parquet
files in the public dataset's columns. The first lookup makes the mapped snapshot file; it is a figure of its own. Peers start a
process too: the smallest Python program that opens the same Parquet files with DuckDB and asks the same.
"""
import argparse
import datetime
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from figures import add_json_option, figure, report

ROOT = Path(__file__).resolve().parent.parent
STACKS = [("2.27.334.0", "5.10.2"), ("2.27.334.0", "5.24.0"), ("2.28.115.0", "5.10.2"), ("2.28.115.0", "5.24.0")]
PEER = """
import duckdb, sys
print(duckdb.execute("select model_id, result, tp, wall_s from read_parquet(?, union_by_name=true) where model_id ilike '%qwen3%' "
                     "and neuronx_cc = '2.28.115.0' and transformers = '5.24.0' limit 50", [sys.argv[1] + "/*.parquet"]).fetchall())
"""


def model_ids(count):
    chance = random.Random(count)
    families = ["Qwen3", "Qwen2.5", "Llama-3.1", "Mistral", "gemma-3", "Phi-4", "SmolLM2", "gpt-oss", "DeepSeek-R1", "granite"]
    return [f"org{chance.randrange(900)}/{chance.choice(families)}-{chance.choice(['0.6B', '1.5B', '8B', '70B'])}-{i}" for i in range(count)]


def write_listing(path, ids):
    lines = ["id\tdownloads_30d\tlikes\ttrending_score\tparameters\tlibrary\tgated\tformats\tlicense"]
    lines += [f"{model}\t{20_000_000 // (i + 1)}\t{i % 700}\t{i % 90}\t{10**9 + i}\ttransformers\t0\tsafetensors\tapache-2.0" for i, model in enumerate(ids)]
    path.write_text("\n".join(lines) + "\n")


def row_of(model, number, compiler, library):
    passes = number % 10 < 7
    tested = datetime.datetime(2026, 10, 1, tzinfo=datetime.timezone.utc) + datetime.timedelta(minutes=number)
    return {"model_id": model, "library": "transformers", "tp": 1 << number % 5, "runner": "text", "result": "PASS" if passes else "FAIL",
            "notes": None, "error": None if passes else f"NCC_EVRF{number % 200:03}: the compiler gave up\n" * 20, "exclusion": None,
            "wall_s": 60 + number % 900, "hbm_peak_gb": number % 200 / 10, "hbm_capacity_gb": 24.0, "cpu_match": "match" if passes else None,
            "english": None, "neuronx_cc": compiler, "library_version": library, "transformers": library, "accelerate": "1.12.0",
            "torch_neuronx": "2.9.0", "torch": "2.9.0", "nki": "0.1", "python": "3.11.2", "neuron_driver": "2.26", "tested_at": tested,
            "run_py": f"# {model} on {1 << number % 5} cores\n" + "print('a script of the usual length')\n" * 60}


def write_dataset(folder, ids, num_rows):
    for part, (compiler, library) in enumerate(STACKS):
        count = num_rows // len(STACKS)
        rows = [row_of(ids[i * 5 % len(ids)], part * count + i, compiler, library) for i in range(count)]
        table = pa.Table.from_pylist(rows)
        types = {"tp": pa.int32(), "wall_s": pa.int32(), "tested_at": pa.timestamp("ms", "UTC"), "notes": pa.string(), "exclusion": pa.string(), "english": pa.string()}
        schema = pa.schema([pa.field(field.name, types.get(field.name, field.type)) for field in table.schema])
        pq.write_table(table.cast(schema), folder / f"{compiler}_{library}.parquet")


def milliseconds(command, environment):
    begin = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment)
    return (time.perf_counter() - begin) * 1000


def measure(binary, folder):
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "WILLITRUN_HOME": str(folder / "home"), "LC_ALL": "C.UTF-8"}
    ids = model_ids(16_000)
    write_listing(folder / "bench_text-generation_2026-10-01.tsv", ids)
    (folder / "dataset").mkdir()
    write_dataset(folder / "dataset", ids, 10_000)
    for command in (["rank", "import", folder / "bench_text-generation_2026-10-01.tsv"], ["data", "import", folder / "dataset"]):
        milliseconds([binary, *command], environment)
    lookup = [binary, "lookup", "qwen3"]
    first = milliseconds(lookup, environment)
    ours = statistics.median(milliseconds(lookup, environment) for _ in range(21))
    peer = statistics.median(milliseconds([sys.executable, "-c", PEER, folder / "dataset"], environment) for _ in range(5))
    name, command = "lookup qwen3, 16000 models and 10000 results", "python bench/lookup_start.py"
    return [figure(f"{name}: process start to end, median of 21", "ms", round(ours, 1), command, peer=round(peer, 1),
                   peer_name="Python with DuckDB on the Parquet files", goal=50),
            figure(f"{name}: the first one after rows changed", "ms", round(first, 1), command)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=Path, default=ROOT / "build/release/bin/willitrun")
    add_json_option(parser)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        figures = measure(options.binary.resolve(), Path(folder))
    report(figures, options.json)


if __name__ == "__main__":
    main()
