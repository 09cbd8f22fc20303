"""The bytes of a compiled graph's file. docs/formats/neff.md describes them; this module does no I/O.

A file says by itself what it is, for which graph it was made, what it needs of the host, and whether it is whole, so that
a foreign, cut, damaged or unusable file is told apart from a good one before anything in it is used.
"""

import dataclasses
import hashlib
import json
import struct

MAGIC = b"NEUEMU\r\n"
FORMAT_VERSION = 1
_PREFIX = struct.Struct("<8sII32s")  # magic, format version, header bytes, digest of header and payload


class UnusableFile(Exception):
    """Why a file cannot be used; in the cache this is a miss, never a crash."""


@dataclasses.dataclass(frozen=True)
class CompiledGraph:
    """What a file holds.

    key: 32 hex digits, also the file's name. mode: which compiler made the payload. key_inputs: what the key was made of,
    for people. requires: what the host must offer (requirements.py). num_nodes: operators in the graph.
    """

    key: str
    mode: str
    compiler_version: str
    key_inputs: dict
    requires: dict
    num_nodes: int
    payload: bytes


def to_bytes(graph: CompiledGraph) -> bytes:
    """The file for `graph`."""
    fields = dataclasses.asdict(graph)
    payload = fields.pop("payload")
    header = json.dumps(fields | {"payload_bytes": len(payload)}, sort_keys=True).encode()
    digest = hashlib.sha256(header + payload).digest()
    return _PREFIX.pack(MAGIC, FORMAT_VERSION, len(header), digest) + header + payload


def from_bytes(data: bytes) -> CompiledGraph:
    """Reads a file; raises UnusableFile with the reason."""
    if len(data) < _PREFIX.size:
        raise UnusableFile(f"truncated: {len(data)} bytes are less than the {_PREFIX.size} of a prefix")
    magic, version, header_bytes, digest = _PREFIX.unpack_from(data)
    if magic != MAGIC:
        raise UnusableFile("foreign: not a file of the emulated device")
    if version != FORMAT_VERSION:
        raise UnusableFile(f"format version {version}, not {FORMAT_VERSION}")
    body = data[_PREFIX.size :]
    if len(body) < header_bytes:
        raise UnusableFile("truncated: the header is not complete")
    if hashlib.sha256(body).digest() != digest:
        raise UnusableFile("corrupt or truncated: the digest differs")
    try:
        fields = json.loads(body[:header_bytes])
        payload = body[header_bytes:]
        if fields.pop("payload_bytes") != len(payload):
            raise UnusableFile("truncated: the payload is not complete")
        return CompiledGraph(payload=payload, **fields)
    except (ValueError, TypeError, KeyError) as error:
        raise UnusableFile(f"corrupt: header: {error}") from None
