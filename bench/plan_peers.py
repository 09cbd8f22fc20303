"""What `willitrun plan` costs, beside the peers' answers to the same question in the same run.

  ninja -C build/release willitrun bench_header && .venv/bin/python bench/plan_peers.py [--json FILE]

Four checkpoints of public shapes (model_shapes.py) behind a Hub on this machine (loopback_hub.py) that counts requests and bytes.
Every program is a process of its own with an empty home: what is measured is the wait from the command to the answer, best of a few.
Peers: hf-mem, huggingface_hub's get_safetensors_metadata, accelerate's estimate-memory, Transformers on the meta device. They do
less: none of them knows what is loaded, sharded or cached.
"""
import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from figures import add_json_option, figure, report
from model_shapes import SHAPES, write

ROOT = Path(__file__).resolve().parent.parent
BENCH = ROOT / "bench"
PROGRAM = ROOT / "build" / "release" / "bin" / "willitrun"
PEERS = ROOT / "build" / "bench" / "peers"
COMMAND = ".venv/bin/python bench/plan_peers.py"
NUM_RANKED = 1000
COMMIT = "1" * 40

HF_MEM = """
import os, sys, httpx2
from hf_mem.cli import main

real = httpx2.AsyncClient.get

def get(self, url, **more):  # hf-mem asks huggingface.co whatever HF_ENDPOINT says
    return real(self, str(url).replace("https://huggingface.co", os.environ["HF_ENDPOINT"]), **more)

httpx2.AsyncClient.get = get
sys.argv = ["hf-mem", "--model-id", sys.argv[1], "--json-output"]
main()
"""
# name -> (program, how often: the best time counts)
PEER_PROGRAMS = {
    "hf-mem": (HF_MEM, 3),
    "huggingface_hub get_safetensors_metadata":
        ("import sys, huggingface_hub as h; print(h.get_safetensors_metadata(sys.argv[1]).parameter_count)", 3),
    "accelerate estimate-memory":
        ("import sys; from accelerate.commands.estimate import main; sys.argv += ['--library_name', 'transformers']; main()", 1),
    "Transformers on meta":
        ("import sys, torch; from transformers import AutoConfig, AutoModelForCausalLM as M; c = AutoConfig.from_pretrained(sys.argv[1]);\n"
         "with torch.device('meta'): print(sum(p.numel() for p in M._model_mapping[type(c)](c).parameters()))", 1),
}
PYTHON_PARSE = """
import json, pathlib, struct, sys, time
texts = []
for path in pathlib.Path(sys.argv[1]).glob("*.safetensors"):
    with open(path, "rb") as file:
        texts.append(file.read(struct.unpack("<Q", file.read(8))[0]))
times = []
for _ in range(5):
    start = time.process_time()
    parsed = [json.loads(text) for text in texts]
    times.append((time.process_time() - start) * 1000)
print(min(times))
"""


class ProgramFailed(Exception):
    """A program ended with another status than its answer has."""


class CountingHub:
    """A loopback Hub that tells what one program asked."""

    def __init__(self, root: Path):
        self.server = subprocess.Popen([sys.executable, BENCH / "loopback_hub.py", root], stdout=subprocess.PIPE, text=True)
        self.endpoint = self.server.stdout.readline().strip()

    def ask(self, what: str) -> dict:
        with urllib.request.urlopen(f"{self.endpoint}/{what}") as answer:
            return json.load(answer)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.kill()
        self.server.wait()


def run(command, environment, may_fail_with=0) -> tuple[float, int]:
    """Seconds from start to end and the most memory in bytes."""
    with tempfile.TemporaryFile() as output:
        begin = time.perf_counter()
        process = subprocess.Popen(list(map(str, command)), env=environment, stdout=output, stderr=output)
        _, status, usage = os.wait4(process.pid, 0)
        elapsed = time.perf_counter() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in (0, may_fail_with):
            output.seek(0)
            raise ProgramFailed(f"{command[0]} {command[1]} failed:\n{output.read().decode()[-2000:]}")
    return elapsed, usage.ru_maxrss * 1024


def environment_of(home: Path, hub: CountingHub | None = None, **more: str) -> dict:
    home.mkdir()
    return {"PATH": os.environ["PATH"], "HOME": str(home), "WILLITRUN_HOME": str(home / "willitrun"), "HF_HOME": str(home / "hf"),
            "PYTHONPATH": str(PEERS), "HF_HUB_DISABLE_XET": "1", "HF_HUB_DISABLE_TELEMETRY": "1", "TORCH_DEVICE_BACKEND_AUTOLOAD": "0",
            **({"HF_ENDPOINT": hub.endpoint} if hub else {}), **more}  # fmt: skip


class Homes:
    """A new empty home for each process."""

    def __init__(self, root: Path):
        self.root, self.count = root, 0

    def new(self) -> Path:
        self.count += 1
        return self.root / f"home-{self.count}"


