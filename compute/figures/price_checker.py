"""Compares the prices of a text with the catalogues of their day: list prices, rents, discounts and bills."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from functools import cache, partial

from compute.claims.input_lookups import lookup, questions
from compute.figures.figure_models import Figure, Finding, MinedInput, Passage, Statement
from compute.figures.number_words import word_set
from compute.figures.price_formulas import LESS, price_on, question_of, rate, ratios, source_of
from compute.figures.price_subjects import (
    BATCHED,
    CACHED,
    PER_TOKEN,
    TIER,
    Day,
    Mention,
    SubjectReader,
    day_of_price,
    rent_kinds,
    sides,
    token_kinds,
    token_words,
    words_in,
)
from compute.figures.statement_writer import decimal, given, statement
from compute.figures.text_structure import Document, Sentence, Table
from compute.prices.price_book import CatalogBook
from compute.prices.price_models import Price
from compute.units import units
from compute.units.number_format import said, trimmed

_MOST = Decimal(700)  # more than any model costs per million tokens, in USD
_PLAIN = word_set(
    "a an the of for per on at in is are now today currently costs cost price prices priced list lists listed"
    " charges asks takes api token tokens million input output inputs outputs prompt prompts completion completions"
    " cached cache read reads above over beyond past up to and each its k m mtok usd dollar dollars s long context"
    " standard january february march april may june july august september october november december"
)
"""The words of a plain list price. Beside any other word it may be another price, one of another day, or nobody's."""
_RECENT = timedelta(days=92)
_PARTS = (Decimal(1), Decimal("0.5"), Decimal("0.1"), Decimal(2))
"""Such a share of any price of a model may be meant, so it is not refuted."""
_COLUMNS = {
    "cache_read": re.compile(r"cach", re.I),
    "output": re.compile(r"\bout", re.I),
    "input": re.compile(r"\bin(?:put)?\b", re.I),
}
_OF_ELSE = re.compile(
    r"(?i)\s?(?:the |more |larger |longer |as many )?(?:context|window|through|speed|fast|latenc|param|tokens|memory"
    r"|bandwidth|performance|volume|long|larg|bigger)"
)
_RATIO = re.compile(
    r"(?i)batch|cach|\boutput|cheaper|less|more|times|[×x]\b|off\b|discount|cost|price|expensive|half|below"
    r"|undercut|reduc|sav|premium|surcharge|multipl|spread"
)


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A figure that may be a price; `words` are those of the text, `offers` the models of its only provider."""

    passage: Passage
    words: Set[str]
    offers: Callable[[], list[str]]
    figure: Figure
    place: Sentence
    day: Day
    mentions: Sequence[Mention] = ()
    lead: Sequence[Mention] = ()

    def statement(
        self,
        expression: str,
        computed: Decimal,
        unit: str,
        note: str = "",
        *,
        finding: Finding = "holds",
        listed: bool = False,
        inputs: Sequence[MinedInput] = (),
    ) -> Statement:
        """What is found; a `listed` price may be off by as much as it is."""
        figure = self.figure
        return statement(
            self.passage,
            figure,
            (self.place.start, self.place.end),
            kind="price",
            inputs=tuple(inputs),
            expression=expression,
            computed=computed,
            unit=unit,
            finding=finding,
            note=note or f"as of {self.day.last}",
            on=self.day.last,
            within=max(figure.half, abs(computed - figure.low)) if listed else figure.half,
        )


class PriceChecker:
    """Checks the prices of documents; `today` dates those without a day."""

    def __init__(self, book: CatalogBook, today: date) -> None:
        self._book, self._today = book, today
        self._subjects = SubjectReader(book)
        self._known = _PLAIN | {item.partition("/")[0] for item in book.items()}

    def statements(self, passage: Passage, document: Document) -> Iterator[Statement]:
        """The statements about prices, in text order."""
        lead, block, before = list[Mention](), -1, ""
        whole = f"{passage.title} {passage.text}"
        candidate = partial(_Candidate, passage, words_in(whole), cache(lambda: self._subjects.offers(whole)))
        for sentence in document.sentences:
            mentions = self._subjects.lexicon.mentions(sentence.words)
            if sentence.block != block:
                if not (sentence.item and lead):
                    lead = self._subjects.lexicon.mentions(f"{sentence.heading} ")
                block, before = sentence.block, ""
            day = day_of_price(sentence, passage.on, self._today)
            per_token = bool(PER_TOKEN.search(sentence.words) or PER_TOKEN.search(before))
            for figure in sentence.figures:
                one = candidate(figure, sentence, day, mentions, lead)
                if found := self._checked(one, per_token):
                    yield found
            lead = [*lead, *mentions][-4:]
            before = (before + sentence.words)[-400:]
        for table in document.tables:
            yield from self._table(candidate, passage.on, table)

    def _checked(self, one: _Candidate, per_token: bool) -> Statement | None:
        figure = one.figure
        if figure.ranged and figure.high > figure.low * 2 and ("hour", -1) not in figure.dimensions:
            return None
        if figure.sort == "money" and figure.unit == "USD":
            return self._money(one, per_token=per_token)
        named = figure.sort in {"%", "x"} and (one.mentions or one.lead)
        found = self._ratio(one) if named else None
        return found or (self._offered(one) if figure.sort == "%" and not one.mentions else None)

    # ---- list prices

    def _money(self, one: _Candidate, *, per_token: bool) -> Statement | None:
        figure, dims = one.figure, dict(one.figure.dimensions)
        amount = dims == {"USD": 1}
        named = "purchase" in one.place.near(figure) or self._subjects.rents(f"{one.place.after(figure, 12)} ")
        if dims == {"USD": 1, "hour": -1} or figure.of == "GPU" or (amount and named):
            return self._rent(one)
        listed = amount and not figure.of and figure.low < _MOST and (per_token or figure.label)
        if "token" in dims or (listed and (one.mentions or one.lead)):
            return self._token_price(one) or self._bill(one)
        return (self._bill(one) if amount and not figure.of else None) or self._other(one)

    def _token_price(self, one: _Candidate) -> Statement | None:
        items, single = self._subjects.models(one.figure, one.place, one.mentions, one.lead)
        components, processing = token_kinds(one.figure, one.place)
        tiered = bool(TIER.search(one.place.words))
        long = tiered and sum(each.sort == "money" for each in one.place.figures) == 1
        for item in items[:1] if single else items[:4]:
            if price := self._price(one, item, components, processing, long=long):
                told = _listed(one, price, self._book)
                return told if told and (told.verdict != "stale" or self._plain(one)) else None
        certain = single and len(components) == 1 and processing == ("standard",)
        if certain and items and "token" in dict(one.figure.dimensions):
            return self._denied(one, items[0], components[0], tiered=tiered)
        return None

    def _price(
        self, one: _Candidate, item: str, components: Sequence[str], processing: Sequence[str], *, long: bool = False
    ) -> Price | None:
        """The stated price of an item, of the day if it can be; for `long` prompts theirs, if there are any."""
        every = (price for model in self._book.models_of(item) for price in self._book.prices(model))
        tokens = [each for each in every if each.unit == "USD/Mtok" and each.component in components]
        tokens = [each for each in tokens if each.processing in processing]
        above = [each for each in tokens if each.above] if long else []
        found = [each for each in above or tokens if _is(one.figure, each.value / _scale(one.figure))]
        return min(found, key=lambda each: (not each.on(one.day.last), components.index(each.component)), default=None)

    def _denied(self, one: _Candidate, item: str, component: str, *, tiered: bool) -> Statement | None:
        """A list price that the model never had, refuted if the text has a date."""
        figure, day, words = one.figure, one.day, one.place.words
        if figure.hedge or figure.ranged or not figure.low or words.rstrip().endswith("?"):
            return None
        models = self._book.models_of(item)
        if len(models) > 1 or not self._plain(one):
            return None
        every = [price for price in self._book.prices(models[0]) if price.unit == "USD/Mtok"]
        scale = _scale(figure)
        if any(_is(figure, price.value / scale * part) for price in every for part in _PARTS):
            return None
        standard = [price for price in every if (price.component, price.processing) == (component, "standard")]
        listed = [price for price in standard if price.on(day.last) and (price.above or not tiered)]
        if len({(price.value, price.above) for price in listed}) != 1:
            return None
        price, value = listed[0], listed[0].value / scale
        checked = any(each.checked is not None and abs(day.last - each.checked) <= _RECENT for each in every)
        if not (price.explicit or checked) or abs(value - figure.low) <= value * Decimal("0.03"):
            return None
        note = f"computed {said(trimmed(value), figure.full_unit)}, as of {day.last}: {source_of(price)}"
        if not day.known:
            note += "; the text has no date: add one"
        finding: Finding = "refuted" if day.known else "needs-assumption"
        return one.statement(lookup(question_of(price)), value, figure.full_unit, note, finding=finding)

    def _plain(self, one: _Candidate) -> bool:
        """Whether a sentence says no more than what a model's tokens cost."""
        words = one.place.words
        named = [words[each.start : each.end] for each in one.mentions] + [each.text for each in one.place.figures]
        known = self._known | words_in(" ".join(named))
        return all(word in known for word in words_in(words) if word.isalpha())

    # ---- rents and other prices

    def _rent(self, one: _Candidate) -> Statement | None:
        figure, sentence = one.figure, one.place
        near = self._subjects.rents(sentence.window(figure, 200, 40))
        wide = self._subjects.rents(f"{sentence.heading} {sentence.words}")
        items = [*dict.fromkeys([*near, *wide])] or self._subjects.only_rents(one.words, sentence.words)
        return self._rented(one, items, rent_kinds(sentence.near(figure))) or self._other(one)

    def _rented(self, one: _Candidate, items: Iterable[str], kinds: tuple[str, ...]) -> Statement | None:
        """The rent or purchase price of one chip, or of eight."""
        figure, day = one.figure, one.day
        bought = not dict(figure.dimensions).get("hour")
        counts = (1, 8) if "8" in one.place.words else (1,)
        for item in items:
            for price in sorted(self._book.prices(item), key=lambda each: not each.on(day.last)):
                rented = "/GPU" in price.unit and price.component in (("purchase",) if bought else kinds)
                for count in counts if rented else ():
                    value = price.value * count
                    if _is(figure, value):
                        text = lookup(question_of(price)) if count == 1 else f"8 GPU * {lookup(question_of(price))}"
                        finding: Finding = "holds" if price.on(day.last) or price.on(day.first) else "stale"
                        unit = ("USD/GPU" if count == 1 else "USD") + ("" if bought else "/h")
                        return one.statement(text, value, unit, source_of(price), finding=finding, listed=True)
        return None

    def _other(self, one: _Candidate) -> Statement | None:
        """A price of egress, power or a service that the sentence names."""
        figure = one.figure
        for item in self._subjects.others(one.place.words):
            for price in self._book.prices(item):
                unit = units.known(price.unit)
                if unit is None or not price.on(one.day.last):
                    continue
                same = unit.dimension.powers == dict(figure.dimensions)
                value = decimal(Fraction(price.value) * Fraction(unit.factor) / figure.factor)
                if same and _is(figure, value):
                    return one.statement(lookup(question_of(price)), value, figure.full_unit, source_of(price))
        return None

    # ---- ratios and bills

    def _ratio(self, one: _Candidate) -> Statement | None:
        """A discount or multiple that catalogue prices give; never refuted."""
        figure, near = one.figure, one.place.window(one.figure)
        if not _RATIO.search(near) or _OF_ELSE.match(one.place.after(figure, 40)):
            return None
        words, start = one.place.words, one.place.start
        own, ways = (sides(words, figure, some, start) for some in (one.mentions, token_words(words)))
        before = [mention.item for mention in reversed(one.mentions) if mention.end <= figure.start - start]
        lead = [mention.item for mention in reversed(one.lead)] if own or not one.mentions else []
        items = [*dict.fromkeys(own if len(own) > 1 else (*own, *before, *lead) or (one.mentions[0].item,))]
        turned = {each[::-1] for each in (own, ways) if len(set(each)) == 2}
        share = Decimal(100) if figure.sort == "%" else Decimal(1)
        for text, value in ratios(self._book, items, words, near, one.day.last, alone=(*own, *before)):
            small = figure.sort == "x" and value < 1 <= figure.low
            if not small and _is(figure, value * share, plain=True):
                asked = zip(*((price.item, price.component) for price in questions(text)), strict=True)
                if turned.isdisjoint(asked):
                    return one.statement(text, value * share, figure.sort)
        return None

    def _offered(self, one: _Candidate) -> Statement | None:
        """A discount for batches or cache reads on all models of a provider."""
        near = one.place.window(one.figure)
        if not LESS.search(near) or not (BATCHED.search(near) or CACHED.search(near)):
            return None
        for item in self._subjects.offers(one.place.words) or one.offers():
            for text, value in ratios(self._book, [item], near, near, one.day.last):
                if value < 1 and text.startswith("1 - ") and _is(one.figure, value * 100, plain=True):
                    return one.statement(text, value * 100, "%")
        return None

    def _bill(self, one: _Candidate) -> Statement | None:
        """What tokens cost at the prices of the model named before."""
        figure, sentence = one.figure, one.place
        tokens = [each for each in sentence.figures if each.dimensions == (("token", 1),) and not each.ranged]
        if not tokens or len(tokens) > 2:
            return None
        items, _ = self._subjects.models(figure, sentence, one.mentions, one.lead)
        counts = [each for each in sentence.figures if each.sort == "count" and each.noun and each.start < figure.start]
        for item in items[:2]:
            first, second = (rate(self._book, item, name, one.day.last) for name in ("input", "output"))
            if first is None or second is None:
                continue
            for rates in [(first, second)] if len(tokens) == 2 else [(first,), (second,)]:
                parts = [*zip(("input_tokens", "output_tokens"), tokens, rates, strict=False)]
                cost = sum((each.low * price / 10**6 for _, each, (_, price) in parts), Decimal(0))
                text = " + ".join(f"{name} * {price}" for name, _, (price, _) in parts)
                inputs = [given(name, each, "token") for name, each, _ in parts]
                for many in (Decimal(1), *(each.low for each in counts)):
                    if _is(figure, cost * many, plain=True):
                        text = text if many == 1 else f"{many:f} * ({text})"
                        return one.statement(text, cost * many, "USD", inputs=inputs)
        return None

    def _table(self, candidate: Callable[..., _Candidate], on: date | None, table: Table) -> Iterator[Statement]:
        """Prices in cells, by the names in row and header; never refuted."""
        written = min(on or self._today, self._today)
        day = Day(written, written, stated=False, known=on is not None)
        for row in table.rows:
            words = " ".join(cell.words for cell in row if not any(one.sort == "money" for one in cell.figures))
            mentions = self._subjects.lexicon.mentions(words)
            items = self._subjects.rents(f"{words} {table.heading}")
            for head, cell in zip(table.header, row, strict=True):
                kind = f"{head.words} {cell.words}"
                for figure in (each for each in cell.figures if each.sort == "money"):
                    one = candidate(figure, replace(cell, words=words), day, mentions)
                    found = self._cell(one, kind, table.heading) or self._rented(one, items, rent_kinds(kind))
                    yield from [found] if found else []

    def _cell(self, one: _Candidate, kind: str, title: str) -> Statement | None:
        component = next((name for name, cue in _COLUMNS.items() if cue.search(kind)), "")
        processing = ("batch", "standard") if re.search(r"batch", f"{kind} {title}", re.I) else ("standard",)
        for mention in one.mentions if component else ():
            if price := self._price(one, mention.item, (component,), processing):
                return _listed(one, price, self._book)
        return None


