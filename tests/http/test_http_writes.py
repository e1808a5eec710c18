"""Writing over HTTP: only with the token, completely or not at all, under a condition where one is given, and on record."""

import pytest

CLAIMS = """claims:
  - {id: half, node: notes/a-note, says: Half of four is two., as_of: 2025-01-01, given: {whole: "4"},
     value: whole / 2, expect: {is: "2"}}
"""


@pytest.mark.parametrize(
    "headers", [{}, {"Authorization": "Bearer wrong"}, {"Authorization": "Basic a-token-of-the-tests"}]
)
@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/v1/documents?name=a.md"), ("POST", "/v1/documents?nmae=a.md"), ("POST", "/v1/runs"),
        ("GET", "/v1/audit?limit=many&format=none"),
    ],
)  # fmt: skip
def test_no_one_writes_without_the_token(own, headers, method, path):
    answer = own.request(method, path, headers=headers)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"].startswith("Bearer")
    assert own.get("/v1/nodes").json()["total"] == 0


def test_a_document_comes_in_and_the_same_again_changes_nothing(own, put, note, bearer):
    first = put("a.md", note("A note", tags="[batch]"))
    told = first.json()
    assert first.status_code == 201
    assert told["documents"][0]["outcome"] == "new"
    fields = {"path", "format", "brain", "declared_nodes", "nodes", "lines", "skipped", "problems"}
    assert fields <= told["documents"][0].keys()
    version = own.get("/readyz").json()["version"]
    again = put("a.md", note("A note", tags="[batch]"))
    assert (again.status_code, again.json()["documents"][0]["outcome"]) == (200, "unchanged")
    assert own.get("/readyz").json()["version"] == version
    assert own.get("/v1/nodes?tag=batch").json()["total"] == 1
    assert len(own.get("/v1/audit", headers=bearer).json()["items"]) == 1


def test_a_document_with_an_error_and_a_dry_run_leave_nothing(own, put, note):
    refused = put("claims.yaml", CLAIMS.replace("value: whole / 2", "value: whole /"))
    assert refused.status_code == 422
    told = refused.json()
    assert told["type"] == "/problems/invalid-document"
    assert told["problems"][0]["line"] > 1
    assert own.get("/v1/documents").json()["total"] == 0
    tried = put("a.md", note("A note"), dry_run="true")
    assert (tried.status_code, tried.json()["stored"]) == (200, False)
    assert tried.json()["nodes"] == {"reading": 1}
    assert own.get("/v1/nodes").json()["total"] == 0


def test_a_claim_that_another_document_has_is_a_conflict(own, put, note):
    assert put("a.md", note("One")).status_code == 201
    assert put("claims.yaml", CLAIMS).status_code == 201
    taken = put("more.yaml", CLAIMS)
    assert (taken.status_code, taken.json()["type"]) == (409, "/problems/conflict")
    assert own.get("/v1/documents").json()["total"] == 2


def test_a_document_is_taken_out_with_the_token_and_on_record(own, put, note, bearer):
    assert put("a.md", note("One")).status_code == 201
    gone = {"params": {"name": "a.md"}}
    assert own.delete("/v1/documents", **gone).status_code == 401
    tried = own.delete("/v1/documents", params={"name": "a.md", "dry_run": "true"}, headers=bearer).json()
    gone_rules = {"claims": 0, "prices": 0, "silences": 0}
    removed = [{"document": "a.md", "nodes": ["notes/a"], **gone_rules, "problems": []}]
    assert tried == {"removed": removed, "stored": False}
    assert own.delete("/v1/documents", **gone, headers=bearer).json()["stored"] is True
    assert own.get("/v1/nodes").json()["total"] == 0
    assert own.get("/v1/audit", headers=bearer).json()["items"][0]["action"] == "remove"
    missing = own.delete("/v1/documents", **gone, headers=bearer)
    assert (missing.status_code, missing.json()["type"]) == (404, "/problems/not-found")


