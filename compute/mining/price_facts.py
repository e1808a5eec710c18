"""A stated price, and its verdict: compared with every price of its subject that the book knows.

    the price of the stated tier on the stated day                holds
    the price on the day of the text, which has changed since     stale
    a price of another tier that the text may mean                needs-assumption
    none, and no day is stated or no dated price denies it        needs-assumption
    none, and a dated price of that day denies it                 refuted

A price that began later, or whose first day is not known, denies nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from decimal import Decimal

from compute.mining.date_text import Period
from compute.mining.mining_models import Figure, Passage, Reading, Statement
from compute.mining.price_days import ASSUMED, EARLIER, RECENT, Days, in_force, is_firm, not_firm, settled
from compute.mining.price_times import Time
from compute.mining.statement_judge import JudgeInputs, Outcome, figure_text, statement
from compute.prices.price_book import CatalogBook
from compute.prices.price_models import Price
from compute.units.units import UnitError, unit

ANY = -1
"""A context of which the text states no size."""
NARROW, HEDGED = Decimal("0.02"), Decimal("0.06")
"""How far a price may be from the stated one as a share, if that is within its rounding; and if it is hedged."""
_CACHED = 20_000
_INSIDE = "inside the range of"
TOKEN_UNITS = frozenset({"USD/Mtok", "USD/ktok"})
NO_TIER = "the text states no tier"
_FAR = Decimal("0.15")
"""How far from every price of a card a figure must be to be refuted, as a share: rents differ by region and machine."""

_BILLED = 30
"""How many times a price a figure without a unit is that is no price per token."""


@dataclass(frozen=True, slots=True)
class PriceFact:
    """A stated price: `figure` in `unit` for one of `items` and `components`.

    `processing` is the stated tier, empty if none is stated near the figure; `tiers` are those that the sentence also
    names. `context` is the number of tokens, 0 without a long context, `ANY` if the size is open. `many` is the number
    of units that the figure pays for. With `spread` it is a figure for several providers, right inside their range.
    `role` is `from` for the price before a change. Facts of one `pair` are of one tier; a `strict` one is of no other
    tier than the stated one. A fact with a `doubt` is not refuted, nor is one that
    may be of the day of an `earlier` sentence. `predecessors` are earlier models whose price a
    text may mean by `from`. A `cautious` fact is reported only if it holds.
    """

    start: int
    end: int
    figure: Figure
    items: tuple[str, ...]
    components: tuple[str, ...]
    unit: str
    time: Time = field(default_factory=Time)
    processing: str = ""
    tiers: frozenset[str] = frozenset()
    context: int = 0
    many: int = 1
    family: str = ""
    confidence: Decimal = Decimal("0.8")
    cautious: bool = False
    spread: bool = False
    strict: bool = False
    pair: int = 0
    role: str = ""
    predecessors: tuple[str, ...] = ()
    doubt: str = ""
    earlier: Period | None = None


@dataclass(frozen=True, slots=True)
class Judge:
    """Judges stated prices against a book for the day `today`; a text without a day is refuted by no price."""

    book: CatalogBook
    inputs: JudgeInputs
    known: dict[tuple[str, str, date], Decimal | None] = field(default_factory=dict)
    """Computed lookups."""

    @property
    def today(self) -> date:
        """The day of prices where a text states none."""
        return self.inputs.on

    def judged(self, fact: PriceFact, passage: Passage) -> Statement | None:
        """The statement of a fact, with its verdict; None if there is nothing to report."""
        if fact.earlier is not None:
            return self._on_either(fact, passage)
        days = self._days(fact, passage)
        prices = self._prices(fact, days)
        if not prices:
            return None
        fitting = [price for price in prices if self._fits(fact, price)]
        exact = [price for price in prices if _of_tier(fact, price)]
        right = [price for price in fitting if price in exact]
        if not exact and fact.context > 0:
            return self.judged(replace(fact, context=0), passage)
        outcome, price, day = self._outcome(fact, days, exact, right, fitting)
        if fact.spread and not (fact.time.past and not days.stated) and (outcome is None or outcome.verdict != "holds"):
            outcome, price, day = self._inside(fact, days, exact)
        if fact.predecessors and (outcome is None or outcome.verdict != "holds"):
            own = replace(fact, items=fact.predecessors, predecessors=(), family="", cautious=True)
            return self.judged(own, passage) or self.judged(replace(fact, predecessors=()), passage)
        cautious = fact.cautious or self._is_amount(fact, prices)
        if outcome is None or (cautious and outcome.verdict not in {"holds", "stale"}):
            return None
        return self._statement(fact, passage, outcome, price, day)

    # ---- days

    def _on_either(self, fact: PriceFact, passage: Passage) -> Statement | None:
        """The statement on the day of the text if it has one and the price is right there, else on the earlier day."""
        own = replace(fact, earlier=None)
        then = replace(own, time=replace(fact.time, period=fact.earlier), doubt=fact.doubt or EARLIER)
        first, second = (own, then) if passage.on else (then, own)
        found, other = self.judged(first, passage), self.judged(second, passage)
        known = (one for one in (found, other) if one is not None and one.verdict == "holds")
        once = (one for one in (found, other) if one is not None and one.verdict == "stale")
        return next(known, None) or next(once, None) or (other if passage.on else found)

    def _days(self, fact: PriceFact, passage: Passage) -> Days:
        period = fact.time.period
        on = min(passage.on or self.today, self.today)
        if period is None:
            return Days(on, on, stated=False, known=passage.on is not None)
        first = period.first or date(2015, 1, 1)
        last = period.last or max(on, first)
        return Days(min(first, self.today), min(last, self.today), stated=True, known=True)

    # ---- prices

    def _prices(self, fact: PriceFact, days: Days) -> list[Price]:
        found = [
            price
            for item in dict.fromkeys(fact.items)
            for price in self.book.prices(item)
            if price.component in fact.components and self._value(fact, price) is not None
        ]
        return _distinct(found) if not fact.family else self._of_family(fact, days, _distinct(found))

    def _of_family(self, fact: PriceFact, days: Days, prices: list[Price]) -> list[Price]:
        """The prices of the models that a family means in the period; where none is stated, the latest model first."""
        family = self.book.families[fact.family]
        if not days.known:
            place = {member.model: place for place, member in enumerate(family.members)}
            return sorted(prices, key=lambda price: -place.get(price.item, 0))
        members = {
            self.book.meant(member.model, day)
            for day in (days.first, days.last)
            if (member := family.on(day)) is not None
        }
        kept = [price for price in prices if price.item in members]
        return kept or prices

    def _value(self, fact: PriceFact, price: Price) -> Decimal | None:
        try:
            own, wanted = unit(price.unit), unit(fact.unit)
        except UnitError:
            return None
        if fact.unit == "USD/h" and price.unit in {"USD/GPU/h", "USD/instance/h"}:
            return price.value * (fact.many if price.unit == "USD/GPU/h" else 1)
        if own.dimension != wanted.dimension:
            return None
        return price.value * own.factor / wanted.factor * fact.many

    def _fits(self, fact: PriceFact, price: Price) -> bool:
        value = self._value(fact, price)
        assert value is not None  # noqa: S101 - prices without a value were left out
        room = _room(fact, value)
        return fact.figure.low - room <= value <= fact.figure.high + room

    def _is_amount(self, fact: PriceFact, prices: list[Price]) -> bool:
        """Whether a figure that names no unit is so far above every price that it must be for more tokens."""
        if fact.figure.per or fact.unit not in TOKEN_UNITS:
            return False
        return all((self._value(fact, price) or 0) * _BILLED < fact.figure.low for price in prices)

    # ---- verdicts

    def _outcome(
        self, fact: PriceFact, days: Days, exact: list[Price], right: list[Price], fitting: list[Price]
    ) -> tuple[Outcome | None, Price | None, date]:
        now = [price for price in in_force(right, days) if price in settled(in_force(exact, days), days)]
        if now:
            return self._holding(fact, days, exact, now[0])
        ever = [price for price in right if _sometime(price, days)]
        if ever and not days.stated and (fact.time.past or not days.known):
            return self._once(fact, days, ever[0])
        others = [price for price in in_force(fitting, days) if price not in exact]
        if others and not fact.strict and fact.processing in {"", others[0].processing}:
            return self._elsewhere(fact, days, others[0])
        later = [price for price in right if _recorded_later(price, days)]
        if later and not fact.spread and not in_force(exact, days):
            price = later[0]
            note = f"the price recorded since {price.valid_from}"
            return (
                Outcome("holds", self._value(fact, price), note, Decimal("0.7")),
                price,
                price.valid_from or days.last,
            )
        return self._denied(fact, days, exact, right)

    def _holding(self, fact: PriceFact, days: Days, exact: list[Price], price: Price) -> tuple[Outcome, Price, date]:
        day = _day_in(price, days)
        current = self._current(fact, exact)
        changed = bool(current) and not any(self._fits(fact, one) for one in current)
        over = changed and not days.stated and not fact.time.past
        note = "" if days.known else "no day is stated"
        if over:
            was = f"it was the price on {day}" if price.valid_to else f"it is the price of {price.item}"
            note = f"{was}; {self._now(fact, exact)}"
        return Outcome("stale" if over else "holds", self._value(fact, price), note), price, day

    def _once(self, fact: PriceFact, days: Days, price: Price) -> tuple[Outcome, Price, date]:
        """A price of another time: right for a text about the past, else no longer."""
        day = _day_in(price, Days(date(2015, 1, 1), days.last, stated=False, known=True))
        note = f"it was the price from {price.valid_from or '…'} to {price.valid_to or '…'}"
        if not days.stated:
            note += "; no day is stated"
        verdict = "holds" if fact.time.past or price.on(self.today) else "stale"
        return Outcome(verdict, self._value(fact, price), note, Decimal("0.8")), price, day  # type: ignore[arg-type]  # one of two findings

    def _elsewhere(self, fact: PriceFact, days: Days, price: Price) -> tuple[Outcome | None, Price, date]:
        """The price of another tier: right if the sentence names the tier, else an assumption."""
        tier = f"above {price.above:,} tokens" if price.above else f"{price.processing} processing"
        named = price.processing in fact.tiers or (price.above and fact.context == ANY)
        note = f"as the price for {tier}, in {price.catalog}"
        value = self._value(fact, price)
        if named or (price.above and not fact.processing):
            return Outcome("holds", value, note, Decimal("0.8" if named else "0.75")), price, _day_in(price, days)
        return Outcome("needs-assumption", None, f"{note}; {NO_TIER}", Decimal("0.7")), price, days.last

    def _denied(
        self, fact: PriceFact, days: Days, exact: list[Price], right: list[Price]
    ) -> tuple[Outcome | None, Price | None, date]:
        valid = settled(in_force(exact, days), days)
        if not valid:
            return Outcome("unpriced", None, "no catalogue has a price for that day", Decimal("0.8")), None, days.last
        nearest = min(valid, key=lambda price: abs((self._value(fact, price) or 0) - fact.figure.low))
        value = self._value(fact, nearest)
        assert value is not None  # noqa: S101 - prices without a value were left out
        firm = any(is_firm(price, exact, days, self.book, self.today) for price in valid)
        firm = firm and (fact.unit in TOKEN_UNITS or abs(value - fact.figure.low) > abs(value) * _FAR)
        change = next((day for day in (_begins(right, days), nearest.valid_to) if _soon(day, days)), None)
        if right and change:
            note = f"it is the price since {change}; on {days.last} it is {figure_text(value, fact.unit)}"
            return Outcome("needs-assumption", None, note, Decimal("0.7")), nearest, days.last
        meant = self._of_another(fact) if fact.family else None
        if meant is not None:
            note = f"as the price of {meant.item}; on {days.last} it is {figure_text(value, fact.unit)}"
            return Outcome("needs-assumption", None, note, Decimal("0.7")), nearest, days.last
        if fact.doubt or not days.known or (fact.time.past and not days.stated) or not firm:
            why = fact.doubt or ("no day is stated" if not days.known or firm else not_firm(nearest, days))
            note = f"{why}; on {days.last} it is {figure_text(value, fact.unit)}"
            return Outcome("needs-assumption", None, note, Decimal("0.7")), nearest, days.last
        note = f"computed {figure_text(value, fact.unit)}, as of {days.last}"
        note += "; it was the price on other days" if right else ""
        sure = Decimal("0.7" if right else "1") * (Decimal(1) if days.stated else ASSUMED)
        return Outcome("refuted", value, note, sure), nearest, days.last

    def _of_another(self, fact: PriceFact) -> Price | None:
        """A price of another model of the family, which a text without a version may mean."""
        every = (
            price
            for member in self.book.families[fact.family].members
            for price in self.book.prices(member.model)
            if price.component in fact.components and self._value(fact, price) is not None
        )
        return next((price for price in every if _of_tier(fact, price) and self._fits(fact, price)), None)

    def _current(self, fact: PriceFact, exact: Iterable[Price]) -> list[Price]:
        """The prices of today; of a family those of the model that its name means today, if they are known."""
        today = Days(self.today, self.today, stated=True, known=True)
        valid = settled(in_force(exact, today), today)
        return self._of_family(fact, today, valid) if fact.family else valid

    def _now(self, fact: PriceFact, exact: Iterable[Price]) -> str:
        valid = self._current(fact, exact)
        value = self._value(fact, valid[0]) if valid else None
        model = f" ({valid[0].item})" if valid and fact.family else ""
        return f"now it is {figure_text(value, fact.unit)}{model}" if value is not None else "there is none now"

    def _inside(self, fact: PriceFact, days: Days, prices: list[Price]) -> tuple[Outcome | None, Price | None, date]:
        """A figure for several providers: right if it is inside the range of their prices."""
        valid = {self._value(fact, price): price for price in in_force(prices, days)}
        values = sorted(value for value in valid if value is not None)
        low, high = fact.figure.low, fact.figure.high
        if len(values) < 2 or low < values[0] * (1 - HEDGED) or high > values[-1] * (1 + HEDGED):
            return None, None, days.last
        nearest = min(values, key=lambda value: abs(value - low))
        least, most = (figure_text(one, fact.unit) for one in (values[0], values[-1]))
        note = f"{_INSIDE} {len(valid)} prices, {least} to {most}"
        return Outcome("holds", nearest, note, Decimal("0.9")), valid[nearest], _day_in(valid[nearest], days)

    # ---- statements

    def _statement(
        self, fact: PriceFact, passage: Passage, outcome: Outcome, price: Price | None, day: date
    ) -> Statement:
        expression = self._formula(fact, price, day) if price is not None else _lookup(fact.items[0], fact)
        made = Reading(
            start=fact.start, end=fact.end, rule="list price", inputs=(), expression=expression, stated=fact.figure,
            unit=fact.unit, confidence=fact.confidence, kind="price",
        )  # fmt: skip
        if price is not None and outcome.computed is not None:
            outcome = replace(outcome, note="; ".join(note for note in (outcome.note, _source_text(price)) if note))
        found = statement(made, passage, _of_figure(outcome, fact))
        off = abs(found.computed - found.stated) if found.computed is not None else Decimal(0)
        room = min(fact.figure.half, _room(fact, found.stated))
        within = max(room, off) if found.verdict in {"holds", "stale"} else room
        return found.model_copy(update={"as_of": day, "within": within})

    def _computed(self, form: str, unit_: str, day: date) -> Decimal | None:
        key = (form, unit_, day)
        if key not in self.known:
            if len(self.known) >= _CACHED:
                self.known.clear()
            self.known[key] = replace(self.inputs, on=day).value(form, (), unit_)
        return self.known[key]

    def _formula(self, fact: PriceFact, price: Price, day: date) -> str:
        """The lookup that gives the price on the day; with the catalogue if another one comes first."""
        wanted = self._value(fact, price)
        plain = _lookup(price.item, fact, price)
        for form in (plain, _lookup(price.item, fact, price, catalog=price.catalog)):
            if self._computed(form, fact.unit, day) == wanted:
                return form
        return plain


def _room(fact: PriceFact, value: Decimal) -> Decimal:
    """How far a stated price may be from a value: a share of it; of a price per token its rounding at most."""
    hedged = fact.figure.hedge == "about"
    share = abs(value) * (HEDGED if hedged else NARROW)
    return share if hedged or fact.unit not in TOKEN_UNITS else min(fact.figure.half, share)


def _lookup(item: str, fact: PriceFact, price: Price | None = None, catalog: str = "") -> str:
    processing = price.processing if price else fact.processing or "standard"
    parts = [f'"{item}"', f'"{price.component if price else fact.components[0]}"']
    if processing != "standard":
        parts.append(f'processing="{processing}"')
    if price and price.above:
        parts.append(f"context={price.above + 1}")
    if catalog:
        parts.append(f'catalog="{catalog}"')
    form = f"price({', '.join(parts)})"
    if fact.unit == "USD/h" and price is not None and price.unit == "USD/GPU/h":
        return f"{fact.many} GPU * {form}"
    if fact.unit == "USD/h" and price is not None and price.unit == "USD/instance/h":
        return f"1 instance * {form}"
    return form


def _of_figure(outcome: Outcome, fact: PriceFact) -> Outcome:
    """The outcome of a figure; a range, or a figure inside one, has no single computed value."""
    ranged = fact.figure.ranged or outcome.note.startswith(_INSIDE)
    if outcome.computed is None or outcome.verdict == "refuted" or not ranged:
        return outcome
    inside = "" if outcome.note.startswith(_INSIDE) else f"{figure_text(outcome.computed, fact.unit)} is inside it"
    return replace(outcome, computed=None, note="; ".join(part for part in (inside, outcome.note) if part))


def _source_text(price: Price) -> str:
    """The catalogue, source and days of a price, in a few words."""
    days = f"since {price.valid_from}" if price.valid_from else ""
    days += f" until {price.valid_to}" if price.valid_to else ""
    checked = f"checked {price.checked}" if price.checked else ""
    return ", ".join(part for part in (f"price of {price.catalog}", days.strip(), checked, price.source or "") if part)


def _distinct(prices: Iterable[Price]) -> list[Price]:
    return list(dict.fromkeys(prices))


def _of_tier(fact: PriceFact, price: Price) -> bool:
    """Whether a price is of the stated tier."""
    if price.processing != (fact.processing or "standard"):
        return False
    if fact.context > 0:
        return 0 < price.above <= fact.context
    return not price.above


def _sometime(price: Price, days: Days) -> bool:
    """Whether a price applied on or before the last day of a period."""
    return price.valid_from is None or price.valid_from <= days.last


def _recorded_later(price: Price, days: Days) -> bool:
    """Whether a catalogue began to record a price after a period; it may have applied before."""
    return price.dated == "record" and price.valid_from is not None and price.valid_from > days.last


def _begins(prices: Iterable[Price], days: Days) -> date | None:
    """The first day after a period on which one of some prices begins."""
    return min((one.valid_from for one in prices if one.valid_from and one.valid_from > days.last), default=None)


def _soon(day: date | None, days: Days) -> bool:
    """Whether a price changed shortly after a period: sources differ on the day of a change."""
    return day is not None and days.last < day <= days.last + RECENT


def _day_in(price: Price, days: Days) -> date:
    """A day of a period on which a price is valid: the last one."""
    last = days.last if price.valid_to is None or days.last < price.valid_to else price.valid_to - timedelta(days=1)
    return max(last, price.valid_from) if price.valid_from else last
