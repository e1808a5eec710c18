"""A token for one brain states nothing about notes and claims that it does not see."""

import pytest

from api.services.access import issue
from graph.models.access_models import BrainPolicy, Scope
from tests.http.conftest import NOW

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
    token, stored = issue(Scope.WRITE, brain="pub", until=None, comment="", at=NOW)
    own.brain.tokens.add(stored)

    def send(text, **more):
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/yaml"}
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
