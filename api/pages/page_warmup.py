"""What a first reader after a write would wait for, made before: the lists, the report, the web of links, the map."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from functools import partial

from api.pages.request.page_request import PageRequest, path_of
from api.pages.views import (
    browse_pages,
    claims_page,
    errata_page,
    graph_page,
    home_page,
    ledger_pages,
    node_page,
    price_pages,
    record_page,
    search_page,
    source_pages,
    statements_page,
    term_pages,
)
from api.pages.views.claim_table import PageContext
from graph.models.query_models import NodeQuery

LISTS = (
    ("/", home_page.page),
    ("/claims", claims_page.page),
    ("/search", search_page.page),
    ("/sources", source_pages.sources),
    ("/tags", browse_pages.tags),
    ("/terms", term_pages.index),
    ("/prices", price_pages.index),
    ("/runs", ledger_pages.runs),
    ("/changes", ledger_pages.changes),
    ("/errata", errata_page.page),
    ("/record", record_page.page),
    ("/graph", graph_page.page),
)
"""The pages over all content, most requested first; the map comes last because it may take longest."""


MOST_NODES = 50_000
"""Above this number of nodes only the search is warmed up: the graph takes 10 kB of memory a node and minutes."""


def warm_up(desk: PageContext, today: date, pause: Callable[[], object] = lambda: None) -> None:
    """Ask for one page of every kind that is derived from the complete store, as a reader would.

    `pause` is called before each step: it may wait until the processor is idle.
    """
    for step in _steps(desk, today):
        pause()
        step()


def _steps(desk: PageContext, today: date) -> Iterator[Callable[[], object]]:
    brain = desk.brain
    yield brain.status.readers
    if sum(brain.nodes.count().values()) > MOST_NODES:
        yield brain.search.refresh
        return
    for asked in _nodes(desk, today):
        yield partial(node_page.page, desk, asked)
        yield partial(statements_page.page, desk, asked)
    for path, page in LISTS:
        yield partial(page, desk, PageRequest(path, today))
    yield brain.search.refresh  # last: of a large ingest it takes longest, and no other page waits for it
    yield brain.names.claims
    yield brain.names.terms  # of the labels that the search index knows


def _nodes(desk: PageContext, today: date) -> Iterator[PageRequest]:
    """One node, where there is any: its page needs the health, the related nodes and the neighbours of all."""
    for found in desk.brain.nodes.page(NodeQuery(limit=1)).items:
        brain, _, slug = found.id.partition("/")
        yield PageRequest(path_of("nodes", found.id), today, {"brain": brain, "slug": slug})
