"""The entry point of torch.compile(backend="neuron")."""

import dataclasses
import sys
import time
import warnings

import torch
from torch._subclasses.fake_tensor import unset_fake_temporarily

from .. import _C, environment, faults
from .._version import COMPILER_VERSION
from . import cache, captured, container, graph_key, host_graph, inductor, metrics, requirements
from .errors import dynamic_shape

_COMPILERS = {"inductor": inductor, "graph": captured}
_ready: dict[str, object] = {}  # graphs of this process, by key


def neuron(graph_module: torch.fx.GraphModule, example_inputs, *, mode: str | None = None, options=None):
    """Compiles a captured graph. Static shapes and the default mode only, like the real backend."""
    from torch._dynamo.backends.common import aot_autograd

    from . import decompositions, device_interface

    device_interface.register()
    _check_request(mode, options)
    _require_static_shapes(example_inputs)
    compile_with_aot = aot_autograd(
        fw_compiler=compile_graph,
        bw_compiler=compile_graph,
        inference_compiler=compile_graph,
        decompositions=decompositions.table(),
        keep_inference_input_mutations=True,
    )
    return compile_with_aot(graph_module, example_inputs)


def _check_request(mode, options) -> None:
    if mode not in (None, "default"):
        warnings.warn(f"backend neuron has the mode 'default' only; mode={mode!r} is ignored", stacklevel=3)
    if options:
        warnings.warn(f"backend neuron has no options; {sorted(options)} are ignored", stacklevel=3)


def _require_static_shapes(example_inputs) -> None:
    """Refuses dynamic=True; sizes that Dynamo made symbolic by itself are fixed, so each new shape compiles again."""
    if not torch._dynamo.config.assume_static_by_default:
        raise dynamic_shape("dynamic=True")
    for value in example_inputs:
        if isinstance(value, torch.SymInt):
            int(value)  # guards on the value
        elif isinstance(value, torch.Tensor):
            for size in (*value.shape, *value.stride(), value.storage_offset()):
                int(size)


def compile_graph(graph_module: torch.fx.GraphModule, inputs):
    """Compiles a graph of AOT Autograd: a function of a list of tensors, which it empties."""
    with unset_fake_temporarily():  # constants are real tensors, though Dynamo is still capturing
        return _compile_graph(graph_module, inputs)


def _compile_graph(graph_module, inputs):
    started = time.monotonic()
    core = _core_of(inputs)
    on_device = host_graph.outputs_on_device(graph_module)
    graph_module = host_graph.move_to_cpu(graph_module)
    request = _request(graph_module, inputs)
    metrics.count("InMemoryHits" if request.key in _ready else "InMemoryMisses")
    if request.key in _ready:
        source, reason = "memory", None
    else:
        _ready[request.key], source, reason = _obtain(request)
    metrics.record_graph(request.key, request.num_nodes, time.monotonic() - started, source, reason)
    return _on_device(_ready[request.key], core, on_device)


@dataclasses.dataclass(frozen=True)
class _Request:
    """A graph that is to be compiled for this host."""

    graph_module: torch.fx.GraphModule
    inputs: list
    mode: str
    host: dict
    key: str
    key_inputs: dict
    num_nodes: int


def _request(graph_module, inputs) -> _Request:
    mode = environment.compiler()
    host = requirements.of_this_host(mode)
    key, key_inputs = graph_key.graph_key(graph_module, inputs, mode, environment.compiler_flags(), host)
    return _Request(graph_module, list(inputs), mode, host, key, key_inputs, len(graph_module.graph.nodes))


def _obtain(request: _Request):
    """The runnable graph, where it came from, and why a file of the cache was not used."""
    try:
        found = cache.find_or_compile(request.key, request.host, lambda: _compile(request))
        function = _COMPILERS[request.mode].load(request.key, found.graph.payload)
        function = faults.strike_load(request.graph_module, function)
        return function, found.source, found.miss_reason
    except Exception as error:
        if environment.is_fallback_execution_disabled():
            raise
        print(f"torch_neuronx: the graph runs eagerly, it cannot be compiled: {error}", file=sys.stderr)
        return request.graph_module.forward, "eager", str(error)


def _compile(request: _Request) -> container.CompiledGraph:
    faults.strike_compilation(request.graph_module)
    payload = _COMPILERS[request.mode].build(request.graph_module, request.inputs)
    return container.CompiledGraph(
        request.key,
        request.mode,
        COMPILER_VERSION,
        request.key_inputs,
        request.host,
        request.num_nodes,
        payload,
    )


def _core_of(inputs) -> int:
    cores = (value.device.index for value in inputs if isinstance(value, torch.Tensor) and value.device.type == "neuron")
    return next(cores, _C.current_core())


def _on_device(function, core: int, on_device: list[bool]):
    """Runs `function` on CPU views; what it allocates is charged to `core`, and its results are the device's."""

    def run(arguments: list):
        _C.touch_core(core)
        views = _C.cpu_views(arguments)
        arguments.clear()
        with _C.ChargeScope(core):
            outputs = function(*views)
        del views
        return [
            _C.adopt(output, core) if belongs and output is not None else output
            for output, belongs in zip(outputs, on_device, strict=True)
        ]

    run._boxed_call = True
    return run
