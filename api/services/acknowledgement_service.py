"""Acknowledgements of raised flags in a store: made, listed and ended."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from compute.runs.acknowledgements import PREFIX, acknowledgements, made
from graph.models.alert_models import Acknowledgement, Silence
from graph.store import Store
from graph.store.store_errors import NotFoundError


class UnknownAcknowledgementError(NotFoundError):
    """The claim has no acknowledgement."""

    noun = "acknowledgement of"


class AcknowledgementService:
    """The acknowledgements of a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def acknowledge(self, claim: str, *, until: date, comment: str, by: str, on: date) -> Acknowledgement:
        """Acknowledge the raised flags of a claim; replaces an earlier acknowledgement of the claim.

        Raises:
            UnknownClaimError: there is no such claim.
            NothingRaisedError: no flag of it is raised.
            EndError: `until` is not after `on`.
        """
        with self._store.transaction():
            self._store.claims.get(claim)
            silence = made(claim, self._store.alerts.flags(claim), until=until, comment=comment, by=by, on=on)
            self._store.alerts.put_silence(silence)
        (found,) = acknowledgements([silence], self._store.alerts.flags(claim), on)
        return found

    def get(self, claim: str, on: date) -> Acknowledgement | None:
        """The acknowledgement of a claim with its state on a day; None if it has none."""
        return next((one for one in self.all(on) if one.claim == claim), None)

    def end(self, claim: str) -> bool:
        """End the acknowledgement of a claim; False if it has none."""
        return self._store.alerts.remove_silence(f"{PREFIX}{claim}")

    def all(self, on: date) -> tuple[Acknowledgement, ...]:
        """All acknowledgements with their state on a day, by claim."""
        kept = [silence for silence in self._store.alerts.silences() if silence.flags is not None and silence.claim]
        flags = [flag for silence in kept for flag in self._store.alerts.flags(silence.claim)]
        return tuple(acknowledgements(kept, flags, on))

    def active(self, on: date, silences: Sequence[Silence] | None = None) -> dict[str, Acknowledgement]:
        """The acknowledgements in force on a day, by claim; `silences` are those of the store, if known."""
        stated = self._store.alerts.silences() if silences is None else silences
        kept = [silence for silence in stated if silence.flags is not None]
        if not kept:
            return {}
        found = acknowledgements(kept, self._store.alerts.flags(standing=True), on)
        return {one.claim: one for one in found if one.state == "active"}

    def counts(self, on: date) -> dict[str, int]:
        """How many claims have a raised flag, and how many of these are acknowledged on a day."""
        raised = {flag.claim for flag in self._store.alerts.flags(standing=True)}
        return {"raised": len(raised), "acknowledged": len(raised & self.active(on).keys())}
