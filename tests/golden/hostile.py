"""Model code that misbehaves: the golden suite puts it into tiny repositories as their own code (`auto_map`).

`BEHAVIOUR` is replaced by the name of one function below. A model behaves well in its reference run, so that only the run on
the device shows what it is.
"""
import os
import socket
import sys
import time

import torch
from transformers import LlamaForCausalLM

IS_REFERENCE = "--reference" in sys.argv


def wrong_logits(logits):
    return logits.roll(1, dims=-1)


def graph_break(logits):
    torch._dynamo.graph_break()
    return logits


def segfault():
    import ctypes

    ctypes.string_at(0)


def eat_memory():
    eaten = []
    while True:
        eaten.append(bytearray(os.urandom(1 << 20)) * 64)


def sleep():
    time.sleep(600)


def fork_without_end():
    while True:
        if os.fork() == 0:
            os.execv("/usr/bin/sleep", ["sleep", "600"])  # small, so that processes run out before memory does


def write_without_end():
    with open("/tmp/endless", "wb") as file:
        while True:
            file.write(b"x" * (1 << 20))


def write_report_without_end():
    with open("report.jsonl", "ab") as file:
        while True:
            file.write(b"x" * (1 << 20))


def open_the_network():
    socket.create_connection(("192.0.2.1", 80), 5)


def spoil_compiled_graphs():
    """Overwrites every compiled graph in reach, and leaves one under a name that another model's graph may have."""
    for root in {"/neff_cache", "/tmp/neff_cache", os.environ.get("TORCH_NEURONX_NEFF_CACHE_DIR", "/tmp/neff_cache")}:
        try:
            os.makedirs(f"{root}/ab/cd", exist_ok=True)
        except OSError:  # not there, and not to be made
            continue
        for folder, _, names in os.walk(root):
            for name in [*names, "abcd" + 28 * "0" + ".neff"]:
                with open(f"{folder}/{name}", "wb") as graph:
                    graph.write(b"spoilt")


def exit_silently():
    os._exit(0)


def behave():
    pass


class HostileForCausalLM(LlamaForCausalLM):
    """An ordinary model but for one behaviour: of its loading, or of its logits."""

    def __init__(self, config):
        super().__init__(config)
        if not IS_REFERENCE and "BEHAVIOUR" not in ("wrong_logits", "graph_break"):
            globals()["BEHAVIOUR"]()

    def forward(self, *args, **kwargs):
        output = super().forward(*args, **kwargs)
        if not IS_REFERENCE and "BEHAVIOUR" == "wrong_logits":
            output.logits = wrong_logits(output.logits)
        if not IS_REFERENCE and "BEHAVIOUR" == "graph_break":
            output.logits = graph_break(output.logits)
        return output
