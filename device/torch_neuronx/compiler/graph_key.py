"""The name of a graph in the cache: a digest of everything its compiled form depends on.

As on the real stack: the graph without debug information, shapes and dtypes of its inputs, target, cores per logical core,
optimisation level and the user's flags. Beyond it: what the emulation's code depends on (requirements.py), because two
hosts may share one cache folder. Stable across processes and ranks: no address, no counter, no path enters it.
"""

import hashlib
import json

import torch

from ..neuron.device import DEVICE_NAME

_LOGICAL_NC_CONFIG = 2
_OPTIMISATION = "O1"


def target_suffix(flags: str) -> str:
    """What the real key appends to the graph's hash."""
    return f"_{DEVICE_NAME}_{_LOGICAL_NC_CONFIG}_{_OPTIMISATION}_{flags}"


def graph_key(graph_module: torch.fx.GraphModule, inputs, mode: str, flags: str, requires: dict) -> tuple[str, dict]:
    """The key (32 hex digits) and what it was made of, for the file's header."""
    parts = {
        "graph": hashlib.sha256(graph_text(graph_module).encode()).hexdigest(),
        "inputs": [describe_input(value) for value in inputs],
        "suffix": target_suffix(flags),
        "mode": mode,
    }
    digest = hashlib.sha256(json.dumps(parts | {"requires": requires}, sort_keys=True).encode())
    return digest.hexdigest()[:32], parts


def graph_text(graph_module: torch.fx.GraphModule) -> str:
    """The graph as text, one node a line, constants as digests."""
    lines = [_node_text(graph_module, node) for node in graph_module.graph.nodes]
    return "\n".join(lines)


def _node_text(graph_module, node) -> str:
    line = f"{node.op} {node.name} {_target_text(node.target)} {node.args} {sorted(node.kwargs.items())}"
    if node.op != "get_attr":
        return line
    value = _attribute(graph_module, node.target)
    if isinstance(value, torch.fx.GraphModule):
        return f"{line} {{\n{graph_text(value)}\n}}"
    return f"{line} {describe_constant(value)}"


def _attribute(module, path: str):
    for name in path.split("."):
        module = getattr(module, name)
    return module


def _target_text(target) -> str:
    if isinstance(target, str):
        return target
    if isinstance(target, torch._ops.OpOverload):
        return str(target)
    return f"{target.__module__}.{getattr(target, '__qualname__', target.__class__.__qualname__)}"


def describe_constant(value) -> str:
    """A constant of a graph: a tensor by its bytes, anything else by its type."""
    if not isinstance(value, torch.Tensor):
        return type(value).__qualname__
    content = value.detach().cpu().contiguous().flatten().view(torch.uint8).numpy().tobytes()
    return f"{value.dtype} {tuple(value.shape)} {hashlib.sha256(content).hexdigest()}"


def describe_input(value) -> str:
    """An input of a graph. Process groups come as script objects, whose own text holds an address."""
    if isinstance(value, torch.Tensor):
        return f"{value.dtype} {tuple(value.shape)} {value.stride()}"
    script_object = getattr(value, "script_class_name", None)
    if script_object is not None:
        group = getattr(value, "real_obj", None)
        place = f" rank {group.rank()} of {group.size()}" if hasattr(group, "rank") else ""
        return f"{script_object}{place}"
    return repr(value)
