"""The reason of a verdict in one sentence."""

from __future__ import annotations

from collections.abc import Iterator

from compute.claims.claim_evaluation import Measured, Reading
from compute.claims.input_lookups import Figure
from compute.claims.overrides import SET
from compute.claims.verdict_rules import Case
from compute.explain.expectation_text import distance, limits
from compute.formula.formula_terms import CellLeaf, LiteralLeaf, PriceLeaf
from compute.units.number_format import amount, number, stated
from compute.units.units import PLAIN
from graph.models.claim_models import VerdictName

THEN = "\0"
"""Placeholder for the day of the claim in a reason, so that claims of different days can share the text."""

MOST_CHANGES = 4
"""A reason names at most this many changed inputs."""


def reason(case: Case) -> str:
    """Why the verdict is what it is; the text has `THEN` in place of the day of the claim."""
    return _SENTENCES[case.verdict](case)


def value_text(case: Case, reading: Reading) -> str:
    """The value as displayed, or a text saying that there is none."""
    if reading.value is None:
        return "nothing" if reading.failure == "never" else "unknown"
    if case.program.sorts and _truth(case):
        return "true" if reading.value else "false"
    return amount(reading.value, case.unit)


def _truth(case: Case) -> bool:
    bound = case.program.bar.bound
    return bound is not None and bound.text in {"true", "false"}


_SIDES = {"at_least": ("above", "below", "the minimum of "), "at_most": ("below", "above", "the maximum of ")}


def standing(case: Case, reading: Reading) -> str:
    """The position of a value: `2pp outside 95% ± 0.5pp`, `0.50 USD/Mtok below the maximum of 2.50 USD/Mtok`."""
    bar = case.program.bar
    inside, outside, limit = _SIDES.get(bar.form, ("inside", "outside", ""))
    bound = limit + limits(bar, case.unit, reading)
    if bar.within is None and bar.form in {"is", "times", "same_as"}:
        off = distance(reading.margin, case.unit)
        return f"exactly {bound}" if reading.holds else f"{off} off the expected {bound}"
    if not reading.margin:
        return f"exactly at the bound of {bound}" if not limit else f"exactly at {bound}"
    return f"{distance(reading.margin, case.unit)} {inside if reading.holds else outside} {bound}"


def _holds(case: Case) -> str:
    value = value_text(case, case.now.reading)
    if _truth(case):
        return f"It is {value}, as expected.{_derived(case)}"
    return f"It is {value}, {standing(case, case.now.reading)}.{_derived(case)}"


def _missed(case: Case, reading: Reading) -> str:
    """The value of a day and its distance from the expectation."""
    if reading.failure == "never":
        return reading.reason
    where = "not as expected" if _truth(case) else standing(case, reading)
    return f"it is {value_text(case, reading)}, {where}"


def _stale(case: Case) -> str:
    now, then = _missed(case, case.now.reading), case.then.reading
    tail = _changes(case) + "." + _derived(case)
    if then.holds and case.claim.as_of > case.now.on:
        return f"It is made for {THEN}, when it is {value_text(case, then)} and holds; on {case.now.on} {now}{tail}"
    if then.holds:
        return f"On {THEN} it was {value_text(case, then)} and held; on {case.now.on} {now}{tail}"
    why = f": {then.reason}" if then.reason else ""
    return f"On {case.now.on} {now}; whether it held on {THEN} cannot be known{why}.{_derived(case)}"


def _refuted(case: Case) -> str:
    then, now = case.then.reading, case.now.reading
    if _timeless(case):
        return f"It holds on no day: {_missed(case, now)}.{_derived(case)}"
    if then.value == now.value and then.reason == now.reason:
        return f"It holds neither on {THEN} nor on {case.now.on}: {_missed(case, now)}.{_derived(case)}"
    was = then.reason if then.failure == "never" else f"it was {value_text(case, then)}"
    told = f"then {was}; now {_missed(case, now)}{_changes(case)}"
    return f"It holds neither on {THEN} nor on {case.now.on}: {told}.{_derived(case)}"


def _timeless(case: Case) -> bool:
    """True if every figure is a literal, or looked up for a day that the formula names."""
    if case.program.bar.target is not None:
        return False
    return all(isinstance(leaf, LiteralLeaf | CellLeaf) or leaf.on is not None for leaf in case.program.leaves)


