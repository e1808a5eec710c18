"""Chooses how a store is searched: in PostgreSQL the index is in the database, else in files next to it."""

from __future__ import annotations

from pathlib import Path

from graph.search.building import PATIENCE
from graph.search.search import Search
from graph.search.search_protocol import TextSearch
from graph.store import Store


def open_search(store: Store, folder: Path, engine: str = "whoosh", patience: float = PATIENCE) -> TextSearch:
    """The search of a store; `folder` and `engine` are for an index in files. PostgreSQL's ignores both.

    Raises:
        SearchError: there is no such engine, or it is not installed.
    """
    if store.on_server:
        from graph.search.server.server_search import ServerSearch  # noqa: PLC0415  # a home in files does without

        return ServerSearch(store, patience)
    return Search(store, folder, engine, patience)
