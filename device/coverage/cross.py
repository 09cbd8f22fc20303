"""Runs what cases.py lists and keeps every result, so that a second start goes on where the first was stopped.

Results stand until the checkpoint or a library changes; after a change of the device, --fresh forgets them.
"""

import argparse
import fnmatch
import importlib.metadata
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

import cases
import table

_HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(_HERE.parents[1]))
sys.path.insert(0, str(_HERE.parent / "tests"))

from ranks import run_ranks  # noqa: E402

_WORKER = str(_HERE / "generate_modes.py")
_UNIT_TIMEOUT_S = 3 * 3600


class Cross:
    """The zoo's checkpoints and the folder of results."""

    def __init__(self, arguments: argparse.Namespace):
        from zoo.catalog import OWNER
        from zoo.mirror import Mirror

        self.compiler = arguments.compiler
        self._modes = fnmatch.filter(cases.MODES, arguments.modes)
        self.folder = arguments.results / self.compiler
        self._mirror, self._owner = Mirror(arguments.zoo), OWNER

    def checkpoint(self, unit: cases.Unit) -> pathlib.Path:
        return self._mirror.files(f"{self._owner}/{unit.checkpoint}")

    def why_not(self, unit: cases.Unit) -> str | None:
        return cases.why_not(unit, json.loads((self.checkpoint(unit) / "config.json").read_text()))

    def results(self, unit: cases.Unit) -> pathlib.Path:
        """The unit's folder, emptied when it is about another checkpoint or another library."""
        folder = self.folder / unit.name
        stamp = {name: importlib.metadata.version(name) for name in ("torch", "transformers")}
        stamp = json.dumps(stamp | {"revision": self.checkpoint(unit).name})
        mark = folder / "stamp.json"
        if not mark.exists() or mark.read_text() != stamp:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            mark.write_text(stamp)
        return folder

    def missing_modes(self, unit: cases.Unit) -> list[str]:
        return [mode for mode in self._modes if not (self.results(unit) / f"{mode}.json").exists()]

    def run(self, unit: cases.Unit) -> str | None:
        """Tries the missing modes; returns the end of what the ranks said when they failed."""
        reference = self._reference(unit)
        command = [_WORKER, str(self.checkpoint(unit)), "--reference", str(reference), "--dtype", unit.dtype]
        command += ["--form", unit.form, "--results", str(self.results(unit)), "--modes", *self.missing_modes(unit)]
        try:
            done = run_ranks(command, unit.ranks, _UNIT_TIMEOUT_S, **self._environment())
        except subprocess.TimeoutExpired:
            return f"no end within {_UNIT_TIMEOUT_S} s"
        print(done[0].stdout, end="", flush=True)
        failed = [rank.stderr.strip()[-1500:] for rank in done if rank.returncode]
        return "\n".join(failed) or None

    def _reference(self, unit: cases.Unit) -> pathlib.Path:
        """What the CPU generates from the checkpoint in this dtype; made once."""
        path = self.folder.parent / "references" / f"{self.checkpoint(unit).name}.{unit.dtype}.pt"
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            command = [sys.executable, _WORKER, self.checkpoint(unit), "--reference", path, "--dtype", unit.dtype]
            environment = {**os.environ, "TORCH_DEVICE_BACKEND_AUTOLOAD": "0", "OMP_NUM_THREADS": "1"}
            subprocess.run(command, env=environment, check=True, stderr=subprocess.DEVNULL)
        return path

    def _environment(self) -> dict[str, str]:
        return {
            "NEURON_EMULATED_COMPILER": self.compiler,
            "TORCH_NEURONX_NEFF_CACHE_DIR": str(self.folder.resolve() / "neff"),
            "TORCH_NEURONX_NEFF_LOCAL_CACHE_DIR": str(self.folder.resolve() / "local"),
        }


def run_missing(cross: Cross, units: list[cases.Unit], minutes: float | None) -> bool:
    """Runs what has no result yet, until the time is over; says whether every unit came to its end."""
    started = time.monotonic()
    is_well = True
    for unit in units:
        if cross.why_not(unit) or not cross.missing_modes(unit):
            continue
        if minutes is not None and time.monotonic() - started > minutes * 60:
            break
        print(f"==> {unit.name}", flush=True)
        failure = cross.run(unit)
        if failure:
            is_well = False
            print(failure, flush=True)
    return is_well


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="device/cross", description=__doc__)
    parser.add_argument("--zoo", type=pathlib.Path, default=pathlib.Path("build/zoo"), help="mirror; made when missing")
    parser.add_argument("--results", type=pathlib.Path, default=pathlib.Path("build/cross"))
    parser.add_argument("--compiler", choices=("inductor", "graph"), default="inductor")
    parser.add_argument("--only", default="*", metavar="PATTERN", help="units whose name fits: '*.tp2.float32'")
    parser.add_argument("--modes", default="*", metavar="PATTERN", help="ways to run: 'eager*'")
    parser.add_argument("--minutes", type=float, help="start nothing more after so long")
    parser.add_argument("--fresh", action="store_true", help="forget kept results")
    parser.add_argument("--list", action="store_true", help="only name what would run")
    parser.add_argument("--table", type=pathlib.Path, metavar="FILE", help="only write what is known as Markdown")
    return parser.parse_args()


def main() -> int:
    arguments = parse_arguments()
    if arguments.fresh:
        shutil.rmtree(arguments.results / arguments.compiler, ignore_errors=True)
    if not (arguments.zoo / "listing.jsonl").exists():
        subprocess.run([os.environ.get("ZOO_PYTHON", sys.executable), "-m", "zoo", arguments.zoo], check=True)
    cross = Cross(arguments)
    units = [unit for unit in cases.units() if fnmatch.fnmatch(unit.name, arguments.only)]
    if arguments.table:
        arguments.table.write_text(table.markdown(cross, units))
        return 0
    if arguments.list:
        for unit in units:
            print(unit.name, cross.why_not(unit) or " ".join(cross.missing_modes(unit)) or "done", sep=": ")
        return 0
    return 0 if run_missing(cross, units, arguments.minutes) else 1


if __name__ == "__main__":
    sys.exit(main())
