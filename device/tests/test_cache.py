"""The cache on disk: a good file is used by any process, any other is a miss with a reason; processes compile once."""

import concurrent.futures
import dataclasses
import json

import pytest
import torch
import torch_neuronx
from torch_neuronx.compiler import backend, cache, container, file_lock

KEY = "ab" * 16
HOST = {"torch": "2.13.0", "cpu_features": ["avx2"]}


class Compiler:
    """Stands for a compiler: counts its calls."""

    def __init__(self):
        self.num_calls = 0

    def __call__(self):
        self.num_calls += 1
        return container.CompiledGraph(KEY, "graph", "0.0.0+emu", {}, HOST, 1, b"payload")


def find(compiler):
    return cache.find_or_compile(KEY, HOST, compiler)


def test_layout_is_the_real_one(tmp_path):
    find(Compiler())
    assert cache.path_of(KEY) == tmp_path / "neff" / "ab" / "ab" / f"{KEY}.neff"
    assert cache.path_of(KEY).exists() and (tmp_path / "local" / "locks" / f"{KEY}.lock").exists()
    assert not list((tmp_path / "neff").rglob("*.tmp"))


def test_what_was_compiled_is_found():
    compiler = Compiler()
    first, second = find(compiler), find(compiler)
    assert compiler.num_calls == 1 and first.graph == second.graph
    assert (first.source, first.miss_reason) == ("compiled", "absent")
    assert (second.source, second.miss_reason) == ("persistent", None)


def rewrite(path, **changes):
    path.write_bytes(container.to_bytes(dataclasses.replace(container.from_bytes(path.read_bytes()), **changes)))


DAMAGE = {
    "foreign": (lambda path: path.write_bytes(b"\x7fELF" * 100), "foreign"),
    "truncated": (lambda path: path.write_bytes(path.read_bytes()[:-5]), "truncated"),
    "empty": (lambda path: path.write_bytes(b""), "truncated"),
    "corrupt": (lambda path: path.write_bytes(path.read_bytes()[:-1] + b"\x00"), "corrupt"),
    "another graph": (lambda path: rewrite(path, key="0" * 32), "foreign: the file holds the graph 000"),
    "other cpu": (lambda path: rewrite(path, requires={"cpu_features": ["avx9000"]}), "other CPU: it lacks avx9000"),
    "other torch": (lambda path: rewrite(path, requires={"torch": "1.0"}), "other torch"),
    "a folder": (lambda path: (path.unlink(), path.mkdir()), "directory"),
}


@pytest.mark.parametrize("damage, reason", DAMAGE.values(), ids=DAMAGE.keys())
def test_an_unusable_file_is_a_miss_with_a_reason(damage, reason, capsys):
    compiler = Compiler()
    good = find(compiler).graph
    damage(cache.path_of(KEY))
    again = find(compiler)
    assert compiler.num_calls == 2 and again.graph == good
    assert reason in again.miss_reason and reason in capsys.readouterr().err


def test_an_unusable_file_is_replaced():
    compiler = Compiler()
    find(compiler)
    cache.path_of(KEY).write_bytes(b"damaged")
    find(compiler)
    assert find(compiler).source == "persistent"


def test_the_cache_can_be_turned_off(monkeypatch, tmp_path):
    monkeypatch.setenv("TORCH_NEURONX_NEFF_DISABLE_CACHE", "1")
    compiler = Compiler()
    assert [find(compiler).source for _ in range(2)] == ["compiled"] * 2
    assert compiler.num_calls == 2 and not (tmp_path / "neff").exists()


def test_a_cache_that_cannot_be_written_only_costs_time(tmp_path, capsys):
    (tmp_path / "neff").write_text("a file where the folder should be")
    assert find(Compiler()).graph.payload == b"payload"
    assert "cannot be kept" in capsys.readouterr().err


def test_a_compiler_that_fails_leaves_nothing(tmp_path):
    def fail():
        raise RuntimeError("no")

    with pytest.raises(RuntimeError):
        find(fail)
    assert not list(tmp_path.rglob("*.neff*"))
    assert find(Compiler()).source == "compiled", "the lock is free again"


def test_those_who_ask_at_once_compile_once():
    compiler = Compiler()
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        sources = [found.source for found in pool.map(lambda _: find(compiler), range(4))]
    assert compiler.num_calls == 1 and sorted(sources) == ["compiled"] + ["persistent"] * 3


def test_waiting_for_another_process_ends(tmp_path):
    path = tmp_path / "some.lock"
    with file_lock.locked(path, timeout_s=1) as first, file_lock.locked(path, timeout_s=0.1) as second:
        assert first and not second
    with file_lock.locked(path, timeout_s=0.1) as again:
        assert again


def test_a_graph_of_this_process_is_not_looked_up_again():
    backend._ready.clear()
    before = torch_neuronx.get_compilation_counters()
    x = torch.ones(3, device="neuron")
    for _ in range(2):
        torch._dynamo.reset()
        torch.compile(lambda x: x * 3 + 1, backend="neuron")(x)
    after = torch_neuronx.get_compilation_counters()
    grown = {name: after[name] - before[name] for name in after}
    assert grown["CompilationCache.InMemoryHits"] == 1 and grown["CompilationCache.TotalCompilations"] == 1
    assert cache.path_of(torch_neuronx.get_dynamo_metrics()[-1]["graph_id"]).exists()


# Compiles one small graph and prints what the process counted.
COMPILE = """
import json, torch, torch_neuronx
y = torch.compile(lambda x: torch.sin(x) * 2 + 1, backend="neuron")(torch.arange(4.0, device="neuron"))
print(json.dumps({"counters": torch_neuronx.get_compilation_counters(), "graphs": torch_neuronx.get_dynamo_metrics(),
                  "result": y.tolist()}))
"""

LOGGING_COMPILER = """#!/bin/sh
echo "$@" >> {log}
exec g++ "$@"
"""


def test_a_second_process_hits_and_compiles_no_kernel(run_python, tmp_path):
    log = tmp_path / "compiler.log"
    compiler = tmp_path / "g++"
    compiler.write_text(LOGGING_COMPILER.format(log=log))
    compiler.chmod(0o755)

    def compile_in_process():
        log.write_text("")
        done = run_python(
            COMPILE,
            NEURON_EMULATED_COMPILER="inductor",
            CXX=str(compiler),
            OMP_NUM_THREADS="1",
            TORCH_NEURONX_METRICS_ENABLED="1",
        )
        assert done.returncode == 0 and "CompilationCache.TotalCompilations" in done.stderr, done.stderr
        compilations = [line for line in log.read_text().splitlines() if ".cpp" in line]
        report = json.loads(done.stdout)
        counts = [report["counters"][f"CompilationCache.{name}"] for name in ("PersistentHits", "TotalCompilations")]
        return report, counts, compilations

    first, first_counts, first_compilations = compile_in_process()
    assert first_counts == [0, 1] and first_compilations
    second, second_counts, second_compilations = compile_in_process()
    assert second_counts == [1, 0] and second_compilations == []
    assert first["result"] == second["result"] and second["graphs"][0]["source"] == "persistent"
