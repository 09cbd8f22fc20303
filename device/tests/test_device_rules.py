"""What the device refuses: tensors in the wrong place, use after a fork."""

import pytest
import torch

F = torch.nn.functional
MIXED = "Expected all tensors to be on the same device"


def here():
    return torch.randn(4, 4, device="neuron")


def host():
    return torch.randn(4, 4)


MIXTURES = {
    "add": lambda: here() + host(),
    "add reversed": lambda: host() + here(),
    "mm": lambda: here() @ host(),
    "bmm": lambda: torch.bmm(here()[None], host()[None]),
    "linear": lambda: F.linear(here(), host()),
    "embedding, indices of the host": lambda: F.embedding(torch.tensor([1]), here()),
    "embedding, weight of the host": lambda: F.embedding(torch.tensor([1], device="neuron"), host()),
    "cat": lambda: torch.cat([here(), host()]),
    "stack": lambda: torch.stack([here(), host()]),
    "where": lambda: torch.where(here() > 0, here(), host()),
    "layer_norm": lambda: F.layer_norm(here(), (4,), torch.ones(4), torch.ones(4)),
    "conv": lambda: F.conv1d(here()[None], torch.randn(2, 4, 1)),
    "out on the host": lambda: torch.add(here(), here(), out=host()),
    "in place on the host": lambda: host().add_(here()),
    "0-dimensional target on the host": lambda: torch.tensor(1.0).add_(here().sum()),
    "gather": lambda: here().gather(0, torch.zeros(1, 4, dtype=torch.long)),
    "scatter": lambda: here().scatter_(0, torch.zeros(1, 4, dtype=torch.long), 1.0),
    "index_select": lambda: here().index_select(0, torch.tensor([0])),
    "host indexed by the device": lambda: host()[torch.tensor([1], device="neuron")],
    "index_put value": lambda: here().index_put_((torch.tensor([0], device="neuron"),), torch.ones(1, 4)),
    "masked_fill mask": lambda: here().masked_fill(host() > 0, 0.0),
    "two cores": lambda: here() + here().to("neuron:1"),
    "two cores, mm": lambda: here() @ here().to("neuron:1"),
    "0-dimensional index of the host": lambda: F.embedding(torch.tensor(1), here()),
    "dot with scalars": lambda: here()[0].dot(torch.ones(4)),
}


@pytest.mark.parametrize("mixture", MIXTURES.values(), ids=MIXTURES.keys())
def test_tensors_of_two_devices_are_refused(mixture):
    with pytest.raises(RuntimeError, match=MIXED):
        mixture()


ALLOWED = {
    "a number as a tensor": lambda: here() * torch.tensor(2.0),
    "a number first": lambda: torch.tensor(2.0) + here(),
    "where with a number": lambda: torch.where(here() > 0, here(), torch.tensor(0.0)),
    "masked_fill with a number": lambda: here().masked_fill(here() > 0, torch.tensor(0.0)),
    "fill": lambda: here().fill_(torch.tensor(1.0)),
    "index of the host": lambda: here()[torch.tensor([1, 2])],
    "index_put index of the host": lambda: here().index_put_((torch.tensor([1]),), torch.tensor(5.0)),
    "copy from the host": lambda: here().copy_(host()),
    "assignment from a number": lambda: here().__setitem__(0, 1.0) or here(),
    "clamp": lambda: here().clamp(torch.tensor(0.0), torch.tensor(1.0)),
}


@pytest.mark.parametrize("mixture", ALLOWED.values(), ids=ALLOWED.keys())
def test_numbers_and_indices_of_the_host_are_taken(mixture):
    assert mixture().device.type == "neuron"


FORK = """
import os, torch
if {touch_first}: torch.ones(1, device="neuron")
child = os.fork()
if child == 0:
    try:
        {use}
        os._exit(0)
    except RuntimeError as error:
        print(error, flush=True)
        os._exit(7)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


def test_use_after_a_fork_is_refused(run_python):
    done = run_python(FORK.format(touch_first=True, use='torch.ones(1, device="neuron")'))
    assert "Cannot re-initialize the Neuron runtime in a forked subprocess" in done.stdout
    assert "'spawn' start method" in done.stdout and done.stdout.rstrip().endswith("7")


def test_a_fork_before_the_first_touch_is_fine(run_python):
    done = run_python(FORK.format(touch_first=False, use='torch.ones(1, device="neuron")'))
    assert done.stdout.strip() == "0", done.stdout
