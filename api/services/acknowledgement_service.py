"""Acknowledgements: somebody knows that a claim fails, and deals with it until a day.

An acknowledgement is a silence of the flags that are raised now. A flag that is lowered ends it, and the return is
reported; a later break, or another fault, raises another flag, which it does not cover. It hides no verdict.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date

from graph.models.alert_models import Acknowledgement, Flag, Silence
from graph.store import Store
from graph.store.store_errors import NotFoundError

PREFIX = "ack:"
"""Before the claim in the id of the silence of an acknowledgement."""


class UnknownAcknowledgementError(NotFoundError):
    """The claim has no acknowledgement."""

    noun = "acknowledgement of"


class NothingRaisedError(Exception):
    """The claim has no raised flag, so there is nothing to acknowledge."""

    def __init__(self, claim: str) -> None:
        super().__init__(f"{claim} has no raised flag: there is nothing to acknowledge")


class EndError(ValueError):
    """The end of an acknowledgement is not after today."""

    def __init__(self, until: date, on: date) -> None:
        super().__init__(f"until: {until} is not after {on}")


class AcknowledgementService:
    """The acknowledgements of a store: made, listed and ended."""

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
            flags = self._store.alerts.flags(claim)
            raised = tuple(flag.first_run for flag in flags if flag.standing)
            if not raised:
                raise NothingRaisedError(claim)
            if until <= on:
                raise EndError(until, on)
            silence = Silence(
                id=f"{PREFIX}{claim}", claim=claim, reason=comment, since=on, until=until, flags=raised, by=by
            )
            self._store.alerts.put_silence(silence)
        (found,) = _acknowledgements([silence], flags, on)
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
        return tuple(_acknowledgements(kept, flags, on))

    def active(self, on: date, silences: Sequence[Silence] | None = None) -> dict[str, Acknowledgement]:
        """The acknowledgements in force on a day, by claim; `silences` are those of the store, if known."""
        stated = self._store.alerts.silences() if silences is None else silences
        kept = [silence for silence in stated if silence.flags is not None]
        if not kept:
            return {}
        found = _acknowledgements(kept, self._store.alerts.flags(standing=True), on)
        return {one.claim: one for one in found if one.state == "active"}

    def counts(self, on: date) -> dict[str, int]:
        """How many claims have a raised flag, and how many of these are acknowledged on a day."""
        raised = {flag.claim for flag in self._store.alerts.flags(standing=True)}
        return {"raised": len(raised), "acknowledged": len(raised & self.active(on).keys())}


def _acknowledgements(silences: Iterable[Silence], flags: Iterable[Flag], on: date) -> list[Acknowledgement]:
    """The acknowledgements among silences, with their state on a day; `flags` are all flags of their claims."""
    known = {(flag.claim, flag.first_run): flag for flag in flags}
    found = []
    for silence in silences:
        if silence.flags is None or silence.claim is None or silence.until is None:
            continue
        covered = [known[silence.claim, run] for run in silence.flags if (silence.claim, run) in known]
        standing = [flag for flag in covered if flag.standing]
        shown = next(iter(standing or covered), None)
        found.append(
            Acknowledgement(
                claim=silence.claim,
                by=silence.by,
                comment=silence.reason,
                since=silence.since,
                until=silence.until,
                state="ended" if not standing else "active" if on < silence.until else "expired",
                verdict=shown.verdict if shown else None,
                raised=shown.raised_at if shown else None,
            )
        )
    return found


def sentence(found: Acknowledgement) -> str:
    """Such as `cheap-rent is acknowledged by alice until 2026-12-01: waiting for the vendor`."""
    return f"{found.claim} is acknowledged by {found.by} until {found.until}: {found.comment}"