def _scale(figure: Figure) -> Decimal:
    """How many times the figure's unit makes a million tokens."""
    return Decimal(1000) if figure.per.startswith("ktok") else Decimal(1)


def _listed(one: _Candidate, price: Price, book: CatalogBook) -> Statement | None:
    """A catalogue price: it holds on its day, is stale on others; None if a dated price is another on that day."""
    day, figure = one.day, one.figure
    now, valid = price_on(book, question_of(price), day.last), price.on(day.last)
    if valid and not price.explicit and now and now.explicit and not _is(figure, now.value / _scale(figure)):
        return None
    begun = price.valid_from is None or price.valid_from <= day.last or price.dated == "record"
    ended = price.valid_to is not None and price.valid_to <= day.first
    finding: Finding = "holds" if (begun and not ended) or (day.stated and not day.known) else "stale"
    note = source_of(price)
    if ended:
        later = f", on {day.last} it is {said(now.value, now.unit)}" if now else ""
        note = f"it was right until {price.valid_to}{later}; {note}"
    elif finding == "stale":
        note = f"right since {price.valid_from}; {note}"
    unit, text = figure.full_unit if figure.per else "USD/Mtok", lookup(question_of(price))
    return one.statement(text, price.value / _scale(figure), unit, note, finding=finding, listed=True)


def _is(figure: Figure, value: Decimal, *, plain: bool = False) -> bool:
    """Whether a price is the stated one: within its rounding and 2%."""
    low, high = figure.low, figure.high
    reach = max(figure.half, figure.coarse if figure.hedge else figure.half)
    reach = reach if plain else min(reach, abs(low) * Decimal("0.02"))
    if figure.ranged:
        return value in {low, high} or (low <= value <= high <= low * Decimal("1.5"))
    return low - reach <= value <= high + reach and value > 0
