"""Errata: the figures of sources that do not add up, after the last run, each with the place of its words."""

from __future__ import annotations

from collections.abc import Callable

from api.services.claim_evaluator import ClaimEvaluator
from api.services.claim_status import ClaimStatusService
from api.services.run_reports import RunReports
from compute.reports.errata import Errata
from graph.models.claim_models import Claim
from graph.models.node_models import Node
from graph.models.verdict_models import Run, Verdict
from graph.store import Store
from graph.store.store_errors import UnknownNodeError

MOST_EXPLAINED = 300
"""Of so many claims with a quote the line of the quote is looked up; further ones get the line of their node."""


class ErrataService:
    """The errata of a store, cached until anything is written."""

    def __init__(
        self, store: Store, status: ClaimStatusService, evaluator: ClaimEvaluator, reports: RunReports
    ) -> None:
        self._store, self._status, self._evaluator, self._reports = store, status, evaluator, reports
        self._cache = store.cache(1)

    def found(self) -> Errata:
        """The errata of the latest run, the most severe first; none if there is no run."""
        return self._cache.get("errata", self._found)

    def _found(self) -> Errata:
        run = self._status.latest()
        if run is None:
            return Errata()
        places = _Places(self._node, self._explained(run))
        return self._reports.errata(run, self._status.entries(), places.of)

    def _explained(self, run: Run) -> Callable[[Claim], Verdict]:
        return lambda claim: self._evaluator.explain(claim.id, run.as_of)

    def _node(self, node: str) -> Node | None:
        try:
            return self._store.nodes.get(node)
        except UnknownNodeError:
            return None


class _Places:
    """Where the words of claims are written."""

    def __init__(self, node: Callable[[str], Node | None], explain: Callable[[Claim], Verdict]) -> None:
        self._node, self._explain, self._left = node, explain, MOST_EXPLAINED

    def of(self, claim: Claim) -> dict[str, object]:
        """The title of the node, its document, and the line of the quoted words or, without them, of the node."""
        node = self._node(claim.node)
        if node is None:
            return {}
        place = node.provenance
        return {"title": node.title, "document": place.document, "line": self._line(claim) or place.first_line}

    def _line(self, claim: Claim) -> int | None:
        if not claim.quote or not self._left:
            return None
        self._left -= 1
        anchor = self._explain(claim).quote
        return anchor.line if anchor else None
