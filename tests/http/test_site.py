"""`willitrun site`: the same answers as files, behind a plain file server and below a sub-path."""
import functools
import http.client
import http.server
import threading
from pathlib import Path

import pytest
from serving import LLAMA, PATIENCE_S, QWEN


@pytest.fixture(scope="module")
def site(served_home, page_build, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("host") / "below" / "this"
    answer = served_home("site", str(folder), "--page", str(page_build))
    assert answer.status == 0, answer.err
    return folder


@pytest.fixture(scope="module")
def file_server(site):
    """Python's own file server, which knows nothing of us, over the folder two levels up."""
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(site.parent.parent))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_address
        server.shutdown()
        thread.join()


def fetch(address, path: str) -> bytes:
    connection = http.client.HTTPConnection(*address, timeout=PATIENCE_S)
    connection.request("GET", path)
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    assert answer.status == 200, path
    return body


@pytest.mark.parametrize("file, path", [
    ("api/v1/stacks.json", "/api/v1/stacks"), (f"api/v1/models/{QWEN}.json", f"/api/v1/models/{QWEN}"),
    (f"api/v1/models/{QWEN}/run.py", f"/api/v1/models/{QWEN}/run.py"), ("api/v1/models.json", "/api/v1/models"),
    ("api/v1/index.json", "/api/v1/index"), ("api/v1/exclusions.json", "/api/v1/exclusions"),
    (f"model/{LLAMA}/", f"/model/{LLAMA}/"), (f"badge/{LLAMA}.svg", f"/badge/{LLAMA}.svg"),
    (f"feed/model/{LLAMA}.atom", f"/feed/model/{LLAMA}.atom"), ("compare/", "/compare/"), ("", "/")])
def test_a_file_is_what_the_server_answers(file_server, server, file, path):
    assert fetch(file_server, "/below/this/" + file) == server.request(path).body


def test_the_same_home_gives_the_same_bytes_and_touches_no_file(served_home, page_build, site):
    before = {path: path.stat().st_mtime_ns for path in site.rglob("*") if path.is_file() and path.name != "site.files"}
    answer = served_home("site", str(site), "--page", str(page_build))
    assert " 0 files written" in answer.out
    assert {path: path.stat().st_mtime_ns for path in before} == before


def test_a_site_can_be_made_from_parquet_files_alone(program, site, page_build, tmp_path):
    answer = program("site", str(tmp_path / "out"), "--from", str(site / "data"), "--page", str(page_build))
    assert answer.status == 0, answer.err
    page = (tmp_path / "out" / "model" / QWEN / "index.html").read_text()
    assert f"{QWEN}: PASS" in page


def test_a_space_gets_its_front_matter(served_home, page_build, tmp_path):
    answer = served_home("site", str(tmp_path / "space"), "--space", "--page", str(page_build))
    assert answer.status == 0, answer.err
    assert "sdk: static" in (tmp_path / "space" / "README.md").read_text().split("---")[1]


def test_without_a_page_build_nothing_is_written(served_home, tmp_path):
    answer = served_home("site", str(tmp_path / "out"), "--page", str(tmp_path / "none"))
    assert answer.status == 3 and "page was not built" in answer.err
