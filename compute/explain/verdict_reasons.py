"""The reason of a verdict in a few plain sentences: what it is, what changed, what is not known, what it means.

On 2025-02-01 it was 95% and held; on 2026-05-01 it is 97.5%, 2pp outside 95% ± 0.5pp, because list went from
3.00 to 2.00 USD/Mtok. This strengthens the thesis.
"""

from __future__ import annotations

from compute.claims.claim_case import Case
from compute.claims.claim_program import Reading
from compute.claims.input_changes import InputChange, source_of
from compute.claims.input_lookups import Figure
from compute.claims.overrides import SET
from compute.claims.verdict_table import State
from compute.explain.expectation_text import is_truth, short, spoken, standing, value_text
from compute.formula.formula_tree import CellLeaf, LiteralLeaf
from compute.prices import market_items
from compute.prices.price_models import Price
from compute.prices.price_selection import Undated, tier_text
from compute.ranges.change_search import Opening
from compute.units.number_format import amount, number, said
from compute.units.units import PLAIN
from graph.models.claim_models import Speaker, Tense, VerdictName
from graph.text.counts import few

MOST_CHANGES, MOST_UNDATED = 4, 2  # changed inputs and undated prices that a reason names


def reason(case: Case) -> str:
    """Why the verdict is what it is."""
    if case.verdict is VerdictName.UNVERIFIABLE:
        return _unverifiable(case)
    told, helps = _SENTENCES[case.verdict](case), case.helps_thesis
    if case.verdict is VerdictName.HOLDS or helps is None:
        return told
    return f"{told} This {'strengthens' if helps else 'weakens'} the thesis."


def _unverifiable(case: Case) -> str:
    """What is missing: a future day, an input, dated prices, or a speaker."""
    if case.awaited:
        return _awaited(case)
    if case.judged.reading.holds is not False:
        return _missing_input(case)
    told = _failed(case, _changes(case))
    if case.spoken:
        return f"Cannot be refuted, because its prices are not dated: {told[:1].lower()}{told[1:]} But{_undated(case)}"
    if case.claim.asserted_by is Speaker.NOBODY:
        return f"No one states this figure; the check fails: {told[:1].lower()}{told[1:]}"
    return f"{told} No one states it: {case.unsaid}."


def _stale(case: Case) -> str:
    now, then = _missed(case, case.now.reading), case.then.reading
    if case.then_state not in {State.TRUE, State.OPEN}:
        why = f": {then.reason}" if then.reason else ""
        return f"On {case.now.on} {now}; whether it held on {case.claim.as_of} cannot be known{why}.{_derived(case)}"
    value = value_text(case, then)
    unknown = f" But{_undated(case)}" if case.then.undated else ""
    tail = f"{_changes(case)}.{_derived(case)}{unknown}"
    if case.claim.as_of > case.now.on:
        made = f"It is made for {case.claim.as_of}, when it is {value} and holds"
        return f"{made}; on {case.now.on} {now}.{_derived(case)}{unknown}"
    return f"On {case.claim.as_of} it was {value} and {_held(case)}; on {case.now.on} {now}{tail}"


def _held(case: Case) -> str:
    """How a claim held on its own day."""
    if case.then_state is not State.OPEN:
        return "held"
    return "held at the stated figures" if case.then.reading.holds else "held within its ranges"


def _awaited(case: Case) -> str:
    """A forecast that is not due, with the prices announced for its day, else today's."""
    day, found = max(case.claim.as_of, case.program.last_day), case.judged.reading
    starts = (figure.price.valid_from for figure in case.judged.read if figure.price)
    announced = any(start and start > case.now.on for start in starts)
    told = f"Not due yet: it is about {day}{'' if announced else ', and prices for that day are not known'}."
    if found.value is None:
        return told
    known = f"it would be {value_text(case, found)}" if found.holds else _missed(case, found)
    by = "By the prices announced until" if announced else "By those known on"
    return f"{told} {by} {case.now.on} {known}.{_derived(case)}"


def _conflicting(case: Case) -> str:
    if not case.texts_differ:
        return _catalogs_differ(case)
    if case.program.bar.target is not None:
        return _two_texts(case)
    told = _failed(case, _changes(case))
    return f"Two texts differ: {told[:1].lower()}{told[1:]}"


def _two_texts(case: Case) -> str:
    """A claim that differs from the compared one; neither is accused."""
    other, target, judged = case.judged.compared, case.program.bar.target, case.judged.reading
    if other is None or other.reading.value is None:
        return f"It differs from {target}: {_missed(case, judged)}.{_derived(case)}"
    here = f"{case.claim.node} has {value_text(case, judged)}"
    there = f"{other.claim.node} has {amount(other.reading.value, case.unit)} ({target})"
    who = "Two texts" if case.claim.node != other.claim.node else "Two figures of one text"
    return f"{who} differ: {here}, {there}; it is {standing(case, judged)}.{_derived(case)}"


