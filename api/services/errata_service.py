"""Errata: the figures of sources that do not add up, after the last run, each with the place of its words."""

from __future__ import annotations

from api.services.claim_evaluator import ClaimEvaluator
from api.services.claim_status import ClaimStatusService
from api.services.run_reports import RunReports
from compute.reports.errata import Errata
from graph.models.claim_models import Claim
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
        run, explained = self._status.latest(), 0
        if run is None:
            return Errata()

        def place(claim: Claim) -> dict[str, object]:
            """The title of the node, its document, and the line of the quoted words or, without them, of the node."""
            nonlocal explained
            try:
                node = self._store.nodes.get(claim.node)
            except UnknownNodeError:
                return {}
            line = node.provenance.first_line
            if claim.quote and explained < MOST_EXPLAINED:
                explained += 1
                anchor = self._evaluator.explain(claim.id, run.as_of).quote
                line = (anchor.line if anchor else None) or line
            return {"title": node.title, "document": node.provenance.document, "line": line}

        return self._reports.errata(run, self._status.entries(), place)
