"""The real huggingface_hub client takes the local Hub for the Hub. So what our own client proves against it counts."""
import struct

import huggingface_hub
import pytest
from huggingface_hub import constants, errors

CONTENT = bytes(range(256)) * 1000
HEADER = b'{"a":{"dtype":"U8","shape":[256000],"data_offsets":[0,256000]}}'
WEIGHTS = struct.pack("<Q", len(HEADER)) + HEADER + CONTENT


@pytest.fixture(autouse=True)
def online(monkeypatch):
    """Other tests of the same process work with HF_HUB_OFFLINE."""
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)


@pytest.fixture(scope="module")
def api(repositories, endpoint):
    repositories.add_dataset("ann/table", {"data/a.parquet": b"PAR1"})
    repositories.add_model("ann/open", {"sub/deep/a.txt": b"text", "model.safetensors": WEIGHTS}, downloads=5)
    repositories.add_model("ann/second", downloads=7)
    repositories.add_model("ann/gated", gated="auto")
    return huggingface_hub.HfApi(endpoint=endpoint, token=False)


def test_snapshot_download_fetches_every_file(api, tmp_path):
    folder = api.snapshot_download("ann/open", cache_dir=tmp_path)
    assert folder.endswith(api.model_info("ann/open").sha)
    assert open(f"{folder}/model.safetensors", "rb").read() == WEIGHTS
    assert open(f"{folder}/sub/deep/a.txt").read() == "text"


def test_model_info_and_file_list(api):
    info = api.model_info("ann/open", files_metadata=True)
    assert info.pipeline_tag == "text-generation"
    assert {file.rfilename: file.size for file in info.siblings}["model.safetensors"] == len(WEIGHTS)
    tree = {entry.path: entry for entry in api.list_repo_tree("ann/open", recursive=True)}
    assert set(tree) == {"config.json", "sub", "sub/deep", "sub/deep/a.txt", "model.safetensors"}
    assert tree["model.safetensors"].lfs.size == len(WEIGHTS)


def test_ranked_list_with_pages(api):
    ids = [model.id for model in api.list_models(pipeline_tag="text-generation", sort="downloads", limit=2)]
    assert ids == ["ann/second", "ann/open"]


def test_file_system_reads_a_piece(api, endpoint):
    files = huggingface_hub.HfFileSystem(endpoint=endpoint, token=False)
    assert {entry["name"] for entry in files.ls("ann/open")} == {f"ann/open/{n}" for n in ("config.json", "sub", "model.safetensors")}
    with files.open("ann/open/model.safetensors", "rb", block_size=1000) as file:
        file.seek(1234)
        assert file.read(10) == WEIGHTS[1234:1244]


def test_datasets(api, tmp_path):
    assert open(api.hf_hub_download("ann/table", "data/a.parquet", repo_type="dataset", cache_dir=tmp_path), "rb").read() == b"PAR1"


def test_errors_are_the_hubs(api, endpoint, tmp_path):
    with pytest.raises(errors.RepositoryNotFoundError):
        api.model_info("ann/nothing")
    with pytest.raises(errors.RevisionNotFoundError):
        api.model_info("ann/open", revision="v9")
    with pytest.raises(errors.EntryNotFoundError):
        api.hf_hub_download("ann/open", "none.json", cache_dir=tmp_path)
    with pytest.raises(errors.GatedRepoError):
        api.hf_hub_download("ann/gated", "config.json", cache_dir=tmp_path)
    granted = huggingface_hub.HfApi(endpoint=endpoint, token="hf_granted")
    assert granted.hf_hub_download("ann/gated", "config.json", cache_dir=tmp_path)