def _holds(case: Case) -> str:
    """Value of a claim that holds, and its distance from the bound."""
    past = case.claim.tense is Tense.DATED and not _timeless(case)  # prices were not what they are now
    value, is_it = value_text(case, case.judged.reading), f"On {case.claim.as_of} it was" if past else "It is"
    if is_truth(case):
        return f"{is_it} {value}, as expected.{_derived(case)}"
    return f"{is_it} {value}, {standing(case, case.judged.reading)}.{_derived(case)}"


def _missed(case: Case, reading: Reading) -> str:
    """Value of a day and its distance from the expectation."""
    if reading.failure == "never":
        return reading.reason
    where = "not as expected" if is_truth(case) else standing(case, reading)
    return f"it is {value_text(case, reading)}, {where}"


def _failed(case: Case, changes: str) -> str:
    """That a claim failed on its own day, and a standing one today; `changes` are those between the two days."""
    then, now = case.then.reading, case.judged.reading
    if _timeless(case):
        return f"Never true: {_missed(case, now)}.{_derived(case)}"
    if case.claim.tense is Tense.DATED:
        return f"Not true on {case.claim.as_of}: {_missed(case, now)}.{_derived(case)}"
    if case.claim.as_of > case.now.on and not case.then.dated:
        day = f"It is made for {case.claim.as_of}, and prices for that day are not known"
        return f"{day}; on {case.now.on} {_missed(case, now)}.{_derived(case)}"
    if then.value == now.value and then.reason == now.reason:
        return f"It holds neither on {case.claim.as_of} nor on {case.now.on}: {_missed(case, now)}.{_derived(case)}"
    was = then.reason if then.failure == "never" else f"it was {value_text(case, then)}"
    told = f"then {was}; now {_missed(case, now)}{changes}"
    return f"It holds neither on {case.claim.as_of} nor on {case.now.on}: {told}.{_derived(case)}"


def _timeless(case: Case) -> bool:
    """Whether every figure is a literal, or looked up for a day that the formula names."""
    leaves = case.program.leaves
    return case.program.bar.target is None and all(
        leaf.on or isinstance(leaf, LiteralLeaf | CellLeaf) for leaf in leaves
    )


def _derived(case: Case) -> str:
    """Which inputs are computed figures that no source states."""
    found = [
        spoken(label, figure)
        for label, figure in zip(case.program.labels, case.judged.figures, strict=True)
        if isinstance(figure, Figure) and figure.price and figure.price.derived
    ]
    if not found:
        return ""
    what = "is a derived price, not a quoted one" if len(found) == 1 else "are derived prices, not quoted ones"
    return f" {' and '.join(found[:MOST_CHANGES])} {what}."


def _missing_input(case: Case) -> str:
    """What is missing, and the value on the claim's own day."""
    then, text = case.then.reading, case.judged.reading.reason
    past = then.value is not None and case.judged is not case.then
    known = f" On {case.claim.as_of} it was {value_text(case, then)}." if past else ""
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith('?') else '.'}{known}"


def _catalogs_differ(case: Case) -> str:
    """What each rival catalogue makes of the claim."""
    by_outcome: dict[bool | None, str] = {}
    for figures, reading in case.judged.choices:
        by_outcome.setdefault(reading.holds, _choice(case, figures, reading))
    return f"On {case.judged.on} it depends on which catalogue is right: " + "; ".join(by_outcome.values()) + "."


def _choice(case: Case, figures: tuple[Figure, ...], reading: Reading) -> str:
    told = [
        f"{spoken(label, figure)} at {figure.text} ({figure.price.catalog}{_tier(first, figure.price)})"
        for label, figure, first in zip(case.program.labels, figures, case.judged.figures, strict=True)
        if figure.price and isinstance(first, Figure) and first.rivals
    ]
    outcome = {True: "holds", False: "does not hold", None: "cannot be computed"}[reading.holds]
    return f"with {' and '.join(told)} it is {value_text(case, reading)} and {outcome}"


def _tier(first: Figure, price: Price) -> str:
    """The tier of a price, if catalogues state different tiers."""
    tiers = {one.price.above for one in (first, *first.rivals) if one.price}
    return f", {tier_text(price)}" if len(tiers) > 1 else ""


def _depends(case: Case) -> str:
    """The value, where in its ranges it holds, and the value then."""
    judged, found = case.judged.reading, case.judged.state.opening
    if judged.holds:
        share = case.judged.state.over_ranges
        part = f", but only in {said(share.share * 100, '%')} of the stated ranges" if share else ""
        ranged = case.judged.ranged(case.judged.known or ())
        open_ = _listed(list(dict.fromkeys(one.label for one in ranged.inputs))) if ranged else ""
        told = f"On {case.judged.on} it is {value_text(case, judged)} and holds at the stated figures{part}: "
        turned = case.then_state in {State.TRUE, State.FALSE}
        told += f"it {'now ' * turned}depends on {open_}."
    else:
        would = f" It would hold with {_opening(case, found)}." if found else ""
        told = f"On {case.judged.on} {_missed(case, judged)}{_changes(case)}.{would}"
    return f"{told}{_then(case)}{_derived(case)}"


