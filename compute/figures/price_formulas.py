"""Formulas of catalogue prices for a figure: discounts, multiples and single prices."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from decimal import Decimal

from compute.claims.input_lookups import lookup
from compute.figures.figure_models import Figure, Passage
from compute.figures.price_subjects import BATCHED, CACHED, SubjectReader, day_of_price, rent_kinds, token_kinds
from compute.figures.text_structure import read
from compute.prices.price_book import CatalogBook
from compute.prices.price_models import Price, Question, Quote
from graph.values import Value

Rate = tuple[str, Decimal]
"""A formula of prices, and its value."""
_COMPARED = re.compile(
    r"(?i)cheaper|less|more|times|[×x]\b|expensive|below|undercut|premium|gap|spread|ratio|fraction"
    r"|of the (?:price|cost)|half"
)
_STACKED = re.compile(
    r"(?i)cach\w{0,9}(?: \w{1,20})? (?:and|plus|with|\+) (?:\w{1,20} )?batch"
    r"|batch\w{0,9}(?: \w{1,20})? (?:and|plus|with|\+) (?:\w{1,20} )?cach"
    r"|cached (?:\w{1,20} ){0,3}(?:through|via|in|by) (?:the |a )?batch"
)
"""Words for the cache and the batch together."""
LESS = re.compile(r"off\b|less|cheaper|discount|sav|reduc|cut|below|undercut|lower|drop", re.I)
_MORE = re.compile(r"more|surcharge|premium|extra|above|higher|expensive|mark", re.I)
MOST_ITEMS = 4  # the items of a sentence whose prices are proposed


def ratios(
    book: CatalogBook, items: Sequence[str], words: str, near: str, day: date, *, alone: Sequence[str] = ()
) -> Iterator[Rate]:
    """The discounts and multiples of the first two items that a sentence and the words near a figure name.

    Those of one item are of the items named `alone`, if there are any.
    """
    batched, cached, stacked = (bool(cue.search(words)) for cue in (BATCHED, CACHED, _STACKED))
    for item in (alone or items)[:2]:
        base = {name: rate(book, item, name, day) for name in ("input", "output", "cache_read", "cache_write")}
        pairs = []
        if batched and not stacked:
            pairs += [(rate(book, item, name, day, "batch"), base[name]) for name in ("input", "output")]
        if cached and not stacked:
            pairs += [(base[name], base["input"]) for name in ("cache_read", "cache_write")]
        if cached and batched:
            pairs.append((rate(book, item, "cache_read", day, "batch"), base["input"]))
        if "output" in words.lower():
            pairs.append((base["output"], base["input"]))
        yield from _worded(pairs, near)
    if len(items) >= 2 and _COMPARED.search(near):
        for name in ("input", "output"):
            one, other = (rate(book, item, name, day) for item in items[:2])
            yield from _worded([(one, other), (other, one)], near)


def rate(book: CatalogBook, item: str, component: str, day: date, processing: str = "standard") -> Rate | None:
    """The lookup of a price for a million tokens, with the price."""
    question = Question(item=item, component=component, processing=processing)
    price = price_on(book, question, day)
    return (lookup(question), price.value) if price and price.unit == "USD/Mtok" else None


def price_on(book: CatalogBook, question: Question, day: date) -> Price | None:
    """The price that a formula reads on a day."""
    found = book.price(question, day)
    return found.price if isinstance(found, Quote) else None


def _worded(pairs: Iterable[tuple[Rate | None, Rate | None]], near: str) -> Iterator[Rate]:
    """The discounts, surcharges and multiples of pairs that the words name."""
    for one, other in pairs:
        if one is None or other is None or not other[1]:
            continue
        ratio = one[1] / other[1]
        text = f"{one[0]} / {other[0]}"
        if LESS.search(near) and ratio < 1:
            yield f"1 - {text}", 1 - ratio
        if _MORE.search(near) and ratio > 1:
            yield f"{text} - 1", ratio - 1
        yield text, ratio


def question_of(price: Price) -> Question:
    """The question that a price answers."""
    context = price.above + 1 if price.above else 0
    return Question(item=price.item, component=price.component, processing=price.processing, context=context)


def source_of(price: Price) -> str:
    """The source of a price: catalogue, days of validity, day of the check."""
    since = f" since {price.valid_from}" if price.valid_from else ""
    until = f" until {price.valid_to}" if price.valid_to else ""
    checked = f", checked {price.checked}" if price.checked else ""
    return f"{price.catalog}{since}{until}{checked}"


class Proposal(Value):
    """A formula with its value on the day of the text, in a unit; `named`: the words name all that it reads."""

    formula: str
    value: Decimal
    unit: str
    named: bool = True


def proposals(book: CatalogBook, today: date, passage: Passage, figure: Figure) -> tuple[Proposal, ...]:
    """Formulas for a figure, the likeliest first: ratios for a share or a multiple, then single prices."""
    sentence = next((one for one in read(passage).sentences if one.start <= figure.start < one.end), None)
    if sentence is None:
        return ()
    subjects, found = SubjectReader(book), list[Proposal]()
    mentions = subjects.lexicon.mentions(sentence.words)
    lead = subjects.lexicon.mentions(f"{passage.title} {sentence.heading} ")
    models = subjects.models(figure, sentence, mentions, lead)[0]
    day, near = day_of_price(sentence, passage.on, today).last, sentence.near(figure)
    kinds, processing = token_kinds(figure, sentence)
    if figure.sort in {"%", "x"}:
        share, kinds = Decimal(100 if figure.sort == "%" else 1), ("input", "output", "cache_read")
        for text, value in ratios(book, models, sentence.words, near.replace("¤", f" {figure.text} "), day):
            found.append(Proposal(formula=text, value=value * share, unit=figure.sort))
    asked = [(item, kind, way, True) for item in models[:MOST_ITEMS] for way in processing for kind in kinds]
    words = f"{sentence.heading} {sentence.words}"
    for item in (*subjects.rents(words)[:MOST_ITEMS], *subjects.others(words)[:MOST_ITEMS]):
        asked += [(item, kind, "standard", named) for kind, named in _kinds(book, item, near)]
    for item, kind, way, named in asked:
        question = Question(item=item, component=kind, processing=way)
        if price := price_on(book, question, day):
            found.append(Proposal(formula=lookup(question), value=price.value, unit=price.unit, named=named))
    return tuple(dict.fromkeys(found))


def _kinds(book: CatalogBook, item: str, near: str) -> list[tuple[str, bool]]:
    """The components of an item, and whether the words name them, those first."""
    known = dict.fromkeys(price.component for price in book.prices(item))
    said, market = rent_kinds(near), item.startswith("market/")
    return sorted(((one, one in said and not market) for one in known), key=lambda one: not one[1])
