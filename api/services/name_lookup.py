"""Lookup by name for every interface, with suggestions for unknown names."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from api.services.claim_status import UnknownAcknowledgementError
from graph.models.claim_models import VerdictName
from graph.store.store_errors import (
    NotFoundError,
    UnknownClaimError,
    UnknownDocumentError,
    UnknownFolderError,
    UnknownNodeError,
    UnknownTagError,
)
from graph.text.similar_names import near

if TYPE_CHECKING:
    from datetime import date

    from api.brain import Brain
    from api.services.claim_status import ClaimStatus
    from compute.impact.price_impact import Impact
    from compute.prices.price_book import CatalogBook
    from compute.prices.price_models import Price


class UnknownPriceError(NotFoundError):
    """No catalogue, family or assumption has the name, and no claim reads it."""

    noun = "price of"

    def __init__(self, name: str, reason: str | None = None) -> None:
        """`reason` is why a market item has no price."""
        super().__init__(name)
        if reason:
            self.args = (f"{name} has no price: {reason}",)


class UnknownSilenceError(NotFoundError):
    """No silence has the id."""


def prices(brain: Brain, item: str) -> tuple[Price, ...]:
    """All dated prices of an item or of a family's models.

    Raises:
        UnknownPriceError: nothing of that name has a price.
    """
    found = brain.prices.book().prices(item)
    if not found:
        raise UnknownPriceError(item, brain.prices.book().market.reason(item, brain.store.present_day()))
    return found


def impact(brain: Brain, price: str, on: date) -> Impact:
    """The claims and nodes that depend on a price, from `ClaimStatusService.impact`.

    Raises:
        UnknownPriceError: there is no such price, and no claim reads one of that name.
    """
    found = brain.status.impact(price, on)
    if not found.claims and not _priced(brain.prices.book(), price):
        raise UnknownPriceError(price, brain.prices.book().market.reason(price, on))
    return found


def states(brain: Brain, node: str | None, verdict: VerdictName | None) -> list[ClaimStatus]:
    """Claims with their last verdict, of one node or of all.

    A claim that could not be checked has its last failure as verdict, and is listed as unverifiable too.

    Raises:
        UnknownNodeError: there is no such node, and no claim is on one of that name.
    """
    found = brain.status.states(node=node)
    if node is not None and not found:
        found = brain.status.states(node=brain.nodes.named(node))
    blind = verdict is VerdictName.UNVERIFIABLE
    return [state for state in found if verdict in {None, state.verdict} or (blind and not state.checked)]


def meant(brain: Brain, error: Exception, count: int = 3) -> list[str]:
    """Names similar to the one that an error did not find, most similar first; none for other errors.

    For a node that was renamed it is the new id alone.
    """
    if isinstance(error, UnknownNodeError) and error.renamed:
        return [error.renamed]
    asked = str(getattr(error, "name", ""))
    every = next((names(brain) for kind, names in NAMES if isinstance(error, kind)), ())
    return near(asked, (name for name in every if name != asked), count)


def _priceable(brain: Brain) -> Iterable[str]:
    book = brain.prices.book()
    return (*book.families, *book.items(), *(f"assume:{name}" for name in book.assumptions))


NAMES: tuple[tuple[type[NotFoundError], Callable[[Brain], Iterable[str]]], ...] = (
    (UnknownNodeError, lambda brain: (card.id for card in brain.index_feed.cards())),
    (UnknownClaimError, lambda brain: (claim for claims in brain.claims.by_node().values() for claim in claims)),
    (UnknownDocumentError, lambda brain: (record.name for record in brain.documents.heads())),
    (UnknownTagError, lambda brain: (tag.value for tag in brain.tags.all())),
    (UnknownPriceError, _priceable),
    (UnknownFolderError, lambda brain: (folder.path for folder in brain.library.folders())),
    (UnknownAcknowledgementError, lambda brain: (one.claim or "" for one in brain.alerts.silences() if one.flags)),
    (UnknownSilenceError, lambda brain: (silence.id for silence in brain.alerts.silences())),
)
"""All names of each kind of thing."""


def _priced(book: CatalogBook, price: str) -> bool:
    """Whether a name is that of an item, a family, one of their components, or an assumption."""
    if price.startswith("assume:"):
        return price.removeprefix("assume:") in book.assumptions
    item, _, component = price.rpartition("/")
    return bool(book.prices(price)) or any(one.component == component for one in book.prices(item))
