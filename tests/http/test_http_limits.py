"""What one client may cost the others: half-sent requests, pages of other sites, filters of many values."""

import json
import socket
import threading

import pytest

from api.brain import Brain
from api.http.middleware.http_protocol import HttpProtocol
from api.settings import Settings
from tests.web_client import application, home_client, running

HEAD = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Half: "
BODY = (
    b"POST /v1/proof HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 100\r\n\r\nhalf of it"
)
WHOLE = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
TEXT = "The price fell from $8 to $2, a 75% cut."


class Impatient(HttpProtocol):
    """As the server's, with short waits."""

    head_seconds = body_seconds = 0.3


def rest(line):
    """What comes on a connection until the other side ends it; it never does where a test hangs here."""
    line.settimeout(60)
    return b"".join(iter(lambda: line.recv(65536), b""))


@pytest.fixture(scope="module")
def port(part_home):
    with Brain.open(Settings(home=part_home)) as brain, running(application(brain), Impatient) as address:
        yield int(address.rpartition(":")[2])


@pytest.mark.parametrize(("sent", "part"), [(HEAD, "head"), (BODY, "body")])
def test_a_half_sent_request_is_given_up(port, sent, part):
    with socket.create_connection(("127.0.0.1", port)) as line:
        line.sendall(sent)
        answer = rest(line)
    head, _, body = answer[answer.rindex(b"HTTP/1.1 ") :].partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 408 ")
    assert b"application/problem+json" in head
    told = json.loads(body)
    assert told["type"] == "/problems/request-timeout"
    assert f"The {part} of the request was not complete" in told["detail"]


def test_half_a_request_behind_a_complete_one_is_given_up_and_silence_too(port):
    with socket.create_connection(("127.0.0.1", port)) as line:
        line.sendall(WHOLE + HEAD)
        assert rest(line).startswith(b"HTTP/1.1 200")
    with socket.create_connection(("127.0.0.1", port)) as line:
        assert not rest(line)


def test_a_head_that_comes_letter_by_letter_is_given_up(port):
    """Every letter is progress, and yet the head never ends."""
    with socket.create_connection(("127.0.0.1", port)) as line:
        line.sendall(HEAD)
        refused = threading.Event()
        threading.Thread(target=lambda: (rest(line), refused.set())).start()
        while not refused.wait(0.05):
            try:
                line.sendall(b"a")
            except OSError:
                break
        assert refused.wait(60)


def test_two_hundred_half_sent_requests_stop_nobody(port):
    lines = [socket.create_connection(("127.0.0.1", port)) for _ in range(200)]
    try:
        for one in lines:
            one.sendall(HEAD)
        with socket.create_connection(("127.0.0.1", port)) as line:
            line.sendall(WHOLE)
            line.settimeout(60)
            assert line.recv(20).startswith(b"HTTP/1.1 200")
        assert all(rest(one).startswith(b"HTTP/1.1 408") for one in lines)
    finally:
        for one in lines:
            one.close()


@pytest.fixture(scope="module")
def paged(shipped_home):
    settings = Settings(home=shipped_home, url="https://brain.example.org", cors="https://friend.example")
    with home_client(settings, base_url="http://localhost:8000") as client:
        yield client


CROSS = [
    {"Origin": "https://other.example"}, {"Origin": "null"}, {"Origin": "http://localhost:3000"},
    {"Origin": "http://localhost:8000.other.example"}, {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"},
    {"Sec-Fetch-Site": "cross-site", "Origin": "null"}, {"Origin": "https://other.example", "Authorization": "Basic YTpi"},
]  # fmt: skip
OWN = [
    {}, {"Origin": "http://localhost:8000"}, {"Sec-Fetch-Site": "same-origin", "Origin": "https://proxied.example"},
    {"Sec-Fetch-Site": "none"}, {"Origin": "https://brain.example.org"}, {"Origin": "https://friend.example"},
]  # fmt: skip


@pytest.mark.parametrize("headers", CROSS)
@pytest.mark.parametrize(
    "path",
    ["/proof", "/v1/proof", "/sparql", "/v1/documents?name=a.md", "/v1/runs", "/sign-in", "/sign-out", "/nowhere"],
)
def test_a_page_of_another_site_can_send_nothing(paged, path, headers):
    answer = paged.post(path, data={"text": TEXT}, headers=headers)
    assert (answer.status_code, answer.json()["type"]) == (403, "/problems/cross-site")
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("headers", OWN)
def test_the_form_and_programs_go_on_working(paged, headers):
    assert "75%" in paged.post("/proof", data={"text": TEXT}, headers=headers).text
    content = {"content": TEXT, "headers": {**headers, "Content-Type": "text/plain"}}
    assert paged.post("/v1/proof", **content).status_code == 200


def test_a_program_with_a_token_may_say_where_it_comes_from(own, bearer):
    sent = {"content": "# A note\n\nText.\n", "headers": {**bearer, **CROSS[0], "Content-Type": "text/markdown"}}
    assert own.post("/v1/documents?name=a.md", **sent).status_code == 201


def test_reading_from_another_site_is_as_it_was(paged):
    assert paged.get("/v1/about", headers={"Origin": "https://other.example"}).status_code == 200


@pytest.mark.parametrize(("path", "name"), [("/v1/nodes", "tag"), ("/v1/graph", "edge")])
def test_too_many_values_of_a_filter_are_the_callers_mistake(shipped, path, name):
    answer = shipped.get(path, params=[(name, f"v{number}") for number in range(1500)])
    assert (answer.status_code, answer.json()["type"]) == (422, "/problems/invalid-request")
    assert "50" in answer.json()["detail"]
    assert shipped.get(path, params=[(name, f"v{number}") for number in range(50)]).status_code == 200


def test_a_search_for_too_many_tags_is_a_page_that_says_so(paged):
    answer = paged.get("/search", params=[("tag", f"v{number}") for number in range(1500)])
    assert answer.status_code == 422
    assert "tag is given 1,500 times; at most 50 are read." in answer.text