def test_a_node_that_is_gone_says_so_while_others_cite_it(own, put, note):
    assert put("a.md", note("First note")).status_code == 201
    assert put("b.md", note("Second note", "It depends on [[First note]].")).status_code == 201
    own.brain.documents.remove("a.md", own.brain.documents.get("a.md").ingested_at)
    gone = own.get("/v1/nodes/notes/a")
    assert (gone.status_code, gone.json()["type"]) == (410, "/problems/gone")
    assert gone.json()["tombstone"]["title"] == "First note"
    assert own.get("/v1/nodes/notes/a/backlinks").status_code == 410


def test_a_condition_holds_or_nothing_is_written(own, put, note, bearer):
    tag = own.get("/v1/nodes").headers["etag"]
    send = {"params": {"name": "a.md"}, "content": note("A note")}
    assert own.post("/v1/documents", headers={**bearer, "If-Match": tag}, **send).status_code == 201
    send = {"params": {"name": "b.md"}, "content": note("Another note")}
    late = own.post("/v1/documents", headers={**bearer, "If-Match": tag}, **send)
    assert (late.status_code, late.json()["type"]) == (412, "/problems/precondition-failed")
    assert own.post("/v1/runs", headers={**bearer, "If-Match": tag}).status_code == 412
    assert own.get("/v1/nodes").json()["total"] == 1
    assert own.post("/v1/documents", headers={**bearer, "If-Match": "*"}, **send).status_code == 201


@pytest.mark.parametrize("media", ["image/png", "multipart/form-data; boundary=x", "application/pdf"])
def test_bodies_that_are_no_documents_are_refused(own, bearer, media):
    answer = own.post("/v1/documents?name=a", content=b"x", headers={**bearer, "Content-Type": media})
    assert answer.status_code == 415
    assert "text/markdown" in answer.json()["accepted"]
    packed = {**bearer, "Content-Encoding": "gzip"}
    assert own.post("/v1/documents?name=a", content=b"x", headers=packed).status_code == 415


def test_a_run_is_appended_and_the_claims_hold(own, put, note, bearer):
    put("a-note.md", note("A note"))
    assert put("claims.yaml", CLAIMS).status_code == 201
    ignored = own.post("/v1/runs", json={"as_of": "foo"}, headers=bearer)
    assert (ignored.status_code, "into the query" in ignored.json()["detail"]) == (422, True)
    run = own.post("/v1/runs", params={"as_of": "2026-11-21"}, headers=bearer)
    assert (run.status_code, run.headers["location"]) == (201, "/v1/runs/1")
    assert run.json()["counts"] == {"holds": 1}
    assert own.get("/v1/claims?verdict=holds").json()["total"] == 1
    assert own.get("/v1/nodes/notes/a-note/health").json()["items"][0]["state"] == "sound"
    wrong = CLAIMS.replace('"2"', '"3"')
    assert put("claims.yaml", wrong).status_code == 200
    assert own.post("/v1/runs", params={"as_of": "2026-11-22"}, headers=bearer).status_code == 201
    turned = own.get("/v1/changes").json()["items"]
    assert [(one["run"], one["changes"][0]["claim"]) for one in turned] == [(2, "half")]
    feed = own.get("/feed.json").json()["items"]
    assert feed[0]["id"].endswith("/runs/2#errata"), "the errata of a run are one entry"
    (half,) = own.get("/feed.json?claim=half").json()["items"]
    assert half["id"].endswith("/runs/2/claims/half")
    assert "holds → refuted" in half["title"]
    assert "holds → refuted" in own.get("/feed.atom?claim=half").text
    assert own.get("/feed.json?tag=none").json()["items"] == []
    actions = [entry["action"] for entry in own.get("/v1/audit", headers=bearer).json()["items"]]
    assert actions == ["verify", "ingest", "verify", "ingest", "ingest"]
