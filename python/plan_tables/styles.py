"""How each parallel style cuts a parameter: asked of the library on a group of four ranks that exist in name only."""

import os

import torch
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh
from torch.testing._internal.distributed.fake_pg import FakeStore

RANKS = 4
# Two remainders by 8 that together tell apart cutting whole or in halves, rounding up or down.
SIZES = [(50, 74, 98), (52, 76, 100)]
PARAMETERS = ("weight", "bias", "other")


def join_fake_group(ranks):
    """Makes this process rank 0 of a group whose other members do not exist; collectives do nothing."""
    os.environ.update(RANK="0", LOCAL_RANK="0", WORLD_SIZE=str(ranks), MASTER_ADDR="127.0.0.1", MASTER_PORT="29511")
    dist.init_process_group("fake", rank=0, world_size=ranks, store=FakeStore())
    return init_device_mesh("cpu", (ranks,), mesh_dim_names=("tp",))


def export():
    """{style: {parameter: [cut for 1, 2, 3 dimensions]}}; a cut is null (replicated) or [dimension, parts, rounding]."""
    mesh = join_fake_group(RANKS)
    try:
        cut = cut_placeholder if new_interface() else cut_tensor
        return {name: describe(style, cut, mesh) for name, style in sorted(all_styles().items())}
    finally:
        dist.destroy_process_group()


def new_interface():
    try:
        from transformers.distributed import tensor_parallel  # noqa: F401
    except ImportError:
        return False
    return True


def all_styles():
    if new_interface():
        from transformers.distributed import expert_parallel  # noqa: F401
        from transformers.distributed.tensor_parallel import ALL_PARALLEL_STYLES
    else:
        from transformers.integrations.tensor_parallel import ALL_PARALLEL_STYLES
    return {name: ALL_PARALLEL_STYLES[name] for name in ALL_PARALLEL_STYLES}


def describe(style, cut, mesh):
    described = {}
    for parameter in PARAMETERS:
        described[parameter] = [find_cut(style, cut, parameter, dimensions, mesh) for dimensions in (1, 2, 3)]
    return described


def find_cut(style, cut, parameter, dimensions, mesh):
    """The one way to cut that explains a rank's share for every probe size, or None where nothing is cut."""
    possible = None
    for sizes in SIZES:
        full = sizes[:dimensions]
        try:
            local = cut(style, parameter, full, mesh)
        except IndexError:  # the style has no meaning for so few dimensions
            return None
        possible = shares(full, local) if possible is None else possible & shares(full, local)
    if len(possible) != 1:
        raise ValueError(f"{type(style).__name__} cuts {parameter} of {dimensions} dimensions in an unknown way: {possible}")
    (found,) = possible
    return list(found) if found else None


def shares(full, local):
    """All (dimension, parts, rounding) that turn `full` into `local`: `parts` pieces lie side by side, each cut alone."""
    if tuple(full) == tuple(local):
        return {()}
    found = set()
    for dimension, size in enumerate(full):
        rest_equal = all(a == b for d, (a, b) in enumerate(zip(full, local)) if d != dimension)
        for parts in (1, 2):
            piece = size // parts
            for rounding, share in (("up", -(-piece // RANKS)), ("down", piece // RANKS)):
                if rest_equal and local[dimension] == parts * share:
                    found.add((dimension, parts, rounding))
    return found


def cut_placeholder(style, parameter, shape, mesh):
    """Transformers that shard a parameter of a module in place, as DTensors."""
    module = torch.nn.Module()
    module.register_parameter(parameter, torch.nn.Parameter(torch.empty(shape, device="meta")))
    style.shard_param(module, parameter, mesh)
    result = module._parameters[parameter]
    return tuple(result.to_local().shape if hasattr(result, "to_local") else result.shape)


def cut_tensor(style, parameter, shape, mesh):
    """Transformers that cut the tensor being loaded."""
    style.device_mesh, style.rank, style.empty_param = mesh, 0, torch.empty(shape, device="meta")
    try:
        return tuple(style.shard_tensor(torch.empty(shape), device="cpu", dtype=torch.float32).shape)
    except (AttributeError, ValueError, TypeError, KeyError, NotImplementedError):
        return tuple(style.get_expected_sharded_shape(shape))
