"""A Hub on this machine: serves a local mirror (docs/formats/mirror.md) with the addresses, fields and headers of the real one.

  python3 python/local_hub MIRROR [--port N] [--port-file FILE] [--with-faults]

The demo runs it so that models no hub serves come through the ordinary client; set HF_ENDPOINT to the printed address. Tests
run it with --with-faults: the addresses below /_control/ then order faults (faults.py) and tell what was asked. Files kept in
LFS are redirected to a second port, as the Hub redirects them to its CDN.
"""
import argparse
import json
import os
import re
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, parse_qsl, quote, unquote, urlencode, urlsplit

from faults import Faults
from mirror import Mirror, Missing

PIECE = 64 << 10
PAGE = 1000
REPO = r"(?P<id>[^/]+(?:/[^/]+)?)"
INFO = re.compile(rf"/api/(?P<kind>models|datasets)/{REPO}(?:/revision/(?P<revision>[^/]+))?")
TREE = re.compile(rf"/api/(?P<kind>models|datasets)/{REPO}/(?P<what>tree|paths-info)/(?P<revision>[^/]+)(?:/(?P<path>.*))?")
FILE = re.compile(rf"/(?:(?P<kind>datasets)/)?{REPO}/resolve/(?P<revision>[^/]+)/(?P<path>.+)")
CDN = re.compile(r"/cdn/(?P<kind>models|datasets)/(?P<id>[^/]+(?:/[^/]+)?)/(?P<revision>[0-9a-f]{40})/(?P<path>.+)")


class Refused(Exception):
    """An error answer with the Hub's X-Error-Code."""

    def __init__(self, status: int, code: str, message: str):
        super().__init__(message)
        self.status, self.code, self.message = status, code, message


