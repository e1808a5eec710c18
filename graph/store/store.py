"""The store as its users see it: one class, opened at a door, made of the parts beside this file."""

from __future__ import annotations

from pathlib import Path

from graph.store.browse import Browsing
from graph.store.checks import Checks
from graph.store.claims import Claims
from graph.store.documents import Documents
from graph.store.engine import address, build
from graph.store.feed import Feed
from graph.store.ledger import Ledger
from graph.store.nodes import Nodes
from graph.store.notices import Notices
from graph.store.unresolved import UnresolvedLinks
from graph.store.upgrade import upgrade


class Store(Documents, Nodes, Browsing, Feed, Claims, Ledger, Notices, UnresolvedLinks, Checks):
    """Everything that is kept. Safe to share between threads and processes; give it back with `close` or `with`."""

    @classmethod
    def open(cls, where: str | Path) -> Store:
        """The store at an SQLite file path, or at an `sqlite:` or `postgresql:` URL, brought to the present schema.

        Raises:
            OpeningError: it cannot be used; the subclass says why.
            BusyStoreError: another process held the write lock for too long.
        """
        url = address(where)
        shown = url.database or "memory" if url.get_backend_name() == "sqlite" else url.render_as_string()
        engine = build(url)
        try:
            upgrade(engine, shown)
            return cls(engine, shown)
        except BaseException:
            engine.dispose()
            raise
