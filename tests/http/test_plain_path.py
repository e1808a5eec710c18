"""The short way for plain requests: the answers of the layers, and everything unusual is left to them."""

import json
import time
from datetime import UTC, datetime

import pytest
from sqlalchemy import text
from starlette.testclient import TestClient

from api.brain import Brain
from api.http.app import build
from api.http.middleware.plain_path import PlainPath
from api.models.api_models import node_fields
from api.models.node_text import node_text
from api.settings import Settings
from graph.models.access_models import BrainPolicy
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
)


@pytest.mark.parametrize("path", PATHS)
def test_an_answer_of_the_short_way_is_that_of_the_layers(shipped, monkeypatch, short, path):
    shipped.brain.status.healths()  # as the warm-up does
    first = _fresh(shipped.brain).get(path)
    assert short or path not in PATHS[:2]
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
