"""One claim as a document to send to a colleague."""

from __future__ import annotations

from api.brain import Brain
from api.release import VERSION
from compute.reports.claim_report import ClaimReport
from graph.models.node_models import Quotation
from graph.models.verdict_models import Verdict

HISTORY = 400
"""The most runs that the history goes back."""


def claim_report(brain: Brain, verdict: Verdict) -> ClaimReport:
    """What is reported of a claim: its verdict, its runs, and the words that its node quotes."""
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
