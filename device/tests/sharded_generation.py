"""A rank that loads checkpoints in sharded forms and generates; rank 0 prints a JSON line per case: [case, tokens].

    sharded_generation.py CHECKPOINTS CASE...      CASE is KIND:FORM:DTYPE:MODE, FORM is tp or ep (tensor and expert parallel)

test_sharded.py starts it once per rank. A rank that fails ends, and its peers with it.
"""

import json
import os
import pathlib
import sys

import torch
import torch.distributed as dist
from generation import generate, model_class, prompt
from transformers.distributed import DistributedConfig

# Zaya has a plan for experts only, and the library wants some plan for tensors: an entry that shards nothing.
_NO_SHARDING = {"model.norm": "replicated_with_grad_allreduce"}


def sharding(kind: str, form: str) -> DistributedConfig:
    """How the kind is cut over all ranks in this form."""
    ranks = int(os.environ["WORLD_SIZE"])
    if kind == "zaya":
        return DistributedConfig(tp_size=ranks, ep_size=ranks, tp_plan=_NO_SHARDING)
    return DistributedConfig(tp_size=ranks, **({"ep_size": ranks} if form == "ep" else {}))


def load(folder: pathlib.Path, kind: str, form: str, dtype: str):
    """The sharded model, each rank with its part."""
    where = {"distributed_config": sharding(kind, form), "dtype": getattr(torch, dtype)}
    return model_class(kind).from_pretrained(folder / kind, **where)


def main():
    loaded = None
    for case in sys.argv[2:]:
        what, mode = case.rsplit(":", 1)
        if loaded is None or loaded[0] != what:
            loaded = what, load(pathlib.Path(sys.argv[1]), *what.split(":"))
        torch._dynamo.reset()
        tokens = generate(loaded[1], prompt(what.split(":")[0]), mode).tokens
        if dist.get_rank() == 0:
            print(json.dumps([case, tokens]), flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
