"""Measures the emulated device against the plain CPU in one process and prints ratios.

    device/bench/run [--json FILE] [--slow]

Both sides of a comparison take turns, in CPU time of the one thread, and the best of many short blocks counts: so a machine
that is busy with other work disturbs little. --slow adds what starts processes or compiles for minutes: the import of torch,
and the compiled step of a ten-layer model against plain Inductor.
"""

import argparse
import dataclasses
import json
import os
import subprocess
import sys
import time

import torch

COMMAND = "device/bench/run"
_BLOCKS = 40


@dataclasses.dataclass(frozen=True)
class Row:
    """One comparison, in the form of the project's benchmark summary."""

    name: str
    unit: str
    ours: float
    peer: float
    peer_name: str
    goal: str
    command: str = COMMAND

    def as_json(self) -> dict:
        """The row with its ratio."""
        return dataclasses.asdict(self) | {"ratio": round(self.ours / self.peer, 3)}


def best_of_both(ours, peer, calls: int) -> tuple[float, float]:
    """Seconds per call of two functions that take turns: for each the best block of `calls`."""
    best = [float("inf")] * 2
    for block in range(_BLOCKS):
        for side, function in enumerate((ours, peer)):
            started = time.thread_time()
            for _ in range(calls):
                function()
            if block:  # the first warms caches
                best[side] = min(best[side], (time.thread_time() - started) / calls)
    return best[0], best[1]


def operator_rows() -> list[Row]:
    """Small operators (what a call costs beyond the CPU's) and large ones."""
    functional = torch.nn.functional
    cases = [
        ("add of 16", lambda a, b: a + b, [(16,), (16,)], 500, "at most 2 us more"),
        ("in-place mul of 16", lambda a, b: a.mul_(b), [(16,), (16,)], 500, "at most 2 us more"),
        ("softmax 64x64", lambda a: a.softmax(-1), [(64, 64)], 200, "at most 2 us more"),
        ("cat of two 64x64", lambda a, b: torch.cat([a, b]), [(64, 64)] * 2, 200, "at most 2 us more"),
        ("linear 8x256x256", functional.linear, [(8, 256), (256, 256)], 100, "at most 2 us more"),
        ("transpose (a view)", lambda a: a.t(), [(64, 64)], 500, "at most 2 us more"),
        ("add of 1M", lambda a, b: a + b, [(1 << 20,)] * 2, 5, "at most 1.03"),
        ("matmul 1x4096x4096", lambda a, b: a @ b, [(1, 4096), (4096, 4096)], 2, "at most 1.03"),
    ]
    rows = []
    for name, function, shapes, calls, goal in cases:
        host = [torch.randn(shape) for shape in shapes]
        device = [tensor.to("neuron") for tensor in host]
        host[-1].fill_(1)
        device[-1].fill_(1)
        ours, peer = best_of_both(lambda: function(*device), lambda: function(*host), calls)
        rows.append(Row(name, "us", round(ours * 1e6, 2), round(peer * 1e6, 2), "the same call on the CPU", goal))
    return rows


def accounting_row() -> Row:
    """What charging memory costs: a CPU operator with its allocation charged to a core, and without."""
    from torch_neuronx import _C

    x = torch.randn(256, 256)

    def charged():
        with _C.ChargeScope(0):
            return x @ x

    ours, peer = best_of_both(charged, lambda: x @ x, 20)
    name = "memory accounting, matmul 256x256"
    return Row(name, "us", round(ours * 1e6, 2), round(peer * 1e6, 2), "not charged", "at most 1.02")


def import_row() -> Row:
    """What the device adds to `import torch`, in processes of their own."""

    def seconds(autoload: str) -> float:
        environment = {**os.environ, "TORCH_DEVICE_BACKEND_AUTOLOAD": autoload}
        best = float("inf")
        for _ in range(3):
            started = time.perf_counter()
            subprocess.run([sys.executable, "-c", "import torch"], env=environment, check=True)
            best = min(best, time.perf_counter() - started)
        return best

    return Row("import torch with the device", "s", round(seconds("1"), 2), round(seconds("0"), 2), "without", "none")


def model_rows() -> list[Row]:
    """The compiled decode step of a ten-layer model, and the load of its cached graph."""
    from ten_layers import compiled_steps, load_from_cache_s

    ours, peer = best_of_both(*compiled_steps(), 4)
    step = Row(
        "compiled step, 10 layers", "ms", round(ours * 1e3, 2), round(peer * 1e3, 2), "Inductor on the CPU", "at most 1.05"
    )
    load = Row("load of a cached graph, 10 layers", "s", load_from_cache_s(), 1.0, "the goal", "at most 1")
    return [step, load]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--slow", action="store_true")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    with torch.inference_mode():
        rows = [*operator_rows(), accounting_row()]
        if arguments.slow:
            rows += [import_row(), *model_rows()]
    for row in rows:
        print(f"{row.name:<36}{row.ours:>10} {row.unit:<3}{row.peer:>10} {row.peer_name:<26}{row.as_json()['ratio']:>7}  {row.goal}")
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump([row.as_json() for row in rows], file, indent=1)


if __name__ == "__main__":
    main()
