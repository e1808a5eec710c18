"""The contents of one brain, the verdicts of its claims, the health of its nodes, and the brains that cite it."""

from __future__ import annotations

from collections import Counter
from datetime import date
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from api.services import linked_data
from compute.impact.note_health import HealthState
from graph.models.claim_models import VerdictName
from graph.models.node_models import Kind
from graph.models.query_models import FacetCount, NodeQuery
from graph.values import Value

if TYPE_CHECKING:
    from api.brain import Brain

THESES = 50
"""How many theses are listed, the newest first."""
TAGS = 30
"""How many tags of each type are listed, the most used first."""


class ThesisView(Value):
    """A thesis of a brain, with its health."""

    id: str
    title: str
    health: HealthState


class BrainView(Value):
    """A brain: how many nodes of each kind it has, and its documents by name.

    `verdicts` counts its claims by their last verdict, `health` its nodes by state. `tags` are those that only this
    brain uses, `shared_tags` the others. `cited_by` are the brains that cite it, `cites` those that it cites, each with
    the number of citations. `run` is the day of the last run. `private`: only tokens for it show it.
    """

    id: str
    nodes: int
    kinds: tuple[FacetCount, ...]
    documents: tuple[str, ...]
    private: bool
    claims: int
    verdicts: dict[str, int]
    health: dict[HealthState, int]
    theses: tuple[ThesisView, ...]
    theses_left: Annotated[int, Field(exclude=True)]
    tags: tuple[FacetCount, ...]
    shared_tags: tuple[FacetCount, ...]
    cited_by: tuple[FacetCount, ...]
    cites: tuple[FacetCount, ...]
    run: date | None


def overview(brain: Brain, name: str) -> BrainView:
    """The overview of a brain.

    Raises:
        UnknownBrainError: it has neither documents nor nodes, or the reader may not see it.
    """
    documents = linked_data.documents_of(brain, name)
    page, run = brain.nodes.page(NodeQuery(brain=name, limit=1)), brain.status.latest()
    theses = brain.nodes.page(NodeQuery(brain=name, kind=Kind.THESIS, sort="newest", limit=THESES))
    states = brain.status.states(brain=name)
    verdicts, health = Counter(state.verdict for state in states), brain.status.healths()
    cited_by, cites = brain.edges.across(name)
    own, shared = _tags(brain, name)
    listed = tuple(ThesisView(id=one.id, title=one.title, health=health[one.id].state) for one in theses.items)
    return BrainView(
        id=name,
        private=name in brain.brains.private(),
        documents=documents,
        nodes=page.total,
        kinds=page.facets.kind,
        claims=len(states),
        verdicts={one.value if one else "unchecked": verdicts[one] for one in (*VerdictName, None) if verdicts[one]},
        health=_health(brain, name),
        theses=listed,
        theses_left=theses.total - len(listed),
        tags=own,
        shared_tags=shared,
        cited_by=_counted(cited_by),
        cites=_counted(cites),
        run=run.as_of if run else None,
    )


def _tags(brain: Brain, name: str) -> tuple[tuple[FacetCount, ...], tuple[FacetCount, ...]]:
    """The tags of a brain that no other has, and those that others have too."""
    everywhere = {one.value: one.count for one in brain.tags.all()}
    found = brain.tags.all(brain=name)
    own = [one for one in found if everywhere.get(one.value) == one.count]
    shared = [one for one in found if everywhere.get(one.value) != one.count]
    return tuple(own[:TAGS]), tuple(shared[:TAGS])


def _health(brain: Brain, name: str) -> dict[HealthState, int]:
    health = brain.status.healths()
    counted = Counter(health[card.id].state for card in brain.index_feed.card_list() if card.brain == name)
    return {state: counted[state] for state in HealthState if counted[state]}


def _counted(found: Counter[str]) -> tuple[FacetCount, ...]:
    ordered = sorted(found.items(), key=lambda one: (-one[1], one[0]))
    return tuple(FacetCount(value=value, count=count) for value, count in ordered)
