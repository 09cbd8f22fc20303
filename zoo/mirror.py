"""Writes models into a local mirror: a folder laid out like the Hub (docs/formats/mirror.md)."""

import hashlib
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

LFS_THRESHOLD = 10 * 1024 * 1024
MARK = {"kind": "willitrun-mirror", "schema": 1, "local": True}
# Zoo models have no history: one constant date keeps equal content equal to the byte.
DATE = "2026-01-01T00:00:00.000Z"


class Mirror:
    """A mirror folder. Creates it on first use; every write is by temporary name and rename."""

    def __init__(self, root: Path):
        self.root = Path(root)
        self.root.mkdir(parents=True, exist_ok=True)
        mark = self.root / "mirror.json"
        if not mark.exists():
            if any(self.root.iterdir()):
                raise FileExistsError(f"'{self.root}' is neither empty nor a mirror: name another folder")
            _write_json(mark, MARK)
        elif json.loads(mark.read_text()) != MARK:
            raise ValueError(f"'{mark}' is not the mark of a mirror of schema 1")

    def info(self, model_id: str) -> dict | None:
        """Returns the model's info.json, or None when the mirror lacks the model."""
        path = self._folder(model_id) / "info.json"
        return json.loads(path.read_text()) if path.exists() else None

    def files(self, model_id: str) -> Path:
        """Returns the folder of the model's current revision; the model must be there."""
        return self._folder(model_id) / self.info(model_id)["sha"]

    def intact(self, model_id: str) -> bool:
        """Says whether every file of the model is there with the content that info.json tells; reads all of them."""
        info = self.info(model_id)
        if info is None:
            return False
        folder = self._folder(model_id) / info["sha"]
        try:
            return _siblings(folder) == info["siblings"]
        except FileNotFoundError:
            return False

    def add(self, model_id: str, facts: dict, fill: Callable[[Path], None]) -> dict:
        """Lets `fill` write a model's files into a new folder and makes them the model's only revision; returns its info.

        `facts` are the fields of the info that the files do not tell: pipeline_tag, tags, ...
        """
        target = self._folder(model_id)
        target.mkdir(parents=True, exist_ok=True)
        unfinished = target / ".unfinished"
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir()
        fill(unfinished)
        for path in unfinished.rglob("*"):
            path.chmod(0o755 if path.is_dir() else 0o644)  # safetensors are written for the owner alone; a sandbox is another user
        info = _info(model_id, unfinished, facts)
        for old in target.iterdir():
            if old.is_dir() and old != unfinished:
                shutil.rmtree(old)
        unfinished.rename(target / info["sha"])
        _write_json(target / "info.json", info)
        self._write_listing()
        return info

    def _folder(self, model_id: str) -> Path:
        owner, name = model_id.split("/")
        return self.root / "models" / owner / name

    def _write_listing(self) -> None:
        infos = [json.loads(path.read_text()) for path in (self.root / "models").glob("*/*/info.json")]
        infos.sort(key=lambda info: info["id"])
        lines = [json.dumps({key: value for key, value in info.items() if key != "siblings"}) + "\n" for info in infos]
        _write(self.root / "listing.jsonl", "".join(lines))


def _info(model_id: str, folder: Path, facts: dict) -> dict:
    siblings = _siblings(folder)
    config = json.loads((folder / "config.json").read_text())
    info = {
        "id": model_id,
        "author": model_id.split("/")[0],
        "sha": _revision(folder),
        "private": False,
        "gated": False,
        "disabled": False,
        "createdAt": DATE,
        "lastModified": DATE,
        "library_name": "transformers",
        "downloads": 0,
        "likes": 0,
        "trendingScore": 0,
        "config": {key: config[key] for key in ("architectures", "model_type")},
        **facts,
        "siblings": siblings,
        "local": True,
    }
    parameters = _count_parameters(folder)
    if parameters:
        info["safetensors"] = {"parameters": parameters, "total": sum(parameters.values())}
    return info


def _paths(folder: Path) -> list[str]:
    paths = [str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()]
    return sorted(paths, key=str.encode)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _revision(folder: Path) -> str:
    """Names the content of a folder: see "Revision of zoo models" in docs/formats/mirror.md."""
    lines = (f"{_sha256(folder / path)} {(folder / path).stat().st_size} {path}\n" for path in _paths(folder))
    return hashlib.sha1("".join(lines).encode()).hexdigest()


def _siblings(folder: Path) -> list[dict]:
    if not folder.is_dir():
        raise FileNotFoundError(folder)
    return [_sibling(folder, path) for path in _paths(folder)]


def _sibling(folder: Path, path: str) -> dict:
    size = (folder / path).stat().st_size
    if size < LFS_THRESHOLD and not path.endswith(".safetensors"):
        return {"rfilename": path, "size": size, "blobId": _git_blob_id((folder / path).read_bytes())}
    sha256 = _sha256(folder / path)
    pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{sha256}\nsize {size}\n".encode()
    lfs = {"sha256": sha256, "size": size, "pointerSize": len(pointer)}
    return {"rfilename": path, "size": size, "blobId": _git_blob_id(pointer), "lfs": lfs}


def _git_blob_id(content: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


def _count_parameters(folder: Path) -> dict[str, int]:
    """Counts the elements of the tensors in a folder's safetensors files, by dtype, from their headers alone."""
    counts: dict[str, int] = {}
    for path in sorted(folder.glob("*.safetensors")):
        with path.open("rb") as file:
            header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
        for name, tensor in header.items():
            if name != "__metadata__":
                elements = 1
                for extent in tensor["shape"]:
                    elements *= extent
                counts[tensor["dtype"]] = counts.get(tensor["dtype"], 0) + elements
    return counts


def _write_json(path: Path, value: dict) -> None:
    _write(path, json.dumps(value, indent=1) + "\n")


def _write(path: Path, text: str) -> None:
    temporary = path.with_name(f".{path.name}.tmp")
    temporary.write_text(text)
    os.replace(temporary, path)
