"""The real program is killed at named marks, interrupted, and given a full disk. Whatever happens: no process stays behind,
nothing is half visible, and started again it comes to one verdict.
"""
import json
import os
import signal
import sqlite3
import subprocess
import time
from contextlib import closing
from pathlib import Path

import pytest
from models import MODELS

GOOD = next(model for model in MODELS if model.name == "pass-single")


def recorded_marks(home: Path) -> list[str]:
    journal = home / "journal.sqlite"
    if not journal.exists():
        return []
    with closing(sqlite3.connect(f"file:{journal}?mode=ro", uri=True)) as database:
        try:
            return [mark for (mark,) in database.execute("SELECT mark FROM marks ORDER BY rowid")]
        except sqlite3.OperationalError:  # not made yet, or held for a moment
            return []


def wait_for_mark(home: Path, mark: str, limit_s: float = 120):
    deadline = time.monotonic() + limit_s
    while mark not in recorded_marks(home):
        assert time.monotonic() < deadline, f"no mark {mark}; recorded: {recorded_marks(home)}"
        time.sleep(0.01)


def processes_of(home: Path) -> list[str]:
    """Command lines of processes that belong to a lab: its own, keepers, sandboxes and scripts."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            command = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            environment = (entry / "environ").read_bytes().decode(errors="replace")
            mounts = (entry / "mountinfo").read_text()  # a sandboxed process knows the home by nothing else
        except (FileNotFoundError, PermissionError, ProcessLookupError):
            continue
        if str(home) in command + mounts or f"WILLITRUN_HOME={home}" in environment:
            found.append(command)
    return found


def wait_until_gone(home: Path, limit_s: float = 10):
    deadline = time.monotonic() + limit_s
    while left := processes_of(home):
        assert time.monotonic() < deadline, f"processes stay behind: {left}"
        time.sleep(0.05)


@pytest.mark.parametrize("mark", ["resolve", "reference", "compile"])
def test_a_killed_program_leaves_nothing_and_goes_on(fresh_lab, mark):
    with fresh_lab.start(GOOD) as running:
        wait_for_mark(fresh_lab.home, mark)
        assert processes_of(fresh_lab.home), "the test cannot see the lab's processes"
        running.send_signal(signal.SIGKILL)
    wait_until_gone(fresh_lab.home)
    last_mark = recorded_marks(fresh_lab.home)[-1]  # it may have gone on between our look and the kill
    row = json.loads(fresh_lab.test(GOOD).stdout)
    assert row["verdict"] == "PASS"
    with closing(sqlite3.connect(fresh_lab.home / "journal.sqlite")) as database:
        assert database.execute("SELECT count(*) FROM verdicts").fetchone() == (1,)
        states = database.execute("SELECT state, row FROM attempts ORDER BY number").fetchall()
    assert [state for state, _ in states] == ["finished", "finished"]
    killed = json.loads(states[0][1])
    assert (killed["verdict"], killed["charged_to"], killed["reached"]) == ("INDETERMINATE", "infra", last_mark)
    assert not [path for path in fresh_lab.home.rglob(".*.tmp")]


def test_an_interrupted_program_leaves_nothing_and_exits_with_130(fresh_lab):
    with fresh_lab.start(GOOD) as running:
        wait_for_mark(fresh_lab.home, "reference")
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=30)
    assert (running.returncode, out) == (130, ""), err
    wait_until_gone(fresh_lab.home)
    status = subprocess.run([fresh_lab.command[0], "lab", "status", "--json"], capture_output=True, env=fresh_lab.environment)
    assert json.loads(status.stdout)["running"] == []


def test_a_full_disk_never_becomes_the_models_failure(fresh_lab):
    if os.geteuid() != 0:
        pytest.skip("only root can mount a small disk")
    fresh_lab.home.mkdir(parents=True)
    script = 'mount -t tmpfs -o size=700k tmpfs "$WILLITRUN_HOME" && exec "$@"'
    command = ["unshare", "-m", "sh", "-c", script, "sh", *fresh_lab.command_for(GOOD)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=fresh_lab.environment)
    assert done.returncode == 3, done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert all(row["verdict"] == "INDETERMINATE" and row["charged_to"] == "infra" for row in rows)
    assert rows or "full" in done.stderr or "space" in done.stderr
