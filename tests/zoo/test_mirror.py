"""The mirror's writer, checked against git, which invented the object ids that the Hub shows."""

import hashlib
import json
import subprocess

import pytest

from zoo.mirror import Mirror

FACTS = {"pipeline_tag": "text-generation", "tags": []}


def fill(folder):
    (folder / "config.json").write_text(json.dumps({"architectures": ["LlamaForCausalLM"], "model_type": "llama"}))
    (folder / "sub").mkdir()
    (folder / "sub" / "notes.txt").write_text("two words\n")
    header = json.dumps({"a": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}}).encode()
    (folder / "model.safetensors").write_bytes(len(header).to_bytes(8, "little") + header + bytes(24))


@pytest.fixture
def mirror(tmp_path):
    mirror = Mirror(tmp_path / "mirror")
    mirror.add("owner/name", FACTS, fill)
    return mirror


def git_object_id(path):
    return subprocess.run(["git", "hash-object", "--no-filters", path], capture_output=True, text=True, check=True).stdout.strip()


def test_small_files_have_the_object_ids_that_git_gives(mirror):
    siblings = {file["rfilename"]: file for file in mirror.info("owner/name")["siblings"]}
    for name in ("config.json", "sub/notes.txt"):
        assert siblings[name]["blobId"] == git_object_id(mirror.files("owner/name") / name)
        assert "lfs" not in siblings[name]


def test_weights_are_described_as_lfs_files(mirror, tmp_path):
    weights = mirror.files("owner/name") / "model.safetensors"
    file = next(file for file in mirror.info("owner/name")["siblings"] if file["rfilename"] == "model.safetensors")
    sha256 = hashlib.sha256(weights.read_bytes()).hexdigest()
    pointer = tmp_path / "pointer"
    pointer.write_text(f"version https://git-lfs.github.com/spec/v1\noid sha256:{sha256}\nsize {weights.stat().st_size}\n")
    assert file["lfs"] == {"sha256": sha256, "size": weights.stat().st_size, "pointerSize": pointer.stat().st_size}
    assert file["blobId"] == git_object_id(pointer)


def test_parameters_are_counted_from_the_header(mirror):
    assert mirror.info("owner/name")["safetensors"] == {"parameters": {"F32": 6}, "total": 6}


def test_equal_content_has_an_equal_revision_and_a_changed_byte_another(mirror, tmp_path):
    same = Mirror(tmp_path / "same").add("other/copy", FACTS, fill)

    def fill_otherwise(folder):
        fill(folder)
        (folder / "sub" / "notes.txt").write_text("two wordS\n")

    other = Mirror(tmp_path / "other").add("owner/name", FACTS, fill_otherwise)
    revision = mirror.info("owner/name")["sha"]
    assert same["sha"] == revision
    assert other["sha"] != revision


def test_a_changed_or_missing_file_is_noticed(mirror):
    assert mirror.intact("owner/name")
    notes = mirror.files("owner/name") / "sub" / "notes.txt"
    notes.write_text("two wordS\n")
    assert not mirror.intact("owner/name")
    notes.unlink()
    assert not mirror.intact("owner/name")


def test_the_listing_names_every_model_without_its_files(mirror):
    mirror.add("another/model", FACTS, fill)
    lines = [json.loads(line) for line in (mirror.root / "listing.jsonl").read_text().splitlines()]
    assert [line["id"] for line in lines] == ["another/model", "owner/name"]
    assert all(line["local"] is True and "siblings" not in line for line in lines)


def test_a_model_made_anew_replaces_its_old_revision(mirror):
    def fill_otherwise(folder):
        fill(folder)
        (folder / "extra.txt").write_text("more")

    old = mirror.files("owner/name")
    mirror.add("owner/name", FACTS, fill_otherwise)
    assert not old.exists()
    assert mirror.intact("owner/name")


def test_a_failed_maker_leaves_the_old_revision(mirror):
    def fail(folder):
        fill(folder)
        raise OSError("disk full")

    with pytest.raises(OSError):
        mirror.add("owner/name", FACTS, fail)
    assert mirror.intact("owner/name")


def test_a_folder_with_other_content_is_refused(tmp_path):
    (tmp_path / "precious.txt").write_text("mine")
    with pytest.raises(FileExistsError):
        Mirror(tmp_path)


def test_a_newer_mirror_is_refused(mirror):
    (mirror.root / "mirror.json").write_text('{"kind": "willitrun-mirror", "schema": 2, "local": true}')
    with pytest.raises(ValueError):
        Mirror(mirror.root)
