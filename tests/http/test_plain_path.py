"""The short way for plain requests: the answers of the layers, and everything unusual is left to them."""

import json
import time
from datetime import UTC, datetime
from urllib.parse import parse_qsl, urlencode

import pytest
from sqlalchemy import text
from starlette.testclient import TestClient

from api.brain import Brain
from api.http.app import build
from api.http.middleware.plain_path import PlainPath
from api.http.plain_requests import _parameters, plain_request
from api.models.api_models import node_fields, page_fields
from api.models.node_text import hits_text, node_text
from api.settings import Settings
from graph.models.access_models import BrainPolicy
from graph.models.query_models import NodeQuery
from graph.values import dumps_flat

NOW = datetime(2026, 11, 21, 6, 30, tzinfo=UTC)
NODE = "/v1/nodes/analyst/caching-and-batch-stack"


@pytest.fixture
def short(monkeypatch):
    """Which requests were answered the short way."""
    answered, whole = [], PlainPath.answered

    async def told(self, scope, given, state, send):
        found = await whole(self, scope, given, state, send)
        answered.extend([scope["path"]] if found else [])
        return found

    monkeypatch.setattr(PlainPath, "answered", told)
    return answered


def _fresh(brain):
    """A client without cached answers."""
    client = TestClient(build(brain, clock=lambda: NOW), base_url="http://localhost")
    client.get("/readyz")
    return client


def _warmed(brain):
    """Compute what the warm-up computes in the background; until then first answers go the long way."""
    brain.status.healths()
    brain.index_feed.shown(())  # opens a connection, as the start of the service does


def test_a_text_is_listed_as_by_the_search(shipped):
    for typed in (
        "batch discount",
        "kv cache",
        "batch",
        '"batch size"',
        "quantiza* -cache",
        "promt",
        "title:batch",
        "x",
    ):
        query = NodeQuery(limit=7)
        fields = page_fields(shipped.brain.search.search(typed, query))
        whole = {"items": fields.pop("items"), "next": fields.pop("next"), **fields}
        assert hits_text(shipped.brain.search.listed(typed, query)) == dumps_flat(whole)


def _told(answer):
    return {name: value for name, value in answer.headers.items() if name != "x-request-id"}, answer.content


def test_every_node_is_written_as_by_its_model(shipped):
    brain = shipped.brain
    for name in brain.nodes.ids():
        stored, revision = brain.nodes.stored(name)
        assert node_text(stored, "sound") == dumps_flat(node_fields(brain.nodes.get(name), "sound"))
        assert revision == brain.revision()


PATHS = (
    NODE,
    f"{NODE}?format=json",
    f"{NODE}?format=turtle",
    f"{NODE}?as_of=x",
    "/v1/nodes/analyst/no-such-node",
    "/v1/nodes/analyst/caching%20and",
    "/v1/nodes/analyst/%00",
    "/v1/nodes?tag=latency&limit=3",
    "/v1/nodes?tag=caching",
    "/v1/nodes?tag=no-such-tag",
    "/v1/nodes?tag=latency&tag=caching",
    "/v1/nodes?tag=latency&limit=0",
    "/v1/nodes?tag=latency&limit=+3",
    "/v1/nodes?tag=",
    "/v1/nodes?q=",
    "/v1/nodes?q=%20",
    "/v1/nodes?q=batch+discount&limit=5",
    "/v1/nodes?q=kv%20cache",
    "/v1/nodes?q=batch",
    "/v1/nodes?q=%22batch+size%22&limit=1000",
    "/v1/nodes?q=quantiza*+-cache",
    "/v1/nodes?q=tag:latency",
    "/v1/nodes?q=title:batch",
    "/v1/nodes?q=promt+caching",
    "/v1/nodes?q=zzzzzz",
    "/v1/nodes?q=break-even+3/4&limit=2",
    "/v1/nodes?q=batch&tag=caching",
    f"/v1/nodes?q={'x' * 2001}",
)


@pytest.mark.parametrize("path", PATHS)
def test_an_answer_of_the_short_way_is_that_of_the_layers(shipped, monkeypatch, short, path):
    _warmed(shipped.brain)
    first = _fresh(shipped.brain).get(path)
    assert short or path not in {*PATHS[:2], *PATHS[7:9]}
    monkeypatch.setattr("api.http.middleware.audiences.plain_headers", lambda _scope: None)
    short.clear()
    again = _fresh(shipped.brain).get(path)
    assert not short
    assert (first.status_code, _told(first)) == (again.status_code, _told(again))


