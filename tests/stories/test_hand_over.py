"""She hands her brain over: what goes out comes back in equal, the ledger included."""

import json
import re
from datetime import UTC, datetime, timedelta
from urllib.parse import unquote

import pytest

from api.brain import Brain
from api.services import exports
from api.services.checks import content_problems
from api.settings import Settings
from graph.models.alert_models import Notice, Silence
from graph.models.query_models import AuditEntry
from tests.command import outcome, written
from tests.conftest import NOW, TODAY
from tests.stories.gpu_home import CARD, CLAIM, NOTE

SILENCES = "silences: [{claim: gpu-costs-two, reason: being rewritten, since: 2026-11-01, until: 2026-12-31}]\n"
SHARE = "  - {id: share, node: mara/gpu, says: Half., as_of: 2026-11-01, value: 0.5, expect: {is: 50%, within: 1%}}\n"  # a warning
LATER = NOW + timedelta(days=1)


def put(brain, folder, files, at=NOW):
    report = brain.ingest([written(folder, files)], at=at)
    assert report.stored, [problem.render() for problem in report.problems]


@pytest.fixture
def mara(tmp_path):
    """Her brain after some nights: a claim that broke, a flag, a silence, a notice, an edited and a removed note."""
    with Brain.open(Settings(home=tmp_path / "mara")) as brain:
        vault = tmp_path / "vault"
        first = {"gpu.md": NOTE, "claims.yaml": CLAIM + SHARE, "prices.yaml": CARD.replace("<value>", "2")}
        put(brain, vault, {**first, "old.md": "---\ntitle: Old\nbrain: mara\n---\nSee [[GPU]].\n", "s.yaml": SILENCES})
        brain.verify(TODAY, at=NOW, clock=lambda: NOW)
        put(brain, vault, {"prices.yaml": CARD.replace("<value>", "3")}, LATER)
        brain.importer.remove(["old.md"], at=LATER)
        for days in range(1, 4):
            at = NOW + timedelta(days=days)
            brain.verify(at.date(), at=at, clock=lambda at=at: at)
        brain.alerts.put_silence(Silence(id="by-hand", tag="gpu", reason="moving house", since=TODAY))
        brain.notices.queue("https://hooks.example", NOW)
        brain.notices.put([Notice(id="n1", kind="raised", subject="gpu-costs-two", body="{}", created_at=NOW)])
        brain.notices.queue("https://hooks.example", LATER)
        for waiting in brain.notices.pending("https://hooks.example"):
            brain.notices.save(waiting.model_copy(update={"attempts": 2, "last_error": "503"}))
        yield brain


def exported(brain):
    return b"".join(exports.pieces(brain, "complete"))


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


def test_everything_comes_over_once_and_the_ledger_goes_on(mara, handed_over, tmp_path):
    assert exported(handed_over) == exported(mara)
    assert handed_over.ledger.runs() == mara.ledger.runs()
    for run in mara.ledger.runs():
        assert list(handed_over.ledger.rows(run.id)) == list(mara.ledger.rows(run.id))
    assert mara.alerts.flags()
    assert handed_over.alerts.flags() == mara.alerts.flags()
    assert {one.id for one in mara.alerts.silences()} >= {"by-hand"}
    assert handed_over.alerts.silences() == mara.alerts.silences()
    assert handed_over.notices.latest() == mara.notices.latest()
    assert handed_over.notices.deliveries() == mara.notices.deliveries() != ()
    assert handed_over.snapshots.all() == mara.snapshots.all()
    sections = dict(handed_over.store.history.sections())
    earlier = {row["name"]: row["ingested_at"] for row in sections["documents"]}
    assert earlier["prices.yaml"] == NOW.isoformat()
    assert "old.md" in earlier
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
    public = json.loads(b"".join(exports.pieces(mara, "json")))["history"]
    assert public["runs"]
    assert public["verdicts"][0]["verdict"] == "holds"
    assert not {"notices", "receivers", "deliveries", "silences", "audit"} & public.keys()
    day = NOW.date() + timedelta(days=3)
    assert handed_over.evaluator.explain("gpu-costs-two", day) == mara.evaluator.explain("gpu-costs-two", day)
    assert handed_over.status.states() == mara.status.states()
    assert all(handed_over.evaluator.rerun(run.id).same for run in handed_over.ledger.runs())
    last = mara.ledger.runs()[0].id
    at = NOW + timedelta(days=9)
    assert handed_over.verify(at.date(), at=at, clock=lambda: at).id == last + 1
    assert not [one for one in content_problems(handed_over) if one.severity == "error"]
    listed = (handed_over.settings.home / "runs.log").read_text().splitlines()
    assert json.loads(listed[-1])["run"] == last + 1


