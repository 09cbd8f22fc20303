"""A running `willitrun serve`, and a home for it."""
import json
import signal
import socket
import subprocess
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import sys

sys.path.insert(0, str(Path(__file__).parent.parent / "formats"))
from dataset_files import public_row, write_public  # noqa: E402

QWEN = "Qwen/Qwen3-0.6B"
LLAMA = "meta-llama/Llama-3.1-8B"
GPT2 = "openai-community/gpt2"
SCRIPT = "print('32 tokens')\n"
RANKED = [(QWEN, 9_000_000), (LLAMA, 5_000_000), (GPT2, 1_500_000), ("some/model-GGUF", 400)]
PATIENCE_S = 60  # of tests; nothing takes nearly as long


def make_home(program, folder: Path, more_models: list[tuple[str, int]] = ()) -> None:
    """Ranked models with their downloads, results on two stacks, and one text that tries to be HTML."""
    lists = folder / "lists"
    lists.mkdir()
    lines = [json.dumps({"id": name, "pipeline_tag": "text-generation", "library": "transformers", "downloads_30d": downloads,
                         "trending_score": 1, "formats": ["gguf" if name.endswith("GGUF") else "safetensors"]})
             for name, downloads in [*RANKED, *more_models]]
    (lists / "test_models_2026-10-01.jsonl").write_text("\n".join(lines) + "\n")
    old = [public_row(QWEN, neuronx_cc="2.27.1"), public_row(LLAMA, neuronx_cc="2.27.1")]
    new = [public_row(QWEN, neuronx_cc="2.28.1", run_py=SCRIPT, notes="<script>alert(1)</script>"),
           public_row(LLAMA, neuronx_cc="2.28.1", result="FAIL", error="out of memory <b>here</b>")]
    write_public(folder / "old.parquet", old)
    write_public(folder / "new.parquet", new)
    for arguments in (["rank", "import", str(lists)], ["data", "import", str(folder / "old.parquet")],
                      ["data", "import", str(folder / "new.parquet")], ["data", "export"]):
        answer = program(*arguments)
        assert answer.status == 0, answer.err


def import_result(program, folder: Path, name: str) -> None:
    """Adds a result of a model that the home did not know."""
    write_public(folder / "more.parquet", [public_row(name, neuronx_cc="2.28.1")])
    answer = program("data", "import", str(folder / "more.parquet"))
    assert answer.status == 0, answer.err


@dataclass
class Reply:
    status: int
    headers: dict
    body: bytes

    def json(self):
        return json.loads(self.body)


class Server:
    """A server on a port that the system chose; ended by SIGTERM at the end of the block."""

    def __init__(self, program, *options: str, **environment: str):
        command = [program.binary, "serve", "--port", "0", *options]
        self.process = subprocess.Popen(command, env=program.environment | environment, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()
        assert self.url, self.process.stderr.read()
        parts = urlsplit(self.url)
        self.address = (parts.hostname, parts.port)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def ask_to_stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)

    def stop(self) -> int:
        if self.process.poll() is None:
            self.ask_to_stop()
        status = self.process.wait(timeout=PATIENCE_S)
        self.process.stdout.close()
        self.process.stderr.close()
        return status

    def connect(self) -> socket.socket:
        return socket.create_connection(self.address, timeout=PATIENCE_S)

    def request(self, path: str, method: str = "GET", body: bytes | None = None, **headers: str) -> Reply:
        """One request on a connection of its own; error statuses are replies too."""
        from http.client import HTTPConnection
        connection = HTTPConnection(*self.address, timeout=PATIENCE_S)
        try:
            connection.request(method, path, body=body, headers={name.replace("_", "-"): value for name, value in headers.items()})
            answer = connection.getresponse()
            return Reply(answer.status, dict(answer.getheaders()), answer.read())
        finally:
            connection.close()


def read_until_closed(connection: socket.socket) -> bytes:
    data = b""
    while piece := connection.recv(65536):
        data += piece
    return data


def read_reply(connection: socket.socket) -> bytes:
    """One whole reply with a Content-Length."""
    data = b""
    while b"\r\n\r\n" not in data:
        piece = connection.recv(65536)
        if not piece:
            return data
        data += piece
    head, body = data.split(b"\r\n\r\n", 1)
    length = next((int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")), 0)
    while len(body) < length:
        piece = connection.recv(65536)
        assert piece, "the connection ended in the middle of a reply"
        body += piece
    return head + b"\r\n\r\n" + body
