"""What a first reader after a write would wait for, made before: the lists, the report, the web of links, the map."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from api.pages import browse, claims, graph, home, node, prices, records, search, statements, terms
from api.pages.asked import Asked, path_of
from api.pages.board import Desk
from graph.query import NodeQuery

LISTS = (
    ("/", home.page),
    ("/claims", claims.page),
    ("/search", search.page),
    ("/sources", browse.sources),
    ("/tags", browse.tags),
    ("/terms", terms.index),
    ("/prices", prices.index),
    ("/runs", records.runs),
    ("/changes", records.changes),
    ("/graph", graph.page),
)
"""The pages of everything, what is asked for most first; the map comes last, for it may take longest."""


def ready(desk: Desk, today: date) -> None:
    """Ask for one page of every kind that is derived from the whole store, as a reader would."""
    desk.brain.standing.readers()
    for asked in _nodes(desk, today):
        node.page(desk, asked)
        statements.page(desk, asked)
    for path, page in LISTS:
        page(desk, Asked(path, today))
    desk.brain.search.refresh()  # last: of a large ingest it takes longest, and no other page waits for it


def _nodes(desk: Desk, today: date) -> Iterator[Asked]:
    """One node, where there is any: its page needs the health, the kin and the neighbours of all."""
    for found in desk.store.summaries(NodeQuery(limit=1)).items:
        brain, _, slug = found.id.partition("/")
        yield Asked(path_of("nodes", found.id), today, {"brain": brain, "slug": slug})