def _then(case: Case) -> str:
    then = case.then.reading
    if case.claim.as_of == case.now.on or case.judged is case.then:
        return ""
    if then.holds:
        doubt = f" But{_undated(case)}" if case.then.undated else ""
        return f" On {case.claim.as_of} it was {value_text(case, then)} and {_held(case)}.{doubt}"
    if then.holds is False and case.then.dated:
        was = "" if then.value == case.now.reading.value else f": it was {value_text(case, then)}"
        return f" On {case.claim.as_of} it did not hold either{was}."
    why = _undated(case) if then.holds is False else f" {then.reason}." if then.reason else ""
    return f" Whether it held on {case.claim.as_of} is not known{':' if why else '.'}{why}"


def _opening(case: Case, found: Opening) -> str:
    """`utilisation at 63% or more, within the stated 30% to 80%`."""
    told, ranges = [], []
    for one, value in found.at:
        figure = (case.judged.known or ())[one.slots[0]]
        label = spoken(case.program.labels[one.slots[0]], figure)
        span = f"{amount(one.low, figure.unit)} to {amount(one.high, figure.unit)}"
        further = "" if not found.further else " or more" if value > figure.value else " or less"
        if len(found.at) == 1:
            return f"{label} at {amount(value, figure.unit)}{further}, within the stated {span}"
        told.append(f"{label} at {amount(value, figure.unit)}")
        ranges.append(f"{span} for {label}")
    return f"{_listed(told)}, within the stated {_listed(ranges)}"


def _listed(told: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(told[:-1]), *told[-1:])))


def _undated(case: Case) -> str:
    """Undated prices of the own day, as a sentence after a space."""
    told = list(dict.fromkeys(_not_dated(one, _day(case, one)) for one in case.then.undated))
    return f" {few(told, MOST_UNDATED, '; ', ', and')}."


def _day(case: Case, price: Undated) -> str:
    """The day of a price lookup: named by the formula, else the claim's own."""
    for leaf, figure in zip(case.then.program.leaves, case.then.figures, strict=True):
        if isinstance(figure, Figure) and figure.undated == price and leaf.on is not None:
            return leaf.on.isoformat()
    return case.claim.as_of.isoformat()


def _not_dated(one: Undated, day: str) -> str:
    price = one.price
    what = f"the price of {price.item} ({price.component}) is not dated for {day}"
    since = f" on {one.day}" if one.day else ""
    why = {
        "no date": "",
        "recorded": f": the catalogue {price.catalog} recorded it{since} and does not say since when it applies",
        "checked before": f": it was last checked on {one.day}",
        "borrowed": ": it is borrowed from another provider",
        "earlier day": f": it is the last known price, of {one.day}",
    }
    return what + why[one.why]


def _changes(case: Case) -> str:
    """Changed inputs, families first."""
    told = []
    for change in case.changes:
        then, now = change.then.price, change.now.price
        if change.kind == "family" and then and now:
            old, new = _names(then, now)
            told.append(f"{change.requested} moved from {old} to {new}")
    told += map(_difference, case.changes)
    return f", because {few(list(dict.fromkeys(told)), MOST_CHANGES)}" if told else ""


def _names(was: Price, price: Price) -> tuple[str, str]:
    """The items of two prices, without providers if the items differ."""
    old, new = short(was.item), short(price.item)
    return (was.item, price.item) if old == new else (old, new)


def _difference(change: InputChange) -> str:
    then, now, label = change.then, change.now, change.label
    other_unit = then.unit.text != now.unit.text or then.unit.dimension is PLAIN
    before = then.text if other_unit else number(then.stated, money=bool(then.price))
    after = now.text
    was, price = then.price, now.price
    if now.origin and now.origin.note == SET:
        return f"{spoken(label, now)} is set to {after} instead of {before}"
    if was and price and change.kind == "source":
        sources = source_of(was, price) or ("another source", "this one")
        return (
            f"{spoken(label, now)} is read from another source: {sources[1]} has {after}, {sources[0]} had {then.text}"
        )
    if was and price and was.item != price.item:
        what = price.component if "(" in label else label
        old, new = _names(was, price)
        return f"{what} is {after} for {new} and was {before} for {old}"
    if was and price and (same := market_items.common_move(was.panel, price.panel)):
        after = f"{after}{same}"
    went = "was corrected" if change.kind == "correction" else "went"
    return f"{spoken(label, now)} {went} from {before} to {after}{_seen(then, now)}"


def _seen(then: Figure, now: Figure) -> str:
    """The snapshot with the old figure, and since when the new one applies."""
    was, price = then.price, now.price
    if was is None or price is None or was.last_seen is None or was.catalog != price.catalog:
        return ""
    had, has = then.text, now.text
    since = price.first_seen or was.replaced
    after = f" and {has} in that of {since}" if since else ""
    if price.explicit and not price.corrects(was):
        after = f" and is {has} from {price.valid_from} on"
    return f" (it was {had} in the snapshot of {was.last_seen}{after})"


_SENTENCES = {
    VerdictName.HOLDS: _holds,
    VerdictName.STALE: _stale,
    VerdictName.REFUTED: lambda case: _failed(case, _changes(case)),
    VerdictName.DEPENDS: _depends,
    VerdictName.CONFLICTING: _conflicting,
}
