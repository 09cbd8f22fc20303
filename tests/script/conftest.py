"""The tiny models that the scripts are run with, made once."""

import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
os.environ.setdefault("TORCH_DEVICE_BACKEND_AUTOLOAD", "0")
os.environ.setdefault("HF_HUB_OFFLINE", "1")

from running import Bench  # noqa: E402  (after the path)

from zoo.tiny import KINDS, make_tiny  # noqa: E402


def fewest_layers(kind: str) -> dict:
    """One layer where that is possible: what takes time here is the tracing of layers."""
    if kind == "rwkv":
        return {}
    return {"num_hidden_layers": 1} | ({"layer_types": ["full_attention"]} if kind == "gpt_oss" else {})


@pytest.fixture(scope="session")
def bench(tmp_path_factory) -> Bench:
    bench = Bench(tmp_path_factory.mktemp("scripts"))
    for kind in KINDS:
        bench.add(f"tiny/{kind}", KINDS[kind].task, lambda folder: make_tiny(kind, folder, **fewest_layers(kind)))
    return bench


@pytest.fixture(scope="session")
def reference(bench):
    """Makes the reference run of a golden script, each once."""
    known = {}

    def run(golden: str, model_id: str):
        if (golden, model_id) not in known:
            known[golden, model_id] = bench.run(golden, model_id, "--reference", "--logits", "logits.npy")
        return known[golden, model_id]

    return run
