"""None"""

import json
import socket
from urllib.parse import urlsplit

import pytest

from api.http.middleware.request_checks import MOST_HEADERS, AllowedHosts
from api.http.routes import claim_routes
from api.settings import Settings
from tests.web_client import home_client

pytestmark = pytest.mark.usefixtures("exports_here")


def exchange(address, sent):
    """What a live service answers to raw bytes: status, headers, body."""
    parts = urlsplit(address)
    with socket.create_connection((parts.hostname, parts.port), timeout=30) as line:
        line.sendall(sent)
        received = b""
        while part := line.recv(65536):
            received += part
    head, _, body = received.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    return int(first.split()[1]), dict(one.lower().split(": ", 1) for one in lines), body


def is_problem(answer, status, kind):
    found, headers, body = answer
    told = json.loads(body)
    assert (found, told["status"], told["type"]) == (status, status, f"/problems/{kind}")
    assert headers["content-type"] == "application/problem+json"
    assert headers["x-content-type-options"] == "nosniff"
    return told["detail"]


@pytest.mark.parametrize(
    "path", ["/v1/tags", "/v1/nodes/", "/openapi.json", "/docs", "/healthz", "/v1/export", "/nowhere"]
)
def test_a_page_under_a_name_that_was_rebound_reads_nothing(shipped, path):
    answer = shipped.get(path, headers={"Host": "attacker.example:8000"}, follow_redirects=False)
    told = is_problem((answer.status_code, answer.headers, answer.content), 421, "host-not-allowed")
    assert "BRAIN_ALLOWED_HOSTS" in told
    assert "location" not in answer.headers


OWN = "localhost LOCALHOST:1 localhost. 127.0.0.1:8000 [::1] [::1]:8000 brain.example.org brain.example.org:443"
STRANGE = (
    "", "::1", "localhost.attacker.example", "attacker.example", "127.0.0.2", "10.0.0.7", "localhost:80@attacker.example",
    "attacker.example:localhost", "[::1].attacker.example", "localhost:٨٠", "wiki.lan",
)  # fmt: skip
ANY = (["192.168.1.5:8000", "[fd00::7]:8000"], ["attacker.example"])
HOSTS = {
    "loopback and the public address": (AllowedHosts(url="https://brain.example.org/"), OWN.split(), STRANGE),
    "listed": (AllowedHosts("wiki.lan, *.b.example"), ["wiki.lan:8000", "a.b.example"], ["b.example", "ab.example"]),
    "every": (AllowedHosts("*"), ["anything.example"], []),
    "the address listened on": (AllowedHosts(bound="10.0.0.7"), ["10.0.0.7:8000"], ["10.0.0.8"]),
    "an address of IPv6": (AllowedHosts(bound="fd00::7"), ["[fd00::7]:8000"], []),
    "on every address any address and no unknown name": (AllowedHosts(bound="0.0.0.0"), *ANY),
    "on every address of IPv6": (AllowedHosts(bound="::"), *ANY),
}


@pytest.mark.parametrize(("hosts", "allowed", "refused"), HOSTS.values(), ids=HOSTS)
def test_hosts_are_allowed_by_setting_and_by_the_address_listened_on(hosts, allowed, refused):
    assert [host for host in allowed if not hosts.allow(host)] == []
    assert [host for host in refused if hosts.allow(host)] == []


def test_a_redirect_names_no_host_even_where_every_host_is_allowed(shipped_home):
    settings = Settings(home=shipped_home, allowed_hosts="*")
    with home_client(settings, pages=False, base_url="http://any.example") as client:
        answer = client.get("/v1/nodes/?limit=1", follow_redirects=False)
        assert (answer.status_code, answer.headers["location"]) == (307, "/v1/nodes?limit=1")


def request(line, *headers):
    return "\r\n".join((line, *headers, "Connection: close", "", "")).encode()


def sent_by(method):
    return request(f"{method} /v1/nodes HTTP/1.1", "Host: localhost")


@pytest.mark.parametrize(
    ("sent", "status", "kind"),
    [
        (request("GET /v1/tags HTTP/1.1"), 400, "malformed-request"),
        (request("GET /v1/tags HTTP/1.1", "Host: localhost", "Host: attacker.example"), 400, "malformed-request"),
        (request("GET /v1/nodes HTTP/9.9"), 400, "malformed-request"),
        (request("GET / HTTP/1.1", "no colon"), 400, "malformed-request"),
        (request("hello"), 501, "method-unknown"),
        *((sent_by(method), 501, "method-unknown") for method in ("BREW", "GETT")),
        *((sent_by(method), 405, "method-not-allowed") for method in ("PROPFIND", "TRACE", "PUT")),
    ],
)
def test_what_is_no_request_or_names_no_host_or_two_or_no_method_gets_a_problem_document(live, sent, status, kind):
    told = is_problem(exchange(live, sent), status, kind)
    assert "about" not in sent.decode() or "Host header" in told


