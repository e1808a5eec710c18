"""Views that pages and tools share: one brain, one claim as a document for a colleague, why a node fails."""

from __future__ import annotations

from collections import Counter
from datetime import date
from typing import TYPE_CHECKING, Annotated, NamedTuple
from urllib.parse import quote

from pydantic import Field

from api.brain import Brain
from api.release import VERSION
from api.services import linked_data
from api.services.claim_status import ClaimStatus, shortened
from compute.impact.dependency_graph import paths_down
from compute.impact.note_health import HealthCause, HealthState
from compute.reports.claim_report import ClaimReport
from graph.models.claim_models import VerdictName
from graph.models.node_models import Kind, Quotation
from graph.models.query_models import FacetCount, NodeQuery
from graph.models.verdict_models import Input, Verdict
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
    """The overview of a brain."""
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


MOST_CAUSES = 5
"""The most causes that an answer lists for one node; the nearest come first."""
MOST_CLAIMS = 10
"""The most failing claims that an answer lists for one cause."""


class FailureCause(NamedTuple):
    """Failing claims of one node, and the path of citations to it."""

    path: tuple[str, ...]
    claims: tuple[ClaimStatus, ...]


def causes_of(brain: Brain, node: str) -> list[FailureCause]:
    """Every cause of a node's health, the nearest first: its own harmful claims, then those that it depends on."""
    failing: dict[str, list[ClaimStatus]] = {}
    claims, rows = {claim.id: claim for claim in brain.status.claims()}, brain.status.rows()
    for one in brain.status.states():
        row = rows[one.id].model_copy(update={"verdict": one.verdict}) if one.verdict else None
        if HealthCause(claims[one.id], row).state in {HealthState.BROKEN, HealthState.WEAKENED}:
            failing.setdefault(one.node, []).append(one)
    paths = paths_down(brain.status.dependencies(), node)
    return [FailureCause(path, tuple(failing[path[-1]])) for path in paths if path[-1] in failing]


def cause_view(brain: Brain, claim: str, day: date) -> dict[str, object]:
    """A failing claim as JSON values, its long texts cut; ages in days before `day`."""
    state, verdict = brain.status.state(claim), brain.evaluator.explain(claim, day)
    return {
        "node": state.node,
        "url": f"{brain.site}/claims/{quote(claim, safe='')}",
        "says": shortened(state.says),
        "as_of": state.as_of,
        "verdict": state.verdict,
        "severity": state.severity,
        "value": verdict.value,
        "unit": verdict.unit,
        "expected": verdict.expected,
        "reason": shortened(state.reason),
        "run": state.run,
        "inputs": [_input(one, day) for one in verdict.inputs if one.kind != "literal"],
    }


def _input(one: Input, day: date) -> dict[str, object]:
    shown = {"name", "kind", "item", "value", "unit", "catalog", "source", "valid_from", "checked"}
    return {**one.model_dump(include=shown), "days": (day - one.checked).days if one.checked else None}


HISTORY = 400
"""The most runs that the history goes back."""


def claim_report(brain: Brain, verdict: Verdict) -> ClaimReport:
    """The report on a claim: its verdict, its runs, and the words that its node quotes."""
    node = brain.nodes.find(verdict.node)
    quoted = [one for one in node.citations if isinstance(one, Quotation)] if node else []
    snapshot = brain.prices.book().snapshot.digest[:12]
    return ClaimReport(
        claim=brain.claims.get(verdict.claim),
        verdict=verdict,
        title=node.title if node else "",
        history=brain.ledger.history(verdict.claim, HISTORY),
        quotations=tuple({one.span: one for one in reversed(quoted)}.values())[::-1],
        made=f"Computed for {verdict.now.as_of} by Brain {VERSION} from the prices {snapshot}.",
    )
