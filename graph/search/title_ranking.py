"""Reranks the best hits by title and tags, which an engine's ranking does not compare with the query."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from graph.models.node_cards import Card
from graph.search.engine_protocol import Ranking
from graph.search.query_language import Item
from graph.search.title_factors import WINDOW, title_factors


def ranked_again(ranking: Ranking, cards: Sequence[Card | None], items: tuple[Item, ...]) -> Ranking:
    """The ranking with its first `WINDOW` entries, which have these cards, weighted by their titles and tags."""
    factors = title_factors(cards, items)
    if not factors:
        return ranking
    scores = ranking.scores.copy()
    scores[: len(factors)] *= factors
    head = min(WINDOW, len(scores))
    order = np.concatenate([np.argsort(-scores[:head], kind="stable"), np.arange(head, len(scores))])
    return Ranking(ranking.serials[order], scores[order])
