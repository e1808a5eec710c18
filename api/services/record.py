"""The record of a brain: the life line of every claim, and the survival of its figures by group."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from functools import partial
from itertools import pairwise

from api.services.claim_evaluator import ClaimEvaluator
from api.services.claim_status import ClaimStatusService
from compute.claims.claim_program import dependencies
from compute.record.fates import Fate, Sighting, by_life, by_runs
from compute.record.life_models import LifeLine
from compute.record.record import Basis, GroupField, Record, RecordGroup, Values, broken, group, groups
from compute.record.replay import Replay
from compute.verify.claim_chunks import live
from graph.models.claim_models import Claim
from graph.models.verdict_models import Run
from graph.store import Store

EVERYTHING = "all"
"""The field and the value of the group of all claims."""


class RecordService:
    """The record of a store; results are cached until anything is written."""

    def __init__(self, store: Store, status: ClaimStatusService, evaluator: ClaimEvaluator) -> None:
        self._store, self._status, self._evaluator = store, status, evaluator
        self._lives, self._records = store.cache(6), store.cache(24)

    def lives(self, today: date) -> Mapping[str, LifeLine]:
        """The life line of every claim, by id, by the prices as known now."""

        def made() -> Mapping[str, LifeLine]:
            inputs, claims = self._evaluator.inputs.now(), self._status.claims()
            start = partial(live, since=min((claim.as_of for claim in claims), default=today))
            lives = self._evaluator.each(start, claims, inputs, today, own=self._replay(today).life)
            return {life.claim: life for life in lives}

        return self._lives.get(today, made)

    def life(self, claim: str, today: date) -> LifeLine:
        """The life line of one claim; the others are neither computed nor read for it.

        Raises:
            UnknownClaimError: there is no such claim.
        """
        found = self._store.claims.get(claim)
        return self._replay(today).life(found)

    def lives_of(self, claims: Iterable[str], today: date) -> Mapping[str, LifeLine]:
        """The life lines of some claims, by id; without those that do not exist."""
        replay = self._replay(today)
        return {claim.id: replay.life(claim) for claim in self._store.claims.all(ids=[*claims])}

    def _replay(self, today: date) -> Replay:
        """Replays claims; results that equal formulas share are cached until anything is written."""

        def made() -> Replay:
            inputs = self._evaluator.inputs.now()
            return Replay(inputs.book, self._store.claims.first_day() or today, today, inputs.terms())

        return self._lives.get(("replay", today), made)

    def record(self, end: date, basis: Basis = Basis.HINDSIGHT, by: GroupField | None = None) -> Record:
        """The record at the end of a day; without a field, all claims are one group.

        Hindsight replays the claims over the prices as known now. The ledger reads the findings of the runs that were
        made on the day for which they are, up to `end`; its day is that of the last of them.
        """
        return self._records.get((end, basis, by), lambda: self._record(end, basis, by))

    def _record(self, end: date, basis: Basis, by: GroupField | None) -> Record:
        claims = self._status.claims()
        if basis is Basis.HINDSIGHT:
            fates = [fate for life in self.lives(end).values() if (fate := by_life(life, end)) is not None]
            return Record(as_of=end, basis=basis, groups=self._groups(by, claims, fates), broken=broken(claims, fates))
        runs = [run for run in reversed(self._store.ledger.present_runs()) if run.as_of <= end]
        last = runs[-1].as_of if runs else end
        known = {claim.id: claim for claim in claims}
        seen = self._sightings(runs)
        fates = [by_runs(known[name], found, last, known.get) for name, found in seen.items() if name in known]
        return Record(
            as_of=last,
            basis=Basis.LEDGER,
            groups=self._groups(by, claims, fates),
            broken=broken(claims, fates),
            runs=len(runs),
            left=len(seen.keys() - known.keys()),
        )

    def _sightings(self, runs: list[Run]) -> dict[str, list[Sighting]]:
        """By claim, what the first run that had it found, and each later run that found another verdict."""
        found: dict[str, list[Sighting]] = {}
        for row in self._store.ledger.rows(runs[0].id) if runs else ():
            found[row.claim] = [Sighting(runs[0].as_of, row)]
        for before, after in pairwise(runs):
            for claim, _, later in self._store.ledger.changes(before.id, after.id):
                found.setdefault(claim, []).append(Sighting(after.as_of, later))
        return dict(sorted(found.items()))

    def _groups(self, by: GroupField | None, claims: tuple[Claim, ...], fates: list[Fate]) -> tuple[RecordGroup, ...]:
        if by is None:
            return (group(EVERYTHING, EVERYTHING, fates),)
        return groups(by.value, self._values(by), claims, fates)

    def _values(self, by: GroupField) -> Values:
        if by in _VALUES:
            return _VALUES[by]
        cards = {card.id: card for card in self._store.index_feed.cards()}
        if by is GroupField.KIND:
            return lambda claim: (cards[claim.node].kind.value,) if claim.node in cards else ()
        return lambda claim: (*claim.tags, *(cards[claim.node].tags if claim.node in cards else ()))


_VALUES: Mapping[GroupField, Values] = {
    GroupField.BRAIN: lambda claim: (claim.node.partition("/")[0],),
    GroupField.ASSERTED_BY: lambda claim: (claim.asserted_by.value,),
    GroupField.MODEL: lambda claim: (one.question.item for one in dependencies(claim) if one.question is not None),
    GroupField.INPUT: lambda claim: (one.name for one in dependencies(claim) if one.kind in {"price", "assumption"}),
}
"""The groups of a claim by the fields that need no node."""
