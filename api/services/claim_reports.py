"""Reports on claims: one as a document for a colleague, and the failing ones that a node depends on."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple
from urllib.parse import quote

from api.brain import Brain
from api.release import VERSION
from api.services.claim_status import ClaimStatus, shortened
from compute.impact.dependency_graph import paths_down
from compute.impact.note_health import HealthCause, HealthState
from compute.reports.claim_report import ClaimReport
from graph.models.node_models import Quotation
from graph.models.verdict_models import Input, Verdict

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
