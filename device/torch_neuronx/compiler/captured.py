"""The quick compiler, mode "graph": the captured graph itself is the compiled form, and runs operator by operator.

It costs no compilation, so tests exercise everything else: capture, static shapes, the cache, memory, collectives. A
payload is the list of the graph's nodes. PyTorch's own way to pickle a graph is not used: it keeps source code, and traces
that again when it is loaded, which would run every operator that makes a tensor out of nothing.
"""

import io
import pickle

import torch


def build(graph_module: torch.fx.GraphModule, _inputs) -> bytes:
    """The payload of a file."""
    nodes = [(node.op, node.name, node.target, node.args, node.kwargs) for node in graph_module.graph.nodes]
    constants = {node.target: _attribute(graph_module, node.target) for node in graph_module.graph.find_nodes(op="get_attr")}
    payload = io.BytesIO()
    _Writer(payload).dump((nodes, constants))
    return payload.getvalue()


def load(_key: str, payload: bytes):
    """A function of the graph's inputs that returns its outputs."""
    return _graph_module(payload).forward


def _attribute(module, path: str):
    for name in path.split("."):
        module = getattr(module, name)
    return module


def _graph_module(payload: bytes) -> torch.fx.GraphModule:
    reader = _Reader(io.BytesIO(payload))
    nodes, constants = reader.load()
    return torch.fx.GraphModule(constants, _graph(nodes))


def _graph(nodes) -> torch.fx.Graph:
    graph = torch.fx.Graph()
    made = {}
    for op, name, target, args, kwargs in nodes:
        args, kwargs = (_with_nodes(value, made) for value in (args, kwargs))
        made[name] = graph.create_node(op, target, args, kwargs, name)
    return graph


class _NodeName(str):
    """Stands for the node of that name."""


def _with_nodes(value, made: dict):
    """`value` with names replaced by the nodes made already."""
    if isinstance(value, _NodeName):
        return made[value]
    if isinstance(value, (tuple, list)):
        return type(value)(_with_nodes(item, made) for item in value)
    if isinstance(value, dict):
        return {key: _with_nodes(item, made) for key, item in value.items()}
    if isinstance(value, slice):
        return slice(*(_with_nodes(item, made) for item in (value.start, value.stop, value.step)))
    return value


class _Writer(pickle.Pickler):
    """Writes nodes, operators and inner graphs by name or content; the rest pickles itself."""

    def persistent_id(self, value):
        if isinstance(value, torch.fx.Node):
            return "node", value.name
        if isinstance(value, torch._ops.OpOverload):
            return "operator", (value.namespace, value._opname, value._overloadname)
        if isinstance(value, torch._ops.HigherOrderOperator):
            return "higher_order", value.name()
        if isinstance(value, torch.fx.GraphModule):
            return "graph", build(value, None)
        return None


class _Reader(pickle.Unpickler):
    """Reads what _Writer wrote."""

    def persistent_load(self, reference):
        kind, content = reference
        if kind == "node":
            return _NodeName(content)
        if kind == "operator":
            namespace, name, overload = content
            return getattr(getattr(getattr(torch.ops, namespace), name), overload)
        if kind == "higher_order":
            return getattr(torch.ops.higher_order, content)
        if kind == "graph":
            return _graph_module(content)
        raise pickle.UnpicklingError(f"unknown reference {kind!r}")
