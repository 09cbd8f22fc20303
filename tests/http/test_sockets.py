"""How a server treats connections: good ones, slow ones, wrong ones, and the end."""
import http.client
import json
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from serving import PATIENCE_S, QWEN, Server, import_result, read_reply, read_until_closed

GET_HEALTH = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"


def test_many_requests_go_over_one_connection(server):
    connection = http.client.HTTPConnection(*server.address, timeout=PATIENCE_S)
    connection.connect()
    port = connection.sock.getsockname()
    for _ in range(20):
        connection.request("GET", "/healthz")
        assert connection.getresponse().read() == b'{"status":"ok"}'
        assert connection.sock.getsockname() == port
    connection.close()


def test_requests_that_come_at_once_are_answered_in_turn(server):
    with server.connect() as connection:
        connection.sendall(GET_HEALTH * 3 + b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        assert read_until_closed(connection).count(b"HTTP/1.1 200") == 4


def test_a_client_of_http_1_0_gets_its_answer_and_the_end(server):
    with server.connect() as connection:
        connection.sendall(b"GET /healthz HTTP/1.0\r\n\r\n")
        assert read_until_closed(connection).endswith(b'{"status":"ok"}')


@pytest.mark.parametrize("head, status", [
    (b"GET /healthz HTTP/1.1\r\nX: " + b"a" * 20000 + b"\r\n\r\n", b"431"),
    (b"POST /api/v1/queue HTTP/1.1\r\nHost: localhost\r\nContent-Length: 999999\r\n\r\n", b"413"),
    (b"GET /healthz\r\n\r\n", b"400"),
    (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", b"400"),
    (b"GET /healthz HTTP/1.1\r\nContent-Length: x\r\n\r\n", b"400"),
    (b"GET /healthz HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", b"400"),
])
def test_what_is_too_large_or_no_request_is_told_so_and_ends(server, head, status):
    with server.connect() as connection:
        connection.sendall(head)
        answer = read_until_closed(connection)
    assert answer.split(b" ")[1] == status
    assert b'{"error":' in answer


def test_paths_out_of_the_page_are_refused_as_they_stand(server):
    """Clients tidy such paths up before they send them; these are sent byte by byte."""
    for path in (b"/../../etc/passwd", b"/%2e%2e/%2e%2e/etc/passwd", b"/assets/..%2f..%2fetc/passwd", b"//etc/passwd",
                 b"/assets/%252e%252e/x", b"/\xff\xfe", b"/%00"):
        with server.connect() as connection:
            connection.sendall(b"GET " + path + b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            answer = read_until_closed(connection)
        assert answer.split(b" ")[1] in (b"400", b"404"), path
        assert b"root:" not in answer and b"/work" not in answer


def test_slow_clients_hold_up_nobody(server):
    slow = [server.connect() for _ in range(50)]
    try:
        for connection in slow:
            connection.sendall(b"GET /healthz HTTP/1.1\r\nHo")
        assert server.request("/healthz").status == 200
        for connection in slow:
            connection.sendall(b"st: localhost\r\n\r\n")
        assert all(b"200 OK" in read_reply(connection) for connection in slow)
    finally:
        for connection in slow:
            connection.close()


def test_a_client_that_stays_silent_is_let_go(served_home):
    with Server(served_home, "--idle-timeout", "0.3") as server, server.connect() as connection:
        connection.sendall(b"GET /hea")
        assert read_until_closed(connection) == b""


def test_connections_beyond_the_limit_are_closed(served_home):
    with Server(served_home, "--max-connections", "2") as server:
        first, second = server.connect(), server.connect()
        for connection in (first, second):
            connection.sendall(GET_HEALTH)
            assert b"200 OK" in read_reply(connection)
        with server.connect() as third:
            assert read_until_closed(third) == b""
        first.close()
        second.close()


def test_a_reader_that_goes_away_in_the_middle_harms_nobody(server):
    for _ in range(20):
        with server.connect() as connection:
            connection.sendall(b"GET /api/v1/index HTTP/1.1\r\nHost: localhost\r\n\r\n" * 5)
    assert server.request("/healthz").status == 200


def read_event(stream) -> tuple[str, dict]:
    """The next event that is none of the heartbeats."""
    name = ""
    for line in stream:
        text = line.decode().rstrip("\n")
        if text.startswith("event: "):
            name = text.removeprefix("event: ")
        elif text.startswith("data: "):
            return name, json.loads(text.removeprefix("data: "))
    raise AssertionError("the stream ended")


def open_events(server):
    connection = server.connect()
    connection.sendall(b"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
    stream = connection.makefile("rb")
    assert b"200" in stream.readline()
    while stream.readline() != b"\r\n":
        pass
    return connection, stream


def test_a_new_result_is_told_and_then_shown(own_home, tmp_path):
    with Server(own_home) as server:
        connection, stream = open_events(server)
        name, before = read_event(stream)
        assert name == "snapshot"
        import_result(own_home, tmp_path, "new/model")
        name, after = read_event(stream)
        assert name == "snapshot" and after["results"] == before["results"] + 1
        assert server.request("/api/v1/models/new/model").status == 200
        connection.close()


def test_a_wish_is_told_to_who_listens(own_home):
    with Server(own_home) as server:
        connection, stream = open_events(server)
        read_event(stream)
        wish = json.dumps({"model_id": "some/model"}).encode()
        assert server.request("/api/v1/queue", method="POST", body=wish, Content_Type="application/json").status == 201
        assert read_event(stream)[0] == "queue"
        connection.close()


def test_no_request_is_lost_while_content_changes(own_home, tmp_path):
    with Server(own_home) as server:
        done = threading.Event()

        def ask() -> int:
            connection = http.client.HTTPConnection(*server.address, timeout=PATIENCE_S)
            count = 0
            while not done.is_set():
                connection.request("GET", f"/api/v1/models/{QWEN}")
                answer = connection.getresponse()
                assert answer.status == 200 and json.loads(answer.read())["model"]["model_id"] == QWEN
                count += 1
            connection.close()
            return count

        connection, stream = open_events(server)
        read_event(stream)
        with ThreadPoolExecutor(4) as pool:
            counts = [pool.submit(ask) for _ in range(4)]
            try:
                for number in range(2):
                    import_result(own_home, tmp_path, f"new/model-{number}")
                    assert read_event(stream)[0] == "snapshot"
            finally:
                done.set()
            assert all(count.result() > 0 for count in counts)
        connection.close()


def test_sigterm_lets_requests_end_and_idle_connections_go(served_home):
    server = Server(served_home)
    idle, busy, (listening, events) = server.connect(), server.connect(), open_events(server)
    for connection in (idle, busy):
        connection.sendall(GET_HEALTH)
        read_reply(connection)
    busy.sendall(b"GET /healthz HTTP/1.1\r\nHo")
    # The server has the half request once it answers a whole one that came later.
    assert server.request("/healthz").status == 200
    server.ask_to_stop()
    assert read_until_closed(idle) == b""
    busy.sendall(b"st: localhost\r\n\r\n")
    answer = read_until_closed(busy)
    assert b"200 OK" in answer and b"Connection: close" in answer
    events.read()
    assert server.stop() == 0
    for connection in (idle, busy, listening):
        connection.close()


def test_a_taken_port_and_a_wrong_address_are_said(server, served_home):
    taken = served_home("serve", "--port", str(server.address[1]))
    assert taken.status == 3 and "cannot listen" in taken.err
    assert served_home("serve", "--bind", "nowhere").status == 2


def test_a_missing_page_build_is_said(served_home, tmp_path):
    with Server(served_home, "--page", str(tmp_path / "none")) as server:
        assert b"The page was not built" in server.request("/").body
        assert server.request("/api/v1/stacks").status == 200


def test_who_has_the_token_may_ask(served_home, tmp_path):
    (tmp_path / "token").write_text("secret\n")
    with Server(served_home, "--token-file", str(tmp_path / "token")) as server:
        wish = json.dumps({"model_id": "by/token"}).encode()
        headers = {"Content_Type": "application/json", "X_Forwarded_For": "192.0.2.1"}
        for authorization, status in (("Bearer wrong", 401), ("Bearer secret", 201)):
            reply = server.request("/api/v1/queue", method="POST", body=wish, Authorization=authorization, **headers)
            assert reply.status == status
