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
from urllib.parse import unquote, urlsplit

PIECE = 1 << 20
COMMIT = "1" * 40
API = re.compile(r"/api/models/(?P<id>[^/]+/[^/]+)(?P<tree>/tree/[^/]+)?(?:/revision/[^/]+)?")
FILE = re.compile(r"/(?P<id>[^/]+/[^/]+)/resolve/[^/]+/(?P<path>.+)")
RANGE = re.compile(r"bytes=(\d+)-(\d*)")
WORDS = {200: "OK", 206: "Partial Content", 404: "Not Found", 416: "Range Not Satisfiable"}


class Hub:
    def __init__(self, root: Path):
        self.root = root
        self.requests = self.bytes = 0

    async def serve(self, reader, writer):
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                line, *rest = head.decode("latin-1").split("\r\n")
                method, target, _ = line.split(" ")
                headers = {key.lower(): value.strip() for key, _, value in (entry.partition(":") for entry in rest) if key}
                await reader.readexactly(int(headers.get("content-length", 0)))
                await self.answer(writer, method, unquote(urlsplit(target).path), headers)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        writer.close()

    async def answer(self, writer, method, path, headers):
        if path in ("/_counters", "/_reset"):
            body = json.dumps({"requests": self.requests, "bytes": self.bytes}).encode()
            if path == "/_reset":
                self.requests = self.bytes = 0
            return await self.send(writer, method, 200, body, {}, count=False)
        self.requests += 1
        if match := API.fullmatch(path):
            return await self.describe(writer, method, match)
        match = FILE.fullmatch(path)
        file = self.root / match["id"] / match["path"] if match else self.root
        if not file.is_file():
            return await self.send(writer, method, 404, b"{}", {"X-Error-Code": "EntryNotFound"})
        await self.send_file(writer, method, file, headers.get("range"))

    async def describe(self, writer, method, match):
        folder = self.root / match["id"]
        if not folder.is_dir():
            return await self.send(writer, method, 404, b"{}", {"X-Error-Code": "RepoNotFound"})
        names = sorted(os.listdir(folder))
        if match["tree"]:
            answer = [{"type": "file", "path": name, "size": (folder / name).stat().st_size, "oid": digest(name)} for name in names]
        else:
            config = json.loads((folder / "config.json").read_text())
            answer = {"id": match["id"], "modelId": match["id"], "sha": COMMIT, "private": False, "gated": False, "downloads": 1, "likes": 0,
                      "tags": ["safetensors"], "library_name": "transformers", "pipeline_tag": "text-generation",
                      "config": {"architectures": config["architectures"], "model_type": config["model_type"]},
                      "siblings": [{"rfilename": name} for name in names]}  # fmt: skip
        await self.send(writer, method, 200, json.dumps(answer).encode(), {"Content-Type": "application/json"})

    async def send_file(self, writer, method, file, wanted):
        size = file.stat().st_size
        start, end, status = 0, size, 200
        headers = {"ETag": f'"{digest(file.name)}"', "X-Repo-Commit": COMMIT, "Accept-Ranges": "bytes", "X-Linked-Size": str(size)}
        if match := RANGE.fullmatch(wanted or ""):
            start, end, status = int(match[1]), min(size, int(match[2] or size) + 1), 206
            headers["Content-Range"] = f"bytes {start}-{end - 1}/{size}"
            if start >= size:
                return await self.send(writer, method, 416, b"", {"Content-Range": f"bytes */{size}"})
        writer.write(head(status, headers | {"Content-Length": str(end - start)}))
        if method == "HEAD":
            return
        with file.open("rb") as content:
            content.seek(start)
            while start < end:
                piece = content.read(min(PIECE, end - start))
                self.bytes += len(piece)
                start += len(piece)
                writer.write(piece)
                await writer.drain()

    async def send(self, writer, method, status, body, headers, count=True):
        self.bytes += len(body) if count else 0
        writer.write(head(status, headers | {"Content-Length": str(len(body))}) + (b"" if method == "HEAD" else body))
        await writer.drain()


def head(status, headers):
    lines = [f"HTTP/1.1 {status} {WORDS[status]}", *(f"{key}: {value}" for key, value in headers.items()), "", ""]
    return "\r\n".join(lines).encode()


def digest(name):
    return hashlib.sha1(name.encode()).hexdigest()


async def main():
    server = await asyncio.start_server(Hub(Path(sys.argv[1])).serve, "127.0.0.1", 0, limit=1 << 20)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    await server.serve_forever()


asyncio.run(main())
