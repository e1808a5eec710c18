"""She hands her brain over: what goes out comes back in equal, the ledger included."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from api.brain import Brain
from api.settings import Settings
from graph.models.alert_models import Notice, Silence
from tests.conftest import NOW, TODAY

CARD = """prices:
  - item: example/gpu
    component: on_demand
    value: {value} USD/GPU/h
    from: 2026-01-01
    source: https://example.com/prices
    checked: 2026-11-01
"""
CLAIM = """claims:
  - id: gpu-costs-two
    node: mara/gpu
    says: A GPU costs two dollars an hour.
    as_of: 2026-11-01
    given: {list: 'price("example/gpu", "on_demand")'}
    value: list
    expect: {is: 2 USD/GPU/h, within: 0.1 USD/GPU/h}
"""
NOTE = "---\ntitle: GPU\nkind: thesis\nbrain: mara\n---\nA GPU costs two dollars an hour.\n"
SILENCES = (
    "silences:\n  - claim: gpu-costs-two\n    reason: being rewritten\n    since: 2026-11-01\n    until: 2026-12-31\n"
)
LATER = NOW + timedelta(days=1)


def put(brain, folder, files, at=NOW):
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text)
    report = brain.ingest([folder], at=at)
    assert report.stored, [problem.render() for problem in report.problems]


@pytest.fixture
def mara(tmp_path):
    """Her brain after some nights: a claim that broke, a flag, a silence, a notice, an edited and a removed note."""
    with Brain.open(Settings(home=tmp_path / "mara")) as brain:
        vault = tmp_path / "vault"
        first = {"gpu.md": NOTE, "claims.yaml": CLAIM, "prices.yaml": CARD.replace("{value}", "2")}
        put(brain, vault, {**first, "old.md": "---\ntitle: Old\nbrain: mara\n---\nSee [[GPU]].\n", "s.yaml": SILENCES})
        brain.verify(TODAY, at=NOW, clock=lambda: NOW)
        put(brain, vault, {"prices.yaml": CARD.replace("{value}", "3")}, LATER)
        brain.remove(["old.md"], at=LATER)
        for days in range(1, 4):
            at = NOW + timedelta(days=days)
            brain.verify(at.date(), at=at, clock=lambda at=at: at)
        brain.alerts.put_silence(Silence(id="by-hand", tag="gpu", reason="moving house", since=TODAY))
        notice = Notice(id="n1", kind="raised", subject="gpu-costs-two", body="{}", created_at=NOW, attempts=2)
        brain.alerts.put_notices([notice.model_copy(update={"next_try": LATER, "last_error": "503"})])
        yield brain


def exported(brain):
    return b"".join(brain.exporter.complete_json())


@pytest.fixture
def handed_over(mara, tmp_path):
    """The brain of her colleague, after importing the export."""
    file = tmp_path / "mara.json"
    file.write_bytes(exported(mara))
    with Brain.open(Settings(home=tmp_path / "colleague")) as brain:
        report = brain.ingest([file], at=datetime(2026, 12, 24, tzinfo=UTC))
        assert report.stored
        assert report.histories_left == ()
        yield brain


def test_the_second_export_is_byte_equal(mara, handed_over):
    assert exported(handed_over) == exported(mara)


def test_ledger_flags_silences_notices_and_snapshots_come_over(mara, handed_over):
    assert handed_over.ledger.runs() == mara.ledger.runs()
    for run in mara.ledger.runs():
        assert list(handed_over.ledger.rows(run.id)) == list(mara.ledger.rows(run.id))
    assert mara.alerts.flags()
    assert handed_over.alerts.flags() == mara.alerts.flags()
    assert {one.id for one in mara.alerts.silences()} >= {"by-hand"}
    assert handed_over.alerts.silences() == mara.alerts.silences()
    assert handed_over.alerts.notices() == mara.alerts.notices()
    assert handed_over.snapshots.all() == mara.snapshots.all()
    assert handed_over.documents.versions("prices.yaml")[-1].ingested_at == NOW
    assert handed_over.documents.versions("old.md")


def test_verdicts_and_old_runs_are_the_same_and_the_ledger_goes_on(mara, handed_over):
    day = NOW.date() + timedelta(days=3)
    assert handed_over.evaluator.explain("gpu-costs-two", day) == mara.evaluator.explain("gpu-costs-two", day)
    assert handed_over.status.states() == mara.status.states()
    assert all(handed_over.evaluator.rerun(run.id).same for run in handed_over.ledger.runs())
    last = mara.ledger.runs()[0].id
    at = NOW + timedelta(days=9)
    assert handed_over.verify(at.date(), at=at, clock=lambda: at).id == last + 1
    assert not [one for one in handed_over.check() if one.severity == "error"]
    assert handed_over.store.journal.read().entries[-1].run == last + 1


def test_a_ledger_is_imported_only_into_a_home_without_one(mara, handed_over, tmp_path):
    file = tmp_path / "mara.json"
    assert handed_over.ingest([file], at=LATER).histories_left == ()  # the same again
    with Brain.open(Settings(home=tmp_path / "third")) as third:
        put(third, tmp_path / "third-vault", {"own.md": "---\ntitle: Own\nbrain: jo\n---\nMine.\n"})
        third.verify(TODAY, at=NOW, clock=lambda: NOW)
        own = third.ledger.runs()
        report = third.ingest([file], at=LATER)
        assert report.stored
        assert "was not imported" in report.histories_left[0]
        assert third.ledger.runs() == own


@pytest.mark.parametrize("form", ["json", "csv", "turtle", "graphml", "complete"])
def test_an_export_is_one_state_of_the_store_whatever_is_written_meanwhile(mara, tmp_path, form):
    make = mara.exporter.complete_json if form == "complete" else mara.exporter.forms[form]
    before = b"".join(make())
    pieces = make()
    begun = next(pieces)
    put(mara, tmp_path / "vault", {"zz.md": "---\ntitle: New\nbrain: mara\n---\nText.\n"}, LATER)
    at = NOW + timedelta(days=20)
    mara.verify(at.date(), at=at, clock=lambda: at)
    assert begun + b"".join(pieces) == before
    assert b"".join(make()) != before


def test_the_json_export_is_streamed(shipped_home):
    with Brain.open(Settings(home=shipped_home)) as brain:
        pieces = [len(piece) for piece in brain.exporter.forms["json"]()]
        largest = max(len(brain.documents.get(one.name).text) for one in brain.documents.heads())
        snapshot = max(one.size for one in brain.snapshots.all())
    assert len(pieces) > 200
    assert max(pieces) < 1.2 * max(largest, snapshot) < sum(pieces)


def test_a_public_export_has_the_ledger_and_no_internal_rows(mara):
    public = json.loads(b"".join(mara.exporter.forms["json"]()))["history"]
    assert public["runs"]
    assert public["verdicts"][0]["verdict"] == "holds"
    assert not {"outbox", "silences", "audit"} & public.keys()


@pytest.mark.parametrize(
    "break_it",
    [
        lambda history: history["runs"].append({"id": "one"}),
        lambda history: history["runs"].append(5),
        lambda history: history["verdicts"][0].update(verdict="maybe"),
        lambda history: history["flags"][0].update(surprise=1),
        lambda history: history["snapshots"][0].update(created_at="yesterday"),
    ],
)
def test_a_damaged_history_stores_nothing(mara, tmp_path, break_it):
    tree = json.loads(exported(mara))
    break_it(tree["history"])
    (tmp_path / "broken.json").write_text(json.dumps(tree))
    with Brain.open(Settings(home=tmp_path / "other")) as other:
        with pytest.raises(Exception, match="history of the export"):
            other.ingest([tmp_path / "broken.json"], at=NOW)
        assert not other.documents.heads()
