"""Documents over HTTP: stored, replaced and removed, alone or as a brain."""

import pytest

from graph.models.access_models import BrainPolicy, Scope
from tests.http.conftest import NOW, bearer_of

CLAIMS = """claims:
  - {id: half, node: secretco/plan, says: Half of four is two., as_of: 2025-01-01, value: 4 / 2, expect: {is: 2}}
"""


@pytest.fixture
def secretco(own, put, note):
    """A home with the private brain secretco, which has the note `plan.md`, and the public brain analyst."""
    own.brain.prices.put_policy(BrainPolicy(name="secretco", private=True), at=NOW)
    assert put("plan.md", note("Plan"), brain="secretco").status_code == 201
    assert put("open.md", note("Open"), brain="analyst").status_code == 201
    return own


def seen(client):
    return sorted(node["id"] for node in client.get("/v1/nodes").json()["items"])


@pytest.mark.parametrize("more", [{}, {"dry_run": "true"}])
@pytest.mark.parametrize("name", ["secretco/third.md", "Secretco/third.md", "secretco/deep/third.md"])
def test_a_name_that_begins_with_a_private_brain_needs_the_brain(secretco, put, note, name, more):
    refused = put(name, note("Third"), **more)
    assert (refused.status_code, refused.json()["type"]) == (422, "/problems/invalid-request")
    assert "add brain=secretco, or brain=notes" in refused.json()["detail"]
    assert seen(secretco) == ["analyst/open"]


def test_the_brain_that_is_given_decides(secretco, put, note):
    assert put("secretco/third.md", note("Third"), brain="secretco").status_code == 201
    assert seen(secretco) == ["analyst/open"]
    assert put("secretco/fourth.md", note("Fourth"), brain="analyst").status_code == 201
    assert seen(secretco) == ["analyst/fourth", "analyst/open"]
    assert put("secretco/fourth.md", note("Fourth", "More.")).status_code == 200, "it is where it was"


def test_a_note_that_says_its_brain_needs_no_parameter_and_another_folder_is_only_a_folder(secretco, put, note):
    assert put("secretco/third.md", note("Third", brain="secretco")).status_code == 201
    assert seen(secretco) == ["analyst/open"]
    assert put("reading/third.md", note("Third")).status_code == 201
    assert put("notes/fourth.md", note("Fourth")).status_code == 201
    assert put("analyst/fifth.md", note("Fifth")).status_code == 201, "a public brain is no secret"


def test_a_new_version_stays_in_the_brain_of_the_one_before(secretco, put, note, bearer):
    assert put("plan.md", note("Plan", "Changed.")).json()["documents"][0]["brain"] == "secretco"
    assert put("claims.yaml", CLAIMS, brain="secretco").status_code == 201
    again = put("claims.yaml", CLAIMS.replace("Half of", "The half of"))
    assert again.json()["documents"][0]["brain"] == "secretco"
    assert seen(secretco) == ["analyst/open"]
    assert secretco.get("/v1/claims").json()["total"] == 0


def test_no_new_version_takes_a_document_out_of_a_private_brain_unasked(secretco, put, note):
    moved = note("Plan", brain="analyst")
    refused = put("plan.md", moved)
    assert refused.status_code == 422
    assert "add brain=secretco, or brain=analyst if it is to leave secretco" in refused.json()["detail"]
    assert seen(secretco) == ["analyst/open"]
    assert put("plan.md", moved, brain="analyst").status_code == 200


def test_a_token_of_one_brain_stores_no_note_that_says_it_is_of_another(secretco, note):
    holder, _ = bearer_of(secretco.brain, Scope.WRITE, "secretco")

    def post(text, **more):
        return secretco.post("/v1/documents", params={"name": "x.md", **more}, content=text, headers=holder)

    of_another = note("Elsewhere", brain="analyst")
    refused = post(of_another)
    assert (refused.status_code, refused.json()["type"]) == (403, "/problems/forbidden")
    assert "the document names the brain analyst; add brain=secretco" in refused.json()["detail"]
    terms = "brain: analyst\nterms:\n  - label: batch\n    definition: Many at once.\n"
    assert post(terms, name="x.yaml").status_code == 403
    assert post(terms.replace("brain: analyst\n", ""), name="x.yaml").json()["documents"][0]["brain"] == "secretco"
    assert post(of_another, brain="secretco").json()["documents"][0]["brain"] == "secretco"
    assert seen(secretco) == ["analyst/open"]


# A token for one brain states nothing about notes and claims that it does not see.


CLAIM = """claims:
  - {{id: {id}, node: {node}, says: One is at most two., as_of: 2025-01-01, value: 1, expect: {{at_most: 2}}}}
"""
SILENCE = "silences:\n  - {{claim: {id}, reason: quiet, since: 2026-11-01, until: 2026-12-01}}\n"


