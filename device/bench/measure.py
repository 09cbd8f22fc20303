"""Measures the emulated device beside the plain CPU in one process.

    device/bench/run [--json FILE] [--slow]

Both sides of a comparison take turns, in CPU time of the one thread, and the best of many short blocks counts: so a machine
that is busy with other work disturbs little. --slow adds what starts processes or compiles for minutes (slow.py).
"""

import argparse
import sys
import time
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))
from figures import add_json_option, figure, report  # noqa: E402

COMMAND = "device/bench/run"
_BLOCKS = 40
_SMALL_US = 2.0  # what a call may cost beyond the CPU's
_LARGE = 1.03


def best_of_both(ours, peer, calls: int, blocks: int = _BLOCKS) -> tuple[float, float]:
    """Seconds per call of two functions that take turns: for each the best block of `calls`."""
    best = [float("inf")] * 2
    for block in range(blocks):
        for side, function in enumerate((ours, peer)):
            started = time.thread_time()
            for _ in range(calls):
                function()
            if block:  # the first warms caches
                best[side] = min(best[side], (time.thread_time() - started) / calls)
    return best[0], best[1]


def microseconds(seconds: float) -> float:
    return round(seconds * 1e6, 2)


def operator_figures() -> list[dict]:
    """Small operators (what a call costs beyond the CPU's) and large ones."""
    functional = torch.nn.functional
    cases = [
        ("add of 16", lambda a, b: a + b, [(16,), (16,)], 500),
        ("in-place mul of 16", lambda a, b: a.mul_(b), [(16,), (16,)], 500),
        ("softmax 64x64", lambda a: a.softmax(-1), [(64, 64)], 200),
        ("cat of two 64x64", lambda a, b: torch.cat([a, b]), [(64, 64)] * 2, 200),
        ("linear 8x256x256", functional.linear, [(8, 256), (256, 256)], 100),
        ("transpose (a view)", lambda a: a.t(), [(64, 64)], 500),
        ("add of 1M", lambda a, b: a + b, [(1 << 20,)] * 2, 5),
        ("matmul 1x4096x4096", lambda a, b: a @ b, [(1, 4096), (4096, 4096)], 2),
    ]
    figures = []
    for name, function, shapes, calls in cases:
        host = [torch.randn(shape) for shape in shapes]
        device = [tensor.to("neuron") for tensor in host]
        host[-1].fill_(1)
        device[-1].fill_(1)
        ours, peer = best_of_both(lambda: function(*device), lambda: function(*host), calls)
        is_large = calls < 10
        goal = microseconds(peer * _LARGE if is_large else peer + _SMALL_US * 1e-6)
        figures.append(
            figure(f"device: {name}", "us", microseconds(ours), COMMAND, peer=microseconds(peer),
                   peer_name="the same call on the CPU", goal=goal)
        )  # fmt: skip
    return figures


def accounting_figure() -> dict:
    """What charging memory costs: CPU operators with their allocations charged to a core, and without."""
    from torch_neuronx import _C

    x = torch.randn(256, 256)
    calls = 20

    def free():
        for _ in range(calls):
            x @ x

    def charged():
        with _C.ChargeScope(0):
            free()

    ours, peer = (microseconds(seconds / calls) for seconds in best_of_both(charged, free, 1, blocks=3 * _BLOCKS))
    return figure("device: memory accounting, matmul 256x256", "us", ours, COMMAND, peer=peer, peer_name="not charged",
                  goal=round(peer * 1.02, 2))  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_json_option(parser)
    parser.add_argument("--slow", action="store_true", help="also what takes minutes")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    with torch.inference_mode():
        figures = [*operator_figures(), accounting_figure()]
        if arguments.slow:
            import slow

            figures += slow.figures()
    report(figures, arguments.json)


if __name__ == "__main__":
    main()
