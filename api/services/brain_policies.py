"""A brain is made private or public."""

from __future__ import annotations

from datetime import datetime

from api.services.price_service import PriceService
from compute.catalogs import price_cards
from compute.prices import snapshots
from compute.prices.price_history import statements
from compute.runs.run_ledger import BOOKS
from graph.models.access_models import BrainPolicy
from graph.store import Store


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
    public = store.for_reader(hidden)
    catalogs = PriceService(public).stated_catalogs()
    cards = {one.brain for one in public.documents.heads(["prices"])}
    book = snapshots.pack(catalogs)
    store.snapshots.put(book.digest, BOOKS, book.text, at)
    store.snapshots.put_brains(book.digest, cards)
    prices.observer.restart(catalogs, book.digest)
