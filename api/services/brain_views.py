"""The brain as callers see it for whom some private brains do not exist, each with caches and an index of its own."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from typing import TYPE_CHECKING

from compute.catalogs import price_cards
from compute.prices import snapshots
from compute.prices.price_history import statements
from compute.runs.run_ledger import BOOKS
from graph.models.access_models import BrainPolicy
from graph.private_files import private_folder
from graph.store.brain_view import BrainView

if TYPE_CHECKING:
    from datetime import datetime

    from api.brain import Brain

FOLDER = "views"
"""The folder in the home with what is derived from views: search indexes, drawings, SPARQL datasets."""

MOST = 16
"""How many views a process keeps open; the one that was not used for longest is closed."""


class BrainViews:
    """Opens views of a brain and keeps them. Threads may share it."""

    def __init__(self, brain: Brain) -> None:
        self._brain = brain
        self._lock = threading.Lock()
        self._open: OrderedDict[frozenset[str], Brain] = OrderedDict()
        self._retired: Brain | None = None

    def public(self) -> Brain:
        """What a caller without a token sees; the brain itself if no brain is private."""
        return self.without(self._brain.store.brains.private())

    def without(self, hidden: frozenset[str]) -> Brain:
        """The brain without some of its brains."""
        if not hidden:
            return self._brain
        with self._lock:
            if hidden not in self._open:
                self._open[hidden] = self._made(hidden)
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

    def _made(self, hidden: frozenset[str]) -> Brain:
        name = hashlib.sha256("\n".join(sorted(hidden)).encode()).hexdigest()[:16]
        home = self._brain.settings.home / FOLDER / name
        private_folder(home.parent)
        private_folder(home)
        settings = self._brain.settings.model_copy(update={"home": home})
        self._brain.prices.stated()  # reads the snapshots of earlier programs, which a view cannot write down
        return type(self._brain)(settings, BrainView(self._brain.store, hidden), self._brain.site)

    def close(self) -> None:
        """Close every view."""
        with self._lock:
            for view in (*self._open.values(), *([self._retired] if self._retired else ())):
                view.close()
            self._retired = None
            self._open.clear()


def put_policy(brain: Brain, policy: BrainPolicy, at: datetime) -> None:
    """Store the policy of a brain, all or nothing.

    When a brain becomes private, its price cards leave the price history that other readers see.
    """
    brain.prices.stated()
    with brain.store.transaction():
        before = brain.store.brains.private()
        brain.store.brains.put(policy)
        if policy.private and policy.name not in before:
            brain.store.observed_prices.put_cards(policy.name, _cards(brain, policy.name))
            if brain.prices.has_history():
                _restart_history(brain, before | {policy.name}, at)


def _cards(brain: Brain, name: str) -> list[tuple[str, str]]:
    """Every price that the documents of a brain state or stated, as catalogue and statement."""
    found = []
    for head in brain.documents.every_version(name, "prices"):
        catalog, _ = price_cards.load(head.name, head.text or "")
        found += [(catalog.name, what) for what in statements(catalog.prices)]
    return found


def _restart_history(brain: Brain, hidden: frozenset[str], at: datetime) -> None:
    """Let the price history go on from what is public: what is hidden now was not withdrawn by its catalogue."""
    with BrainView(brain.store, hidden) as view:
        catalogs = type(brain.prices)(view).stated_catalogs()
        cards = {one.brain for one in view.documents.heads() if one.format == "prices"}
    book = snapshots.pack(catalogs)
    brain.store.snapshots.put(book.digest, BOOKS, book.text, at)
    brain.store.snapshots.put_brains(book.digest, cards)
    brain.prices.restart_history(catalogs, book.digest)
