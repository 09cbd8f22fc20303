"""A local Hub (python/local_hub) that serves a mirror with small repositories."""
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

from zoo.mirror import Mirror  # noqa: E402

CONFIG = json.dumps({"architectures": ["LlamaForCausalLM"], "model_type": "llama"}).encode()


class Repositories:
    """Adds repositories to a mirror."""

    def __init__(self, root: Path):
        self.root = root
        self.mirror = Mirror(root)

    def add_model(self, repo_id: str, files: dict[str, bytes] | None = None, **facts):
        def fill(folder: Path):
            for path, content in ({"config.json": CONFIG} | (files or {})).items():
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / path).write_bytes(content)

        self.mirror.add(repo_id, {"pipeline_tag": "text-generation", "tags": []} | facts, fill)

    def add_dataset(self, repo_id: str, files: dict[str, bytes]):
        self.add_model(repo_id, files)
        target = self.root / "datasets" / repo_id
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(self.root / "models" / repo_id, target)


@pytest.fixture(scope="module")
def repositories(tmp_path_factory) -> Repositories:
    return Repositories(tmp_path_factory.mktemp("hub") / "mirror")


@pytest.fixture(scope="module")
def endpoint(repositories):
    """The address of a local Hub that serves the repositories."""
    server = subprocess.Popen([sys.executable, ROOT / "python" / "local_hub", repositories.root], stdout=subprocess.PIPE, text=True)
    yield server.stdout.readline().strip()
    server.kill()
    server.wait()
