"""Transformers' own sharding against ours, on small configurations of our own; `make oracle` does the same on real ones."""
import os
import subprocess
import sys

from program import ROOT


def test_plans_equal_what_transformers_does(binary, tmp_path):
    configs = ROOT / "tests" / "oracle_configs"
    command = [sys.executable, "-m", "oracle", "--configs", configs, "--work", tmp_path, "--program", binary]
    done = subprocess.run(command, cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT / "python")}, capture_output=True, text=True, timeout=600)
    count = len(list(configs.glob("**/config.json")))
    assert done.stdout.splitlines()[-1] == f"oracle: {count} equal, 0 explained, 0 unbuildable, 0 different", done.stdout + done.stderr
