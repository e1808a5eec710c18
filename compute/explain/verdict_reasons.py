"""The reason of a verdict in a few plain sentences: what it is, what changed, what is not known, what it means.

On 2025-02-01 it was 95% and held; on 2026-05-01 it is 97.5%, 2pp outside 95% ± 0.5pp, because list went from
3.00 to 2.00 USD/Mtok. This strengthens the thesis.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from decimal import Decimal

from compute.claims import first_rules
from compute.claims.input_changes import InputChange, source_of
from compute.claims.input_lookups import Figure
from compute.claims.overrides import SET
from compute.claims.verdict_causes import several_texts
from compute.claims.verdict_rules import Case, accuses
from compute.explain import first_reasons
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
    spoken,
    standing,
    unverifiable,
    value_text,
)
from compute.prices.corrections import corrects, explicit
from compute.prices.price_dating import Undated
from compute.prices.price_models import Price
from compute.ranges.opening_search import Opening, StatedRange
from compute.units.number_format import amount, stated
from graph.models.claim_models import Cause, Speaker, VerdictName

MOST_UNDATED = 2
"""A reason names at most this many prices that are not dated."""


def reason(case: Case) -> str:
    """Why the verdict is what it is; the text has `THEN` in place of the day of the claim."""
    if case.method == first_rules.METHOD:
        return first_reasons.reason(case)
    if case.verdict is VerdictName.UNVERIFIABLE and case.awaited:
        return _awaited(case)
    told = _SENTENCES[case.verdict](case)
    if case.verdict in {VerdictName.HOLDS, VerdictName.UNVERIFIABLE}:
        return told
    if case.verdict is not VerdictName.CONFLICTING and _other_tables(case):
        told = f"Two texts differ: {told[:1].lower()}{told[1:]}"
    if _unsaid(case):
        told = f"{told} The text of {case.claim.node} does not have the words that the claim quotes."
    if case.claim.asserted_by is Speaker.NOBODY or _unsaid(case):
        told = f"The check fails: {told[:1].lower()}{told[1:]}"
    return told + _effect(case)


def _other_tables(case: Case) -> bool:
    """Whether a failing claim differs from the tables of another node; neither of the texts is accused."""
    differs = case.ruling.cause is Cause.SOURCES_DIFFER and case.program.bar.target is None
    return differs and several_texts(case.claim, case.program)


def _unsaid(case: Case) -> bool:
    """Whether a claim would be refuted if its node had the quoted words."""
    failed = case.verdict is VerdictName.STALE and case.dated and case.then.reading.holds is False
    return failed and accuses(case) and case.unsaid(case.claim)


def _effect(case: Case) -> str:
    """What the change means for the thesis."""
    helps = case.ruling.helps_thesis
    return "" if helps is None else f" This {'strengthens' if helps else 'weakens'} the thesis."


def _stale(case: Case) -> str:
    if case.program.bar.target is not None and not case.then.reading.holds:
        return _two_texts(case)
    now, then = missed(case, case.now.reading), case.then.reading
    tail = _changes(case) + "." + derived(case)
    if then.holds:
        return _past_result(case, now, tail)
    if then.holds is False and case.dated:
        return _refuted(case)  # a check that no one asserted
    if then.holds is False:
        return f"On {case.now.on} {now}{tail} Whether it held on {THEN} is not known:{_undated(case)}"
    why = f": {then.reason}" if then.reason else ""
    return f"On {case.now.on} {now}; whether it held on {THEN} cannot be known{why}.{derived(case)}"


def _past_result(case: Case, now: str, tail: str) -> str:
    value = value_text(case, case.then.reading)
    unknown = "" if case.dated else f" But{_undated(case)}"
    if case.claim.as_of > case.now.on:
        return f"It is made for {THEN}, when it is {value} and holds; on {case.now.on} {now}{tail}{unknown}"
    return f"On {THEN} it was {value} and held; on {case.now.on} {now}{tail}{unknown}"


def _awaited(case: Case) -> str:
    """A forecast whose day has not come: what it would be by the prices that are known now."""
    day = max(on for on, _ in case.awaited)
    told = f"It is a forecast for {day}, whose prices are not known yet."
    return f"{told} By those known on {case.now.on} {missed(case, case.now.reading)}.{derived(case)}"


def _refuted(case: Case) -> str:
    return failed_both_days(case, _changes(case))


def _two_texts(case: Case) -> str:
    """A claim that differs from the one that it is compared with: neither is accused."""
    other, target = case.compared, case.program.bar.target
    if other is None or other.value is None:
        return f"It differs from {target}: {missed(case, case.now.reading)}.{derived(case)}"
    here = f"{case.claim.node} has {value_text(case, case.now.reading)}"
    there = f"{other.node} has {amount(other.value, case.unit)} ({target})"
    who = "Two texts" if case.claim.node != other.node else "Two figures of one text"
    return f"{who} differ: {here}, {there}; it is {standing(case, case.now.reading)}.{derived(case)}"


# ---- depends


def _depends(case: Case) -> str:
    """What it is, with which figures within their ranges it would hold, and what it was then."""
    now, found = missed(case, case.now.reading), case.ruling.opening
    would = f" It would hold with {_opening(case, found)}." if found else ""
    return f"On {case.now.on} {now}{_changes(case)}.{would}{_then(case)}{derived(case)}"


def _then(case: Case) -> str:
    then = case.then.reading
    if case.claim.as_of == case.now.on:
        return ""
    if then.holds:
        doubt = "" if case.dated else f" But{_undated(case)}"
        return f" On {THEN} it was {value_text(case, then)} and held.{doubt}"
    if then.holds is False and case.dated:
        was = "" if then.value == case.now.reading.value else f": it was {value_text(case, then)}"
        return f" On {THEN} it did not hold either{was}."
    why = _undated(case) if then.holds is False else f" {then.reason}." if then.reason else ""
    return f" Whether it held on {THEN} is not known{':' if why else '.'}{why}"


def _opening(case: Case, found: Opening) -> str:
    """`utilisation at 63% or more, within the stated 30% to 80%`."""
    told = [_at(case, one, value) for one, value in found.at]
    if len(told) > 1:
        ranges = [f"{_span(case, one)} for {_label(case, one)}" for one, _ in found.at]
        return f"{_listed(told)}, within the stated {_listed(ranges)}"
    one, value = found.at[0]
    further = "" if not found.further else " or more" if value > _figure(case, one).value else " or less"
    return f"{told[0]}{further}, within the stated {_span(case, one)}"


def _listed(told: list[str]) -> str:
    return ", ".join(told[:-1]) + " and " + told[-1]


def _at(case: Case, one: StatedRange, value: Decimal) -> str:
    return f"{_label(case, one)} at {amount(value, _figure(case, one).unit)}"


def _span(case: Case, one: StatedRange) -> str:
    unit = _figure(case, one).unit
    return f"{amount(one.low, unit)} to {amount(one.high, unit)}"


def _figure(case: Case, one: StatedRange) -> Figure:
    found = case.now.figures[one.slot]
    if not isinstance(found, Figure):
        raise TypeError("a range belongs to a known figure")
    return found


def _label(case: Case, one: StatedRange) -> str:
    return spoken(case.program.labels[one.slot], _figure(case, one))


# ---- what is not dated


def _undated(case: Case) -> str:
    """The prices of then that are not dated, as a sentence with a space before it."""
    told = list(dict.fromkeys(_not_dated(one, _day(case, one)) for one in case.then.undated))
    more = f", and {len(told) - MOST_UNDATED} more" if len(told) > MOST_UNDATED else ""
    return f" {'; '.join(told[:MOST_UNDATED])}{more}."


def _day(case: Case, price: Undated) -> str:
    """The day for which a price was looked up: the one that the formula names, else the claim's own."""
    for leaf, figure in zip(case.once.leaves, case.then.figures, strict=True):
        on: date | None = getattr(leaf, "on", None)
        if isinstance(figure, Figure) and figure.undated == price and on is not None:
            return on.isoformat()
    return THEN


