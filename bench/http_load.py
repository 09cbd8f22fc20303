"""Loads a server over a home of 16,000 models, and nginx with the same bytes as files.

  .venv/bin/python bench/http_load.py [--seconds 10] [--soak-minutes 0] [--json FILE]

Measured on build/release/bin/willitrun (WILLITRUN_BINARY names another), with wrk from Debian:
  search       999 requests a second over 37 connections, p99; then the most that wrk gets through
  page         the answer about one model, the same
  crowd        search again while 10,000 connections lie idle and 200 clients send a byte every now and then
  swap         results are imported while wrk asks: how many requests fail (the aim is none)
  soak         memory of the server before and after minutes of all that (only with --soak-minutes)
nginx, where it is installed, serves a file with the very bytes, so what it takes is what the machine and wrk take; it searches nothing.
"""
import argparse
import json
import os
import random
import re
import resource
import selectors
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import urlopen

from figures import add_json_option, figure, report

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "formats"))
from dataset_files import public_row, write_public  # noqa: E402

BINARY = os.environ.get("WILLITRUN_BINARY", str(ROOT / "build" / "release" / "bin" / "willitrun"))
# Not among the packages that tools/setup installs: it would start a service of its own.
NGINX = shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin")
COMMAND = "python3 bench/http_load.py"
NUM_MODELS = 16_000
NUM_TESTED = 2_000
CONNECTIONS, DELAY_MS = 37, 37  # each connection waits that long between requests: 1,000 a second at most
NUM_IDLE, NUM_SLOW = 10_000, 200
SEARCH = "/api/v1/models?q=qwen&view=downloads&limit=50"

# wrk's own percentiles, told by the script so that nothing is read off a table for people.
SCRIPT = """
local delay_ms = tonumber(os.getenv("DELAY_MS"))
if delay_ms > 0 then function delay() return delay_ms end end
function done(summary, latency, requests)
  io.write(string.format("RESULT %d %d %d %f %f\\n", summary.requests, summary.errors.status,
    summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout,
    latency:percentile(99) / 1000, summary.requests / (summary.duration / 1000000)))
end
"""


def make_home(folder: Path) -> dict:
    """Synthetic names in the shape of the Hub's, results on two stacks."""
    rng = random.Random(7)
    families = ["Qwen3", "Llama-3.1", "gemma-3", "Mistral", "phi-4", "gpt-oss", "SmolLM2", "DeepSeek-R1"]
    names = sorted({f"{rng.choice(['Qwen', 'meta-llama', 'google', 'unsloth', 'org' + str(rng.randrange(3000))])}/"
                    f"{rng.choice(families)}-{rng.randrange(1, 700)}B-{rng.choice(['Instruct', 'Base', 'it', 'Chat'])}-{number}"
                    for number in range(NUM_MODELS)})
    lists = folder / "lists"
    lists.mkdir()
    lines = [json.dumps({"id": name, "pipeline_tag": rng.choice(["text-generation", "image-text-to-text"]), "library": "transformers",
                         "downloads_30d": rng.randrange(10**7), "trending_score": rng.randrange(100), "formats": ["safetensors"]})
             for name in names]
    (lists / "bench_models_2026-10-01.jsonl").write_text("\n".join(lines) + "\n")
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "WILLITRUN_HOME": str(folder / "home")}
    commands = [["rank", "import", str(lists)]]
    for compiler in ("2.27.1", "2.28.1"):
        rows = [public_row(name, neuronx_cc=compiler, result=rng.choice(["PASS", "PASS", "FAIL"]), run_py="print(1)\n" * 200)
                for name in names[:NUM_TESTED]]
        commands.append(["data", "import", str(write_public(folder / f"{compiler}.parquet", rows))])
    for arguments in commands:
        subprocess.run([BINARY, *arguments], env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return environment


class Ours:
    def __init__(self, environment: dict):
        self.process = subprocess.Popen([BINARY, "serve", "--port", "0", "-q"], env=environment, stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip().rstrip("/")

    def memory_mib(self) -> float:
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=60)


class Nginx:
    """Serves bytes at a path, from files."""

    def __init__(self, folder: Path, bodies: dict[str, bytes]):
        with socket.socket() as probe:  # nginx cannot choose a port itself
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        root = folder / "nginx"
        for name, body in bodies.items():
            (root / "files" / name).parent.mkdir(parents=True, exist_ok=True)
            (root / "files" / name).write_bytes(body)
        (root / "nginx.conf").write_text(f"""
pid {root}/pid; error_log {root}/error.log; worker_processes 2; daemon off;
events {{ worker_connections 4096; }}
http {{ access_log off; default_type application/json; keepalive_requests 100000000; open_file_cache max=100;
  client_body_temp_path {root}/b; proxy_temp_path {root}/p; fastcgi_temp_path {root}/f; uwsgi_temp_path {root}/u; scgi_temp_path {root}/s;
  server {{ listen 127.0.0.1:{port}; root {root}/files; }} }}
""")
        self.process = subprocess.Popen([NGINX, "-c", root / "nginx.conf"], stderr=subprocess.DEVNULL)
        self.url = f"http://127.0.0.1:{port}"
        for _ in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return
            time.sleep(0.05)
        raise SystemExit("nginx does not start")

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=60)


def start_wrk(url: str, seconds: float, script: Path, *, steady: bool) -> subprocess.Popen:
    return subprocess.Popen(["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds:g}s", "-s", script, url],
                            env=os.environ | {"DELAY_MS": str(DELAY_MS if steady else 0)}, stdout=subprocess.PIPE, text=True)


