"""The reason of a verdict in one sentence, by version 1 of the rules: runs of before are computed again by it.

Do not improve these sentences: a run of version 1 must give the same bytes. New ones belong in `verdict_reasons`.
"""

from __future__ import annotations

from collections.abc import Iterator

from compute.claims.input_lookups import Figure
from compute.claims.overrides import SET
from compute.claims.verdict_rules import Case
from compute.explain.reason_parts import (
    THEN,
    conflicting,
    derived,
    failed_both_days,
    holds,
    missed,
    most,
    old_figure,
    short,
    snapshots,
    spoken,
    unverifiable,
    value_text,
)
from compute.formula.formula_terms import PriceLeaf
from compute.units.number_format import stated
from graph.models.claim_models import VerdictName


def reason(case: Case) -> str:
    """Why the verdict is what it is; the text has `THEN` in place of the day of the claim."""
    return _SENTENCES[case.verdict](case)


def _stale(case: Case) -> str:
    now, then = missed(case, case.now.reading), case.then.reading
    tail = _changes(case) + "." + derived(case)
    if then.holds and case.claim.as_of > case.now.on:
        return f"It is made for {THEN}, when it is {value_text(case, then)} and holds; on {case.now.on} {now}{tail}"
    if then.holds:
        return f"On {THEN} it was {value_text(case, then)} and held; on {case.now.on} {now}{tail}"
    why = f": {then.reason}" if then.reason else ""
    return f"On {case.now.on} {now}; whether it held on {THEN} cannot be known{why}.{derived(case)}"


def _refuted(case: Case) -> str:
    return failed_both_days(case, _changes(case))


def _changes(case: Case) -> str:
    """The inputs that changed between then and now: families first, then prices and assumptions."""
    return most([*_moves(case), *_differences(case)])


def _pairs(case: Case) -> Iterator[tuple[str, str, Figure, Figure]]:
    """Each input with its label, the requested name, and its figures then and now."""
    if case.once is not case.program:
        return
    leaves = zip(case.program.labels, case.program.leaves, case.then.figures, case.now.figures, strict=True)
    for label, leaf, then, now in leaves:
        if isinstance(then, Figure) and isinstance(now, Figure):
            yield label, leaf.question.item if isinstance(leaf, PriceLeaf) else "", then, now


def _moves(case: Case) -> Iterator[str]:
    for _, asked, then, now in _pairs(case):
        if asked and then.price and now.price and then.price.item != now.price.item and now.family:
            yield f"{asked} moved from {short(then.price.item)} to {short(now.price.item)}"


def _moved(then: Figure, now: Figure) -> tuple[str, str] | None:
    """The items of an input whose item changed, as of a family that moved: two things have two prices; none changed."""
    if not (then.price and now.price) or then.price.item == now.price.item:
        return None
    return short(then.price.item), short(now.price.item)


def _differences(case: Case) -> Iterator[str]:
    for label, _, then, now in _pairs(case):
        if then.value != now.value or then.dimension is not now.dimension:
            before, after = old_figure(then, now), stated(now.stated, now.unit)
            if (now.price and now.price.note == SET) or (now.assumption and now.assumption.note == SET):
                yield f"{spoken(label, now)} is set to {after} instead of {before}"
            elif (models := _moved(then, now)) is not None:
                what = now.price.component if now.price and "(" in label else label
                yield f"{what} is {after} for {models[1]} and was {before} for {models[0]}"
            else:
                yield f"{spoken(label, now)} went from {before} to {after}{snapshots(then, now)}"


_SENTENCES = {
    VerdictName.HOLDS: holds,
    VerdictName.STALE: _stale,
    VerdictName.REFUTED: _refuted,
    VerdictName.UNVERIFIABLE: unverifiable,
    VerdictName.CONFLICTING: conflicting,
}
