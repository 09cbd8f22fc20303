"""The file of a compiled graph: what is written is read, and whatever is not whole is refused with a reason."""

import dataclasses
import pathlib

import pytest
from torch_neuronx.compiler import container
from torch_neuronx.compiler.container import CompiledGraph, UnusableFile

GRAPH = CompiledGraph(
    key="0123456789abcdef0123456789abcdef",
    mode="graph",
    compiler_version="0.0.0+emu",
    key_inputs={"graph": "abc", "inputs": ["torch.float32 (2,) (1,)"]},
    requires={"torch": "2.13.0"},
    num_nodes=3,
    payload=b"payload" * 10,
)


def test_round_trip():
    assert container.from_bytes(container.to_bytes(GRAPH)) == GRAPH


def test_equal_graphs_give_equal_bytes():
    assert container.to_bytes(GRAPH) == container.to_bytes(dataclasses.replace(GRAPH))


def test_every_prefix_is_refused():
    data = container.to_bytes(GRAPH)
    for length in range(len(data)):
        with pytest.raises(UnusableFile, match="truncated"):
            container.from_bytes(data[:length])


def test_every_damaged_byte_is_noticed():
    data = container.to_bytes(GRAPH)
    for position in range(len(data)):
        damaged = bytearray(data)
        damaged[position] ^= 0x40
        with pytest.raises(UnusableFile):
            container.from_bytes(bytes(damaged))


@pytest.mark.parametrize("data", [b"\x00" * 400, b"PK\x03\x04" + b"\x00" * 400, b"NEFF" * 100])
def test_foreign_files_are_called_foreign(data):
    with pytest.raises(UnusableFile, match="foreign"):
        container.from_bytes(data)


def test_appended_bytes_are_noticed():
    with pytest.raises(UnusableFile):
        container.from_bytes(container.to_bytes(GRAPH) + b"\x00")


def test_a_file_of_format_version_1_stays_readable():
    old = pathlib.Path(__file__).parent / "data" / "version_1.neff"
    assert container.from_bytes(old.read_bytes()) == GRAPH
