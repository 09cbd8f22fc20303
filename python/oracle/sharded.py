"""Bytes per rank after the library's own sharding."""

import torch
import torch.distributed as dist
from plan_tables import styles

CORES = (2, 4, 8, 16)


def tensors_of(model, dropped):
    """{name: tensor} of the parameters that are not `dropped` (tied to another)."""
    return {name: p for name, p in model.named_parameters(remove_duplicate=False) if name not in dropped}


class DtypeRule:
    """The dtype that the loader gives a tensor (transformers, modeling_utils.py, _get_dtype_plan)."""

    def __init__(self, model, dtype):
        plan = model._get_dtype_plan(dtype)
        self.plan = plan
        if plan:
            from transformers.core_model_loading import build_glob_alternation

            self.pattern, self.names, _ = build_glob_alternation(list(plan))

    def size(self, name, tensor):
        if self.plan and tensor.is_floating_point() and (match := self.pattern.search(name)):
            return self.plan[self.names[match.lastgroup]].itemsize
        return tensor.element_size()


def local(tensor):
    return tensor.to_local() if hasattr(tensor, "to_local") else tensor


def parameter_bytes(model, dropped, rule):
    return sum(local(p).numel() * rule.size(name, p) for name, p in tensors_of(model, dropped).items())


def buffer_bytes(model, rule):
    saved = set(model.state_dict().keys())
    return sum(
        b.numel() * (rule.size(name, b) if name in saved else b.element_size()) for name, b in model.named_buffers()
    )


def remember(model):
    return [(module, dict(module._parameters)) for module in model.modules()]


def restore(snapshot):
    for module, parameters in snapshot:
        module._parameters.clear()
        module._parameters.update(parameters)


def per_rank(model, dropped, rule):
    """{mode: {cores: bytes, or the error in words}} for every form that the version offers for this model."""
    forms = new_forms(model) if styles.new_interface() else old_forms(model)
    snapshot = remember(model)
    result = {}
    for mode, shard in forms.items():
        for cores in CORES:
            mesh = styles.join_fake_group(cores)
            try:
                result.setdefault(mode, {})[str(cores)] = shard(mesh, cores, dropped, rule)
            except Exception as error:
                result.setdefault(mode, {})[str(cores)] = f"{type(error).__name__}: {str(error)[:200]}"
            finally:
                restore(snapshot)
                dist.destroy_process_group()
    return result


def new_forms(model):
    """From 5.1x on: separate tp and ep plans, DTensors."""
    from transformers.distributed import DistributedConfig
    from transformers.distributed.tensor_parallel import ALL_PARALLEL_STYLES, apply_tensor_parallelism

    def shard_experts(mesh, plan):
        modules, parameters = dict(model.named_modules()), dict(model.named_parameters(remove_duplicate=False))
        for name, style in plan.items():
            if name in parameters:
                owner, _, leaf = name.rpartition(".")
                ALL_PARALLEL_STYLES[style].shard_param(modules[owner], leaf, mesh)

    def tp(mesh, cores, dropped, rule):
        plan, _, _ = model._resolve_parallel_plans(DistributedConfig(tp_size=cores))
        apply_tensor_parallelism(model, mesh, plan)
        return parameter_bytes(model, dropped, rule)

    def tp_ep(mesh, cores, dropped, rule):
        plan, ep_plan, _ = model._resolve_parallel_plans(DistributedConfig(tp_size=cores, ep_size=cores))
        apply_tensor_parallelism(model, mesh, plan)
        shard_experts(mesh, ep_plan)
        return parameter_bytes(model, dropped, rule)

    def ep(mesh, cores, dropped, rule):
        shard_experts(mesh, model._expand_parallel_plan(model.ep_plan))
        return parameter_bytes(model, dropped, rule)

    forms = {}
    if model.tp_plan:
        forms["tp"] = tp
        if model.ep_plan:
            forms["tp_ep"] = tp_ep
    elif model.ep_plan:
        forms["ep"] = ep
    return forms


def old_forms(model):
    """Before: one plan at a time, each parameter cut while it is loaded."""
    from transformers.integrations.tensor_parallel import ALL_PARALLEL_STYLES, _get_parameter_tp_plan

    def cut(plan):
        def shard(mesh, cores, dropped, rule):
            total = 0
            for name, parameter in tensors_of(model, dropped).items():
                style = _get_parameter_tp_plan(name, plan)
                shape = tuple(parameter.shape)
                if style is not None:
                    layer = ALL_PARALLEL_STYLES[style]
                    layer.device_mesh, layer.rank = mesh, 0
                    if style == "grouped_gemm" and shape[0] % cores:
                        raise ValueError(f"{shape[0]} experts on {cores} ranks")
                    shape = layer.get_expected_sharded_shape(shape)
                total += torch.Size(shape).numel() * rule.size(name, parameter)
            return total

        return shard

    forms = {}
    if model._tp_plan:
        forms["tp"] = cut(model._tp_plan)
    if model._ep_plan:
        forms["ep"] = cut(model._ep_plan)
    return forms
