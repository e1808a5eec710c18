"""Runs the linter of claims on the brain."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date

from api.services.evaluation_inputs import EvaluationInputsCache
from api.services.price_service import PriceService
from compute.claims.claim_cases import Cases, Terms
from compute.linting.linter import Linter
from graph.models.claim_models import Claim
from graph.models.node_models import Node
from graph.problems import Problem
from graph.store import Store
from graph.store.store_errors import UnknownDocumentError, UnknownNodeError


def _document(claim: Claim) -> str:
    return claim.place.document if claim.place else ""


def _with_siblings(every: Sequence[Claim], chosen: Sequence[Claim]) -> list[Claim]:
    """The chosen claims and those of the same nodes, which may use other numbers for one quantity."""
    nodes, mine = {claim.node for claim in chosen}, {claim.id for claim in chosen}
    return [claim for claim in every if claim.id in mine or claim.node in nodes]


class ClaimLint:
    """Lints the claims of a store."""

    def __init__(self, store: Store, market: PriceService) -> None:
        self._store, self._inputs = store, EvaluationInputsCache(store, market)

    def problems(self, as_of: date, documents: Collection[str] | None = None) -> list[Problem]:
        """What the linter finds in all claims, or in those of some documents, by document and line."""
        inputs = self._inputs.now()
        every = list(inputs.claims())
        cases = Cases(inputs.book, as_of, Terms(inputs.tables, find=inputs.find))
        chosen = [claim for claim in every if documents is None or _document(claim) in documents]
        if not chosen:
            return []
        linter = Linter(inputs.book, cases, self._node, {claim.id: claim for claim in every})
        found = linter.problems(every if documents is None else _with_siblings(every, chosen), self._text)
        kept = (problem for problem in found if documents is None or problem.document in documents)
        return sorted(kept, key=lambda problem: (problem.document, problem.line or 0, problem.column or 0))

    def _node(self, node: str) -> Node | None:
        try:
            return self._store.nodes.get(node)
        except UnknownNodeError:
            return None

    def _text(self, document: str) -> str | None:
        try:
            return self._store.documents.get(document).text
        except UnknownDocumentError:
            return None