def test_an_export_is_one_state_of_the_store_whatever_is_written_meanwhile(mara, tmp_path):
    for number, form in enumerate(("json", "csv", "turtle", "graphml", "complete")):
        before = b"".join(exports.pieces(mara, form))
        written = exports.pieces(mara, form)
        begun = next(written)
        put(mara, tmp_path / "vault", {f"{form}.md": "---\ntitle: New\nbrain: mara\n---\nText.\n"}, LATER)
        at = NOW + timedelta(days=20 + number)
        mara.verify(at.date(), at=at, clock=lambda at=at: at)
        assert begun + b"".join(written) == before, form
        assert b"".join(exports.pieces(mara, form)) != before, form


def test_the_json_export_is_streamed(shipped_home):
    with Brain.open(Settings(home=shipped_home)) as brain:
        pieces = [len(piece) for piece in exports.pieces(brain, "json")]
        largest = max(len(brain.documents.get(one.name).text) for one in brain.documents.heads())
        snapshot = max(one.size for one in brain.snapshots.all())
    assert len(pieces) > 200
    assert max(pieces) < 1.2 * max(largest, snapshot) < sum(pieces)


@pytest.mark.postgres
def test_a_brain_moves_to_postgresql_by_export_and_goes_on_there(mara, tmp_path, postgres_database):
    mara.audit.append(AuditEntry(at=NOW, actor="mara", action="verify"))
    (tmp_path / "mara.json").write_bytes(exported(mara))
    with Brain.open(Settings(home=tmp_path / "server", db=postgres_database())) as brain:
        assert brain.ingest([tmp_path / "mara.json"], at=LATER).stored
        before = exported(brain)
        assert before == exported(mara)
        pieces = exports.pieces(brain, "complete")
        begun = next(pieces)
        brain.audit.append(AuditEntry(at=NOW, actor="mara", action="later"))
        at = NOW + timedelta(days=9)
        assert brain.verify(at.date(), at=at, clock=lambda: at).id == mara.ledger.runs()[0].id + 1
        assert begun + b"".join(pieces) == before
        assert not [one for one in content_problems(brain) if one.severity == "error"]


def test_a_damaged_history_stores_nothing(mara, tmp_path):
    whole = exported(mara)
    for break_it in (
        lambda history: history["runs"].append({"id": "one"}),
        lambda history: history["runs"].append(5),
        lambda history: history["verdicts"][0].update(verdict="maybe"),
        lambda history: history["flags"][0].update(surprise=1),
        lambda history: history["snapshots"][0].update(created_at="yesterday"),
    ):
        tree = json.loads(whole)
        break_it(tree["history"])
        (tmp_path / "broken.json").write_text(json.dumps(tree))
        with Brain.open(Settings(home=tmp_path / "other")) as other:
            with pytest.raises(Exception, match="history of the export"):
                other.ingest([tmp_path / "broken.json"], at=NOW)
            assert not other.documents.heads()


FIELDS = {"id", "brain", "kind", "title", "body", "tags", "sources", "citations", "labels", "relations", "section"}


def content(brain):
    nodes = {node.id: node.model_dump(include=FIELDS | {"published"}) for node in brain.nodes.all()}
    return nodes, list(brain.claims.all()), set(brain.edges.select(derived=True))


