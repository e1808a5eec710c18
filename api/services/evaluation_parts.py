"""The parts of an evaluation: claims of public brains by public rules, those of a private brain by its own rules too.

A private brain may have prices, assumptions and other rules. They apply to its own claims only, so that no verdict on a
claim of another brain depends on them or shows them.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import partial

from api.services.claim_computer import StoredClaims
from api.services.evaluation_inputs import EvaluationInputs, EvaluationInputsCache
from api.services.price_service import PriceService
from graph.store import Store
from graph.store.brain_view import BrainView

PUBLIC = ""
"""The name of the part of the public brains."""


@dataclass(frozen=True)
class Part:
    """One part: the private brain, or `PUBLIC`; what it is evaluated with; its claims; and its prices."""

    brain: str
    inputs: EvaluationInputs
    claims: StoredClaims
    market: PriceService

    @property
    def document_brains(self) -> dict[str, set[str]]:
        """The brains whose documents are in the manifest, and those whose price cards are in the snapshot."""
        heads = self.market.store.documents.heads()
        return {
            self.inputs.rules().digest: {one.brain for one in heads},
            self.inputs.snapshot().digest: {one.brain for one in heads if one.format == "prices"},
        }


class EvaluationParts:
    """Makes the parts of a store. Threads may share it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._made: dict[frozenset[str], tuple[BrainView, PriceService, EvaluationInputsCache]] = {}

    def all(self) -> tuple[Part, ...]:
        """The public part, then one for each private brain with claims; nothing if no brain is private."""
        private = self._store.brains.private()
        if not private:
            return ()
        return self._public(private), *(self._of(brain, private) for brain in sorted(self._with_claims(private)))

    def of_claim(self, claim: str) -> Part | None:
        """The part that a claim is evaluated in; None if no brain is private."""
        private = self._store.brains.private()
        if not private:
            return None
        own = private & self._store.claims.brains(claim)
        return self._of(min(own), private) if own else self._public(private)

    def _with_claims(self, private: frozenset[str]) -> set[str]:
        return {brain for brain in private if next(self._store.claims.of_brain(brain), None) is not None}

    def _public(self, private: frozenset[str]) -> Part:
        view, market, inputs = self._view(self._store.hidden | private)
        return Part(PUBLIC, inputs.now(), StoredClaims(view.claims.all, view.claims.bodies), market)

    def _of(self, brain: str, private: frozenset[str]) -> Part:
        view, market, inputs = self._view(self._store.hidden | private - {brain})
        claims = StoredClaims(partial(view.claims.of_brain, brain), partial(view.claims.bodies, brain))
        return Part(brain, inputs.now(), claims, market)

    def _view(self, hidden: frozenset[str]) -> tuple[BrainView, PriceService, EvaluationInputsCache]:
        with self._lock:
            if hidden not in self._made:
                view = BrainView(self._store, hidden)
                market = PriceService(view)
                self._made[hidden] = view, market, EvaluationInputsCache(view, market)
            return self._made[hidden]

    def close(self) -> None:
        """Close the views."""
        with self._lock:
            for view, _, _ in self._made.values():
                view.close()
            self._made.clear()
