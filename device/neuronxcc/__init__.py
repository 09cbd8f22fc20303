"""Stands where the Neuron compiler would: it says its version, which nobody can take for a real one."""

import importlib.metadata
import sys

__version__ = importlib.metadata.version("neuronx-cc")


def main() -> int:
    """Answers `neuronx-cc --version`; graphs are compiled through torch.compile only."""
    if sys.argv[1:] == ["--version"]:
        print(f"NeuronX Compiler version {__version__}")
        return 0
    print("neuronx-cc: this is the emulated device's stand-in; use torch.compile(backend='neuron')", file=sys.stderr)
    return 2