def cost(command, hub, homes, rounds, may_fail_with=0) -> tuple[float, int, int]:
    """Best seconds, and the requests and bytes of one run."""
    times = []
    for _ in range(rounds):
        hub.ask("_reset")
        times.append(run(command, environment_of(homes.new(), hub), may_fail_with)[0])
    counters = hub.ask("_counters")
    return min(times), counters["requests"], counters["bytes"]


def over_the_hub(hub, homes, least_bytes) -> list[dict]:
    rows = []
    for shape in SHAPES:
        model = f"bench/{shape}"
        # The status is 1 when the answer is that the model does not fit.
        seconds, requests, size = cost([PROGRAM, "plan", "--json", model], hub, homes, 5, may_fail_with=1)
        for name, (source, rounds) in PEER_PROGRAMS.items():
            try:
                theirs, their_requests, their_bytes = cost([sys.executable, "-c", source, model], hub, homes, rounds)
            except ProgramFailed as failure:
                if name == "hf-mem":
                    raise
                last_line = str(failure).strip().splitlines()[-1]
                rows.append(figure(f"plan {shape} over a loopback Hub", "s", round(seconds, 4), COMMAND, peer_name=f"{name} fails: {last_line[:90]}"))
                continue
            goal = "a tenth of the peer's" if name == "hf-mem" else None
            rows.append(figure(f"plan {shape} over a loopback Hub", "s", round(seconds, 4), COMMAND, peer=round(theirs, 3), peer_name=name, goal=goal))
            if name == "hf-mem":
                bound = round(1.1 * least_bytes[shape]) if SHAPES[shape][2] > 3 else None
                rows.append(figure(f"plan {shape}: bytes", "bytes", size, COMMAND, peer=their_bytes, peer_name=name, goal=bound))
                rows.append(figure(f"plan {shape}: requests", "requests", requests, COMMAND, peer=their_requests, peer_name=name))
    return rows


def header_parse(root) -> list[dict]:
    folders = {"90,427 tensors in 158 files": ("DeepSeek-V3", 10), "291 tensors in 4 files": ("Llama-3.1-8B", 0.1)}
    rows = []
    for name, (shape, goal) in folders.items():
        folder = root / "bench" / shape
        ours = json.loads(subprocess.check_output([ROOT / "build/release/bin/bench_header", folder]))["ms"]
        peer = float(subprocess.check_output([sys.executable, "-c", PYTHON_PARSE, folder]))
        rows.append(figure(f"parse and check headers, {name}", "ms", ours, COMMAND, peer=round(peer, 2), peer_name="Python's json, unchecked", goal=goal))
    return rows


def from_a_folder(root, homes) -> list[dict]:
    environment = environment_of(homes.new())
    best = min(run([PROGRAM, "plan", "--json", root / "bench" / "Qwen3-0.6B"], environment)[0] for _ in range(21))
    return [figure("plan a local folder, process start to answer", "ms", round(best * 1000, 2), COMMAND, goal=25)]


def fill_cache(cache, names, root):
    """A cache of huggingface_hub's layout that holds models of two shapes under many names."""
    for number, name in enumerate(names):
        source = root / "bench" / ("Qwen3-0.6B", "Llama-3.1-8B")[number % 2]
        repository = cache / f"models--{name.replace('/', '--')}"
        for folder in ("refs", "blobs", f"snapshots/{COMMIT}"):
            (repository / folder).mkdir(parents=True)
        (repository / "refs" / "main").write_text(COMMIT)
        for file in source.iterdir():
            blob = hashlib.sha256(file.name.encode()).hexdigest()
            (repository / "blobs" / blob).hardlink_to(file)
            (repository / "snapshots" / COMMIT / file.name).symlink_to(f"../../blobs/{blob}")


def ranked_models(root, homes) -> list[dict]:
    """Models that lie in the user's cache of the Hub, planned without any network."""
    names = [f"ranked/model-{number:04}" for number in range(NUM_RANKED)]
    home = homes.new()
    environment = environment_of(home, HF_HUB_OFFLINE="1")
    fill_cache(home / "hf" / "hub", names, root)
    best, memory = min(run([PROGRAM, "plan", "--json", *names], environment) for _ in range(3))
    return [figure(f"plan {NUM_RANKED} models from the local store", "s", round(best, 3), COMMAND, goal=3),
            figure(f"plan {NUM_RANKED} models from the local store: memory", "MB", round(memory / 1e6, 1), COMMAND, goal=200)]  # fmt: skip


def install_peers():
    if not (PEERS / "hf_mem").is_dir():
        subprocess.run([sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", PEERS, "-r", BENCH / "requirements.lock"], check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_json_option(parser)
    options = parser.parse_args()
    install_peers()
    with tempfile.TemporaryDirectory() as folder:
        root, homes = Path(folder) / "hub", Homes(Path(folder))
        least_bytes = {shape: write(root / "bench" / shape, shape) for shape in SHAPES}
        with CountingHub(root) as hub:
            rows = [*header_parse(root), *from_a_folder(root, homes), *ranked_models(root, homes), *over_the_hub(hub, homes, least_bytes)]
    report(rows, options.json)


if __name__ == "__main__":
    main()
