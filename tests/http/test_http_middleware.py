"""The HTTP middleware: entity tags, cached answers, limits, request ids, compression, CORS."""

import gzip
import time

import pytest

from api.brain import Brain
from api.http.middleware.http_cache import AnswerCache, CachedAnswer
from api.http.middleware.request_checks import LONGEST
from api.settings import Settings
from tests.conftest import NOW
from tests.http.conftest import served

pytestmark = pytest.mark.usefixtures("exports_here")

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
