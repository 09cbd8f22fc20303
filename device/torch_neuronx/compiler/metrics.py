"""Counters of the compilation cache and one record per compiled graph, under the real names."""

import atexit
import json
import sys

from .. import environment

_COUNTERS = ("InMemoryHits", "InMemoryMisses", "PersistentHits", "PersistentMisses", "TotalCompilations")
_counts = dict.fromkeys(_COUNTERS, 0)
_records: list[dict] = []


def count(name: str) -> None:
    """Adds one to CompilationCache.<name>."""
    _counts[name] += 1


def record_graph(key: str, num_nodes: int, compile_time_s: float, source: str, reason: str | None) -> None:
    """Notes a graph that is ready to run. source: compiled, persistent or memory; reason: why a file was not used."""
    _records.append(
        {
            "graph_id": key,
            "graph_node_count": num_nodes,
            "compile_time_s": round(compile_time_s, 3),
            "source": source,
            "miss_reason": reason,
        }
    )


def counters() -> dict[str, int]:
    """All counters, by their full names."""
    return {f"CompilationCache.{name}": value for name, value in _counts.items()}


def graph_records() -> list[dict]:
    """Copies of the records, in the order of compilation."""
    return [dict(record) for record in _records]


def _print_at_exit() -> None:
    if any(_counts.values()):
        print(f"torch_neuronx metrics: {json.dumps(counters())}", file=sys.stderr)


if environment.are_metrics_enabled():
    atexit.register(_print_at_exit)
