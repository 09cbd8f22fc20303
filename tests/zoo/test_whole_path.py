"""The program on a real model, with the real judge: English passes as fluent where there is no reference to compare with."""
import os
import subprocess
import sys
from pathlib import Path

import pytest

from zoo.catalog import OWNER

ROOT = Path(__file__).resolve().parents[2]
MODEL = f"{OWNER}/smollm2-135m-llama"


@pytest.fixture(scope="module")
def endpoint():
    """The address of a local Hub that serves the base model: WILLITRUN_ZOO names the mirror, else .cache/zoo."""
    mirror = Path(os.environ.get("WILLITRUN_ZOO", ROOT / ".cache" / "zoo"))
    subprocess.run([sys.executable, "-m", "zoo", mirror, MODEL.removeprefix(f"{OWNER}/")], cwd=ROOT, check=True, capture_output=True)
    server = subprocess.Popen([sys.executable, ROOT / "python" / "local_hub", mirror], stdout=subprocess.PIPE, text=True)
    yield server.stdout.readline().strip()
    server.kill()
    server.wait()


def test_the_judge_speaks_where_there_is_no_reference(program, endpoint):
    answer = program("test", MODEL, "--target", "cpu", "--no-reference", "--json", timeout_s=600, HF_ENDPOINT=endpoint,
                     WILLITRUN_JUDGE_MODEL=MODEL)
    assert answer.status == 0, answer.err
    row = answer.json()
    assert (row["verdict"], row["evidence"], row["english"]) == ("PASS", "fluent", "fluent"), row
    assert 0 < row["judge_score"] < 3
    assert "reference_tokens" not in row or row["reference_tokens"] is None
    assert "peak_bytes_per_core" not in row or row["peak_bytes_per_core"] is None  # a CPU has no memory of its own
    assert row["peak_process_bytes"] > 100e6
