"""Faults on purpose, from a TOML file: so that whoever runs models can test how it reads and survives them.

The file is named by NEURON_EMULATED_FAULTS; rules.py describes it. Faults of operators and collectives are handed to the
extension; faults of compilation and of loading happen here.
"""

import os
import signal
import sys
import time

import torch

from .. import _C, environment
from . import codes, rules
from .rules import Rule

_graph_rules: list[tuple[Rule, list[int]]] = []  # each with its count of matching graphs


_armed_rank: int | None = None


def arm_from_environment(rank: int | None = None) -> None:
    """Reads the file of faults, if any is named, and keeps those that concern this process. Called again with the rank that
    a process group gives: who spawns ranks may set RANK only after torch, and with it the device, was imported."""
    global _armed_rank
    path = environment.faults_file()
    if path is None or (rank is not None and rank == _armed_rank):
        return
    rank = _armed_rank = int(os.environ.get("RANK", "0")) if rank is None else rank
    here = [rule for rule in rules.read(path) if rule.concerns(rank, _running_model())]
    _graph_rules[:] = [(rule, [0]) for rule in here if rule.at in ("compile", "load")]
    _C.set_faults([_for_extension(rule) for rule in here if rule.at in ("operator", "collective")])
    print(f"torch_neuronx: {len(here)} injected faults of {path} are armed", file=sys.stderr)


def strike_compilation(graph_module: torch.fx.GraphModule) -> None:
    """Carries out a fault of compilation that is due for this graph."""
    _strike("compile", graph_module)


def strike_load(graph_module: torch.fx.GraphModule, function):
    """Carries out a fault of loading that is due for this graph; `function` runs it, and comes back as it is to run."""
    return _spoiling(function) if _strike("load", graph_module) else function


def _spoiling(function):
    """`function` with the signs of its results turned, as for operators: a normalisation must not hide it."""

    def spoilt(*inputs):
        outputs = function(*inputs)
        is_number = [isinstance(value, torch.Tensor) and value.is_floating_point() for value in outputs]
        return [-value if spoil else value for value, spoil in zip(outputs, is_number, strict=True)]

    return spoilt


def _running_model() -> str:
    """Text in which a rule looks for its model: the named one, else the command line and the script's own text."""
    named = os.environ.get("NEURON_EMULATED_MODEL")
    if named is not None:
        return named
    words = list(sys.argv if hasattr(sys, "argv") else [])
    if words and os.path.isfile(words[0]):
        with open(words[0], encoding="utf-8", errors="replace") as script:
            words.append(script.read())
    return "\n".join(words)


_EXTENSION_EFFECTS = {
    "nrt": _C.FaultEffect.RAISE,
    "out_of_memory": _C.FaultEffect.OUT_OF_MEMORY,
    "hang": _C.FaultEffect.HANG,
    "crash": _C.FaultEffect.CRASH,
    "wrong_numbers": _C.FaultEffect.WRONG_NUMBERS,
    "lost": _C.FaultEffect.LOST,
}


def _for_extension(rule: Rule) -> _C.Fault:
    return _C.Fault(rule.match, _EXTENSION_EFFECTS[rule.effect], _message(rule), rule.nth, rule.and_later)


def _message(rule: Rule) -> str:
    if rule.effect == "nrt":
        return codes.nrt_message("nrt_load" if rule.at == "load" else "nrt_execute", rule.status)
    if rule.effect == "out_of_memory":
        return codes.OUT_OF_MEMORY
    return codes.ncc_message(rule.code) if rule.effect == "ncc" else ""


def _strike(at: str, graph_module) -> bool:
    """Carries out what is due; says whether the graph's results are to be wrong."""
    is_wrong = False
    for rule, count in _graph_rules:
        if rule.at != at or not rule.matches_graph(_operator_names(graph_module)):
            continue
        count[0] += 1
        if count[0] == rule.nth or (rule.and_later and count[0] > rule.nth):
            is_wrong |= rule.effect == "wrong_numbers"
            _carry_out(rule)
    return is_wrong


def _operator_names(graph_module) -> list[str]:
    return [str(node.target) for node in graph_module.graph.nodes if node.op == "call_function"]


def _carry_out(rule: Rule) -> None:
    if rule.effect == "hang":
        while True:
            time.sleep(3600)
    if rule.effect == "crash":
        signal.signal(signal.SIGSEGV, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGSEGV)
    if rule.effect == "slow":
        time.sleep(rule.seconds)
        return
    if rule.effect == "wrong_numbers":
        return
    if rule.effect == "killed":
        raise RuntimeError(codes.COMPILER_KILLED)
    error = torch.OutOfMemoryError if rule.effect == "out_of_memory" else RuntimeError
    raise error(_message(rule))