@pytest.fixture
def posted(own, note, put):
    """Send a file with a write token for the brain `pub`; `vault` is private and `else` is public."""
    for name in ("pub", "vault", "else"):
        assert put(f"{name}/plan.md", note("Plan"), brain=name).status_code == 201
        claim = CLAIM.format(id=f"{name}-claim", node=f"{name}/plan")
        assert put(f"{name}.yaml", claim, brain=name).status_code == 201
    own.brain.prices.put_policy(BrainPolicy(name="vault", private=True), at=NOW)
    headers = bearer_of(own.brain, Scope.WRITE, "pub")[0] | {"Content-Type": "application/yaml"}

    def send(text, **more):
        return own.post("/v1/documents", params={"name": "mine.yaml", **more}, content=text, headers=headers)

    return send


def test_a_claim_on_a_private_note_is_refused_as_one_on_a_note_that_never_was(own, posted):
    """It was stored, was shown on the private note, and counted for its health; its writer could not see it again."""
    version, said = own.brain.version(), set()
    assert own.brain.nodes.get("vault/plan")
    for node in ("vault/plan", "vault/none", "never/plan"):
        for more in ({}, {"dry_run": True}):
            answer = posted(CLAIM.format(id="mine", node=node), **more)
            problem = answer.json()["problems"][0]
            said.add((answer.status_code, problem["code"], problem["hint"], problem["message"].replace(node, "it")))
            assert "nothing was stored" in answer.json()["detail"]
    hint = "ingest the document with that node, or correct the claim's `node`"
    assert said == {(422, "claim-without-node", hint, "the claim mine is on the node it, which does not exist")}
    assert own.brain.version() == version
    for node in ("else/plan", "pub/later", "pub/plan"):  # what it sees, and what may still come to its own brain
        assert posted(CLAIM.format(id="mine", node=node)).status_code in {200, 201}


def test_a_silence_of_a_private_claim_is_refused_as_one_of_a_claim_that_never_was(own, posted):
    """It kept back the notices about a claim that its writer could not even see."""
    answers = [posted(SILENCE.format(id=name)) for name in ("vault-claim", "never-claim")]
    assert [answer.status_code for answer in answers] == [422, 422]
    said = [answer.json()["detail"].replace("vault", "never") for answer in answers]
    assert said[0] == said[1] == "mine.yaml: the claim never-claim does not exist; nothing was stored."
    assert own.brain.alerts.silences() == ()
    assert posted(SILENCE.format(id="pub-claim")).status_code == 201


TWO_CLAIMS = """claims:
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
    refused = put("claims.yaml", TWO_CLAIMS.replace("value: whole / 2", "value: whole /"))
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
    assert put("claims.yaml", TWO_CLAIMS).status_code == 201
    taken = put("more.yaml", TWO_CLAIMS)
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
def test_bodies_that_are_no_documents_are_refused_and_pages_and_tables_taken(own, bearer, media):
    answer = own.post("/v1/documents?name=a", content=b"x", headers={**bearer, "Content-Type": media})
    assert answer.status_code == 415
    assert "text/markdown" in answer.json()["accepted"]
    for name, sent, text in (("a.html", "text/html", "<html><p>Words"), ("b.csv", "text/csv", "a,b\n1,2\n")):
        given = {**bearer, "Content-Type": sent}
        assert own.post(f"/v1/documents?name={name}", content=text, headers=given).status_code == 201
    packed = {**bearer, "Content-Encoding": "gzip"}
    assert own.post("/v1/documents?name=a", content=b"x", headers=packed).status_code == 415


def test_a_run_is_appended_and_the_claims_hold(own, put, note, bearer):
    put("a-note.md", note("A note", "Half of 4 is 3."))
    assert put("claims.yaml", TWO_CLAIMS).status_code == 201
    ignored = own.post("/v1/runs", json={"as_of": "foo"}, headers=bearer)
    assert (ignored.status_code, "into the query" in ignored.json()["detail"]) == (422, True)
    run = own.post("/v1/runs", params={"as_of": "2026-11-21"}, headers=bearer)
    assert (run.status_code, run.headers["location"]) == (201, "/v1/runs/1")
    assert run.json()["counts"] == {"holds": 1}
    assert own.get("/v1/claims?verdict=holds").json()["total"] == 1
    assert own.get("/v1/nodes/notes/a-note/health").json()["items"][0]["state"] == "sound"
    wrong = TWO_CLAIMS.replace('"2"', '"3"')
    assert put("claims.yaml", wrong).status_code == 200
    for _ in range(2):
        assert own.post("/v1/runs", params={"as_of": "2026-11-22"}, headers=bearer).status_code == 201
    turned = own.get("/v1/changes?limit=1").json()["items"]  # the last run changed nothing
    assert own.get("/v1/changes?since=2026-11-22").json()["items"] == turned
    assert [(one["run"], one["changes"][0]["claim"]) for one in turned] == [(2, "half")]
    feed = own.get("/feed.json").json()["items"]
    assert feed[0]["id"].endswith("/runs/2#errata"), "the errata of a run are one entry"
    (half,) = own.get("/feed.json?claim=half").json()["items"]
    assert half["id"].endswith("/runs/2/claims/half")
    assert "holds → refuted" in half["title"]
    assert "holds → refuted" in own.get("/feed.atom?claim=half").text
    assert own.get("/feed.json?tag=none").json()["items"] == []
    actions = [entry["action"] for entry in own.get("/v1/audit", headers=bearer).json()["items"]]
    assert actions == ["verify", "verify", "ingest", "verify", "ingest", "ingest"]