def outcome(wrk: subprocess.Popen) -> dict:
    line = next(line for line in wrk.communicate()[0].splitlines() if line.startswith("RESULT"))
    requests, bad, broken, p99_ms, per_second = map(float, line.split()[1:])
    if requests == 0:
        raise SystemExit("wrk made no request")
    return {"requests": requests, "failed": bad + broken, "p99_ms": p99_ms, "per_second": per_second}


def load(url: str, seconds: float, script: Path, *, steady: bool) -> dict:
    return outcome(start_wrk(url, seconds, script, steady=steady))


class Crowd:
    """Connections that do nothing, and some that send a header byte by byte."""

    def __init__(self, url: str):
        parts = urlsplit(url)
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        self.sockets = [socket.create_connection((parts.hostname, parts.port)) for _ in range(NUM_IDLE + NUM_SLOW)]
        self.slow = self.sockets[NUM_IDLE:]

    def send_a_byte_each(self) -> None:
        for connection in self.slow:
            connection.send(b"G")

    def open_ones(self) -> int:
        """How many the server has not closed."""
        with selectors.DefaultSelector() as selector:
            for connection in self.sockets[:NUM_IDLE]:
                selector.register(connection, selectors.EVENT_READ)
            return NUM_IDLE - len(selector.select(timeout=0))

    def leave(self) -> None:
        for connection in self.sockets:
            connection.close()


def measure_paths(ours: Ours, folder: Path, environment: dict, script: Path, seconds: float) -> list[dict]:
    with urlopen(ours.url + "/api/v1/models?view=downloads&limit=1&where=is:pass") as answer:
        model = json.load(answer)["rows"][0]["model_id"]
    paths = {"search": SEARCH, "one model": f"/api/v1/models/{model}"}
    bodies = {f"{number}.json": urlopen(ours.url + path).read() for number, path in enumerate(paths.values())}
    nginx = Nginx(folder, bodies) if NGINX else None
    results = []
    try:
        for number, (name, path) in enumerate(paths.items()):
            for steady, unit, key, goal in ((True, "ms", "p99_ms", 5), (False, "1/s", "per_second", "many")):
                mine = load(ours.url + path, seconds, script, steady=steady)
                peer = load(f"{nginx.url}/{number}.json", seconds, script, steady=steady)[key] if nginx else None
                what = f"p99 at {mine['per_second']:.0f} requests/s" if steady else "requests per second"
                results.append(figure(f"http {name}: {what}", unit, mine[key], COMMAND, peer=peer,
                                      peer_name="nginx, the same bytes as a file" if nginx else None, goal=goal))
    finally:
        if nginx:
            nginx.stop()
    return results


def measure_crowd(ours: Ours, script: Path, seconds: float) -> list[dict]:
    before = ours.memory_mib()
    crowd = Crowd(ours.url)
    wrk = start_wrk(ours.url + SEARCH, seconds, script, steady=True)
    while wrk.poll() is None:
        crowd.send_a_byte_each()
        time.sleep(0.5)
    mine = outcome(wrk)
    still_open, grown = crowd.open_ones(), ours.memory_mib() - before
    crowd.leave()
    return [figure(f"http search: p99 beside {still_open} idle connections and {NUM_SLOW} slow clients", "ms", mine["p99_ms"], COMMAND, goal=5),
            figure("http: memory per idle connection", "KiB", grown * 1024 / (NUM_IDLE + NUM_SLOW), COMMAND, goal="small")]


def measure_swap(ours: Ours, folder: Path, environment: dict, script: Path, seconds: float) -> list[dict]:
    wrk = start_wrk(ours.url + SEARCH, max(seconds, 10), script, steady=True)
    swaps = 0
    while wrk.poll() is None:
        rows = [public_row(f"swap/model-{swaps}-{number}", neuronx_cc="2.28.1") for number in range(10)]
        subprocess.run([BINARY, "data", "import", str(write_public(folder / "swap.parquet", rows))], env=environment, check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        swaps += 1
        time.sleep(2)
    mine = outcome(wrk)
    return [figure(f"http: failed requests of {mine['requests']:.0f} over {swaps} swaps of the snapshot", "", mine["failed"], COMMAND, goal=0)]


def soak(ours: Ours, script: Path, minutes: float) -> list[dict]:
    load(ours.url + SEARCH, 10, script, steady=True)
    warm = ours.memory_mib()
    load(ours.url + SEARCH, minutes * 60, script, steady=True)
    return [figure(f"http: memory grown in {minutes:g} minutes at 1,000 requests/s (from {warm:.0f} MiB)", "MiB",
                   ours.memory_mib() - warm, COMMAND + f" --soak-minutes {minutes:g}", goal=1)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=10, help="of each run of wrk")
    parser.add_argument("--soak-minutes", type=float, default=0)
    add_json_option(parser)
    options = parser.parse_args()
    if not shutil.which("wrk"):
        raise SystemExit("wrk is missing: tools/setup installs it")
    if not NGINX:
        print("nginx is missing, so there is no peer: apt-get install nginx-light", file=sys.stderr)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.chmod(folder, 0o755)  # nginx's workers are another user
        script = folder / "load.lua"
        script.write_text(SCRIPT)
        environment = make_home(folder)
        ours = Ours(environment)
        try:
            figures = measure_paths(ours, folder, environment, script, options.seconds)
            figures += measure_crowd(ours, script, options.seconds)
            figures += measure_swap(ours, folder, environment, script, options.seconds)
            if options.soak_minutes:
                figures += soak(ours, script, options.soak_minutes)
        finally:
            ours.stop()
    report(figures, options.json)


if __name__ == "__main__":
    main()
