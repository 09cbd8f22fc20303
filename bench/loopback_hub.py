"""A Hub for benchmarks: serves folders of sparse files as the real one would, and counts what is asked and answered.

  python bench/loopback_hub.py FOLDER      FOLDER/<owner>/<name>/...; prints its address

Unlike python/local_hub it digests nothing (a sparse checkpoint is 600 GB of holes) and costs a tenth of a millisecond a request, so
that the client is what is measured. /_counters answers with requests and bytes since the last /_reset.
"""
import asyncio
import hashlib
import json
import os
import re
import sys
from pathlib import Path
from urllib.parse import unquote

COMMIT = "1" * 40
API = re.compile(r"/api/models/(?P<id>[^/]+/[^/]+)(?P<tree>/tree/[^/]+)?(?:/revision/[^/]+)?")
FILE = re.compile(r"/(?P<id>[^/]+/[^/]+)/resolve/[^/]+/(?P<path>.+)")
RANGE = re.compile(r"bytes=(\d+)-(\d*)")
JSON = "Content-Type: application/json\r\n"
WORDS = {200: "OK", 206: "Partial Content", 404: "Not Found", 416: "Range Not Satisfiable"}


class Hub:
    """What all connections share: where the files lie, what was counted, and what was looked up once."""

    def __init__(self, root: Path):
        self.root = root
        self.requests = self.bytes = 0
        self.files: dict[str, tuple[int, int, str]] = {}  # path of an address -> descriptor, size, common header lines

    def file(self, path: str):
        if path not in self.files:
            match = FILE.fullmatch(path)
            file = self.root / match["id"] / match["path"] if match else self.root
            if not file.is_file():
                return None
            size = file.stat().st_size
            lines = f'ETag: "{digest(file.name)}"\r\nX-Repo-Commit: {COMMIT}\r\nAccept-Ranges: bytes\r\nX-Linked-Size: {size}\r\n'
            self.files[path] = os.open(file, os.O_RDONLY), size, lines
        return self.files[path]

    def describe(self, match) -> bytes | None:
        folder = self.root / match["id"]
        if not folder.is_dir():
            return None
        names = sorted(os.listdir(folder))
        if match["tree"]:
            answer = [{"type": "file", "path": name, "size": (folder / name).stat().st_size, "oid": digest(name)} for name in names]
        else:
            config = json.loads((folder / "config.json").read_text())
            answer = {"id": match["id"], "modelId": match["id"], "sha": COMMIT, "private": False, "gated": False, "downloads": 1, "likes": 0,
                      "tags": ["safetensors"], "library_name": "transformers", "pipeline_tag": "text-generation",
                      "config": {"architectures": config["architectures"], "model_type": config["model_type"]},
                      "siblings": [{"rfilename": name} for name in names]}  # fmt: skip
        return json.dumps(answer).encode()


class Connection(asyncio.Protocol):
    """One client; answers stand in the order of the requests."""

    def __init__(self, hub: Hub):
        self.hub, self.read = hub, b""

    def connection_made(self, transport):
        self.transport = transport

    def data_received(self, data):
        self.read += data
        while (end := self.read.find(b"\r\n\r\n")) >= 0:
            lines, self.read = self.read[:end].decode("latin-1").split("\r\n"), self.read[end + 4 :]
            method, target, _ = lines[0].split(" ")
            wanted = next((line[6:].strip() for line in lines if line[:6].lower() == "range:"), "")
            self.transport.write(self.answer(method, target.partition("?")[0], wanted))

    def answer(self, method, path, wanted) -> bytes:
        hub = self.hub
        if path in ("/_counters", "/_reset"):
            body = json.dumps({"requests": hub.requests, "bytes": hub.bytes}).encode()
            if path == "/_reset":
                hub.requests = hub.bytes = 0
            return head(200, "", len(body)) + body
        hub.requests += 1
        if match := API.fullmatch(unquote(path)):
            body = hub.describe(match)
            return self.whole(method, 404, "X-Error-Code: RepoNotFound\r\n", b"{}") if body is None else self.whole(method, 200, JSON, body)
        file = hub.file(unquote(path))
        return self.piece(method, *file, wanted) if file else self.whole(method, 404, "X-Error-Code: EntryNotFound\r\n", b"{}")

    def piece(self, method, descriptor, size, lines, wanted) -> bytes:
        match = RANGE.fullmatch(wanted)
        if not match:
            return self.whole(method, 200, lines, size if method == "HEAD" else os.pread(descriptor, size, 0))
        start, end = int(match[1]), min(size, int(match[2] or size) + 1)
        if start >= size:
            return head(416, f"Content-Range: bytes */{size}\r\n", 0)
        return self.whole(method, 206, f"{lines}Content-Range: bytes {start}-{end - 1}/{size}\r\n",
                          end - start if method == "HEAD" else os.pread(descriptor, end - start, start))  # fmt: skip

    def whole(self, method, status, lines, body) -> bytes:
        if method == "HEAD":
            return head(status, lines, body if isinstance(body, int) else len(body))
        self.hub.bytes += len(body)
        return head(status, lines, len(body)) + body


def head(status, lines, length) -> bytes:
    return f"HTTP/1.1 {status} {WORDS[status]}\r\n{lines}Content-Length: {length}\r\n\r\n".encode()


def digest(name):
    return hashlib.sha1(name.encode()).hexdigest()


async def main():
    hub = Hub(Path(sys.argv[1]))
    server = await asyncio.get_running_loop().create_server(lambda: Connection(hub), "127.0.0.1", 0)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