class LocalHub(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, port: int, mirror: Mirror, faults: Faults | None):
        super().__init__(("127.0.0.1", port), Handler)
        self.mirror = mirror
        self.faults = faults
        self.cdn_address = f"http://127.0.0.1:{self.server_port}"  # replaced once the second port is known

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def handle_error(self, request, client_address):
        """A client that goes away in the middle is no error of ours; everything else is shown."""
        if not isinstance(sys.exc_info()[1], (ConnectionError, TimeoutError)):
            super().handle_error(request, client_address)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: LocalHub
    disable_nagle_algorithm = True

    def do_GET(self):
        self.answer()

    def do_HEAD(self):
        self.answer()

    def do_POST(self):
        self.answer()

    def log_message(self, *_):
        pass

    def answer(self):
        self.fault = {}
        self.entry = None
        url = urlsplit(self.path)
        self.query = parse_qs(url.query, keep_blank_values=True)
        length = int(self.headers.get("Content-Length") or 0)
        self.body = self.rfile.read(length)
        if self.server.faults and url.path.startswith("/_control/"):
            return self.control(url.path.removeprefix("/_control/"))
        if self.server.faults:
            self.entry = self.server.faults.record(method=self.command, path=self.path, port=self.server.server_port,
                                                   range=self.headers.get("Range"), if_range=self.headers.get("If-Range"),
                                                   authorization=self.headers.get("Authorization"), status=0, bytes=0)
            self.fault = self.server.faults.meet(self.path)
        try:
            if "json" in self.fault:
                return self.send_json(self.fault["json"])
            if "status" in self.fault:
                return self.send(self.fault["status"], self.fault.get("text", "").encode(), {})
            self.route(url.path)
        except Refused as refused:
            self.send_refusal(refused)
        except Missing as missing:
            # Without a token the Hub does not tell a missing repository from a private one.
            hidden = missing.code == "RepoNotFound" and not self.token()
            self.send_refusal(Refused(401 if hidden else 404, missing.code, missing.code))

    def control(self, command: str):
        if command == "set":
            self.server.faults.set(json.loads(self.query["faults"][0]))
        elif command == "reset":
            self.server.faults.reset()
        self.send(200, self.server.faults.counters().encode(), {"Content-Type": "application/json"})

    def route(self, path: str):
        if path == "/api/models":
            return self.list_models()
        if match := TREE.fullmatch(path):
            kind, repo_id, revision = match["kind"], unquote(match["id"]), unquote(match["revision"])
            self.check_access(kind, repo_id, content=False)
            files = self.server.mirror.tree(kind, repo_id, revision)[1]
            return self.list_tree(files, unquote(match["path"] or "")) if match["what"] == "tree" else self.paths_info(files)
        if match := INFO.fullmatch(path):
            return self.describe(match["kind"], unquote(match["id"]), unquote(match["revision"] or "main"))
        if match := CDN.fullmatch(path):
            return self.send_file(*self.server.mirror.file(match["kind"], match["id"], match["revision"], unquote(match["path"])))
        if match := FILE.fullmatch(path):
            return self.resolve(match["kind"] or "models", unquote(match["id"]), unquote(match["revision"]), unquote(match["path"]))
        raise Missing("RepoNotFound")

    def token(self) -> str:
        return (self.headers.get("Authorization") or "").removeprefix("Bearer ")

    def check_access(self, kind: str, repo_id: str, content: bool):
        """Private repositories look missing; gated ones show what they hold but not the content."""
        info = self.server.mirror.info(kind, repo_id)
        if info.get("private") and not self.token():
            raise Missing("RepoNotFound")
        if content and info.get("gated") and self.token() != "hf_granted":
            raise Refused(403 if self.token() else 401, "GatedRepo", f"Access to model {repo_id} is restricted.")

    def list_models(self):
        rows = self.server.mirror.listing()
        for task in self.query.get("pipeline_tag", []) + self.query.get("filter", []):
            rows = [row for row in rows if row["pipeline_tag"] == task or task in row["tags"]]
        key = self.query.get("sort", ["downloads"])[0]
        rows.sort(key=lambda row: (-(row.get(key) or 0), row["id"]))
        self.send_page(rows)

    def describe(self, kind: str, repo_id: str, revision: str):
        self.check_access(kind, repo_id, content=False)
        self.send_json(self.server.mirror.info(kind, repo_id, revision))

    def list_tree(self, files, folder: str):
        prefix = folder.rstrip("/") + "/" if folder else ""
        inside = [file for file in files if file.path.startswith(prefix)]
        if folder and not inside:
            raise Missing("EntryNotFound")
        recursive = self.query.get("recursive", ["false"])[0].lower() in ("true", "1")
        depth = prefix.count("/")
        entries = {}
        for file in inside:
            parts = file.path.split("/")
            for end in range(depth + 1, len(parts) if recursive else min(len(parts), depth + 2)):
                path = "/".join(parts[:end])
                entries.setdefault(path, {"type": "directory", "path": path, "size": 0, "oid": "0" * 40})
            if recursive or len(parts) == depth + 1:
                entries[file.path] = file.tree_entry()
        self.send_page(list(entries.values()))

    def paths_info(self, files):
        if "json" in (self.headers.get("Content-Type") or ""):
            wanted = json.loads(self.body)["paths"]
        else:
            wanted = [value for name, value in parse_qsl(self.body.decode()) if name == "paths"]
        entries = [file.tree_entry() for file in files if file.path in wanted]
        entries += [{"type": "directory", "path": path, "size": 0, "oid": "0" * 40} for path in wanted
                    if any(file.path.startswith(path.rstrip("/") + "/") for file in files)]
        self.send_json(entries)

    def resolve(self, kind: str, repo_id: str, revision: str, path: str):
        self.check_access(kind, repo_id, content=True)
        commit, file, local = self.server.mirror.file(kind, repo_id, revision, path)
        if not file.sha256:
            return self.send_file(commit, file, local)
        self.send(302, b"", {"Location": f"{self.server.cdn_address}/cdn/{kind}/{repo_id}/{commit}/{quote(path)}",
                             "X-Repo-Commit": commit, "X-Linked-Size": str(file.size), "X-Linked-ETag": f'"{file.etag}"',
                             "ETag": f'"{file.etag}"'})

    def send_file(self, commit: str, file, local: Path):
        headers = {"ETag": f'"{file.etag}"', "X-Repo-Commit": commit, "Accept-Ranges": "bytes",
                   "Content-Type": "application/octet-stream"}
        start, end, status = 0, file.size, 200
        match = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range") or "")
        if_range = self.headers.get("If-Range")
        if match and not self.fault.get("ignore_range") and if_range in (None, headers["ETag"]):
            start, end, status = int(match[1]), min(file.size, int(match[2] or file.size) + 1), 206
            if start >= file.size:
                return self.send(416, b"", {"Content-Range": f"bytes */{file.size}"})
            headers["Content-Range"] = f"bytes {start}-{end - 1}/{file.size}"
        self.send_head(status, end - start, headers)
        if self.command != "HEAD":
            with local.open("rb") as content:
                self.send_content(content, start, end)

    def send_content(self, content, start: int, end: int):
        content.seek(start)
        position = start
        stop = min([end] + [start + self.fault[name] for name in ("cut_after", "stall_after") if name in self.fault])
        while position < stop:
            piece = bytearray(content.read(min(PIECE, stop - position)))
            if start <= position <= self.fault.get("flip_byte", -1) < position + len(piece):
                piece[self.fault["flip_byte"] - position] ^= 0xFF
            time.sleep(self.fault.get("slow_ms", 0) / 1000)
            self.count(len(piece))  # Before the client can have seen it: a test asks for the counters right after.
            self.wfile.write(piece)
            position += len(piece)
        if stop < end:
            self.wfile.flush()
            while "stall_after" in self.fault and not self.client_is_gone():
                time.sleep(0.02)
            self.close_connection = True

    def client_is_gone(self) -> bool:
        self.connection.setblocking(False)
        try:
            return self.connection.recv(1) == b""
        except BlockingIOError:
            return False
        except OSError:
            return True
        finally:
            self.connection.setblocking(True)

    def send_page(self, rows: list):
        """One page of a list; `Link` leads to the next."""
        start = int(self.query.get("cursor", ["0"])[0])
        length = min(self.fault.get("page", PAGE), int(self.query.get("limit", [PAGE])[0]))
        headers = {}
        if start + length < len(rows):
            query = {name: values for name, values in self.query.items() if name != "cursor"} | {"cursor": [start + length]}
            link = f"{self.server.address}{urlsplit(self.path).path}?{urlencode(query, doseq=True)}"
            headers["Link"] = f'<{link}>; rel="next"'
        self.send_json(rows[start:start + length], headers)

    def send_json(self, value, headers: dict | None = None):
        self.send(200, json.dumps(value).encode(), {"Content-Type": "application/json"} | (headers or {}))

    def send_refusal(self, refused: Refused):
        self.send(refused.status, json.dumps({"error": refused.message}).encode(),
                  {"Content-Type": "application/json", "X-Error-Code": refused.code, "X-Error-Message": refused.message})

    def send(self, status: int, content: bytes, headers: dict):
        self.send_head(status, len(content), headers)
        if self.command != "HEAD":
            self.count(len(content))
            self.wfile.write(content)

    def send_head(self, status: int, length: int, headers: dict):
        if self.entry is not None:
            self.entry["status"] = status
        self.send_response(status)
        for name, value in (headers | {"Content-Length": str(length)} | self.fault.get("headers", {})).items():
            self.send_header(name, value)
        self.end_headers()

    def count(self, num_bytes: int):
        if self.entry is not None:
            self.entry["bytes"] += num_bytes


def main():
    parser = argparse.ArgumentParser(prog="local_hub", description="Serve a local mirror as a Hub.")
    parser.add_argument("mirror", type=Path)
    parser.add_argument("--port", type=int, default=0, help="default: any free one")
    parser.add_argument("--port-file", type=Path, help="write the address into this file once the server is ready")
    parser.add_argument("--with-faults", action="store_true", help="obey /_control/ (tests)")
    options = parser.parse_args()

    faults = Faults() if options.with_faults else None
    mirror = Mirror(options.mirror)
    hub = LocalHub(options.port, mirror, faults)
    cdn = LocalHub(0, mirror, faults)
    hub.cdn_address = cdn.address
    threading.Thread(target=cdn.serve_forever, daemon=True).start()
    if options.port_file:
        unfinished = options.port_file.with_name(f".{options.port_file.name}.tmp")
        unfinished.write_text(hub.address)
        os.replace(unfinished, options.port_file)
    print(hub.address, flush=True)
    try:
        hub.serve_forever()
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
