"""The factors by which hits are reranked, from their titles and tags."""

from __future__ import annotations

from collections.abc import Iterable

from graph.models.node_cards import Card, Kind
from graph.search.query_language import Item
from graph.search.tokenizer import beginning, stems

WINDOW = 200
"""How many of the best hits are reranked."""

NAMED = 2.0
"""The factor for a node whose title equals the query; higher for a term."""

TITLED = 1.3
"""The factor for a node whose title has all the query words."""

TAGGED = 1.15
"""The factor for a node with a tag that equals the query."""


def title_factors(cards: Iterable[Card | None], items: tuple[Item, ...]) -> list[float]:
    """The factor of each card, 1 where there is none; an empty list if the query has no words."""
    asked = [one for item in items for one in stems(item.typed)]
    if not asked:
        return []
    begins = sorted(map(beginning, asked), key=len, reverse=True)  # a long one is seldom there
    return [1.0 if card is None or _unlikely(card, begins[0]) else _factor(card, asked, begins) for card in cards]


def _unlikely(card: Card, begin: str) -> bool:
    """Whether neither the title nor a tag has a word that begins so: true of most cards, and found out at once."""
    text = "\n".join((card.title, *card.tags))
    return text.isascii() and begin not in text.lower()


def _factor(card: Card, asked: list[str], begins: list[str]) -> float:
    factor = 1.0
    if _likely(card.title, begins):
        title = stems(card.title)
        if title == asked:
            factor *= NAMED * (NAMED if card.kind is Kind.TERM else 1.0)
        elif set(asked) <= set(title):
            factor *= TITLED
    for tag in card.tags:
        if _likely(tag, begins) and stems(tag) == asked:
            factor *= TAGGED
            break
    return factor


def _likely(text: str, begins: list[str]) -> bool:
    """Whether a text may have words with all the stems; few have, and to stem the others takes most of the time."""
    if not text.isascii():
        return True
    low = text.lower()
    for one in begins:  # noqa: SIM110  # `all` of a generator takes twice as long, for 800 texts of each query
        if one not in low:
            return False
    return True