def vault_of(brain, folder):
    exports.vault(brain, folder)
    return {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*") if path.is_file()}


def through_a_vault(brain, tmp_path):
    """The same brain after an export as a vault and an ingest into an empty home; the files of both exports."""
    files = vault_of(brain, tmp_path / "out")
    other = Brain.open(Settings(home=tmp_path / "from-vault"))
    report = other.ingest([tmp_path / "out"], at=NOW)
    assert report.stored, [problem.render() for problem in report.problems]
    assert len(report.entries) == len(files)
    return other, files, vault_of(other, tmp_path / "again")


def test_the_shipped_brain_comes_back_equal_from_a_vault(shipped_home, tmp_path):
    with Brain.open(Settings(home=shipped_home)) as brain:
        other, files, again = through_a_vault(brain, tmp_path)
        with other:
            assert again == files
            assert content(other) == content(brain)
            run = other.verify(TODAY, at=NOW, clock=lambda: NOW)
            assert list(other.ledger.rows(run.id)) == list(brain.ledger.rows(brain.ledger.runs()[0].id))


HABITS = {
    "Prices/GPU prices: 2026?.md": "# GPU prices: 2026?\nSee [[token prices]] and [[Token prices#Batch|batches]].\n",
    "Prices/tokens.md": "---\ntitle: Token prices\naliases: [per-token]\n---\n[[gpu-prices-2026]], [[per-token]].\n",
    "Daily/2026-11-21.md": "![[tokens]] and [words](../Prices/tokens.md#batch) and `[[tokens]]` in code.\n\n"
    "| a | b |\n|---|---|\n| [[tokens]] | [[Prices/tokens\\|same]] |\n",
    "a/Index.md": "# Index\nOne. [[b/Index]] [[Token prices|tokens]] [[tokens]]\n",
    "b/index.md": "# Index\nTwo. [[nowhere]] [[../a/Index]]\n",
    "con.md": "# CON\nReserved by Windows. [[readme-first]]\n",
    "readme first.md": "---\ntitle: README\nid: x\n---\nSkipped by its name otherwise. [[con]]\n",
    "hidden.md": "# .hidden [x] #y ^z | w\n[[hidden]] is this note. [[CON]]\n",
    "straße.md": "# Straße\n[[STRASSE]] [[straße]]\n",
    "strasse.md": "# Strasse\n[[strasse]]\n",
}


def test_every_link_of_her_vault_works_in_obsidian_and_comes_back_as_it_was(tmp_path):
    files = {name.replace(":", "").replace("?", ""): text for name, text in HABITS.items()}
    written(tmp_path / "vault", {**files, "brain.yaml": "brain: mara\n"})
    with Brain.open(Settings(home=tmp_path / "mara")) as brain:
        assert brain.ingest([tmp_path / "vault"], at=NOW).stored
        other, files, again = through_a_vault(brain, tmp_path)
        with other:
            assert content(other) == content(brain)
            assert again == files
        nodes = list(brain.nodes.all())
    assert len(files) == len(HABITS) == len(nodes)
    stems = [name.rpartition("/")[2].removesuffix(".md") for name in files]
    assert len({stem.casefold() for stem in stems}) == len(stems)
    assert not [stem for stem in stems if set(stem) & set('\\/:*?"<>|#^[]') or stem.lower() == "con"]
    for name, text in files.items():
        body = text.split("\n---\n", 1)[1]
        for link in re.findall(r"(?<!`)\[\[([^\]|#\\]+)", body):
            known = link.casefold() in {stem.casefold() for stem in stems}
            assert known == (link != "nowhere"), (name, link)
        for path in re.findall(r"\]\(([^)#]+\.md)", body):
            assert unquote(path) in files
        assert "`[[tokens]]`" in body or "in code" not in body
    daily = next(text for text in files.values() if "in code" in text)
    assert "| [[Token prices\\|tokens]] | [[Token prices\\|same]] |" in daily
    assert any(f'"{node.id}"' in text for node in nodes for text in files.values())


def test_an_export_that_cannot_come_back_says_so(mara, tmp_path):
    mara.close()
    for form, says in (
        *((form, f"does not read {form}") for form in ("turtle", "csv", "graphml")),
        ("markdown", "it has no claims, prices and ledger"),
        ("vault", "it has no ledger, flags, notices"),
        ("json", ""),
    ):
        export = outcome(tmp_path / "mara", "export", "--format", form, "-o", tmp_path / f"out-{form}")
        assert (export.code, "note:" in export.err) == (0, bool(says)), form
        assert says in export.err
