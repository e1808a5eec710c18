"""Reranks the best hits by title and tags, which an engine's ranking does not compare with the query."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from graph.models.node_models import Kind
from graph.models.query_models import Card
from graph.search.engine_protocol import Ranking
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


def ranked_again(ranking: Ranking, card_of: Callable[[int], Card | None], items: tuple[Item, ...]) -> Ranking:
    """The ranking with its first `WINDOW` entries weighted by their titles and tags; `card_of` takes a serial."""
    asked = [one for item in items for one in stems(item.typed)]
    if not asked or not len(ranking.serials):
        return ranking
    begins = sorted(map(beginning, asked), key=len, reverse=True)  # a long one is seldom there
    scores = ranking.scores.copy()
    for place, serial in enumerate(ranking.serials[:WINDOW]):
        card = card_of(int(serial))
        if card is not None:
            scores[place] *= _factor(card, asked, begins)
    head = min(WINDOW, len(scores))
    order = np.concatenate([np.argsort(-scores[:head], kind="stable"), np.arange(head, len(scores))])
    return Ranking(ranking.serials[order], scores[order])


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
