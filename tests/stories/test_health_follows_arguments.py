"""One stale figure weakens the notes that argue with it, not the pages that list it."""

import pytest

from api.brain import Brain
from api.settings import Settings
from tests.command import written
from tests.conftest import NOW

CLAIM = """claims:
  - {id: cheap-rent, node: mara/rents, says: An hour of the card rents for under two dollars., as_of: 2026-01-01,
     value: 2.40 USD/GPU/h, expect: {at_most: 2 USD/GPU/h}}
"""
NAMES = ["budget", "cooling", "hosting", "leases", "margins", "power", "racks", "spares"]


def note(title, body, front=""):
    return f"---\ntitle: {title}\n{front}---\n{body}\n"


@pytest.fixture
def brain(tmp_path):
    files = {
        "brain.yaml": "brain: mara\n",
        "claims.yaml": CLAIM,
        "rents.md": note("Rents", "The card rents for under two dollars."),
        "index.md": note("Index", "- [[rents]]\n" + "\n".join(f"- [[{name}]]" for name in NAMES)),
        "2026-11-20.md": note("2026-11-20", "Read [[rents|the rents]] and [the index](index.md); [[budget]] next."),
        "listed.md": note("Listed", "A field without a type.", "cites: [rents]\n"),
        "thesis.md": note("Thesis", "It pays, as [[rents]] shows.", "cites:\n  - {to: rents, as: citesAsEvidence}\n"),
        "doubt.md": note("Doubt", "No: [[rents]].", "cites:\n  - {to: rents, as: disputes}\n"),
        "plan.md": note("Plan", "We buy.", "cites:\n  - {to: thesis, as: obtainsSupportFrom}\n"),
        **{f"{name}.md": note(name.title(), "See the [[index]] and the day [[2026-11-20]].") for name in NAMES},
    }
    vault = written(tmp_path / "vault", files)
    with Brain.open(Settings(home=tmp_path / "home")) as opened:
        assert opened.ingest([vault], at=NOW).stored
        opened.verify(NOW.date(), at=NOW, clock=lambda: NOW)
        yield opened


def test_an_index_and_a_daily_note_do_not_weaken_what_they_list(brain):
    states = {node.removeprefix("mara/"): one.state.value for node, one in brain.status.healths().items()}
    assert states.pop("rents") == "broken"
    assert {node for node, state in states.items() if state == "weakened"} == {"thesis", "plan"}
    assert {states[node] for node in ("index", "2026-11-20", "listed", "doubt", *NAMES)} == {"unchecked"}

    assert brain.status.health("mara/plan").path == ("mara/plan", "mara/thesis", "mara/rents")


def test_dependents_are_the_same_for_health_and_graph_and_a_link_is_still_a_backlink_and_a_path(brain):
    found = brain.links.dependents("mara/rents")
    assert [one.node.id for one in found] == ["mara/thesis", "mara/plan"]
    assert brain.status.health("mara/plan").path == ("mara/plan", "mara/thesis", "mara/rents")
    assert {one.node.id for one in brain.edges.backlinks("mara/rents")} == {
        "mara/2026-11-20", "mara/doubt", "mara/index", "mara/listed", "mara/thesis",
    }  # fmt: skip
    path = brain.links.path("mara/racks", "mara/rents")
    assert len(path.nodes) == 3
