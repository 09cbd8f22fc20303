"""The golden suite's models: each is tiny and made for one outcome.

None is made to be flaky: the sandbox gives an attempt no memory of the one before, so that a model could only go by the time
or by chance, and so would the test. What attempts say together is tested where they are values: src/verify/combine_test.cpp.
"""
import json
import sys
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

from zoo.mirror import Mirror  # noqa: E402
from zoo.tiny import KINDS, make_tiny  # noqa: E402

OWNER = "golden"
HOSTILE = (Path(__file__).parent / "hostile.py").read_text()


@dataclass(frozen=True)
class Model:
    """One model and how it is tested. `behaviour` is a function of hostile.py, in the model's own code."""

    name: str
    kind: str = "llama"
    behaviour: str = ""
    imports: str = ""  # a package that its code needs
    target: str = "golden"
    remote_code: bool = False
    needs_cgroups: bool = False  # without them, another limit ends it, and another class comes out
    timeout_s: int = 120
    silence_s: int = 60
    facts: dict = field(default_factory=dict)
    changes: dict = field(default_factory=dict)
    made: bool = True  # False: there is no such model
    local: bool = False  # a folder, and on no hub
    broken: str = ""  # a file of the local folder that is replaced by `content`
    content: bytes = b""

    @property
    def model_id(self) -> str:
        return f"{OWNER}/{self.name}"


def hostile(name: str, behaviour: str, **options) -> Model:
    return Model(name, behaviour=behaviour, remote_code=True, **options)


MODELS = (
    Model("pass-single"),
    Model("pass-qwen2", kind="qwen2"),
    Model("pass-mixture", kind="mixtral"),
    Model("pass-image", kind="llava"),
    Model("pass-sharded", target="golden-small"),
    Model("pass-local", local=True),
    Model("too-large", target="golden-tiny"),
    Model("static-cache-ignored", kind="rwkv"),
    Model("gated", facts={"gated": "manual"}),
    Model("missing", made=False),
    Model("excluded"),
    Model("bad-config", local=True, broken="config.json", content=b'{"model_type": "llama", '),
    Model("lying-header", local=True, broken="model.safetensors", content=(1 << 40).to_bytes(8, "little") + b"{}"),
    hostile("mismatch", "wrong_logits"),
    hostile("graph-break", "graph_break"),
    hostile("segfault", "segfault"),
    hostile("out-of-memory", "eat_memory", needs_cgroups=True),
    hostile("timeout", "sleep", timeout_s=45),
    hostile("hang", "sleep", silence_s=30),
    hostile("fork-bomb", "fork_without_end", needs_cgroups=True),
    hostile("no-space", "write_without_end"),
    hostile("endless-report", "write_report_without_end"),
    hostile("network", "open_the_network"),
    hostile("silent-exit", "exit_silently"),
    hostile("missing-dependency", "behave", imports="golden_extra"),
    hostile("spoil-graphs", "spoil_compiled_graphs", target="golden-neuron"),
)


def make_models(mirror_root: Path, folders: Path) -> None:
    """Writes the models that a hub serves into a mirror, and the local ones into folders."""
    mirror = Mirror(mirror_root)
    for model in MODELS:
        if model.local:
            make_tiny(model.kind, folders / model.name)
            for file in (folders / model.name).iterdir():
                file.chmod(0o644)  # the sandbox may be another user
            if model.broken:
                (folders / model.name / model.broken).write_bytes(model.content)
        elif model.made:
            task = KINDS[model.kind].task
            mirror.add(model.model_id, {"pipeline_tag": task, "tags": []} | model.facts, lambda to, model=model: _fill(to, model))


def _fill(folder: Path, model: Model) -> None:
    make_tiny(model.kind, folder, **model.changes)
    if not model.behaviour:
        return
    needed = f"import {model.imports}\n\n" if model.imports else ""
    (folder / "hostile.py").write_text(needed + HOSTILE.replace("BEHAVIOUR", model.behaviour))
    config = json.loads((folder / "config.json").read_text())
    config["auto_map"] = {"AutoModelForCausalLM": "hostile.HostileForCausalLM"}
    (folder / "config.json").write_text(json.dumps(config, indent=2))
