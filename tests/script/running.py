"""Runs the golden scripts for real: with tiny models, in a folder of their own, by the interpreter of their Transformers version."""

import json
import os
import re
import signal
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy

from zoo.mirror import Mirror

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = Path(__file__).resolve().parent / "golden"
STAGES = ["place", "load", "shard", "compile", "generate"]


def interpreter(transformers: str) -> Path:
    """The Python that has this version of Transformers."""
    environment = ROOT / ".venv"
    return (environment if transformers == "5.24.0" else environment / "overlays" / f"transformers-{transformers}") / "bin" / "python"


@dataclass
class Run:
    """What one run of a script left behind."""

    status: int
    out: str
    err: str
    events: list[dict] = field(default_factory=list)
    logits: numpy.ndarray | None = None
    leaves_processes: bool = False

    def of(self, event: str) -> list[dict]:
        return [e for e in self.events if e["event"] == event]

    @property
    def result(self) -> dict:
        assert self.status == 0, self.err
        (result,) = self.of("result")
        return result

    @property
    def error(self) -> dict:
        """The first error: the cause of the others."""
        assert self.status != 0
        return self.of("error")[0]


def read_report(path: Path) -> list[dict]:
    """The events of a report, as docs/formats/report.md tells to read them."""
    if not path.exists():
        return []
    lines = path.read_bytes().split(b"\n")
    return [json.loads(line) for line in lines[:-1]]


class Bench:
    """Runs scripts against models that lie in a mirror, seen as a HF_HUB_CACHE would show them."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.mirror = Mirror(folder / "mirror")
        self.cache = folder / "hub"
        self.runs = 0

    def add(self, model_id: str, task: str, fill) -> None:
        """Adds a model whose files `fill` writes."""
        info = self.mirror.add(model_id, {"pipeline_tag": task, "tags": []}, fill)
        repository = self.cache / ("models--" + model_id.replace("/", "--"))
        (repository / "snapshots").mkdir(parents=True)
        (repository / "snapshots" / info["sha"]).symlink_to(self.mirror.files(model_id))

    def script(self, golden: str, model_id: str, remote_code: bool = False) -> Path:
        """Writes a golden script for this model into a new folder, and returns it."""
        text = (GOLDEN / f"{golden}.py").read_text()
        revision = self.mirror.info(model_id)["sha"]
        text, count = re.subn(r"^MODEL, REVISION = .*$", f'MODEL, REVISION = "{model_id}", "{revision}"', text, flags=re.M)
        assert count == 1
        if remote_code:  # as the program writes it with --allow-remote-code
            text = text.replace('dtype="auto", ', 'dtype="auto", trust_remote_code=True, ')
        self.runs += 1
        script = self.folder / f"run-{self.runs}" / "run.py"
        script.parent.mkdir()
        script.write_text(text)
        return script

    def environment(self, **changes: str) -> dict[str, str]:
        private = {"HOME": str(self.folder), "HF_HUB_CACHE": str(self.cache), "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
        return {"PATH": os.environ["PATH"], **private, **changes}

    def start(self, script: Path, *options: str, **environment: str) -> subprocess.Popen:
        """Starts a script in its folder, as the leader of a process group."""
        version = re.search(r'^TRANSFORMERS, .* = "([^"]+)"', script.read_text(), re.M).group(1)
        return subprocess.Popen(
            [interpreter(version), script.name, "--report", "report.jsonl", *options],
            cwd=script.parent,
            env=self.environment(**environment),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def run(self, golden: str, model_id: str, *options: str, remote_code: bool = False, **environment: str) -> Run:
        """Runs a golden script to its end."""
        return self.finish(self.script(golden, model_id, remote_code), *options, **environment)

    def finish(self, script: Path, *options: str, **environment: str) -> Run:
        process = self.start(script, *options, **environment)
        try:
            out, err = process.communicate(timeout=600)
            leaves_processes = not group_ends(process, within_s=10)
        finally:
            end_group(process)
        logits = script.parent / "logits.npy"
        return Run(
            process.returncode,
            out,
            err,
            read_report(script.parent / "report.jsonl"),
            numpy.load(logits) if logits.exists() else None,
            leaves_processes,
        )

    def run_until(self, stage: str, golden: str, model_id: str) -> Run:
        """Runs a golden script until a rank enters `stage`, and then kills it."""
        script = self.script(golden, model_id)
        process = self.start(script)
        report = script.parent / "report.jsonl"
        deadline = time.monotonic() + 300
        while process.poll() is None and time.monotonic() < deadline:
            if any(event.get("stage") == stage for event in read_report(report)):
                break
            time.sleep(0.02)
        end_group(process)
        out, err = process.communicate()
        return Run(process.returncode, out, err, read_report(report))


def group_ends(process: subprocess.Popen, within_s: float) -> bool:
    """Waits for the last process that a script started: Python's own resource tracker ends a moment after its parent."""
    deadline = time.monotonic() + within_s
    while time.monotonic() < deadline:
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.02)
    return False


def end_group(process: subprocess.Popen) -> None:
    """Kills what is left of a script and its ranks."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
