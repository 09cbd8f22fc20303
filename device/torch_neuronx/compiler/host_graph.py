"""The same graph for the CPU: device arguments name `cpu`, constants lie in host memory, debug information is gone."""

import torch


def _on_cpu(argument):
    is_ours = isinstance(argument, torch.device) and argument.type == "neuron"
    return torch.device("cpu") if is_ours else argument


def move_to_cpu(graph_module: torch.fx.GraphModule) -> torch.fx.GraphModule:
    """Rewrites the graph in place, and the graphs inside it."""
    for node in graph_module.graph.nodes:
        if node.op == "get_attr":
            _move_constant(graph_module, node.target)
        node.args = torch.fx.node.map_aggregate(node.args, _on_cpu)
        node.kwargs = torch.fx.node.map_aggregate(node.kwargs, _on_cpu)
        node.meta = {}  # fake tensors of device neuron, stack traces
    graph_module.recompile()
    return graph_module


def _move_constant(graph_module, target: str) -> None:
    *path, name = target.split(".")
    owner = graph_module.get_submodule(".".join(path))
    value = getattr(owner, name)
    if isinstance(value, torch.fx.GraphModule):
        move_to_cpu(value)
    elif isinstance(value, torch.Tensor) and value.device.type == "neuron":
        # A plain attribute of a module is replaced by a buffer, which the module's own bookkeeping may hold already.
        delattr(owner, name)
        owner.register_buffer(name, value.detach().cpu())


def outputs_on_device(graph_module: torch.fx.GraphModule) -> list[bool]:
    """For each output of the graph, whether it belongs on the device. Ask before move_to_cpu."""
    output = next(reversed(graph_module.graph.nodes))
    return [_is_device_tensor(value) for value in output.args[0]]


def _is_device_tensor(value) -> bool:
    fake = value.meta.get("val") if isinstance(value, torch.fx.Node) else None
    return isinstance(fake, torch.Tensor) and fake.device.type == "neuron"
