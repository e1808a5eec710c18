"""Acknowledgements: somebody knows that a claim fails, and deals with it until a day.

An acknowledgement is a silence of the flags that are raised now. A flag that is lowered ends it, and the return is
reported; a later break, or another fault, raises another flag, which it does not cover. It hides no verdict.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date

from graph.models.alert_models import Acknowledgement, Flag, Silence

PREFIX = "ack:"
"""Before the claim in the id of the silence of an acknowledgement."""


class NothingRaisedError(Exception):
    """The claim has no raised flag, so there is nothing to acknowledge."""

    def __init__(self, claim: str) -> None:
        super().__init__(f"{claim} has no raised flag: there is nothing to acknowledge")


class EndError(ValueError):
    """The end of an acknowledgement is not after today."""

    def __init__(self, until: date, on: date) -> None:
        super().__init__(f"until: {until} is not after {on}")


def made(claim: str, flags: Iterable[Flag], *, until: date, comment: str, by: str, on: date) -> Silence:
    """The silence that acknowledges the raised flags of a claim.

    Raises:
        NothingRaisedError: none is raised.
        EndError: `until` is not after `on`.
    """
    raised = tuple(flag.first_run for flag in flags if flag.standing)
    if not raised:
        raise NothingRaisedError(claim)
    if until <= on:
        raise EndError(until, on)
    return Silence(id=f"{PREFIX}{claim}", claim=claim, reason=comment, since=on, until=until, flags=raised, by=by)


def acknowledgements(silences: Iterable[Silence], flags: Iterable[Flag], on: date) -> Iterator[Acknowledgement]:
    """The acknowledgements among silences, with their state on a day; `flags` are all flags of their claims."""
    known = {(flag.claim, flag.first_run): flag for flag in flags}
    for silence in silences:
        if silence.flags is None or silence.claim is None or silence.until is None:
            continue
        covered = [known[silence.claim, run] for run in silence.flags if (silence.claim, run) in known]
        standing = [flag for flag in covered if flag.standing]
        shown = next(iter(standing or covered), None)
        yield Acknowledgement(
            claim=silence.claim,
            by=silence.by,
            comment=silence.reason,
            since=silence.since,
            until=silence.until,
            state="ended" if not standing else "active" if on < silence.until else "expired",
            verdict=shown.verdict if shown else None,
            raised=shown.raised_at if shown else None,
        )


def sentence(found: Acknowledgement) -> str:
    """Such as `cheap-rent is acknowledged by alice until 2026-12-01: waiting for the vendor`."""
    return f"{found.claim} is acknowledged by {found.by} until {found.until}: {found.comment}"