def _not_dated(one: Undated, day: str) -> str:
    price = one.price
    what = f"the price of {price.item} ({price.component}) is not dated for {day}"
    match one.why:
        case "recorded":
            since = f" on {one.day}" if one.day else ""
            return f"{what}: the catalogue {price.catalog} recorded it{since} and does not say since when it applies"
        case "checked before":
            return f"{what}: it was last checked on {one.day}"
        case "borrowed":
            return f"{what}: it is borrowed from another provider"
        case "earlier day":
            return f"{what}: it is the last known price, of {one.day}"
    return what


# ---- what changed


def _changes(case: Case) -> str:
    """The inputs that changed between then and now: families first, then the others."""
    return most([*_moves(case), *(_difference(change) for change in case.ruling.changes)])


def _moves(case: Case) -> Iterator[str]:
    for change in case.ruling.changes:
        then, now = change.then.price, change.now.price
        if change.kind == "family" and then and now:
            old, new = _names(then, now)
            yield f"{change.requested} moved from {old} to {new}"


def _names(was: Price, price: Price) -> tuple[str, str]:
    """The items of two prices, without their providers if the items alone differ."""
    old, new = short(was.item), short(price.item)
    return (was.item, price.item) if old == new else (old, new)


def _difference(change: InputChange) -> str:
    then, now, label = change.then, change.now, change.label
    before, after = old_figure(then, now), stated(now.stated, now.unit)
    was, price = then.price, now.price
    if SET in {price.note if price else "", now.assumption.note if now.assumption else ""}:
        return f"{spoken(label, now)} is set to {after} instead of {before}"
    if was and price and change.kind == "source":
        sources = source_of(was, price) or ("another source", "this one")
        return (
            f"{spoken(label, now)} is read from another source: {sources[1]} has {after}, {sources[0]} had "
            f"{stated(then.stated, then.unit)}"
        )
    if was and price and was.item != price.item:
        what = price.component if "(" in label else label
        old, new = _names(was, price)
        return f"{what} is {after} for {new} and was {before} for {old}"
    went = "was corrected" if change.kind == "correction" else "went"
    return f"{spoken(label, now)} {went} from {before} to {after}{_seen(then, now)}"


def _seen(then: Figure, now: Figure) -> str:
    """The snapshot that had the old figure, and since when the new one applies: by its source, else by a snapshot."""
    was, price = then.price, now.price
    if was is None or price is None or was.last_seen is None or was.catalog != price.catalog:
        return ""
    had, has = stated(then.stated, then.unit), stated(now.stated, now.unit)
    since = price.first_seen or was.replaced
    after = f" and {has} in that of {since}" if since else ""
    if explicit(price) and not corrects(price, was):
        after = f" and is {has} from {price.valid_from} on"
    return f" (it was {had} in the snapshot of {was.last_seen}{after})"


_SENTENCES = {
    VerdictName.HOLDS: holds,
    VerdictName.STALE: _stale,
    VerdictName.REFUTED: _refuted,
    VerdictName.DEPENDS: _depends,
    VerdictName.UNVERIFIABLE: unverifiable,
    VerdictName.CONFLICTING: conflicting,
}
