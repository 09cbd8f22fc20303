"""python -m plan_tables [--out FOLDER]: writes plans/transformers-<installed version>.json."""

import argparse
import json
import logging
import os
import pathlib
import sys
import warnings

os.environ.setdefault("TORCH_DEVICE_BACKEND_AUTOLOAD", "0")
os.environ.setdefault("HF_HUB_OFFLINE", "1")
warnings.simplefilter("ignore")

import transformers  # noqa: E402

from . import table  # noqa: E402


def to_text(table):
    """JSON with sorted keys and one record a line, so that two versions can be compared line by line."""
    sections = []
    for key, value in sorted(table.items()):
        if isinstance(value, dict):
            records = ",\n".join(f"{compact(name)}:{compact(record)}" for name, record in sorted(value.items()))
            sections.append(f"{compact(key)}:{{\n{records}\n}}")
        else:
            sections.append(f"{compact(key)}:{compact(value)}")
    return "{\n" + ",\n".join(sections) + "\n}\n"


def compact(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("plans"), help="folder to write to")
    parser.add_argument("--types", nargs="*", help="only these model types (for a quick look)")
    arguments = parser.parse_args()
    transformers.logging.set_verbosity(logging.CRITICAL)
    exported, left_out = table.export(arguments.types)
    path = arguments.out / f"transformers-{transformers.__version__}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(to_text(exported))
    for name, reason in sorted(left_out.items()):
        print(f"left out {name}: {reason}", file=sys.stderr)
    print(f"{path}: {len(exported['types'])} model types, {len(exported['classes'])} classes, {path.stat().st_size} bytes")


main()
