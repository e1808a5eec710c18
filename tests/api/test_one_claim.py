"""A request for one claim reads that claim: with a million of them, all would be gigabytes and half a minute."""

from datetime import timedelta

import pytest

from api.brain import Brain
from api.settings import Settings
from graph.store.claim_tables import ClaimTables
from graph.store.store_errors import UnknownClaimError
from tests.command import written
from tests.conftest import NOW, TODAY
from tests.stories.gpu_home import CLAIM, NOTE
from tests.web_client import web_client


@pytest.fixture
def opened(shipped_copy):
    with Brain.open(Settings(home=shipped_copy)) as brain:
        yield brain


def test_the_status_of_one_claim_is_that_of_the_list_and_its_request_reads_no_other(opened, monkeypatch):
    ids = [claim.id for claim in opened.claims.all()][::7]
    alone = {claim: opened.status.state(claim) for claim in ids}
    listed = {state.id: state for state in opened.status.states()}
    assert len({state.verdict for state in alone.values()}) > 3
    for _ in range(2):
        assert alone == {claim: listed[claim] for claim in ids}
        alone = {claim: opened.status.state(claim) for claim in ids}
    claim = next(flag.claim for flag in opened.alerts.flags(standing=True))
    until = TODAY + timedelta(days=9)
    opened.status.acknowledgements.acknowledge(claim, until=until, comment="A new price is due.", by="Kai", on=TODAY)
    alone = opened.status.state(claim)
    assert alone.acknowledgement
    assert alone.flagged
    assert alone == next(state for state in opened.status.states() if state.id == claim)
    claim = ids[0]
    monkeypatch.setattr(ClaimTables, "all", lambda *_, **__: pytest.fail("every claim was read"))
    with web_client(opened, pages=False) as client:
        answer = client.get(f"/v1/claims/{claim}")
    assert answer.status_code == 200
    assert answer.json()["state"]["id"] == claim


def test_a_claim_before_the_first_run_has_no_verdict_yet(tmp_path):
    with Brain.open(Settings(home=tmp_path / "home")) as brain:
        assert brain.ingest([written(tmp_path / "vault", {"gpu.md": NOTE, "claims.yaml": CLAIM})], at=NOW).stored
        assert brain.status.state("gpu-costs-two").verdict is None
        with pytest.raises(UnknownClaimError):
            brain.status.state("no-such-claim")
