"""Conflicts: catalogues that state different prices for one query and day, and the decisions that settle them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from compute.prices.price_book import CatalogBook
from compute.prices.price_models import Price, Question, Quote
from graph.values import Value


class Conflict(Value):
    """A query with the price used, the prices of other catalogues, and the reason of the decision, if any."""

    question: Question
    price: Price
    rivals: tuple[Price, ...] = ()
    decided: str | None = None


def conflicts(book: CatalogBook, on: date) -> tuple[Conflict, ...]:
    """Every query on which catalogues differ on a day, by item, including decided ones."""
    found = []
    for item in book.contested():
        for question in _questions(item, book.prices(item)):
            quote = book.price(question, on)
            if isinstance(quote, Quote) and (quote.rivals or quote.decided):
                found.append(
                    Conflict(question=question, price=quote.price, rivals=quote.rivals, decided=quote.decided)
                )  # fmt: skip
    return tuple(found)


def _questions(item: str, prices: tuple[Price, ...]) -> Iterator[Question]:
    """Each query that one of the prices answers, once."""
    kinds = dict.fromkeys((price.component, price.processing, price.above, price.region) for price in prices)
    for component, processing, above, region in kinds:
        context = above + 1 if above else 0
        yield Question(item=item, component=component, processing=processing, context=context, region=region)
