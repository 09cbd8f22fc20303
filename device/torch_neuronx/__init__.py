"""Device `neuron` emulated in host memory: what torch-neuronx offers to a program, on any CPU.

`import torch` loads this package by its entry point. Environment variables are listed in environment.py.
"""


def _autoload():
    """Entry point of `import torch`. The import of this module has done the work already.

    It stands above `import torch`: a program that imports torch_neuronx first makes torch come back here while this
    module is only half executed, and must find the function.
    """


import torch  # noqa: E402

from ._version import __version__, require_supported_torch  # noqa: E402

require_supported_torch(torch.__version__)

from . import _C, environment  # noqa: E402


def _start():
    """Registers the device, its module `torch.neuron`, its process group, and the faults that are to happen."""
    torch.utils.rename_privateuse1_backend("neuron")
    _C.start(environment.num_cores(), environment.core_capacity_bytes())
    _C.set_fallback_operators(environment.fallback_operators())

    from . import neuron

    torch._register_device_module("neuron", neuron)
    torch.utils.generate_methods_for_privateuse1_backend(for_storage=True)

    from . import distributed, faults

    distributed.register()
    faults.arm_from_environment()


_start()


def get_executed_ops() -> set[str]:
    """Names of the operators that ran on the device since the last clear_op_tracking."""
    return _C.executed_operators()


def get_fallback_ops() -> set[str]:
    """Those of get_executed_ops that count as having fallen back to the CPU (NEURON_EMULATED_FALLBACK_OPS)."""
    return _C.fallback_operators()


def clear_op_tracking() -> None:
    """Forgets the names gathered so far."""
    _C.clear_operators()


def get_dynamo_metrics() -> list[dict]:
    """One record per compiled graph of this process: graph_id, graph_node_count, compile_time_s, source."""
    from .compiler import metrics

    return metrics.graph_records()


def get_compilation_counters() -> dict[str, int]:
    """The CompilationCache counters of this process, by the names of the real metrics."""
    from .compiler import metrics

    return metrics.counters()


__all__ = [
    "__version__",
    "clear_op_tracking",
    "get_compilation_counters",
    "get_dynamo_metrics",
    "get_executed_ops",
    "get_fallback_ops",
]