@pytest.mark.parametrize(
    "headers",
    [
        {"If-None-Match": '"other"'},
        {"Authorization": "Bearer no-such-token"},
        {"Origin": "https://elsewhere.example"},
        {"X-Request-Id": "mine"},
        {"Accept-Datetime": "Sat, 01 Feb 2025 00:00:00 GMT"},
        {"Content-Length": "0"},
        {"Host": "elsewhere.example"},
    ],
)
def test_a_request_with_an_unusual_header_goes_the_long_way(shipped, short, headers):
    _fresh(shipped.brain).get(NODE, headers=headers)
    assert not short


def test_an_answer_of_the_short_way_has_a_tag_an_id_and_other_forms(shipped, short):
    _warmed(shipped.brain)
    client = _fresh(shipped.brain)
    first, second = client.get(NODE), client.get(NODE)
    assert len(short) == 2, "the cached answer too"
    assert first.headers["x-request-id"] != second.headers["x-request-id"]
    assert client.get(NODE, headers={"If-None-Match": first.headers["etag"]}).status_code == 304
    assert client.get(NODE, headers={"Accept": "text/turtle"}).headers["content-type"].startswith("text/turtle")
    assert client.get(NODE, headers={"Accept-Encoding": "identity"}).headers["etag"] != first.headers["etag"]


def test_a_row_of_an_earlier_program_is_read_by_the_model(part_home, short):
    name = "analyst/caching-and-batch-stack"
    with Brain.open(Settings(home=part_home)) as brain:
        whole = _fresh(brain).get(f"/v1/nodes/{name}").content
        with brain.store.writing() as work:
            body = json.loads(brain.nodes.stored(name)[0].body)
            del body["properties"]
            values = {"body": json.dumps(body), "id": name}
            work.sql.execute(text("UPDATE nodes SET body = :body WHERE id = :id"), values)
        short.clear()
        assert node_text(brain.nodes.stored(name)[0], "sound") is None
        assert _fresh(brain).get(f"/v1/nodes/{name}").content == whole


def test_a_write_of_another_process_and_a_private_brain_are_noticed(tmp_path, note, short):
    (tmp_path / "a.md").write_text(note("A note", brain="own", tags="[rye]"))
    with Brain.open(Settings(home=tmp_path / "home")) as brain, Brain.open(Settings(home=tmp_path / "home")) as other:
        client = _fresh(brain)
        assert client.get("/v1/nodes/own/a").status_code == 404
        assert other.ingest([tmp_path / "a.md"], at=NOW).stored
        time.sleep(0.01)
        assert client.get("/v1/nodes/own/a").json()["tags"] == ["rye"]
        (tmp_path / "a.md").write_text(note("A note", brain="own", tags="[oats]"))
        assert other.ingest([tmp_path / "a.md"], at=NOW).stored
        time.sleep(0.01)
        assert client.get("/v1/nodes/own/a").json()["tags"] == ["oats"]
        other.put_policy(BrainPolicy(name="own", private=True), at=NOW)
        time.sleep(0.01)
        assert client.get("/v1/nodes/own/a").status_code == 404
        assert client.get("/v1/nodes?tag=oats").json()["total"] == 0


def test_parameters_in_their_usual_form_are_read_as_all_others():
    for asked in (
        "q=a%20b+c&limit=20",
        "q=&x=1",
        "",
        "q",
        "q=a&&b=1",
        "q=%C3%A9",
        "q=a%2",
        "=1",
        "q=a=b",
        "Q=1&q[]=2",
        "q=a+",
    ):
        assert _parameters(asked) == parse_qsl(asked, keep_blank_values=True)


def test_an_address_in_the_usual_form_is_that_of_its_parameters():
    for asked in ("q=a%20b+c&limit=20", "q=&x=1", "q=a", "q=a~b.c_d-e", "q=a+", "q=%C3%A9+b", "q=a=b", "q=a&&b=1"):
        request = plain_request({"path": "/v1/nodes", "query_string": asked.encode()}, {}, "")
        assert request.address() == f"/v1/nodes?{urlencode(parse_qsl(asked, keep_blank_values=True))}&"
