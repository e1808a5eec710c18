"""The brain as callers see it for whom some private brains do not exist, each with caches and an index of its own."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from api.services.price_service import PriceService
from compute.catalogs import price_cards
from compute.prices import snapshots
from compute.prices.price_history import statements
from compute.runs.run_ledger import BOOKS
from graph.models.access_models import BrainPolicy
from graph.private_files import private_folder
from graph.store import Store
from graph.store.brain_view import BrainView

FOLDER = "views"
"""The folder in the home with what is derived from views: search indexes and SPARQL datasets."""

MOST = 16
"""How many views a process keeps open; the one that was not used for longest is closed."""


class _Closable(Protocol):
    def close(self) -> None:
        """Close it."""


View = TypeVar("View", bound=_Closable)


class BrainViews(Generic[View]):
    """Keeps views of a brain, made by `make` from the brains that they leave out. Threads may share it.

    `everything` is the brain itself, `private` gives the names of the private brains.
    """

    def __init__(
        self, everything: View, private: Callable[[], frozenset[str]], make: Callable[[frozenset[str]], View]
    ) -> None:
        self._everything, self._private, self._make = everything, private, make
        self._lock = threading.Lock()
        self._open: OrderedDict[frozenset[str], View] = OrderedDict()
        self._retired: View | None = None

    def public(self) -> View:
        """What a caller without a token sees; the brain itself if no brain is private."""
        return self.without(self._private())

    def without(self, hidden: frozenset[str]) -> View:
        """The brain without some of its brains."""
        if not hidden:
            return self._everything
        with self._lock:
            if hidden not in self._open:
                self._open[hidden] = self._make(hidden)
                self._retire()
            self._open.move_to_end(hidden)
            return self._open[hidden]

    def holds(self, hidden: frozenset[str]) -> bool:
        """Whether the view without these brains is open."""
        return hidden in self._open

    def _retire(self) -> None:
        """Give up the view that was not used for longest; it is closed with the next one, after its last requests."""
        if len(self._open) > MOST:
            if self._retired is not None:
                self._retired.close()
            self._retired = self._open.popitem(last=False)[1]

    def close(self) -> None:
        """Close every view."""
        with self._lock:
            for view in (*self._open.values(), *([self._retired] if self._retired else ())):
                view.close()
            self._retired = None
            self._open.clear()


def view_folder(home: Path, hidden: frozenset[str]) -> Path:
    """The folder for what is derived from a view, created if it is missing."""
    name = hashlib.sha256("\n".join(sorted(hidden)).encode()).hexdigest()[:16]
    folder = home / FOLDER / name
    private_folder(folder.parent)
    private_folder(folder)
    return folder


def put_policy(store: Store, prices: PriceService, policy: BrainPolicy, at: datetime) -> None:
    """Store the policy of a brain, all or nothing.

    When a brain becomes private, its price cards leave the price history that other readers see.
    """
    prices.stated()  # reads the snapshots of earlier programs, if that was not done yet
    with store.transaction():
        before = store.brains.private()
        store.brains.put(policy)
        if policy.private and policy.name not in before:
            store.observed_prices.put_cards(policy.name, _cards(store, policy.name))
            if prices.observer.has_history():
                _restart_history(store, prices, before | {policy.name}, at)


def _cards(store: Store, name: str) -> list[tuple[str, str]]:
    """Every price that the documents of a brain state or stated, as catalogue and statement."""
    found = []
    for head in store.documents.every_version(name, "prices"):
        catalog, _ = price_cards.load(head.name, head.text or "")
        found += [(catalog.name, what) for what in statements(catalog.prices)]
    return found


def _restart_history(store: Store, prices: PriceService, hidden: frozenset[str], at: datetime) -> None:
    """Let the price history go on from what is public: what is hidden now was not withdrawn by its catalogue."""
    with BrainView(store, hidden) as view:
        catalogs = PriceService(view).stated_catalogs()
        cards = {one.brain for one in view.documents.heads(["prices"])}
    book = snapshots.pack(catalogs)
    store.snapshots.put(book.digest, BOOKS, book.text, at)
    store.snapshots.put_brains(book.digest, cards)
    prices.observer.restart(catalogs, book.digest)
