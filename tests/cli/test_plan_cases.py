"""Public bug reports and rules of the file format as small checkpoints with the plan that they must get.

Each folder of tests/plan_cases holds a case.json: `why`, the configuration, the tensors (`{0..3}` in a name stands for
several), files with a given content, changes to the index, the memory of a core, arguments, and what the plan must say. With
`hub` the model is asked of a Hub that refuses its config.json with that status and error code. A key of `expect` is
a path into the JSON; `options[cores=4].fits` picks an option, a `~` at the end asks for a part of the text, and `notes`
lists codes that must be among the notes.
"""
import contextlib
import http.server
import itertools
import json
import re
import struct
import threading

import pytest

from program import ROOT

CASES = sorted((ROOT / "tests" / "plan_cases").glob("*/case.json"))
BITS = {"BOOL": 8, "U8": 8, "I8": 8, "F8_E4M3": 8, "F8_E5M2": 8, "F8_E8M0": 8, "F4": 4, "I16": 16, "F16": 16, "BF16": 16, "I32": 32,
        "U32": 32, "F32": 32, "F64": 64, "I64": 64}


def several(name):
    """`a.{0..2}.b` -> a.0.b, a.1.b, a.2.b."""
    parts = re.split(r"\{(\d+)\.\.(\d+)\}", name)
    ranges = [range(int(a), int(b) + 1) for a, b in zip(parts[1::3], parts[2::3])]
    for numbers in itertools.product(*ranges):
        yield "".join(itertools.chain.from_iterable(zip(parts[0::3], [*map(str, numbers), ""])))


def write_weights(path, tensors, padding=0):
    """A weight file with a real header and a hole for the data."""
    header, offset = {}, 0
    for name, dtype, shape in tensors:
        size = BITS[dtype]
        for dimension in shape:
            size *= dimension
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [offset, offset + size // 8]}
        offset += size // 8
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8 + padding)
    write_sparse(path, struct.pack("<Q", len(text)) + text, offset)


def write_sparse(path, start, data_bytes):
    with open(path, "wb") as file:
        file.write(start)
        file.truncate(len(start) + data_bytes)


def write_shards(folder, tensors, count, changes):
    names = [f"model-{number:05}-of-{count:05}.safetensors" for number in range(1, count + 1)]
    places, index = {}, {"metadata": changes.get("metadata", {})}
    for number, name in enumerate(names):
        part = tensors[number::count]
        write_weights(folder / name, part)
        places.update((tensor[0], name) for tensor in part)
    places = {tensor: name for tensor, name in places.items() if name != changes.get("drop_entries_of")} | changes.get("add", {})
    if "remove_file" in changes:
        (folder / changes["remove_file"]).unlink()
    (folder / "model.safetensors.index.json").write_text(json.dumps(index | {"weight_map": places}))


def write_file(path, content):
    if "text" in content:
        path.write_text(content["text"])
    elif "hex" in content:
        start = bytes.fromhex(content["hex"])
        write_sparse(path, start, content["size"] - len(start))
    else:
        text = content["header"].encode()
        write_sparse(path, struct.pack("<Q", len(text)) + text, content.get("data", 0))


def make_checkpoint(folder, case):
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps(case["config"]))
    tensors = [(name, dtype, shape) for pattern, dtype, shape in case.get("tensors", []) for name in several(pattern)]
    if "shards" in case:
        write_shards(folder, tensors, case["shards"], case.get("index", {}))
    elif tensors:
        write_weights(folder / "model.safetensors", tensors, case.get("header_padding", 0))
    for name, content in case.get("files", {}).items():
        write_file(folder / name, content)


def look_up(document, path):
    for part in re.findall(r"[^.\[\]]+|\[[^\]]*\]", path):
        if part.startswith("["):
            wanted = dict(pair.split("=") for pair in part[1:-1].split(","))
            document = next(entry for entry in document if all(str(entry[key]) == value for key, value in wanted.items()))
        else:
            document = document[part]
    return document


@contextlib.contextmanager
def refusing_hub(status, error_code):
    """A Hub that shows what a model holds, but refuses each of its files."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            if not self.path.startswith("/api/"):
                return self.answer(status, {"error": "Access to this model is restricted."}, {"X-Error-Code": error_code} if error_code else {})
            file = {"type": "file", "path": "config.json", "size": 2, "oid": "0" * 40}
            info = {"id": "owner/name", "sha": "1" * 40, "gated": False, "private": False, "tags": [], "siblings": [{"rfilename": "config.json"}]}
            self.answer(200, [file] if "/tree/" in self.path else info, {})

        def answer(self, status, document, headers):
            body = json.dumps(document).encode()
            self.send_response(status)
            for name, value in (headers | {"Content-Type": "application/json", "Content-Length": str(len(body))}).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        do_HEAD = do_GET

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def data_with_core(folder, memory_bytes, reserve_bytes):
    """Data files whose trn2 has other cores."""
    (folder / "targets").mkdir(parents=True)
    (folder / "plans").symlink_to(ROOT / "plans")
    text = (ROOT / "targets" / "trn2.toml").read_text()
    text = re.sub(r"(?m)^memory_bytes = \S+", f"memory_bytes = {memory_bytes}", text)
    text = re.sub(r"(?m)^reserve_bytes = \S+", f"reserve_bytes = {reserve_bytes}", text)
    (folder / "targets" / "trn2.toml").write_text(text)
    return folder


@pytest.mark.parametrize("path", CASES, ids=[path.parent.name for path in CASES])
def test_case(path, program, tmp_path):
    case = json.loads(path.read_text())
    model, environment = tmp_path / "model", {}
    with contextlib.ExitStack() as stack:
        if "hub" in case:
            model = "owner/name"
            environment["HF_ENDPOINT"] = stack.enter_context(refusing_hub(**case["hub"]))
        else:
            make_checkpoint(model, case)
        if "core_memory_bytes" in case:
            environment["WILLITRUN_DATA"] = str(data_with_core(tmp_path / "data", case["core_memory_bytes"], case["reserve_bytes"]))
        answer = program("plan", "--json", *case.get("arguments", []), str(model), **environment)
    plan = answer.json()
    assert answer.status == case["exit_status"], answer.out
    for key, wanted in case["expect"].items():
        if key == "notes":
            assert set(wanted) <= {note["code"] for note in plan["notes"]}, plan["notes"]
        elif key.endswith("~"):
            assert wanted in look_up(plan, key[:-1])
        else:
            assert look_up(plan, key) == wanted, f"{key}: {answer.out}"
