#!/usr/bin/env python3
"""A home with one result of every kind, served in both forms until standard input ends; for browsers.

  sample_site.py BINARY PAGE_BUILD FOLDER     prints {"live": URL, "files": URL, "home": FOLDER} when both answer

live: `willitrun serve`. files: `willitrun site`, behind Python's own file server and below a sub-path.
"""
import functools
import http.server
import json
import sys
import threading
from datetime import datetime, timezone
from pathlib import Path

import pyarrow.parquet as pq

TESTS = Path(__file__).parent.parent
sys.path[:0] = [str(TESTS), str(TESTS / "http"), str(TESTS / "formats")]
from dataset_files import dictionary_of, public_row, to_table, write_public  # noqa: E402
from program import Program  # noqa: E402
from serving import GPT2, LLAMA, QWEN, Server, make_home  # noqa: E402

EXCLUDED, UNTESTED, FOREIGN, HOSTILE = "some/model-AWQ", "some/nobody-tried", "some/other-words", "some/hostile-texts"
LARGE, FLAKY, UNCLEAR = "some/large", "some/flaky", "some/unclear"
LOCAL = "/models/our <b>own</b> model"
SCRIPT = '#!/usr/bin/env python3\n"""Does it run?"""\nimport torch\n\n\ndef main():\n    print("32 tokens")\n\n\nmain()\n'
HTML = '<img src=x onerror="document.title=1"><script>document.title=2</script>'
NEWEST = {"library": "transformers", "library_version": "5.24.0", "transformers": "5.24.0", "neuronx_cc": "2.29.0", "torch": "2.13.0",
          "torch_neuronx": "2.13.0", "python": "3.11.2", "target": "trn2", "task": "text-generation", "attempts": 1,
          "tested_at": datetime(2026, 11, 2, 3, 4, 5, tzinfo=timezone.utc), "run_py": SCRIPT}
PASS = {"result": "PASS", "verdict": "PASS", "reached": "done", "prompt": "What is the capital of France?", "wall_s": 61}
TIMES = {"load_s": 4.5, "compile_s": 39.3, "first_token_s": 0.41, "tokens_per_s": 31.0, "warm_s": 1.4, "graphs": 2,
         "cache_hits": 0, "cache_misses": 2, "planned_bytes_per_core": 7 << 30, "peak_bytes_per_core": 9 << 30,
         "capacity_bytes_per_core": 24 << 30}


def own_rows() -> list[dict]:
    """Results with everything that our own attempts tell."""
    text = "The capital of France is Paris"
    near_tie = {"evidence": "near_tie", "text": text + ", a city", "reference_text": text + ". It is", "tokens": [*range(32)],
                "reference_tokens": [*range(9), *range(109, 132)], "first_mismatch": 9, "margin": 0.01,
                "max_logit_difference": 0.12, "mode": "tp", "cores": 2, "tp": 2, "package_lock": "torch==2.13.0\ntransformers==5.24.0\n"}
    failed = {"result": "FAIL", "verdict": "FAIL", "reached": "compile", "stage": "compile", "charged_to": "model",
              "mode": "single", "cores": 1, "tp": 1, "wall_s": 12}
    return [NEWEST | PASS | TIMES | near_tie | {"model_id": QWEN, "model_type": "qwen3"},
            NEWEST | failed | {"model_id": LLAMA, "model_type": "llama", "class": "unsupported_op",
                               "signature": "unsupported_op:NCC_EUOC002", "error": "NCC_EUOC002: operator sort is not supported"},
            NEWEST | failed | {"model_id": HOSTILE, "model_type": "qwen3", "class": "unsupported_op",
                               "signature": "unsupported_op:NCC_EUOC002", "error": HTML, "notes": HTML},
            NEWEST | PASS | {"model_id": GPT2, "target": "trn2-emulated", "emulated": True, "evidence": "tokens", "mode": "single",
                             "neuronx_cc": "0.0.0+emu", "cores": 1, "tp": 1, "text": text, "reference_text": text},
            NEWEST | {"model_id": LARGE, "result": "TOO_LARGE", "verdict": "TOO_LARGE", "notes": "needs 1.3 TB on 16 cores"},
            NEWEST | PASS | TIMES | {"model_id": FLAKY, "verdict": "FLAKY", "result": "FLAKY", "attempts": 3, "mode": "single", "cores": 1, "tp": 1},
            NEWEST | {"model_id": UNCLEAR, "result": "INDETERMINATE", "verdict": "INDETERMINATE", "stage": "infra", "charged_to": "infra",
                      "class": "lost_worker"},
            # Of a folder on this machine: shown at home, never published.
            NEWEST | PASS | {"model_id": LOCAL, "evidence": "tokens", "local_model": True, "text": text, "reference_text": text}]


def run(program: Program, *arguments: str) -> None:
    answer = program(*arguments)
    assert answer.status == 0, answer.err


def make_rich_home(program: Program, folder: Path) -> None:
    make_home(program, folder, [(EXCLUDED, 700_000), (UNTESTED, 300_000), (FOREIGN, 200_000), (HOSTILE, 100_000), (LARGE, 90_000),
                                (FLAKY, 80_000), (UNCLEAR, 70_000), *((f"filler/model-{i:02}", 300 - i) for i in range(50))])
    dictionary = dictionary_of(next((program.home / "dataset").rglob("*.parquet")))
    for target in ("trn2", "trn2-emulated"):
        rows = [{name: row.get(name) for name in dictionary} | {"neuron_cores": row.get("tp")}
                for row in own_rows() if row["target"] == target]
        file = folder / "own" / target / "results.parquet"
        file.parent.mkdir(parents=True)
        pq.write_table(to_table(rows, dictionary), file)
        run(program, "data", "import", str(file))
    write_public(folder / "foreign.parquet", [public_row(FOREIGN, neuronx_cc="2.29.0", library_version="5.24.0", transformers="5.24.0",
                                                         result="PARTIAL")])
    run(program, "data", "import", str(folder / "foreign.parquet"))
    run(program, "data", "export")
    # A result for a test to import while windows are open.
    write_public(folder / "late.parquet", [public_row("filler/model-07", **{name: NEWEST[name] for name in ("neuronx_cc", "library_version", "transformers")})])


def serve_files(folder: Path) -> str:
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_address[1]}/"


def main() -> None:
    binary, page, folder = (Path(argument) for argument in sys.argv[1:])
    program = Program(binary, folder / "home")
    make_rich_home(program, folder)
    run(program, "site", str(folder / "host" / "below" / "this"), "--page", str(page))
    files = serve_files(folder / "host") + "below/this/"
    with Server(program, "--page", str(page)) as server:
        print(json.dumps({"live": server.url, "files": files, "home": str(program.home)}), flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
