"""The factors by which hits are reranked, from their titles and tags."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

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
    """The factor of each card, 1 where there is none; an empty list if all are 1."""
    asked = [one for item in items for one in stems(item.typed)]
    if not asked:
        return []
    begins = sorted(map(beginning, asked), key=len, reverse=True)  # a long one is seldom there
    shown = list(cards)
    known = [card for card in shown if card is not None]
    likely = _likely_cards(known, begins)
    factors = {card.serial: factor for card in likely if (factor := _factor(card, asked, begins)) != 1}
    return [factors.get(card.serial, 1.0) if card else 1.0 for card in shown] if factors else []


def _likely_cards(cards: Sequence[Card], begins: Sequence[str]) -> Sequence[Card]:
    """The cards of which the title or the tags may have all the words: few have, and all are looked through at once."""
    titles = "\n".join([card.title for card in cards])
    tags = "\n".join(chain.from_iterable([card.tags for card in cards]))
    lines, first = titles.lower().split("\n"), begins[0]
    if len(lines) != len(cards) or not (titles.isascii() and tags.isascii()):
        return cards
    if any(_has(tag, begins) for tag in tags.lower().split("\n") if first in tag):
        return cards
    return [card for card, line in zip(cards, lines, strict=True) if first in line and _has(line, begins)]


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


def _likely(text: str, begins: Sequence[str]) -> bool:
    """Whether a text may have words with all the stems; few have, and to stem the others takes most of the time."""
    if not text.isascii():
        return True
    return _has(text.lower(), begins)


def _has(low: str, begins: Sequence[str]) -> bool:
    for one in begins:  # noqa: SIM110  # `all` of a generator takes twice as long, for 800 texts of each query
        if one not in low:
            return False
    return True
