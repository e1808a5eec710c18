"""Replays claims over the price history: the life line of each, from its own day through all announced prices.

    claim ─▶ days on which an input changed ─▶ evaluated on each of them ─▶ spans and changes

A standing claim is on each day what `verify` finds for that day (`LifeState`); a dated one does not change. A claim
that fails on its own day by prices as known now, and held by those of earlier snapshots, is excused.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal, localcontext
from functools import cache
from itertools import pairwise

from compute.claims.claim_case import Case
from compute.claims.claim_cases import PLAIN, Cases, Find, Terms
from compute.claims.claim_program import Program, dependencies, sound_program
from compute.claims.input_changes import compared_changes, input_changes
from compute.claims.input_lookups import Figure, change_days
from compute.claims.verdict_table import State
from compute.formula.formula_tree import Leaf
from compute.prices.price_models import Book, Missing
from compute.record.life_models import LifeLine, LifeMove, LifeSpan, LifeState, LifeTurn, MoveKind
from compute.units.number_format import in_unit
from compute.units.units import EXACT, Unit
from graph.models.claim_models import Claim, Tense

_STATES = {State.TRUE: LifeState.HELD, State.FALSE: LifeState.FAILED}


def movable(claim: Claim, find: Find) -> bool:
    """Whether a claim, or the one it is compared with, reads a price or an assumption."""
    read = list(dependencies(claim))
    targets = (find(one.name) for one in read if one.kind == "claim")
    read += [one for target in targets if target is not None for one in dependencies(target)]
    return any(one.kind in {"price", "assumption"} for one in read)


class Replay:
    """Replays claims over all prices of a book."""

    def __init__(self, book: Book, today: date, terms: Terms = PLAIN) -> None:
        self._today = today
        self._on = on = cache(lambda day: Cases(book, day, terms))
        self._present = on(today)
        self._changes = change_days(lambda day: on(day).today, [date.min, *self._present.borders])

    def life(self, claim: Claim) -> LifeLine:
        """The life line of a claim; nothing can change the state of a dated one."""
        once = sound_program(claim)
        present = self._present.case(claim) if claim.tense is Tense.DATED else None
        if once is None or isinstance(present, str):
            span = LifeSpan(state=LifeState.UNKNOWN, start=claim.as_of, end=None, dated=False)
            return LifeLine(claim=claim.id, as_of=claim.as_of, today=self._today, spans=(span,))
        if present is not None:
            return self._line(claim, [present], fixed=True)
        with localcontext(EXACT):
            leaves = self._present.leaves(once)
            cases = self._cases(claim, once, leaves)
            rates = {leaf for one in cases if one.program is not once for leaf in one.program.leaves}
            cases = self._cases(claim, once, (*leaves, *rates)) if rates else cases
            return self._line(claim, cases, fixed=not movable(claim, self._present.terms.find))

    def _cases(self, claim: Claim, once: Program, leaves: Sequence[Leaf]) -> list[Case]:
        """The claim on its own day, on later ones with a changed input, and on those it names."""
        days = {day for leaf in leaves for day in self._changes(leaf)}.union(once.named_days)
        later = sorted(day for day in days if day > claim.as_of)
        found = (self._on(day).case(claim) for day in (claim.as_of, *later))
        return [replace(one, then=one.now) for one in found if not isinstance(one, str)]  # as of that day alone

    def _line(self, claim: Claim, cases: Sequence[Case], *, fixed: bool) -> LifeLine:
        """The line of a claim: in the first case on its own day, in each other from its day on."""
        start, turns = cases[0], [pair for pair in pairwise(cases) if _state(pair[0]) is not _state(pair[1])]
        starts = [(claim.as_of, start), *((after.judged.on, after) for _, after in turns)]
        ends = [*(day for day, _ in starts[1:]), None]
        spans = tuple(
            LifeSpan(
                state=_state(one), start=day, end=end, dated=one.judged.dated,
                value=start.shown(one.judged.reading.value),
            )
            for (day, one), end in zip(starts, ends, strict=True)
        )  # fmt: skip
        failed = claim.tense is Tense.STANDING and _state(start) is LifeState.FAILED
        present = self._present.case(claim) if failed else ""  # knows what earlier snapshots stated for its own day
        return LifeLine(
            claim=claim.id, as_of=claim.as_of, today=self._today, unit=start.unit.text, spans=spans,
            turns=tuple(_turn(before, after, start) for before, after in turns), fixed=fixed,
            dated=start.judged.dated, excused=not isinstance(present, str) and present.then_state is State.TRUE,
        )  # fmt: skip


def _state(case: Case) -> LifeState:
    return _STATES.get(case.judged.state.state, LifeState.UNKNOWN)


def _turn(before: Case, after: Case, start: Case) -> LifeTurn:
    """A turn in the unit of `start`, the case of the claim's own day."""
    failed = _state(after) is LifeState.FAILED
    return LifeTurn(
        day=after.now.on,
        before=_state(before),
        after=_state(after),
        cause=replace(after, then=before.now).cause if failed else None,
        value_before=start.shown(before.now.reading.value),
        value_after=start.shown(after.now.reading.value),
        moves=tuple(_moves(before, after)),
    )


def _moves(before: Case, after: Case) -> Iterator[LifeMove]:
    """The inputs that differ, also those of the claim it is compared with."""
    if before.program is not after.program:
        return  # only one of the days needed exchange rates
    changes = input_changes(before.now, after.now)
    kinds: dict[int, MoveKind] = {one.slot: "price" if one.kind == "correction" else one.kind for one in changes}
    figures = zip(after.program.labels, before.now.figures, after.now.figures, strict=True)
    for slot, (label, old, new) in enumerate(figures):
        if slot in kinds or isinstance(old, Missing) is not isinstance(new, Missing):
            yield from _move(label, old, new, kinds.get(slot, "missing"))
    for one in compared_changes(before.now, after.now):
        yield from _move(_name(one.now), one.then, one.now, "price")


def _move(label: str, old: Figure | Missing, new: Figure | Missing, kind: MoveKind) -> Iterator[LifeMove]:
    known = new if isinstance(new, Figure) else old
    if not isinstance(known, Figure):
        return
    if known.assumption is not None and kind == "price":
        kind = "assumption"
    was = _name(old) if isinstance(old, Figure) else None
    yield LifeMove(
        name=label,
        item=_name(known),
        component=known.price.component if known.price else "",
        item_before=was if was and was != _name(known) else None,
        before=_in(old, known.unit),
        after=_in(new, known.unit),
        unit=known.unit.text,
        kind=kind,
    )


def _name(figure: Figure) -> str:
    if figure.price is not None:
        return figure.price.item
    return figure.assumption.name if figure.assumption else ""


def _in(figure: Figure | Missing, unit: Unit) -> Decimal | None:
    if isinstance(figure, Missing) or figure.dimension is not unit.dimension:
        return None
    return figure.stated if figure.unit is unit else in_unit(figure.value, unit)
