"""Reads a local mirror (docs/formats/mirror.md) and gives the values of the Hub's answers."""
import functools
import hashlib
import json
import re
from dataclasses import dataclass
from pathlib import Path

NAME = re.compile(r"(?!\.\.?$)[A-Za-z0-9._-]+")
COMMIT = re.compile(r"[0-9a-f]{40}")
LFS_BYTES = 10 << 20


class Missing(Exception):
    """Something is not in the mirror; `code` is the Hub's X-Error-Code for it."""

    def __init__(self, code: str):
        super().__init__(code)
        self.code = code


@dataclass(frozen=True)
class File:
    path: str
    size: int
    oid: str
    sha256: str | None  # set for files kept in LFS

    @property
    def etag(self) -> str:
        return self.sha256 or self.oid

    def tree_entry(self) -> dict:
        entry = {"type": "file", "path": self.path, "size": self.size, "oid": self.oid}
        if self.sha256:
            entry["lfs"] = {"oid": self.sha256, "size": self.size, "pointerSize": len(pointer(self.sha256, self.size))}
        return entry


def pointer(sha256: str, size: int) -> bytes:
    """The text that git holds in place of a file kept in LFS."""
    return f"version https://git-lfs.github.com/spec/v1\noid sha256:{sha256}\nsize {size}\n".encode()


def git_oid(content: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


@functools.lru_cache(maxsize=4096)
def describe(path: Path, name: str, _size: int, _mtime_ns: int) -> File:
    """Digests a file; remembered for as long as its size and time stay."""
    content = path.read_bytes()
    if len(content) < LFS_BYTES and not name.endswith(".safetensors"):
        return File(name, len(content), git_oid(content), None)
    sha256 = hashlib.sha256(content).hexdigest()
    return File(name, len(content), git_oid(pointer(sha256, len(content))), sha256)


class Mirror:
    def __init__(self, root: Path):
        self.root = root
        facts = json.loads((root / "mirror.json").read_text())
        if facts.get("kind") != "willitrun-mirror" or facts.get("schema") != 1:
            raise SystemExit(f"local_hub: '{root}' is not a local mirror of schema 1")

    def listing(self) -> list[dict]:
        return [json.loads(line) for line in (self.root / "listing.jsonl").read_text().splitlines()]

    def folder(self, kind: str, repo_id: str) -> Path:
        parts = repo_id.split("/")
        folder = self.root.joinpath(kind, *parts)
        if not all(NAME.fullmatch(part) for part in parts) or not (folder / "info.json").is_file():
            raise Missing("RepoNotFound")
        return folder

    def info(self, kind: str, repo_id: str, revision: str = "main") -> dict:
        """The repository's description at a revision; `sha` is the commit that the revision means."""
        folder = self.folder(kind, repo_id)
        info = json.loads((folder / "info.json").read_text())
        if revision not in ("main", info["sha"]):
            if not COMMIT.fullmatch(revision) or not (folder / revision).is_dir():
                raise Missing("RevisionNotFound")
            info["sha"] = revision
            info["siblings"] = [self.sibling(file) for file in self.files(folder / revision)]
        return info

    @staticmethod
    def sibling(file: File) -> dict:
        sibling = {"rfilename": file.path, "size": file.size, "blobId": file.oid}
        if file.sha256:
            sibling["lfs"] = {"sha256": file.sha256, "size": file.size, "pointerSize": len(pointer(file.sha256, file.size))}
        return sibling

    @staticmethod
    def files(folder: Path) -> list[File]:
        paths = sorted((p for p in folder.rglob("*") if p.is_file()), key=lambda p: p.relative_to(folder).as_posix())
        return [describe(p, p.relative_to(folder).as_posix(), p.stat().st_size, p.stat().st_mtime_ns) for p in paths]

    def tree(self, kind: str, repo_id: str, revision: str) -> tuple[str, list[File]]:
        """The commit and all files of a revision, as info.json describes them."""
        info = self.info(kind, repo_id, revision)
        return info["sha"], [File(s["rfilename"], s["size"], s["blobId"], (s.get("lfs") or {}).get("sha256"))
                             for s in info["siblings"]]

    def file(self, kind: str, repo_id: str, revision: str, path: str) -> tuple[str, File, Path]:
        """The commit, the description and the local path of one file. Only listed paths are ever opened."""
        commit, files = self.tree(kind, repo_id, revision)
        for file in files:
            if file.path == path:
                return commit, file, self.folder(kind, repo_id) / commit / path
        raise Missing("EntryNotFound")
