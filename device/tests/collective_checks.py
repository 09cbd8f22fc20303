"""A rank of a group of two that tries every collective; prints one JSON object: check -> null or what went wrong.

test_distributed.py starts it twice and reads what both ranks print.
"""

import json
import threading
import traceback

import torch
import torch.distributed as dist
import torch.distributed._functional_collectives as functional
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import Shard, distribute_tensor

CHECKS = {}


def check(function):
    """Registers a check under its name."""
    CHECKS[function.__name__] = function
    return function


def mine(*values, dtype=torch.float32):
    return torch.tensor(values, dtype=dtype, device="neuron")


@check
def all_reduce_of_each_dtype(rank):
    for dtype in (torch.float32, torch.bfloat16, torch.float16, torch.int64):
        x = mine(rank + 1, rank + 1, dtype=dtype)
        dist.all_reduce(x)
        assert x.tolist() == [3, 3], (dtype, x)


@check
def all_reduce_average_and_maximum(rank):
    x, y = mine(float(rank)), mine(float(rank))
    dist.all_reduce(x, dist.ReduceOp.AVG)
    dist.all_reduce(y, dist.ReduceOp.MAX)
    assert (x.item(), y.item()) == (0.5, 1)


@check
def all_reduce_of_a_view(rank):
    x = torch.zeros(2, 2, device="neuron")
    x[1] = rank + 1
    dist.all_reduce(x[1])
    assert x.tolist() == [[0, 0], [3, 3]]


@check
def all_gather(rank):
    parts = [mine(-1) for _ in range(2)]
    dist.all_gather(parts, mine(rank))
    whole = mine(-1, -1)
    dist.all_gather_into_tensor(whole, mine(rank))
    assert [part.item() for part in parts] == whole.tolist() == [0, 1]


@check
def broadcast_and_reduce(rank):
    x, y = mine(rank), mine(rank + 1)
    dist.broadcast(x, 1)
    dist.reduce(y, 0)
    assert x.item() == 1 and (rank != 0 or y.item() == 3)


@check
def reduce_scatter(rank):
    parts, whole = mine(-1), mine(-1)
    dist.reduce_scatter(parts, [mine(1), mine(2)])
    dist.reduce_scatter_tensor(whole, mine(1, 2))
    assert parts.item() == whole.item() == [2, 4][rank]


@check
def all_to_all(rank):
    whole = mine(-1, -1)
    dist.all_to_all_single(whole, mine(10 * rank, 10 * rank + 1))
    parts = [mine(-1), mine(-1)]
    dist.all_to_all(parts, [mine(10 * rank), mine(10 * rank + 1)])
    assert whole.tolist() == [part.item() for part in parts] == [rank, 10 + rank]


@check
def gather_and_scatter(rank):
    parts = [mine(-1), mine(-1)] if rank == 0 else None
    dist.gather(mine(rank + 5), parts, dst=0)
    if rank == 0:
        assert [part.item() for part in parts] == [5, 6]
    x = mine(-1)
    dist.scatter(x, [mine(7), mine(8)] if rank == 0 else None, src=0)
    assert x.item() == [7, 8][rank]


@check
def asynchronous_work_completes(rank):
    x = mine(rank + 1)
    work = dist.all_reduce(x, async_op=True)
    work.wait()
    assert work.is_completed() and x.item() == 3
    assert dist.all_reduce(mine(1), async_op=True).get_future().wait()[0].item() == 2


@check
def barriers_and_objects(rank):
    dist.barrier()
    dist.barrier(device_ids=[rank])
    objects = [None, None]
    dist.all_gather_object(objects, {"rank": rank})
    assert objects == [{"rank": 0}, {"rank": 1}]


@check
def host_tensors_are_taken(rank):
    x = torch.ones(2)
    dist.all_reduce(x)
    assert x.tolist() == [2, 2]


@check
def a_group_of_all_ranks(rank):
    x = mine(rank + 1)
    dist.all_reduce(x, group=dist.new_group([0, 1]))
    assert x.item() == 3


@check
def distributed_tensors(rank):
    mesh = init_device_mesh("neuron", (2,), mesh_dim_names=("tp",))
    x = distribute_tensor(torch.arange(16.0, device="neuron").view(4, 4), mesh, [Shard(0)])
    assert x.to_local().shape == (2, 4) and x.full_tensor().sum().item() == 120


@check
def compiled_collectives(rank):
    def step(x, weight):
        x = functional.all_reduce(x @ weight, "sum", dist.group.WORLD)
        dist.all_reduce(x)
        return x + 1, functional.all_gather_tensor(x, 0, dist.group.WORLD)

    compiled = torch.compile(step, backend="neuron", fullgraph=True, dynamic=False)
    x, weight = torch.ones(2, 4, device="neuron") * (rank + 1), torch.eye(4, device="neuron")
    with torch.no_grad():
        total, gathered = compiled(x, weight)
    assert (total == 7).all() and gathered.shape == (4, 4) and (gathered == 6).all()
    import torch_neuronx

    graph_ids = [None, None]
    dist.all_gather_object(graph_ids, torch_neuronx.get_dynamo_metrics()[-1]["graph_id"])
    assert graph_ids[0] == graph_ids[1], "ranks share the graph"
    compilations = [None, None]
    dist.all_gather_object(
        compilations, torch_neuronx.get_compilation_counters()["CompilationCache.TotalCompilations"]
    )
    assert sorted(compilations) == [0, 1], "one rank compiles, the other finds it"


def refuses(action, words):
    try:
        action()
    except (RuntimeError, NotImplementedError) as error:
        assert words in str(error), error
    else:
        raise AssertionError(f"not refused: {words}")


@check
def send_and_receive_are_refused(rank):
    refuses(lambda: dist.send(mine(1), 1 - rank), "does not support send")
    refuses(lambda: dist.recv(mine(1), 1 - rank), "does not support recv")


@check
def uneven_exchanges_are_refused(rank):
    refuses(
        lambda: dist.all_to_all_single(mine(0, 0, 0), mine(0, 0, 0), [1, 2], [1, 2]),
        "does not support alltoall with unequal splits",
    )


@check
def the_core_of_the_other_rank_is_out_of_reach(rank):
    refuses(lambda: torch.ones(1, device=f"neuron:{1 - rank}"), "belongs to another process")


@check
def every_thread_of_a_rank_has_its_core(rank):
    seen = []
    thread = threading.Thread(target=lambda: seen.append(torch.ones(1, device="neuron").device.index))
    thread.start()
    thread.join()
    assert seen == [rank]


@check
def this_rank_has_its_core(rank):
    import os

    assert torch.ones(1, device="neuron").device.index == torch.neuron.current_device() == rank
    assert os.environ["NEURON_RT_VISIBLE_CORES"] == str(rank)
    assert dist.get_backend() == "neuron"


def main():
    dist.init_process_group("neuron")
    rank = dist.get_rank()
    results = {}
    for name, function in CHECKS.items():
        try:
            function(rank)
            results[name] = None
        except Exception:
            results[name] = traceback.format_exc()
    print(json.dumps(results), flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
