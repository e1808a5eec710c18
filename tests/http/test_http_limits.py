"""What one client may cost the others: half-sent requests, pages of other sites, filters of many values."""

import gzip
import json
import socket
import threading
import time

import pytest

from api.brain import Brain
from api.http.middleware.http_cache import AnswerCache, CachedAnswer
from api.http.middleware.http_protocol import HttpProtocol
from api.http.middleware.request_checks import LONGEST
from api.settings import Settings
from tests.conftest import NOW
from tests.http.conftest import served
from tests.web_client import application, home_client, running

pytestmark = pytest.mark.usefixtures("exports_here")

HEAD = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Half: "
BODY = (
    b"POST /v1/proof HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 100\r\n\r\nhalf of it"
)
WHOLE = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
TEXT = "The price fell from $8 to $2, a 75% cut."


class Impatient(HttpProtocol):
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
    assert paged.get("/v1/tags", headers={"Origin": "https://other.example"}).status_code == 200


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


READ = ("/v1/nodes", "/v1/tags", "/v1/claims", "/v1/runs", "/healthz", "/docs", "/ns", "/v1/export?format=csv")


@pytest.mark.parametrize("path", READ)
def test_the_same_again_is_304_without_a_body(shipped, path):
    first = shipped.get(path)
    assert first.status_code == 200
    assert first.headers["etag"].startswith('"')
    for given in (first.headers["etag"], f"W/{first.headers['etag']}", f'"x", {first.headers["etag"]}', "*"):
        again = shipped.get(path, headers={"If-None-Match": given})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["etag"] == first.headers["etag"]
        assert "content-type" not in again.headers


def test_the_tag_depends_on_form_query_and_compression_and_another_tag_gives_the_full_answer(shipped):
    assert shipped.get("/v1/tags", headers={"If-None-Match": '"other"'}).status_code == 200
    assert shipped.get("/v1/nodes/no/such", headers={"If-None-Match": "*"}).status_code == 404
    tags = {
        shipped.get("/v1/tags", headers={"Accept-Encoding": "identity"}).headers["etag"],
        shipped.get("/v1/tags", headers={"Accept-Encoding": "gzip"}).headers["etag"],
        shipped.get("/v1/tags", headers={"Accept": "text/csv"}).headers["etag"],
        shipped.get("/v1/tags?limit=5").headers["etag"],
    }
    assert len(tags) == 4


def test_a_write_changes_the_tag_and_the_answer_at_once(own, put, note):
    before = own.get("/v1/nodes")
    assert put("a.md", note("A first note")).status_code == 201
    after = own.get("/v1/nodes", headers={"If-None-Match": before.headers["etag"]})
    assert (after.status_code, after.json()["total"]) == (200, 1)


def test_a_write_of_another_process_is_noticed(own, tmp_path, note):
    assert own.get("/v1/nodes").json()["total"] == 0
    (tmp_path / "b.md").write_text(note("From elsewhere"))
    with Brain.open(Settings(home=own.brain.settings.home)) as other:
        assert other.ingest([tmp_path / "b.md"], at=NOW).stored
    time.sleep(0.01)
    assert own.get("/v1/nodes").json()["total"] == 1


def test_answers_and_exports_come_compressed_and_head_answers_without_the_body(shipped):
    with shipped.stream("GET", "/v1/nodes", headers={"Accept-Encoding": "gzip"}) as zipped:
        raw = b"".join(zipped.iter_raw())
    plain = shipped.get("/v1/nodes", headers={"Accept-Encoding": "identity"})
    refused = shipped.get("/v1/nodes", headers={"Accept-Encoding": "gzip;q=0, identity"})
    assert zipped.headers["content-encoding"] == "gzip"
    assert gzip.decompress(raw) == plain.content == refused.content
    assert "content-encoding" not in plain.headers | refused.headers
    plain = shipped.get("/v1/export?format=csv", headers={"Accept-Encoding": "identity"}).content
    with shipped.stream("GET", "/v1/export?format=csv", headers={"Accept-Encoding": "gzip"}) as zipped:
        raw = b"".join(zipped.iter_raw())
    assert gzip.decompress(raw) == plain
    assert len(plain) > 150_000
    get, head = shipped.get("/v1/tags"), shipped.head("/v1/tags")
    assert head.status_code == 200
    assert head.content == b""
    assert head.headers["etag"] == get.headers["etag"]
    assert head.headers["content-length"] == get.headers["content-length"]


def test_a_request_id_is_given_or_taken_over(shipped):
    assert shipped.get("/healthz", headers={"X-Request-Id": "mine-1"}).headers["x-request-id"] == "mine-1"
    made = {shipped.get("/healthz", headers={"X-Request-Id": "<script>"}).headers["x-request-id"] for _ in range(2)}
    assert len(made) == 2
    assert all(one.isalnum() for one in made)


@pytest.mark.parametrize(
    ("path", "status"),
    [("/v1/nodes?q=" + "a" * (LONGEST + 1), 414), ("/v1/nodes?tag=a%00b", 400), ("/v1/nodes/a/b%00", 400)],
)
def test_addresses_have_limits(shipped, path, status):
    answer = shipped.get(path)
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["status"] == status


def test_a_body_that_is_too_large_is_refused_whatever_its_length_is_said_to_be(tmp_path):
    with served(tmp_path, token="t", max_body=100) as client:
        told = {"params": {"name": "a"}, "headers": {"Authorization": "Bearer t"}}
        announced = client.post("/v1/documents", content=b"x" * 101, **told)
        hidden = client.post("/v1/documents", content=(b"x" * 60 for _ in range(3)), **told)
    assert [announced.status_code, hidden.status_code] == [413, 413]
    assert hidden.json()["type"] == "/problems/content-too-large"


def test_cors_is_off_by_default_and_says_who_may_read(tmp_path):
    asked = {"Origin": "https://a.example", "Access-Control-Request-Method": "GET"}
    for setting, allowed in (("", None), ("https://a.example, https://b.example", "https://a.example"), ("*", "*")):
        with served(tmp_path, cors=setting) as client:
            found = client.get("/healthz", headers={"Origin": "https://a.example"})
            before = client.options("/v1/nodes", headers=asked)
            other = client.get("/healthz", headers={"Origin": "https://evil.example"})
        assert found.headers.get("access-control-allow-origin") == allowed
        assert before.headers.get("access-control-allow-origin") == allowed
        assert ("access-control-allow-methods" in before.headers) == (allowed is not None)
        assert other.headers.get("access-control-allow-origin") == ("*" if allowed == "*" else None)


def test_cached_answers_are_bounded_and_forgotten_with_the_state():
    kept = AnswerCache(capacity=40_000)
    answer = CachedAnswer(200, [], b"x" * 3000, b'"t"')
    for number in range(50):
        kept.put(b"1", b"%d" % number, answer)
    assert sum(kept.get(b"1", b"%d" % number) is not None for number in range(50)) * (3000 + 1500) <= 40_000
    assert kept.get(b"1", b"49") == answer
    assert kept.get(b"1", b"0") is None
    assert kept.get(b"2", b"49") is None
    kept.put(b"2", b"a", answer)
    assert kept.get(b"1", b"49") is None
