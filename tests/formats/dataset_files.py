"""Parquet files for tests: the public dataset's two shapes, and random tables of our own columns."""
import json
import random
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

PUBLIC = [("model_id", pa.string()), ("library", pa.string()), ("tp", pa.int32()), ("runner", pa.string()),
          ("result", pa.string()), ("notes", pa.string()), ("error", pa.string()), ("exclusion", pa.string()),
          ("wall_s", pa.int32()), ("hbm_peak_gb", pa.float64()), ("hbm_capacity_gb", pa.float64()),
          ("cpu_match", pa.string()), ("english", pa.string()), ("neuronx_cc", pa.string()),
          ("library_version", pa.string()), ("transformers", pa.string()), ("accelerate", pa.string()),
          ("torch_neuronx", pa.string()), ("torch", pa.string()), ("nki", pa.string()), ("python", pa.string()),
          ("neuron_driver", pa.string()), ("tested_at", pa.timestamp("ms", "UTC")), ("run_py", pa.string())]

TYPES = {"string": pa.string(), "int32": pa.int32(), "int64": pa.int64(), "double": pa.float64(), "bool": pa.bool_(),
         "timestamp[ms, tz=UTC]": pa.timestamp("ms", "UTC"), "list<int32>": pa.list_(pa.int32()),
         "list<string>": pa.list_(pa.string())}


def public_row(model: str, **values) -> dict:
    return {"model_id": model, "library": "transformers", "result": "PASS", "neuronx_cc": "2.27.1+ab12",
            "library_version": "5.10.2", "transformers": "5.10.2",
            "tested_at": datetime(2026, 8, 1, 12, 30, 0, 123000, timezone.utc)} | values


def write_public(path: Path, rows: list[dict], leave_out=(), cores_name="tp", extra=()) -> Path:
    """Writes a file as the public dataset has them: some lack a column, some have the core column's later name."""
    fields = [(cores_name if name == "tp" else name, kind) for name, kind in PUBLIC if name not in leave_out]
    schema = pa.schema(fields + list(extra))
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist([{n: row.get(n) for n in schema.names} for row in rows], schema), path)
    return path


def dictionary_of(path: Path) -> dict:
    """The data dictionary that every file of ours carries."""
    return json.loads(pq.read_metadata(path).metadata[b"willitrun.dictionary"])


def random_value(kind: str, rng: random.Random):
    if rng.random() < 0.3:
        return None
    text = "".join(rng.choice(["a", "é", "漢", "😀", '"', "\\", "\n", "{", " "]) for _ in range(rng.randrange(8)))
    number = rng.randrange(-2**31, 2**31)
    return {"string": text, "int32": number, "int64": rng.randrange(-2**63, 2**63),
            "double": rng.choice([0.1, -1e300, 3.0, 5e-324, rng.uniform(-1, 1)]), "bool": rng.random() < 0.5,
            "timestamp[ms, tz=UTC]": datetime(2026, 1, 1, tzinfo=timezone.utc) + timedelta(milliseconds=rng.randrange(10**10)),
            "list<int32>": [number] * rng.randrange(3), "list<string>": [text] * rng.randrange(3)}[kind]


def random_rows(dictionary: dict, count: int, seed: int) -> list[dict]:
    """Rows with random values in every column of ours; the columns that decide about file and duplicate are fixed."""
    rng = random.Random(seed)
    rows = []
    for i in range(count):
        row = {name: random_value(column["type"], rng) for name, column in dictionary.items()}
        row |= {"model_id": f"owner/model-{i:04}", "library": "transformers", "neuronx_cc": "2.28.1", "target": "trn2",
                "library_version": "5.24.0", "local_model": None, "other_columns": None, "neuron_cores": row["tp"]}
        rows.append(row)
    return rows


def to_table(rows: list[dict], dictionary: dict) -> pa.Table:
    schema = pa.schema([(name, TYPES[column["type"]]) for name, column in dictionary.items()])
    return pa.Table.from_pylist(rows, schema)
