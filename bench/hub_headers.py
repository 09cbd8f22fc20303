"""What reading weight headers costs: requests, bytes and time, ours and huggingface_hub's get_safetensors_metadata.

  cmake --preset release && ninja -C build/release bench_hub_headers && .venv/bin/python bench/hub_headers.py

Both ask a local Hub on this machine that sends content with a pause of 20 ms before each piece, about a CDN's distance. Ours
reads the Hub's list of files too, the peer the weight index. Both keep their connections over the rounds.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

os.environ["HF_HUB_DISABLE_PROGRESS_BARS"] = "1"  # Read when huggingface_hub is imported.
import huggingface_hub  # noqa: E402
from figures import add_json_option, figure, report  # noqa: E402

from zoo.mirror import Mirror  # noqa: E402

PROGRAM = ROOT / "build" / "release" / "bin" / "bench_hub_headers"
ROUNDS = 9
NUM_SHARDS = 30
CONFIG = {"architectures": ["LlamaForCausalLM"], "model_type": "llama"}


def weights(first: int, num_tensors: int) -> bytes:
    """A file with as many tensors as a shard of a large model has, and names of the usual length; the data are short."""
    size = 2 * 64 * 160
    header = {f"model.layers.{first + i}.self_attn.q_proj.weight":
              {"dtype": "BF16", "shape": [64, 160], "data_offsets": [size * i, size * (i + 1)]} for i in range(num_tensors)}
    text = json.dumps(header, separators=(",", ":")).encode()
    return len(text).to_bytes(8, "little") + text + bytes(size * num_tensors)


def fill_one(folder: Path):
    (folder / "config.json").write_text(json.dumps(CONFIG))
    (folder / "model.safetensors").write_bytes(weights(0, 290))


def fill_shards(folder: Path):
    (folder / "config.json").write_text(json.dumps(CONFIG))
    weight_map = {}
    for shard in range(NUM_SHARDS):
        name = f"model-{shard + 1:05}-of-{NUM_SHARDS:05}.safetensors"
        content = weights(1000 * shard, 40)
        (folder / name).write_bytes(content)
        header = json.loads(content[8:8 + int.from_bytes(content[:8], "little")])
        weight_map |= dict.fromkeys(header, name)
    (folder / "model.safetensors.index.json").write_text(json.dumps({"metadata": {}, "weight_map": weight_map}))


class Counted:
    """A local Hub whose counters can be asked."""

    def __init__(self, mirror: Path):
        self.server = subprocess.Popen([sys.executable, ROOT / "python" / "local_hub", mirror, "--with-faults"],
                                       stdout=subprocess.PIPE, text=True)
        self.endpoint = self.server.stdout.readline().strip()

    def ask(self, command: str) -> dict:
        with urllib.request.urlopen(f"{self.endpoint}/_control/{command}") as answer:
            return json.load(answer)

    def cost(self, work) -> tuple[float, float, float]:
        """What `work` measured, and requests and bytes of one of its rounds."""
        self.ask("reset")
        faults = json.dumps([{"path": "/cdn/", "slow_ms": 20}])
        self.ask("set?faults=" + urllib.parse.quote(faults))
        milliseconds = work()
        counters = self.ask("counters")
        return milliseconds, counters["requests"] / ROUNDS, counters["bytes"] / ROUNDS


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_json_option(parser)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        mirror = Mirror(Path(folder) / "mirror")
        mirror.add("bench/one", {"pipeline_tag": "text-generation", "tags": []}, fill_one)
        mirror.add("bench/shards", {"pipeline_tag": "text-generation", "tags": []}, fill_shards)
        hub = Counted(Path(folder) / "mirror")
        api = huggingface_hub.HfApi(endpoint=hub.endpoint, token=False)
        rows = []
        for model in ("bench/one", "bench/shards"):
            def theirs():
                times = []
                for _ in range(ROUNDS):
                    start = time.perf_counter()
                    api.get_safetensors_metadata(model)
                    times.append((time.perf_counter() - start) * 1000)
                return statistics.median(times)

            def ours():
                command = [PROGRAM, hub.endpoint, model, str(ROUNDS)]
                return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)

            for unit, mine, peer in zip(("ms", "requests", "bytes"), hub.cost(ours), hub.cost(theirs)):
                rows.append(figure(f"headers of {model}", unit, round(mine, 1), ".venv/bin/python bench/hub_headers.py",
                                   peer=round(peer, 1), peer_name=f"huggingface_hub {huggingface_hub.__version__}",
                                   goal="at most the peer's"))
        hub.server.kill()
        hub.server.wait()
    report(rows, options.json)


if __name__ == "__main__":
    main()