def _derived(case: Case) -> str:
    """Which inputs are computed figures that no source states."""
    pairs = zip(case.program.labels, case.now.figures, strict=True)
    found = [
        _spoken(label, figure)
        for label, figure in pairs
        if isinstance(figure, Figure) and figure.price and figure.price.derived
    ]
    if not found:
        return ""
    what = "is a derived price, not a quoted one" if len(found) == 1 else "are derived prices, not quoted ones"
    return f" {' and '.join(found[:MOST_CHANGES])} {what}."


def _unverifiable(case: Case) -> str:
    then, text = case.then.reading, case.now.reading.reason
    known = f" On {THEN} it was {value_text(case, then)}." if then.value is not None else ""
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith('?') else '.'}{known}"


def _conflicting(case: Case) -> str:
    day = case.now if len({reading.holds for _, reading in case.now.choices}) > 1 else case.then
    by_outcome: dict[bool | None, str] = {}
    for figures, reading in day.choices:
        by_outcome.setdefault(reading.holds, _choice(case, day, figures, reading))
    on = str(case.now.on) if day is case.now else THEN
    return f"Which catalogue is right decides it on {on}: " + "; ".join(by_outcome.values()) + "."


def _choice(case: Case, day: Measured, figures: tuple[Figure, ...], reading: Reading) -> str:
    told = [
        f"{_spoken(label, figure)} at {stated(figure.stated, figure.unit)} ({figure.price.catalog})"
        for label, figure, first in zip(case.program.labels, figures, day.figures, strict=True)
        if figure.price and isinstance(first, Figure) and first.rivals
    ]
    outcome = {True: "holds", False: "does not hold", None: "cannot be computed"}[reading.holds]
    return f"with {' and '.join(told)} it is {value_text(case, reading)} and {outcome}"


def _changes(case: Case) -> str:
    """The inputs that changed between then and now: families first, then prices and assumptions."""
    told = list(dict.fromkeys([*_moves(case), *_differences(case)]))
    if not told:
        return ""
    more = f" and {len(told) - MOST_CHANGES} more" if len(told) > MOST_CHANGES else ""
    return ", because " + ", ".join(told[:MOST_CHANGES]) + more


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
            yield f"{asked} moved from {_short(then.price.item)} to {_short(now.price.item)}"


def _moved(then: Figure, now: Figure) -> tuple[str, str] | None:
    """The items of an input whose item changed, as of a family that moved: two things have two prices; none changed."""
    if not (then.price and now.price) or then.price.item == now.price.item:
        return None
    return _short(then.price.item), _short(now.price.item)


def _short(item: str) -> str:
    return item.partition("/")[2] or item


def _differences(case: Case) -> Iterator[str]:
    for label, _, then, now in _pairs(case):
        if then.value != now.value or then.dimension is not now.dimension:
            before, after = _old(then, now), stated(now.stated, now.unit)
            if (now.price and now.price.note == SET) or (now.assumption and now.assumption.note == SET):
                yield f"{_spoken(label, now)} is set to {after} instead of {before}"
            elif (models := _moved(then, now)) is not None:
                what = now.price.component if now.price and "(" in label else label
                yield f"{what} is {after} for {models[1]} and was {before} for {models[0]}"
            else:
                yield f"{_spoken(label, now)} went from {before} to {after}{_snapshots(then, now)}"


def _snapshots(then: Figure, now: Figure) -> str:
    """The snapshots that show a change which the catalogue itself does not date."""
    was, price = then.price, now.price
    if was is None or price is None or was.last_seen is None or was.catalog != price.catalog:
        return ""
    since = price.first_seen or was.replaced
    after = f" and {stated(now.stated, now.unit)} in that of {since}" if since else ""
    return f" (it was {stated(then.stated, then.unit)} in the snapshot of {was.last_seen}{after})"


def _spoken(label: str, figure: Figure) -> str:
    """A label in a sentence; an unnamed lookup is described by its price or assumption."""
    if "(" not in label:
        return label
    if figure.price is not None:
        return f"{figure.price.component} of {_short(figure.price.item)}"
    return f"the assumption {figure.assumption.name}" if figure.assumption is not None else label


def _old(then: Figure, now: Figure) -> str:
    """The old figure, without its unit if the new one has the same."""
    if then.unit.text != now.unit.text:
        return stated(then.stated, then.unit)
    if then.unit.dimension is PLAIN:
        return stated(then.stated, then.unit)
    return number(then.stated, money=bool(then.price))


_SENTENCES = {
    VerdictName.HOLDS: _holds,
    VerdictName.STALE: _stale,
    VerdictName.REFUTED: _refuted,
    VerdictName.UNVERIFIABLE: _unverifiable,
    VerdictName.CONFLICTING: _conflicting,
}
