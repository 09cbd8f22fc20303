"""Fixtures of the golden and the crash suite: tiny models, a local Hub that serves them, a lab to test them in."""
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from models import Model

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent


@pytest.fixture(scope="session")
def golden_folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("golden")


@pytest.fixture(scope="session")
def models(golden_folder) -> Path:
    """The folder of the mirror and of the broken local models. Made in a process of its own: it imports PyTorch."""
    make = "import sys; from pathlib import Path; from models import make_models; make_models(*map(Path, sys.argv[1:]))"
    environment = os.environ | {"TORCH_DEVICE_BACKEND_AUTOLOAD": "0", "HF_HUB_OFFLINE": "1"}
    arguments = [golden_folder / "mirror", golden_folder / "folders"]
    subprocess.run([sys.executable, "-c", make, *arguments], cwd=HERE, env=environment, check=True, timeout=300)
    return golden_folder


@pytest.fixture(scope="session")
def endpoint(models):
    """The address of a local Hub that serves the models."""
    server = subprocess.Popen(
        [sys.executable, ROOT / "python" / "local_hub", models / "mirror"], stdout=subprocess.PIPE, text=True
    )
    yield server.stdout.readline().strip()
    server.kill()
    server.wait()


@pytest.fixture(scope="session")
def data(golden_folder) -> Path:
    """A data folder with the project's own plans and scripts, but targets and exclusions of its own."""
    folder = golden_folder / "data"
    (folder / "targets").mkdir(parents=True)
    (folder / "selections").mkdir()
    for name in ("plans", "python"):
        (folder / name).symlink_to(ROOT / name)
    cpu = (ROOT / "targets" / "cpu.toml").read_text()
    for name, memory in (("golden", "536_870_912"), ("golden-small", "450_000"), ("golden-tiny", "100_000")):
        text = cpu.replace('name = "cpu"', f'name = "{name}"').replace("536_870_912", memory)
        (folder / "targets" / f"{name}.toml").write_text(text)
    neuron = (ROOT / "targets" / "trn2-emulated.toml").read_text()
    (folder / "targets" / "golden-neuron.toml").write_text(neuron.replace('"trn2-emulated"', '"golden-neuron"', 1))
    (folder / "selections" / "selected.toml").symlink_to(ROOT / "selections" / "selected.toml")
    (folder / "selections" / "exclusions.toml").write_text(
        '[[exclusion]]\nmodel = "golden/excluded"\nkind = "priority"\nreason = "not now"\nowner = "golden"\n'
    )
    return folder


class Lab:
    """Runs `willitrun test` on one golden model at a time, in one home."""

    def __init__(self, binary: Path, home: Path, models: Path, endpoint: str, data: Path):
        self.command = [binary, "test", "--json", "--memory", "3"]
        self.models = models
        self.home = home / "willitrun"
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": str(home), "WILLITRUN_HOME": str(self.home), "LC_ALL": "C.UTF-8",
            "HF_ENDPOINT": endpoint, "HF_HUB_CACHE": str(home / "no-cache"), "WILLITRUN_DATA": str(data),
            "WILLITRUN_ENVIRONMENT": str(ROOT / ".venv"),
        }  # fmt: skip

    def command_for(self, model: Model) -> list:
        name = str(self.models / "folders" / model.name) if model.local else model.model_id
        limits = ["--timeout", str(model.timeout_s), "--silence", str(model.silence_s)]
        remote_code = ["--allow-remote-code"] if model.remote_code else []
        return [*self.command, "--target", model.target, *limits, *remote_code, name]

    def test(self, model: Model) -> subprocess.CompletedProcess:
        return subprocess.run(self.command_for(model), capture_output=True, text=True, timeout=300, env=self.environment)

    def has_cgroups(self) -> bool:
        doctor = subprocess.run([self.command[0], "doctor", "--json"], capture_output=True, env=self.environment)
        return all(check["what"] != "control groups" for check in json.loads(doctor.stdout)["checks"])

    def start(self, model: Model) -> subprocess.Popen:
        return subprocess.Popen(
            self.command_for(model), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=self.environment
        )


@pytest.fixture
def fresh_lab(binary, tmp_path, models, endpoint, data) -> Lab:
    """A lab with a home of its own."""
    return Lab(binary, tmp_path, models, endpoint, data)


@pytest.fixture(scope="session")
def lab(binary, tmp_path_factory, models, endpoint, data) -> Lab:
    return Lab(binary, tmp_path_factory.mktemp("home"), models, endpoint, data)
