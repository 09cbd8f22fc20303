"""The real binary, run as a user would, with a home of its own."""
import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


@dataclass
class Answer:
    """What a run of the program gave."""

    status: int
    out: str
    err: str

    def json(self):
        return json.loads(self.out)

    def json_lines(self):
        return [json.loads(line) for line in self.out.splitlines()]


class Program:
    """Runs the real binary with a home of its own."""

    def __init__(self, binary: Path, home: Path):
        self.binary = binary
        self.home = home
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(home), "WILLITRUN_HOME": str(home), "LC_ALL": "C.UTF-8"}

    def __call__(self, *arguments: str, timeout_s: float = 120, **environment: str) -> Answer:
        done = subprocess.run([self.binary, *arguments], capture_output=True, text=True, timeout=timeout_s,
                              env=self.environment | environment)
        return Answer(done.returncode, done.stdout, done.stderr)
