"""A rank that loads checkpoints in sharded forms and generates; rank 0 prints a JSON line per case: [case, tokens].

    sharded_generation.py CHECKPOINTS CASE...      CASE is KIND:FORM:MODE, FORM is tp or ep (tensor and expert parallel)

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


def main():
    checkpoints = pathlib.Path(sys.argv[1])
    for case in sys.argv[2:]:
        kind, form, mode = case.split(":")
        torch._dynamo.reset()
        model = model_class(kind).from_pretrained(checkpoints / kind, distributed_config=sharding(kind, form))
        tokens = generate(model, prompt(kind), mode).tokens
        if dist.get_rank() == 0:
            print(json.dumps([case, tokens]), flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
