"""Reranks the best hits by title and tags, which an engine's ranking does not compare with the query."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from graph.models.node_cards import Card
from graph.search.engine_protocol import Ranking
from graph.search.title_factors import WINDOW, title_factors


def ranked_again(ranking: Ranking, cards: Sequence[Card | None], asked: list[str], *, tagged: bool = True) -> Ranking:
    """The ranking with its first `WINDOW` entries, which have these cards, weighted by their titles and tags.

    `asked` are the stems of the query; without `tagged`, no tag has just these.
    """
    factors = title_factors(cards, asked, tagged=tagged)
    if not factors:
        return ranking
    scores = ranking.scores.copy()
    scores[: len(factors)] *= factors
    head = min(WINDOW, len(scores))
    order = np.concatenate([np.argsort(-scores[:head], kind="stable"), np.arange(head, len(scores))])
    return Ranking(ranking.serials[order], scores[order])
