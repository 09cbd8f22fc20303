"""What a running server answers."""
import hashlib
import json
import xml.etree.ElementTree as xml

import pytest
from serving import GPT2, LLAMA, QWEN, SCRIPT, Server

ATOM = "{http://www.w3.org/2005/Atom}"


def test_search_finds_a_model_with_its_result(server):
    rows = server.request("/api/v1/models?q=qwen3").json()["rows"]
    assert [(row["model_id"], row["verdict"]) for row in rows] == [(QWEN, "PASS")]


def test_a_model_has_its_script_and_history(server):
    model = server.request(f"/api/v1/models/{LLAMA}").json()
    assert model["history"][0]["first_bad"].startswith("2.28.1/")
    assert server.request(f"/api/v1/models/{QWEN}/run.py").body.decode() == SCRIPT


def test_http_and_command_line_say_the_same(server, served_home):
    for path, arguments in ((f"/api/v1/models/{LLAMA}/history?target=trn2", ["history", LLAMA, "--json"]),
                            ("/api/v1/failures", ["failures", "--json"]),
                            ("/api/v1/compare?a=2.27&b=2.28", ["compare", "2.27", "2.28", "--json"])):
        assert server.request(path).json() == served_home(*arguments).json()


def test_an_untested_and_an_excluded_model_say_so(server):
    rows = {row["model_id"]: row for row in server.request("/api/v1/models?view=downloads").json()["rows"]}
    assert rows[GPT2]["verdict"] == "UNTESTED"
    assert rows["some/model-GGUF"]["verdict"] == "UNTESTED"


def test_parquet_files_arrive_whole(server):
    files = server.request("/api/v1/files").json()["rows"]
    assert files
    for file in files:
        body = server.request("/" + file["path"]).body
        assert (len(body), hashlib.sha256(body).hexdigest()) == (file["bytes"], file["sha256"])


@pytest.mark.parametrize("path", [f"/feed/model/{QWEN}.atom", "/feed/org/Qwen.atom", f"/feed/model/{GPT2}.atom"])
def test_feeds_are_valid_atom(server, path):
    """RFC 4287: what a feed and each entry must have, and have once."""
    reply = server.request(path)
    assert reply.headers["Content-Type"] == "application/atom+xml"
    feed = xml.fromstring(reply.body)
    assert feed.tag == ATOM + "feed"
    ids = [feed.findtext(ATOM + "id")]
    for element in [feed, *feed.findall(ATOM + "entry")]:
        for name in ("id", "title", "updated"):
            assert len(element.findall(ATOM + name)) == 1, name
        assert element.findtext(ATOM + "updated").endswith("Z")
    ids += [entry.findtext(ATOM + "id") for entry in feed.findall(ATOM + "entry")]
    assert len(set(ids)) == len(ids) and all(one.startswith("urn:uuid:") for one in ids)
    assert feed.find(ATOM + "author").findtext(ATOM + "name")
    assert [link.get("href") for link in feed.findall(ATOM + "link") if link.get("rel") == "self"]
    assert b"<script" not in reply.body


def test_a_badge_is_a_picture_that_runs_nothing(server):
    reply = server.request(f"/badge/{QWEN}.svg")
    assert reply.headers["Content-Type"] == "image/svg+xml"
    assert "default-src 'none'" in reply.headers["Content-Security-Policy"]
    texts = [element.text for element in xml.fromstring(reply.body).iter() if element.text]
    assert any("PASS" in text for text in texts)


def test_an_answer_that_has_not_changed_is_not_sent_again(server):
    first = server.request("/api/v1/stacks")
    again = server.request("/api/v1/stacks", If_None_Match=first.headers["ETag"])
    assert (again.status, again.body) == (304, b"")


def test_head_tells_the_length_and_sends_nothing(server):
    whole, head = server.request("/api/v1/stacks"), server.request("/api/v1/stacks", method="HEAD")
    assert head.body == b"" and head.headers["Content-Length"] == str(len(whole.body))


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "TRACE", "POST", "BREW"])
def test_wrong_methods_are_said_to_be_wrong(server, method):
    reply = server.request("/api/v1/stacks", method=method)
    assert reply.status in (400, 405) and "error" in reply.json()


def test_a_page_and_its_files_are_served(server):
    page = server.request(f"/model/{QWEN}/")
    assert page.status == 200 and b'<base href="../../../">' in page.body
    assert server.request("/assets/main-1a2b.js").body == b"let x = 1;\n"


def test_metrics_and_health_are_told(server):
    assert server.request("/healthz").json() == {"status": "ok"}
    assert "willitrun_answers_total" in server.request("/metrics").body.decode()


def test_a_wish_is_taken_and_the_same_wish_again_is_a_vote(served_home):
    wish = json.dumps({"model_id": "asked-for/twice", "target": "cpu"}).encode()
    with Server(served_home) as server:
        first = server.request("/api/v1/queue", method="POST", body=wish, Content_Type="application/json")
        again = server.request("/api/v1/queue", method="POST", body=wish, Content_Type="application/json")
        queue = server.request("/api/v1/queue").json()
    assert (first.status, again.status) == (201, 200)
    assert [row["model_id"] for row in queue["rows"]].count("asked-for/twice") == 1 and queue["may_ask"]


def test_a_caller_behind_a_proxy_needs_the_token(server):
    wish = json.dumps({"model_id": "some/model"}).encode()
    reply = server.request("/api/v1/queue", method="POST", body=wish, Content_Type="application/json", X_Forwarded_For="192.0.2.1")
    assert reply.status == 401


def test_what_was_asked_for_is_what_the_lab_takes_next(own_home):
    """The queue names a model that is not there, so that the lab's answer comes at once and names it."""
    with Server(own_home) as server:
        wish = json.dumps({"model_id": "some-owner/not-there", "target": "cpu"}).encode()
        assert server.request("/api/v1/queue", method="POST", body=wish, Content_Type="application/json").status == 201
    assert "nobody waits" in own_home("lab", "run", "--selection", "queue", "--target", "trn2").err
