"""What one brain holds, how its arguments are doing, and which other brains read it."""

from __future__ import annotations

from collections import Counter
from datetime import date
from typing import TYPE_CHECKING

from api.services import linked_data
from compute.impact.note_health import HealthState
from graph.models.claim_models import VerdictName
from graph.models.node_models import Kind
from graph.models.query_models import FacetCount, NodeQuery, NodeSummary
from graph.values import Value

if TYPE_CHECKING:
    from api.brain import Brain

THESES = 50
"""How many theses are listed, the newest first."""
TAGS = 30
"""How many tags of each type are listed, the most used first."""


class ThesisHealth(Value):
    """A thesis with the state of its health."""

    node: NodeSummary
    health: HealthState


class BrainOverview(Value):
    """One brain as a reader sees it.

    `verdicts` counts its claims by their last verdict, None for a claim without one; `health` its nodes by state. `own`
    are the tags that no other brain uses, `shared` the others, with the number of nodes of this brain. `read_by` are
    the brains whose nodes cite this one, with the number of citations; `reads` those that it cites. `run` is the
    day of the last run.
    """

    id: str
    private: bool
    documents: tuple[str, ...]
    nodes: int
    kinds: tuple[FacetCount, ...]
    claims: int
    verdicts: tuple[tuple[VerdictName | None, int], ...]
    health: tuple[tuple[HealthState, int], ...]
    theses: tuple[ThesisHealth, ...]
    theses_left: int
    own: tuple[FacetCount, ...]
    shared: tuple[FacetCount, ...]
    read_by: tuple[FacetCount, ...]
    reads: tuple[FacetCount, ...]
    run: date | None


def overview(brain: Brain, name: str) -> BrainOverview:
    """What a brain holds.

    Raises:
        UnknownBrainError: it has neither documents nor nodes, or the reader may not see it.
    """
    documents = linked_data.documents_of(brain, name)
    page, run = brain.nodes.page(NodeQuery(brain=name, limit=1)), brain.status.latest()
    theses = brain.nodes.page(NodeQuery(brain=name, kind=Kind.THESIS, sort="newest", limit=THESES))
    states = brain.status.states(brain=name)
    verdicts, health = Counter(state.verdict for state in states), brain.status.healths()
    read_by, reads = brain.edges.across(name)
    own, shared = _tags(brain, name)
    listed = tuple(ThesisHealth(node=one, health=health[one.id].state) for one in theses.items)
    return BrainOverview(
        id=name,
        private=name in brain.brains.private(),
        documents=documents,
        nodes=page.total,
        kinds=page.facets.kind,
        claims=len(states),
        verdicts=tuple((one, verdicts[one]) for one in (*VerdictName, None) if verdicts[one]),
        health=_health(brain, name),
        theses=listed,
        theses_left=theses.total - len(listed),
        own=own,
        shared=shared,
        read_by=_counted(read_by),
        reads=_counted(reads),
        run=run.as_of if run else None,
    )


def _tags(brain: Brain, name: str) -> tuple[tuple[FacetCount, ...], tuple[FacetCount, ...]]:
    """The tags of a brain that no other has, and those that others have too."""
    everywhere = {one.value: one.count for one in brain.tags.all()}
    found = brain.tags.all(brain=name)
    own = [one for one in found if everywhere.get(one.value) == one.count]
    shared = [one for one in found if everywhere.get(one.value) != one.count]
    return tuple(own[:TAGS]), tuple(shared[:TAGS])


def _health(brain: Brain, name: str) -> tuple[tuple[HealthState, int], ...]:
    health = brain.status.healths()
    counted = Counter(health[card.id].state for card in brain.index_feed.card_list() if card.brain == name)
    return tuple((state, counted[state]) for state in HealthState if counted[state])


def _counted(found: Counter[str]) -> tuple[FacetCount, ...]:
    ordered = sorted(found.items(), key=lambda one: (-one[1], one[0]))
    return tuple(FacetCount(value=value, count=count) for value, count in ordered)
