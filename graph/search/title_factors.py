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


def query_stems(items: Iterable[Item]) -> list[str]:
    """The stems of the words of a query, in order, as titles are compared with them."""
    return [one for item in items for one in stems(item.typed)]


def title_factors(cards: Iterable[Card | None], asked: list[str], *, tagged: bool = True) -> list[float]:
    """The factor of each card for the stems of a query, 1 where there is none; an empty list if all are 1.

    Without `tagged`, no tag has just these stems.
    """
    if not asked:
        return []
    begins = sorted(map(beginning, asked), key=len, reverse=True)  # a long one is seldom there
    shown = list(cards)
    factors = {
        card.serial: factor
        for card in _likely_cards(shown, begins, tagged=tagged)
        if (factor := _factor(card, asked, begins, tagged=tagged)) != 1
    }
    return [factors.get(card.serial, 1.0) if card else 1.0 for card in shown] if factors else []


def _likely_cards(cards: Sequence[Card | None], begins: Sequence[str], *, tagged: bool) -> list[Card]:
    """The cards of which the title or the tags may have all the words: few have."""
    known, first = [card for card in cards if card is not None], begins[0]
    if tagged:
        tags = "\n".join(chain.from_iterable([card.tags for card in known]))
        if first in tags.lower() or not tags.isascii():
            return known
    return [card for card in known if first in (title := card.title).lower() or not title.isascii()]


def _factor(card: Card, asked: list[str], begins: Sequence[str], *, tagged: bool) -> float:
    factor = 1.0
    if _likely(card.title, begins):
        title = stems(card.title)
        if title == asked:
            factor *= NAMED * (NAMED if card.kind is Kind.TERM else 1.0)
        elif set(asked) <= set(title):
            factor *= TITLED
    for tag in card.tags if tagged else ():
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
