"""The cache of compiled graphs on disk: look up, or compile once however many processes ask, and keep.

Layout, variables and locks are the real ones: <root>/<ab>/<cd>/<key>.neff, written under a temporary name and renamed.
"""

import contextlib
import dataclasses
import os
import pathlib
import sys

from .. import environment
from . import container, metrics, requirements
from .file_lock import locked


@dataclasses.dataclass(frozen=True)
class Lookup:
    """A compiled graph and where it came from: "persistent" or "compiled", with why a file there was not used."""

    graph: container.CompiledGraph
    source: str
    miss_reason: str | None


def path_of(key: str) -> pathlib.Path:
    """The file of a key."""
    return environment.cache_root() / key[:2] / key[2:4] / f"{key}.neff"


def find_or_compile(key: str, host: dict, compile_graph) -> Lookup:
    """The graph of `key`, from its file if that is good for this `host`, else from compile_graph()."""
    if environment.is_cache_disabled():
        return Lookup(_compile(compile_graph), "compiled", "cache disabled")
    found, _ = _find(key, host)
    if found is not None:
        return _hit(found)
    with locked(environment.lock_root() / f"{key}.lock", environment.lock_timeout_s()):
        # Another process may have compiled it while this one waited.
        found, reason = _find(key, host)
        if found is not None:
            return _hit(found)
        metrics.count("PersistentMisses")
        graph = _compile(compile_graph)
        _keep(graph)
    return Lookup(graph, "compiled", reason)


def _hit(graph) -> Lookup:
    metrics.count("PersistentHits")
    return Lookup(graph, "persistent", None)


def _compile(compile_graph) -> container.CompiledGraph:
    metrics.count("TotalCompilations")
    return compile_graph()


def _find(key: str, host: dict) -> tuple[container.CompiledGraph | None, str | None]:
    try:
        graph = container.from_bytes(path_of(key).read_bytes())
    except FileNotFoundError:
        return None, "absent"
    except (OSError, container.UnusableFile) as error:
        return None, _say(key, str(error))
    if graph.key != key:
        return None, _say(key, f"foreign: the file holds the graph {graph.key}")
    unmet = requirements.unmet(graph.requires, host)
    return (None, _say(key, unmet)) if unmet else (graph, None)


def _say(key: str, reason: str) -> str:
    print(f"torch_neuronx: {key}.neff is not used ({reason}); compiling", file=sys.stderr)
    return reason


def _keep(graph: container.CompiledGraph) -> None:
    path = path_of(graph.key)
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(container.to_bytes(graph))
        os.replace(temporary, path)
    except OSError as error:
        # The graph is compiled and runs; only the next process must compile again.
        with contextlib.suppress(OSError):
            temporary.unlink()
        print(f"torch_neuronx: {path} cannot be kept: {error}", file=sys.stderr)
