"""An upload that names no brain: an operator followed the example of the docs, and a private note was in a public brain."""

import pytest

from api.services.access import issue
from graph.models.access_models import BrainPolicy, Scope
from tests.conftest import NOW

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


@pytest.fixture
def holder(secretco):
    """The header of somebody with a write token for secretco."""
    given, stored = issue(Scope.WRITE, brain="secretco", until=None, comment="", at=NOW)
    secretco.brain.tokens.add(stored)
    return {"Authorization": f"Bearer {given}"}


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


def test_a_note_that_says_its_brain_needs_no_parameter(secretco, put, note):
    assert put("secretco/third.md", note("Third", brain="secretco")).status_code == 201
    assert seen(secretco) == ["analyst/open"]


def test_a_folder_that_is_no_brain_is_only_a_folder(secretco, put, note):
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


def test_a_token_of_one_brain_stores_no_note_that_says_it_is_of_another(secretco, holder, note):
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
