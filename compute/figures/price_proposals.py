"""Proposes price formulas for a figure of a text, by the names around it, whether or not they give the figure."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from compute.figures.figure_models import Figure, Passage
from compute.figures.price_checker import PriceChecker
from compute.figures.price_subjects import day_of_price, lookup, rent_kinds, token_kinds
from compute.figures.text_structure import Sentence, read
from compute.prices.price_models import Price, Question
from graph.values import Value

MOST_ITEMS = 4
"""Of how many items of a sentence prices are proposed."""


class Proposal(Value):
    """A formula with its value on the day of the text, in a unit; `named`: the words name all that it reads."""

    formula: str
    value: Decimal
    unit: str
    named: bool = True


class PriceProposer(PriceChecker):
    """Proposes the prices that a figure may be computed from."""

    def proposals(self, passage: Passage, figure: Figure) -> tuple[Proposal, ...]:
        """The formulas for a figure, the likeliest first: ratios for a share or a multiple, then single prices."""
        sentence = next((one for one in read(passage).sentences if one.start <= figure.start < one.end), None)
        return tuple(dict.fromkeys(self._proposals(passage, figure, sentence))) if sentence else ()

    def _proposals(self, passage: Passage, figure: Figure, sentence: Sentence) -> Iterator[Proposal]:
        mentions = self._subjects.mentions(sentence.words)
        lead = self._subjects.mentions(f"{passage.title} {sentence.heading} ")
        models = self._subjects.models(figure, sentence, mentions, lead)[0]
        day = day_of_price(sentence, passage.on, self._today).last
        if figure.sort in {"%", "x"}:
            share, near = Decimal(100 if figure.sort == "%" else 1), sentence.near(figure)
            for text, value in self._ratios(models, sentence.words, near.replace("¤", f" {figure.text} "), day):
                yield Proposal(formula=text, value=value * share, unit=figure.sort)
        components, processing, _, _ = token_kinds(figure, sentence, sentence.heading)
        kinds = ("input", "output", "cache_read") if figure.sort in {"%", "x"} else components
        asked = [(item, kind, way, True) for item in models[:MOST_ITEMS] for way in processing for kind in kinds]
        words = f"{sentence.heading} {sentence.words}"
        items = [*self._subjects.rents(words)[:MOST_ITEMS], *self._subjects.others(words)[:MOST_ITEMS]]
        asked += [
            (item, kind, "standard", named)
            for item in items
            for kind, named in self._kinds(item, sentence.near(figure))
        ]
        for item, kind, way, named in asked:
            question = Question(item=item, component=kind, processing=way)
            price = getattr(self._book.price(question, day), "price", None)
            if isinstance(price, Price):
                yield Proposal(formula=lookup(question), value=price.value, unit=price.unit, named=named)

    def _kinds(self, item: str, near: str) -> list[tuple[str, bool]]:
        """The components of an item, those that the words name first, and whether they do; none of a market."""
        known = dict.fromkeys(price.component for price in self._book.prices(item))
        said, market = rent_kinds(near), item.startswith("market/")
        return sorted(((one, one in said and not market) for one in known), key=lambda one: not one[1])
