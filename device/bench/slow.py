"""Figures that take minutes: the build, the import, and a compiled model of ten layers, cold and warm."""

import os
import pathlib
import subprocess
import sys
import tempfile
import time

from figures import figure
from measure import best_of_both

COMMAND = "device/bench/run --slow"
_DEVICE = pathlib.Path(__file__).parents[1]


def figures() -> list[dict]:
    """All of them."""
    return [build_figure(), import_figure(), *start_figures(), step_figure()]


def build_figure() -> dict:
    """A build of the extension from nothing, two compilers at once, without a compiler cache."""
    python = os.environ["NEURON_BUILD_PYTHON"]
    with tempfile.TemporaryDirectory() as folder:
        started = time.perf_counter()
        configure = ["cmake", "-G", "Ninja", "-S", _DEVICE, "-B", folder, f"-DPython_EXECUTABLE={python}", "-DBUILD_TESTING=OFF"]
        for command in (configure, ["cmake", "--build", folder, "-j", "2"]):
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env={**os.environ, "CCACHE_DISABLE": "1"})
        seconds = time.perf_counter() - started
    return figure("device: build of the extension, 2 cores", "s", round(seconds, 1), COMMAND, goal=60)


def import_figure() -> dict:
    """What the device adds to `import torch`: the best of three processes."""

    def seconds(autoload: str) -> float:
        environment = {**os.environ, "TORCH_DEVICE_BACKEND_AUTOLOAD": autoload}
        best = float("inf")
        for _ in range(3):
            started = time.perf_counter()
            subprocess.run([sys.executable, "-c", "import torch"], env=environment, check=True)
            best = min(best, time.perf_counter() - started)
        return round(best, 2)

    return figure("device: import torch", "s", seconds("1"), COMMAND, peer=seconds("0"), peer_name="without the device")


def start_figures() -> list[dict]:
    """The first compiled step of a process, with an empty cache and with what that one left; then where the warm one goes."""
    import json

    with tempfile.TemporaryDirectory() as folder:
        environment = {
            **os.environ,
            "NEURON_EMULATED_COMPILER": "inductor",
            "TORCH_NEURONX_NEFF_CACHE_DIR": f"{folder}/neff",
            "TORCH_NEURONX_NEFF_LOCAL_CACHE_DIR": f"{folder}/local",
        }

        def start() -> dict:
            command = [sys.executable, pathlib.Path(__file__).with_name("ten_layers.py")]
            return json.loads(subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE).stdout)

        cold, warm = start(), start()
    assert (cold["source"], warm["source"]) == ("compiled", "persistent")
    first = figure("device: first step, 10 layers, warm cache", "s", warm["first_step_s"], COMMAND,
                   peer=cold["first_step_s"], peer_name="with an empty cache")  # fmt: skip
    capture = figure("device: of it Dynamo and AOT Autograd", "s", warm["capture_s"], COMMAND)
    ready = figure("device: of it the key, the look-up and the load", "s", warm["obtain_s"], COMMAND)
    load = figure("device: of that the load of the graph", "s", warm["load_s"], COMMAND, goal=1)
    return [first, capture, ready, load]


def step_figure() -> dict:
    """The compiled step itself."""
    from ten_layers import compiled_step

    os.environ["NEURON_EMULATED_COMPILER"] = "inductor"
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TORCH_NEURONX_NEFF_CACHE_DIR"] = folder
        steps = compiled_step("neuron", "neuron"), compiled_step("cpu", "inductor")
        ours, peer = (round(seconds * 1e3, 2) for seconds in best_of_both(*steps, 4))
    return figure("device: compiled step, 10 layers", "ms", ours, COMMAND, peer=peer, peer_name="Inductor on the CPU",
                  goal=round(peer * 1.05, 2))  # fmt: skip
