"""Documents that come one after another end as the same graph as documents that come together."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from api.brain import Brain
from api.settings import Settings
from ingest.terms import link

NOW = datetime(2026, 11, 21, 6, tzinfo=UTC)

NOTES = {
    "quay.md": ["See [[Tide]] and KV cache.", "A [[quay]] and [[crane|the crane]].", "Nothing, with a berth window."],
    "tide.md": ["It comes back; TTFT is another thing.", "The berth window, and [[Quay]]."],
    "crane.md": ["---\nsupports: [[quay]]\n---\nIt lifts the KV cache.", "Cranes wait for [[tide]]."],
    "words.md": [
        "# Words\n\n## K\n- **KV cache:** Keys that are kept.\n- **Berth window:** The hours given.\n",
        "# Words\n\n## T\n- **TTFT (time to first token):** A wait.\n",
        "# Words\n\n## B\n- **Berth window:** The hours that a ship is given at a quay.\n",
    ],
    "more.md": ["# More\n\n## B\n- **Berth window:** The hours that a ship has at its quay.\n"],
}  # fmt: skip

deeds = st.lists(
    st.sampled_from([(name, text) for name, texts in NOTES.items() for text in texts]), min_size=1, max_size=6
)


def filled(home, name, text):
    path = home / name
    path.write_text(text, "utf-8")
    return path


def graph(brain):
    """Every edge without its number, and what leads nowhere."""
    edges = {(link.subject, link.kind, link.target, link.cito) for link in brain.store.links()}
    return edges, sorted((one.document, one.code) for one in brain.store.problems())


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(deeds)
def test_one_after_another_is_the_same_as_all_at_once(tmp_path_factory, steps):
    home, other = tmp_path_factory.mktemp("steps"), tmp_path_factory.mktemp("once")
    with Brain.open(Settings(home=home / "h")) as brain, Brain.open(Settings(home=other / "h")) as fresh:
        for name, text in steps:
            assert brain.ingest([filled(home, name, text)], at=NOW).stored
        last = [filled(other, name, text) for name, text in dict(steps).items()]
        assert fresh.ingest(last, at=NOW).stored
        assert graph(brain) == graph(fresh)
        derived = {(edge.subject, edge.kind, edge.target) for edge in brain.store.edges(derived=True)}
        assert derived == {(e.subject, e.kind, e.target) for e in link(brain.store.all_nodes())}


@pytest.fixture
def own(tmp_path):
    with Brain.open(Settings(home=tmp_path / "own")) as brain:

        def put(name, text, **options):
            return brain.ingest([filled(tmp_path, name, text)], at=NOW, **options)

        put.brain = brain
        yield put


def test_a_link_that_led_nowhere_leads_to_what_comes_later(own):
    own("quay.md", "See [[Tide]].")
    report = own("tide.md", "It comes back.")
    assert [entry.document.name for entry in report.woken] == ["quay.md"]
    assert [cite.target for cite in own.brain.store.node("notes/quay").cites] == ["notes/tide"]
    assert own.brain.store.problems() == ()


def test_what_the_new_document_does_not_help_is_not_told(own):
    own("quay.md", "See [[Tide]].")
    assert own("crane.md", "It lifts.").woken == ()
    assert [problem.code for problem in own.brain.store.problems()] == ["link-unresolved"]


def test_a_strict_ingest_asks_only_after_its_own_documents(own):
    own("quay.md", "See [[Tide]] and [[Nowhere]].")
    assert own("tide.md", "It comes back.", strict=True).stored
    assert [cite.target for cite in own.brain.store.node("notes/quay").cites] == ["notes/tide", None]


def test_nothing_is_read_again_in_a_dry_run(own):
    own("quay.md", "See [[Tide]].")
    assert own("tide.md", "It comes back.", dry_run=True).woken == ()
    assert Path(own.brain.settings.home).is_dir()
    assert [cite.target for cite in own.brain.store.node("notes/quay").cites] == [None]