@pytest.mark.parametrize(
    "path", ["/v1/nodes", "/healthz", "/nowhere", "/v1/nodes?limit=0", "/v1/export?format=csv", "/docs"]
)
def test_no_answer_may_be_taken_for_another_type(shipped, path):
    assert shipped.get(path).headers["x-content-type-options"] == "nosniff"


def test_headers_of_twenty_megabytes_are_refused_before_they_are_complete(live):
    parts = urlsplit(live)
    with socket.create_connection((parts.hostname, parts.port), timeout=30) as line:
        line.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Large: " + b"a" * 20_000_000)
        assert line.recv(65536).startswith(b"HTTP/1.1 431 ")


@pytest.mark.parametrize("many", [False, True], ids=["one header", "many headers"])
def test_headers_over_the_limit_are_refused_and_those_below_it_are_not(live, many):
    for size, status in ((MOST_HEADERS - 1000, 200), (MOST_HEADERS + 1, 431)):
        large = "".join(f"X-{n}: {'a' * 90}\r\n" for n in range(size // 94)) if many else f"X-Large: {'a' * size}\r\n"
        sent = f"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{large}"
        sent += "X-More: " + "b" * 2000 + "\r\n" if status == 431 else ""
        answer = exchange(live, (sent + "\r\n").encode())
        assert answer[0] == status
        if status == 431:
            is_problem(answer, 431, "headers-too-large")


def test_a_large_body_and_the_next_request_of_its_connection_are_not_taken_for_headers(live, bearer):
    note = b"---\ntitle: Long\nkind: reading\n---\n" + b"word " * 200_000
    first = (
        f"POST /v1/documents?name=long.md&dry_run=true HTTP/1.1\r\nHost: localhost\r\n"
        f"Authorization: {bearer['Authorization']}\r\nContent-Length: {len(note)}\r\n\r\n"
    )
    second = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    status, _, body = exchange(live, first.encode() + note + second)
    assert status == 200
    assert b"HTTP/1.1 200 OK" in body


def test_metrics_are_true_for_the_moment_only(shipped):
    first = shipped.get("/metrics")
    again = shipped.get("/metrics", headers={"If-None-Match": first.headers["etag"]})
    assert (first.status_code, again.status_code) == (200, 200)
    assert first.headers["cache-control"] == "no-store"


TEXT = "The fee fell from $8 to $2, a 60% cut."


@pytest.mark.parametrize("media", ["text/markdown", "text/plain", "text/html"])
def test_a_text_is_checked_and_not_stored(own, media):
    before = own.get("/v1/nodes").json()["total"]
    found = own.post("/v1/proof", content=TEXT, headers={"content-type": media}, params={"as_of": "2026-11-20"})
    assert found.status_code == 200
    (item,) = found.json()["items"]
    (document,) = found.json()["documents"]
    assert (document["figures"], document["checked"], document["read"]) == (3, 1, True)
    assert {"document", "line", "column", "end_column", "quote", "kind", "expression", "stated", "computed", "verdict",
            "confidence", "claim", "note"} <= set(item)  # fmt: skip
    assert (item["verdict"], item["line"], item["column"], item["end_column"]) == ("refuted", 1, 31, 34)
    assert own.get("/v1/nodes").json()["total"] == before


def test_what_cannot_be_read_is_a_problem(own):
    assert own.post("/v1/proof", content="  ", headers={"content-type": "text/plain"}).status_code == 422
    assert own.post("/v1/proof", content=TEXT, headers={"content-type": "image/png"}).status_code == 415
    assert own.post("/v1/proof?nonsense=1", content=TEXT, headers={"content-type": "text/plain"}).status_code == 422


@pytest.mark.parametrize(("longest", "seconds"), [(100, 20), (200_000, 1e-6)])
def test_a_text_that_is_too_much_work_is_refused_with_what_to_do(part_home, longest, seconds, monkeypatch):
    monkeypatch.setattr(claim_routes, "LONGEST", longest)
    with home_client(Settings(home=part_home, proof_seconds=seconds), pages=False) as asked:
        found = asked.post("/v1/proof", content=f"{TEXT} " * 3, headers={"content-type": "text/plain"})
    assert found.status_code == 413
    assert "Send it in parts, or check the file with the command brain proof" in found.json()["detail"]
