"""The verdicts of claims over time: their life lines until today, and the changes that known prices announce."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta

from api.services.claim_computer import ClaimComputer
from api.services.evaluation_inputs import EvaluationInputs, EvaluationInputsCache
from compute.claims.overrides import NONE, Overrides
from compute.record.forecast_scores import Announced
from compute.record.life_models import LifeLine
from compute.record.replay import Replay, life_lines
from compute.verify.forecast import Preview, by_day
from graph.models.claim_models import Claim
from graph.models.verdict_change import VerdictChange
from graph.models.verdict_models import Run

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

    def announced(self, runs: Iterable[Run]) -> Iterator[tuple[date, frozenset[Announced]]]:
        """What each run announced for the days after its own, up to `HORIZON`, by the prices that it knew.

        Raises:
            ManifestError, SnapshotError, NotFoundError: what a run was made from is damaged or gone.
        """
        made: tuple[object, list[LifeLine]] = (None, [])
        for run in runs:
            if made[0] != (run.snapshot, run.rules):
                made = (run.snapshot, run.rules), self._lives_of(run)
            until = run.as_of + min(HORIZON, date.max - run.as_of)
            yield run.as_of, frozenset(_changes_between(made[1], run.as_of, until))

    def _lives_of(self, run: Run) -> list[LifeLine]:
        inputs = self._inputs.like(run)
        return list(life_lines(list(inputs.claims()), inputs.book, run.as_of, inputs.terms()))


def _changes_between(lives: Iterable[LifeLine], after: date, until: date) -> Iterator[Announced]:
    """The changes of life lines after a day, up to another."""
    for life in lives:
        for turn in life.turns:
            if after < turn.day <= until:
                yield Announced(turn.day, life.claim, turn.after)


def _ahead(as_of: date) -> date:
    return as_of + min(HORIZON, date.max - as_of)


def coming_changes(previews: Iterable[Preview]) -> tuple[VerdictChange, ...]:
    """The changes of all previews, by day."""
    return tuple(by_day(change for one in previews for change in one.changes))
