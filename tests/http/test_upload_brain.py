"""An upload that names no brain: an operator followed the example of the docs, and a private note was in a public brain."""

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
    """The ids of the nodes that a caller without a token sees."""
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
