"""The verdicts of claims over time: their life lines until today, and the changes that known prices announce."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta

from api.services.claim_computer import ClaimComputer
from api.services.evaluation_inputs import EvaluationInputs, EvaluationInputsCache
from compute.claims.overrides import NONE, Overrides
from compute.record.life_models import LifeLine
from compute.record.replay import Replay
from compute.verify.forecast import Preview, by_day
from graph.models.claim_models import Claim
from graph.models.verdict_change import VerdictChange

HORIZON = timedelta(days=90)
"""How far ahead the report looks for prices that will change."""


class ClaimTimelines:
    """Evaluates claims on the days before and after today."""

    def __init__(self, inputs: EvaluationInputsCache, computer: ClaimComputer) -> None:
        self._inputs, self._computer = inputs, computer

    def coming(self, as_of: date, until: date | None = None) -> tuple[VerdictChange, ...]:
        """The verdicts that will change by prices already announced, until a day (default: 90 days on)."""
        inputs = self._inputs.now()
        found = self._computer.previews(inputs.claims(), inputs.book, as_of, until or _ahead(as_of), inputs.terms())
        return coming_changes(found)

    def previews(
        self, inputs: EvaluationInputs, claims: Iterable[Claim], as_of: date, numbers: Overrides = NONE, *,
        ahead: bool = True,
    ) -> list[Preview]:  # fmt: skip
        """The expectation of each claim, and its coming changes within the horizon if `ahead`."""
        until = _ahead(as_of) if ahead else as_of
        return list(self._computer.previews(claims, inputs.book, as_of, until, inputs.terms(numbers)))

    def replay(self, since: date, today: date) -> Replay:
        """Replays claims made on `since` or later over the prices as known now, announced ones included."""
        inputs = self._inputs.now()
        return Replay(inputs.book, since, today, inputs.terms())

    def lives(self, claims: Sequence[Claim], today: date, replay: Replay) -> Iterator[LifeLine]:
        """The life line of each claim, in their order; `replay` is that of these claims and this day."""
        inputs = self._inputs.now()
        return self._computer.lives(claims, inputs.book, today, inputs.terms(), replay)


def _ahead(as_of: date) -> date:
    return as_of + min(HORIZON, date.max - as_of)


def coming_changes(previews: Iterable[Preview]) -> tuple[VerdictChange, ...]:
    """The changes of all previews, by day."""
    return tuple(by_day(change for one in previews for change in one.changes))
