"""Compares prices in a text with the catalogues on their day.

list prices     $3 per million input tokens of a model · $6.88 an hour for an H100 at AWS
discounts       50% off in a batch · cached input at a tenth · output 5x input · A 60% cheaper than B
bills           2,000 tokens in and 500 out, at the prices of a model
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from compute.figures.figure_models import Figure, Finding, MinedInput, Passage, Statement
from compute.figures.model_names import Mention
from compute.figures.price_subjects import (
    PER_TOKEN,
    Day,
    SubjectReader,
    day_of_price,
    families_of,
    lookup,
    rent_kinds,
    token_kinds,
)
from compute.figures.statement_writer import decimal, statement
from compute.figures.text_structure import Cell, Document, Sentence, Table
from compute.prices.price_book import CatalogBook
from compute.prices.price_models import Price, Question
from compute.units import units
from compute.units.number_format import said, trimmed

_MOST = Decimal(700)
"""No model costs more per million tokens."""
_OTHER_PRICE = re.compile(
    r"discount|\boff\b|after|effective|blend|negotiat|our (?:own )?(?:price|cost|rate)|fine-?tun|train"
    r"|audio|image|video|speech|realtime|region|Azure|Bedrock|Vertex|OpenRouter|Together|Groq|Fireworks"
    r"|third[- ]part|promo|free|priority|flex|margin|charge|resell|averag|equivalent|would|if\b|propos"
    r"|forecast|expect|sav|per (?:request|call|query|image|minute|hour|user)|storage|stor(?:e|ing)|ttl"
    r"|customers?|quot|rumou?r|paid|spen[dt]|bill|cost us|self-?host|\bown\b|rent|\bGPU|not |n['’]t|wrong"
    r"|mistak|instead|used to|was\b|were\b|before|until|once|earlier|previous|old|formerly|launch|from \$"
    r"|since",
    re.I,
)
"""Words that make a price per token another one than that of the list."""
_RECENT = timedelta(days=92)


@dataclass(frozen=True, slots=True)
class _Found:
    """A price of the catalogue with the question that gives it."""

    question: Question
    price: Price


class PriceChecker:
    """Checks the prices of a document; `today` is the day where it names none."""

    def __init__(self, book: CatalogBook, today: date) -> None:
        self._book, self._today = book, today
        self._subjects = SubjectReader(book)

    def statements(self, passage: Passage, document: Document) -> Iterator[Statement]:
        """The statements about prices, in text order."""
        lead, block, told = list[Mention](), -1, ""
        for sentence in document.sentences:
            mentions = self._subjects.mentions(sentence.words)
            if sentence.block != block:
                lead = self._subjects.mentions(f"{sentence.heading} ") if not sentence.item or not lead else lead
                block, told = sentence.block, ""
            own = list(self._sentence(passage, sentence, mentions, lead, told))
            yield from own
            lead = [*lead, *mentions][-4:]
            told = (told + sentence.words)[-400:]
        for table in document.tables:
            yield from self._table(passage, table)

    def _sentence(
        self, passage: Passage, sentence: Sentence, mentions: list[Mention], lead: list[Mention], told: str
    ) -> Iterator[Statement]:
        day = day_of_price(sentence, passage.on, self._today)
        per_token = bool(PER_TOKEN.search(sentence.words) or PER_TOKEN.search(told))
        for figure in sentence.figures:
            if figure.ranged and figure.high > figure.low * 2 and ("hour", -1) not in figure.dimensions:
                continue
            found = None
            if figure.sort == "money" and figure.unit == "USD":
                found = self._money(passage, figure, sentence, (mentions, lead), day, per_token=per_token)
            elif figure.sort in {"%", "x"} and (mentions or lead):
                found = self._ratio(passage, figure, sentence, (mentions, lead), day)
            if found is None and figure.sort == "%":
                found = self._offered(passage, figure, sentence, day)
            if found is not None:
                yield found

    # ---- list prices

    def _money(
        self,
        passage: Passage,
        figure: Figure,
        sentence: Sentence,
        names: tuple[list[Mention], list[Mention]],
        day: Day,
        *,
        per_token: bool,
    ) -> Statement | None:
        dims = dict(figure.dimensions)
        named = "purchase" in sentence.near(figure) or self._subjects.rents(f"{sentence.after(figure, 12)} ")[0]
        chip = dims == {"USD": 1} and named
        if dims == {"USD": 1, "hour": -1} or figure.of == "GPU" or chip:
            return self._rent(passage, figure, sentence, day)
        if "token" in dims or (
            dims == {"USD": 1}
            and not figure.of
            and figure.low < _MOST
            and (per_token or figure.label)
            and (names[0] or names[1])
        ):
            return self._token_price(passage, figure, sentence, names, day) or self._bill(
                passage, figure, sentence, names, day
            )
        if dims == {"USD": 1} and not figure.of:
            return self._bill(passage, figure, sentence, names, day) or self._other(passage, figure, sentence, day)
        return self._other(passage, figure, sentence, day)

    def _token_price(
        self, passage: Passage, figure: Figure, sentence: Sentence, names: tuple[list[Mention], list[Mention]], day: Day
    ) -> Statement | None:
        items, single = self._subjects.models(figure, sentence, *names)
        components, processing, tiered, certain = token_kinds(figure, sentence, sentence.heading)
        scale = Decimal(1000) if figure.per.startswith("ktok") else Decimal(1)
        for place, item in enumerate(items[:4]):
            near = place == 0 or not single
            found = self._matching(
                figure, [*families_of(self._book, item)] if near else [], components, processing, scale
            )
            if found:
                chosen = min(found, key=lambda one: (not one.price.on(day.last), components.index(one.price.component)))
                return self._listed(passage, figure, sentence, chosen, day)
        if single and items and certain and not tiered and "token" in dict(figure.dimensions):
            return self._denied(passage, figure, sentence, items[0], components[0], day)
        if single and items and tiered and certain and "token" in dict(figure.dimensions):
            return self._denied(passage, figure, sentence, items[0], components[0], day, tiers=True)
        return None

    def _matching(
        self, figure: Figure, items: Sequence[str], components: Sequence[str], processing: Sequence[str], scale: Decimal
    ) -> list[_Found]:
        """The prices of items that are the stated one, on whatever day."""
        return [
            _Found(
                Question(
                    item=item,
                    component=price.component,
                    processing=price.processing,
                    context=price.above + 1 if price.above else 0,
                ),
                price,
            )
            for item in items
            for price in _prices(self._book, item)
            if price.unit == "USD/Mtok"
            and price.component in components
            and price.processing in processing
            and _is(figure, price.value / scale)
        ]

    def _listed(
        self, passage: Passage, figure: Figure, sentence: Sentence | Cell, found: _Found, day: Day
    ) -> Statement:
        """A price of the catalogue: it holds on its day, and is stale where it was right on another one."""
        price = found.price
        begun = price.valid_from is None or price.valid_from <= day.last
        ended = price.valid_to is not None and price.valid_to <= day.first
        finding: Finding = "holds" if (begun and not ended) or (day.stated and not day.known) else "stale"
        if not begun and price.dated == "record":
            finding = "holds"
        note = _source(price)
        if ended:
            note = f"it was right until {price.valid_to}; {note}"
        elif finding == "stale":
            note = f"right since {price.valid_from}; {note}"
        unit = figure.full_unit if figure.per else "USD/Mtok"
        value = price.value / (1000 if unit == "USD/ktok" else 1)
        return statement(
            passage,
            figure,
            (sentence.start, sentence.end),
            kind="price",
            inputs=(),
            expression=lookup(found.question),
            computed=value,
            unit=unit,
            finding=finding,
            note=note,
            on=day.last,
            within=max(figure.half, abs(value - figure.low)),
        )

    def _denied(  # noqa: PLR0917
        self,
        passage: Passage,
        figure: Figure,
        sentence: Sentence,
        item: str,
        component: str,
        day: Day,
        *,  # what a statement is of
        tiers: bool = False,
    ) -> Statement | None:
        """A refuted list price: the model, the kind and the day are certain, and the model never had that price."""
        if (
            not day.known
            or figure.hedge
            or figure.ranged
            or figure.low == 0
            or sentence.words.rstrip().endswith("?")
            or _OTHER_PRICE.search(sentence.words)
        ):
            return None
        models = [*families_of(self._book, item)]
        every = [price for model in models for price in _prices(self._book, model) if price.unit == "USD/Mtok"]
        scale = Decimal(1000) if figure.per.startswith("ktok") else Decimal(1)
        if (
            len(models) > 1
            or not every
            or any(
                _is(figure, price.value / scale * part)
                for price in every
                for part in (1, Decimal("0.5"), Decimal("0.1"), 2)
            )
        ):
            return None
        above = [
            price
            for price in every
            if price.above and price.component == component and price.processing == "standard" and price.on(day.last)
        ]
        standard = [
            price
            for price in every
            if price.component == component
            and price.processing == "standard"
            and price.on(day.last)
            and (bool(price.above) == tiers)
        ]
        values = {price.value for price in standard}
        if len(values) != 1 or (not tiers and above) or (tiers and len({price.above for price in above}) != 1):
            return None
        price = standard[0]
        value = price.value / scale
        dated = price.dated == "price" and price.valid_from is not None
        checked = any(one.checked is not None and abs(day.last - one.checked) <= _RECENT for one in every)
        if not (dated or checked) or abs(value - figure.low) <= value * Decimal("0.03"):
            return None
        question = Question(item=price.item, component=component, context=price.above + 1 if price.above else 0)
        unit = figure.full_unit
        note = f"computed {said(trimmed(value), unit)}, as of {day.last}: {_source(price)}"
        return statement(
            passage,
            figure,
            (sentence.start, sentence.end),
            kind="price",
            inputs=(),
            expression=lookup(question),
            computed=value,
            unit=unit,
            finding="refuted",
            note=note,
            on=day.last,
        )

    # ---- rents and other prices

    def _rent(self, passage: Passage, figure: Figure, sentence: Sentence, day: Day) -> Statement | None:
        items, _ = self._subjects.rents(f"{sentence.before(figure, 200)} {figure.text} {sentence.after(figure, 40)}")
        items += [one for one in self._subjects.rents(f"{sentence.heading} {sentence.words}")[0] if one not in items]
        if not items:  # the only chip of the text
            items, certain = self._subjects.rents(f"{passage.title} {passage.text}", sentence.words)
            items = items if certain else []
        return self._rented(passage, figure, sentence, items, rent_kinds(sentence.near(figure)), day) or self._other(
            passage, figure, sentence, day
        )

    def _rented(  # noqa: PLR0917
        self,
        passage: Passage,
        figure: Figure,
        place: Sentence | Cell,
        items: Iterable[str],
        kinds:
        # what a statement is of
        tuple[str, ...],
        day: Day,
    ) -> Statement | None:
        month = "purchase" if not dict(figure.dimensions).get("hour") else ""
        for item in items:
            for price in _prices(self._book, item):
                if "/GPU" not in price.unit or price.component not in ((month,) if month else kinds):
                    continue
                for count in (1, 8):
                    if _is(figure, price.value * count) and (count == 1 or "8" in getattr(place, "words", "")):
                        question = Question(item=item, component=price.component)
                        text = lookup(question) if count == 1 else f"8 GPU * {lookup(question)}"
                        finding: Finding = "holds" if price.on(day.last) or price.on(day.first) else "stale"
                        unit = "USD/GPU" if month else "USD/GPU/h" if count == 1 else "USD/h"
                        return statement(
                            passage,
                            figure,
                            (place.start, place.end),
                            kind="price",
                            inputs=(),
                            expression=text,
                            computed=price.value * count,
                            unit=unit,
                            finding=finding,
                            note=_source(price),
                            on=day.last,
                            within=max(figure.half, abs(price.value * count - figure.low)),
                        )
        return None

    def _other(self, passage: Passage, figure: Figure, sentence: Sentence, day: Day) -> Statement | None:
        """Prices of egress, power and services, where the words of the item are in the sentence."""
        for item in self._subjects.others(sentence.words):
            for price in _prices(self._book, item):
                unit = _unit(price.unit)
                if unit is None or not price.on(day.last):
                    continue
                same = {
                    name.replace("currency_", ""): power for name, power in unit.dimension.integer_powers().items()
                } == dict(figure.dimensions)
                value = decimal(Fraction(price.value) * Fraction(unit.factor) / figure.factor)
                if same and _is(figure, value):
                    return statement(
                        passage,
                        figure,
                        (sentence.start, sentence.end),
                        kind="price",
                        inputs=(),
                        expression=lookup(Question(item=item, component=price.component)),
                        computed=value,
                        unit=figure.full_unit,
                        finding="holds",
                        note=_source(price),
                        on=day.last,
                    )
        return None

    # ---- ratios and bills

    def _ratio(
        self, passage: Passage, figure: Figure, sentence: Sentence, names: tuple[list[Mention], list[Mention]], day: Day
    ) -> Statement | None:
        """A discount or a multiple that the prices of a catalogue give; it is never refuted here."""
        near = f"{sentence.before(figure)} {figure.text} {sentence.after(figure)}"
        if not _RATIO.search(near) or _OF_ELSE.match(sentence.after(figure, 40)):
            return None
        mentioned = list(dict.fromkeys(one.item for one in (*reversed(names[0]), *reversed(names[1]))))[:3]
        share = Decimal(100) if figure.sort == "%" else Decimal(1)
        for text, value in self._ratios(mentioned, sentence.words, near, day.last):
            if figure.sort == "x" and figure.low >= 1 and value < 1:
                continue
            if _is(figure, value * share, plain=True):
                return statement(
                    passage,
                    figure,
                    (sentence.start, sentence.end),
                    kind="price",
                    inputs=(),
                    expression=text,
                    computed=value * share,
                    unit="%" if figure.sort == "%" else "x",
                    finding="holds",
                    note=f"as of {day.last}",
                    on=day.last,
                )
        return None

    def _offered(self, passage: Passage, figure: Figure, sentence: Sentence, day: Day) -> Statement | None:
        """A discount that a provider gives on all its models, for batches or for what is read from a cache."""
        near = f"{sentence.before(figure)} {figure.text} {sentence.after(figure)}"
        if not _LESS.search(near) or (not _BATCHED.search(near) and not _CACHING.search(near)):
            return None
        for item in self._subjects.offers(sentence.words) or self._subjects.offers(f"{passage.title} {passage.text}"):
            for text, value in self._ratios([item], near, near, day.last):
                if value < 1 and text.startswith("1 - ") and _is(figure, value * 100, plain=True):
                    return statement(
                        passage,
                        figure,
                        (sentence.start, sentence.end),
                        kind="price",
                        inputs=(),
                        expression=text,
                        computed=value * 100,
                        unit="%",
                        finding="holds",
                        note=f"as of {day.last}",
                        on=day.last,
                    )
        return None

    def _ratios(self, items: Sequence[str], words: str, near: str, day: date) -> Iterator[tuple[str, Decimal]]:
        for item in items[:2]:
            base = {
                name: self._price(item, name, "standard", day)
                for name in ("input", "output", "cache_read", "cache_write")
            }
            pairs = []
            if _BATCHED.search(words):
                pairs += [(self._price(item, name, "batch", day), base[name]) for name in ("input", "output")]
            if _CACHING.search(words):
                pairs += [
                    (base["cache_read"], base["input"]),
                    (base["cache_write"], base["input"]),
                    (self._price(item, "cache_read", "batch", day), base["input"]),
                ]
            if re.search(r"output", words, re.I):
                pairs.append((base["output"], base["input"]))
            yield from _worded(pairs, near)
        if len(items) >= 2 and _COMPARED.search(near):
            for name in ("input", "output"):
                one, other = (self._price(item, name, "standard", day) for item in items[:2])
                yield from _worded([(one, other), (other, one)], near)

    def _bill(
        self, passage: Passage, figure: Figure, sentence: Sentence, names: tuple[list[Mention], list[Mention]], day: Day
    ) -> Statement | None:
        """What tokens cost at the prices of the model that is named before the amount."""
        tokens = [one for one in sentence.figures if one.dimensions == (("token", 1),) and not one.ranged]
        if not tokens or len(tokens) > 2:
            return None
        items, _ = self._subjects.models(figure, sentence, *names)
        others = [one for one in sentence.figures if one.sort == "count" and one.noun and one.start < figure.start]
        times = [Decimal(1), *(one.low for one in others)]
        for item in items[:2]:
            prices = [self._price(item, name, "standard", day.last) for name in ("input", "output")]
            first, second = prices
            if first is None or second is None:
                continue
            ways = [(tokens, (first, second))] if len(tokens) == 2 else [(tokens, (first,)), (tokens, (second,))]
            for used, rates in ways:
                cost = sum(
                    (one.low * one_rate.price.value / 10**6 for one, one_rate in zip(used, rates, strict=True)),
                    Decimal(0),
                )
                for many in times:
                    if _is(figure, cost * many, plain=True):
                        return self._billed(passage, figure, sentence, used, rates, cost * many, many, day)
        return None

    def _billed(  # noqa: PLR0917
        self,
        passage: Passage,
        figure: Figure,
        sentence: Sentence,
        tokens: Sequence[Figure],
        rates:
        # what a statement is of
        Sequence[_Found],
        value: Decimal,
        many: Decimal,
        day: Day,
    ) -> Statement:
        names = ("input_tokens", "output_tokens")
        inputs = [
            MinedInput(
                name=name,
                formula=f"{one.low:f} token",
                text=one.text.strip(),
                value=one.low,
                unit="token",
                half=one.half,
            )
            for name, one in zip(names, tokens, strict=False)
        ]
        text = " + ".join(f"{name} * {lookup(rate.question)}" for name, rate in zip(names, rates, strict=False))
        if many != 1:
            text = f"{many:f} * ({text})"
        return statement(
            passage,
            figure,
            (sentence.start, sentence.end),
            kind="price",
            inputs=tuple(inputs),
            expression=text,
            computed=value,
            unit="USD",
            finding="holds",
            note=f"as of {day.last}",
            on=day.last,
        )

    def _price(self, item: str, component: str, processing: str, day: date) -> _Found | None:
        question = Question(item=item, component=component, processing=processing)
        answer = self._book.price(question, day)
        price = getattr(answer, "price", None)
        return _Found(question, price) if isinstance(price, Price) and price.unit == "USD/Mtok" else None

    # ---- tables

    def _table(self, passage: Passage, table: Table) -> Iterator[Statement]:
        """Prices in cells: the model or the provider in the row, what is paid for in the header; nothing is refuted."""
        day = Day(*(min(passage.on or self._today, self._today),) * 2, stated=False, known=passage.on is not None)
        for row in table.rows:
            words = " ".join(cell.words for cell in row if not any(one.sort == "money" for one in cell.figures))
            mentions = self._subjects.mentions(words)
            items, _ = self._subjects.rents(f"{words} {table.heading}")
            for head, cell in zip(table.header, row, strict=True):
                for figure in cell.figures:
                    if figure.sort != "money":
                        continue
                    found = self._cell(passage, figure, cell, head.words, mentions, day, table.heading)
                    if found is None and items:
                        found = self._rented(
                            passage,
                            figure,
                            Cell(cell.start, cell.end, words, ()),
                            items,
                            rent_kinds(f"{head.words} {cell.words}"),
                            day,
                        )
                    if found is not None:
                        yield found

    def _cell(  # noqa: PLR0917
        self,
        passage: Passage,
        figure: Figure,
        cell: Cell,
        head: str,
        mentions: list[Mention],
        day: Day,  # what a statement is of
        title: str,
    ) -> Statement | None:
        way = f"{head} {cell.words}"
        component = (
            "output" if re.search(r"\bout", way, re.I) else "input" if re.search(r"\bin(?:put)?\b", way, re.I) else ""
        )
        component = "cache_read" if re.search(r"cach", way, re.I) else component
        if not component:
            return None
        processing = ("batch", "standard") if re.search(r"batch", f"{way} {title}", re.I) else ("standard",)
        for mention in mentions:
            found = self._matching(
                figure, [*families_of(self._book, mention.item)], (component,), processing, Decimal(1)
            )
            if found:
                chosen = min(found, key=lambda one: not one.price.on(day.last))
                return self._listed(passage, figure, cell, chosen, day)
        return None


_OF_ELSE = re.compile(
    r"\s?(?:the |more |larger |longer |as many )?(?:context|window|through|speed|fast|latenc|param|tokens"
    r"|memory|bandwidth|performance|volume|long|larg|bigger)",
    re.I,
)
_RATIO = re.compile(
    r"batch|cach|\bouput|\boutput|cheaper|less|more|times|[×x]\b|off\b|discount|cost|price|expensive|half"
    r"|below|undercut|reduc|sav|premium|surcharge|multipl|spread",
    re.I,
)
_BATCHED = re.compile(r"\bbatch|asynchron", re.I)
_CACHING = re.compile(r"\bcach", re.I)
_COMPARED = re.compile(
    r"cheaper|less|more|times|[×x]\b|expensive|below|undercut|premium|gap|spread|ratio|fraction"
    r"|of the (?:price|cost)|half",
    re.I,
)
_LESS = re.compile(r"off\b|less|cheaper|discount|sav|reduc|cut|below|undercut|lower|drop", re.I)
_MORE = re.compile(r"more|surcharge|premium|extra|above|higher|expensive|mark", re.I)


def _worded(pairs: Iterable[tuple[_Found | None, _Found | None]], near: str) -> Iterator[tuple[str, Decimal]]:
    """What pairs of prices give in the words of a sentence: a discount, a surcharge, or a multiple."""
    for one, other in pairs:
        if one is None or other is None or not other.price.value:
            continue
        ratio = one.price.value / other.price.value
        text = f"{lookup(one.question)} / {lookup(other.question)}"
        if _LESS.search(near) and ratio < 1:
            yield f"1 - {text}", 1 - ratio
        if _MORE.search(near) and ratio > 1:
            yield f"{text} - 1", ratio - 1
        yield text, ratio


def _is(figure: Figure, value: Decimal, *, plain: bool = False) -> bool:
    """Whether a price is the stated one: within its rounding, and never more than 2% off."""
    low, high = figure.low, figure.high
    reach = max(figure.half, figure.coarse if figure.hedge else figure.half)
    reach = reach if plain else min(reach, abs(low) * Decimal("0.02"))
    if figure.ranged:
        return value in {low, high} or (low <= value <= high <= low * Decimal("1.5"))
    return low - reach <= value <= high + reach and value > 0


@lru_cache(maxsize=4096)
def _prices(book: CatalogBook, item: str) -> tuple[Price, ...]:
    return book.prices(item)


@lru_cache(maxsize=256)
def _unit(text: str) -> units.Unit | None:
    try:
        return units.unit(text)
    except units.UnitError:
        return None


def _source(price: Price) -> str:
    """Where a price is from: the catalogue, its days, and when it was checked."""
    since = f" since {price.valid_from}" if price.valid_from else ""
    until = f" until {price.valid_to}" if price.valid_to else ""
    checked = f", checked {price.checked}" if price.checked else ""
    return f"{price.catalog}{since}{until}{checked}"
