#!/usr/bin/env python3
"""Makes tests/formats/fixtures/dataset_schema_<N>.parquet with the program: once, when schema N is new. Old ones stay.

  tests/formats/make_dataset_fixture.py build/release/bin/willitrun
"""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pyarrow.parquet as pq

sys.path.insert(0, str(Path(__file__).parent))
from dataset_files import dictionary_of, public_row, random_rows, to_table, write_public  # noqa: E402

FIXTURES = Path(__file__).parent / "fixtures"


def export(program: str, home: Path, source: Path, folder: Path) -> Path:
    environment = os.environ | {"WILLITRUN_HOME": str(home)}
    for arguments in (["data", "import", str(source)], ["data", "export", str(folder)]):
        subprocess.run([program, *arguments], env=environment, check=True)
    (path,) = (folder / "trn2").glob("*.parquet")
    return path


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        probe = export(sys.argv[1], scratch / "a", write_public(scratch / "x.parquet", [public_row("a/b")]), scratch / "b")
        dictionary = dictionary_of(probe)
        pq.write_table(to_table(random_rows(dictionary, 6, seed=20), dictionary), scratch / "in.parquet")
        made = export(sys.argv[1], scratch / "c", scratch / "in.parquet", scratch / "d")
        schema = pq.read_metadata(made).metadata[b"willitrun.schema"].decode()
        target = FIXTURES / f"dataset_schema_{schema}.parquet"
        if target.exists():
            sys.exit(f"{target} is there already, and stays as it is")
        FIXTURES.mkdir(exist_ok=True)
        rows = [{k: v.isoformat() if hasattr(v, "isoformat") else v for k, v in row.items() if v is not None}
                for row in pq.read_table(made).sort_by("model_id").to_pylist()]
        target.write_bytes(made.read_bytes())
        target.with_suffix(".json").write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
