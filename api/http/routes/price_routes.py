"""Prices, their history, and what depends on them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Annotated

from fastapi import Path, Query, Response

from api.http.api_route import ApiRoute
from api.http.responses.rdf_responses import LINKED, written
from api.http.responses.request_context import AppContext, Ask, Day, Part
from api.models import response_models
from api.services import name_lookup
from api.services.linked_data import LinkedData, assumption, priced
from compute.prices.price_models import Assumption, Price
from graph.store.cursors import Cursor

Thing = Annotated[
    str,
    Path(
        description="`provider/thing`, another spelling of it, or a family.", examples=["anthropic/claude-3-5-sonnet"]
    ),
]


class Prices:
    """The routes over an open brain."""

    def __init__(self, desk: AppContext) -> None:
        self._brain, self._linked = desk.brain, LinkedData(desk.brain)
        self._cache = desk.brain.cache(8)

    def prices(
        self,
        ask: Ask,
        part: Part,
        day: Day,
        item: Annotated[
            str | None,
            Query(description="Only prices of this item or family.", examples=["anthropic/claude-3-5-sonnet"]),
        ] = None,
    ) -> Response:
        """The prices of a day, of one item or of all, by item."""
        found = self._cache.get((item, day.day), lambda: self._of(item, day.day))
        return ask.page(found, part, _by_price)

    def _of(self, item: str | None, day: date) -> Sequence[Price]:
        """The prices of a day in their order, each once."""
        book = self._brain.prices.book()
        named = book.items() if item is None else (item,)
        found = {_order(one): one for name in named for one in book.prices(name) if one.on(day)}
        return [found[key] for key in sorted(found)]

    def price(self, ask: Ask, item: Thing, day: Day) -> Response:
        """A priced item with every price of it; none where only claims name it."""
        found, told = priced(self._brain, item, day.day), self._linked.at(ask.site)
        shown = response_models.Items[Price](items=tuple(sorted(found, key=_order)), total=len(found))
        cite = told.names.price(item).value
        return ask.record(shown, written(told, lambda: told.price(item, sorted(found, key=_order))), cite=cite)

    def history(self, ask: Ask, item: Thing, part: Part) -> Response:
        """Every price of an item that any catalogue has, of all times."""
        return ask.page(sorted(name_lookup.prices(self._brain, item), key=_order), part, _by_price)

    def impact(self, ask: Ask, item: Thing, day: Day) -> Response:
        """What depends on a price: claims, their nodes, and the nodes that depend on those.

        `item/component` narrows it to one component; `assume:NAME` asks for an assumption.
        """
        return ask.items([name_lookup.impact(self._brain, item, day.day)])

    def assumption(
        self, ask: Ask, name: Annotated[str, Path(description="The name of an assumption.", examples=["pue"])]
    ) -> Response:
        """One assumption with its range and source, for each interval of days."""
        found, told = assumption(self._brain, name), self._linked.at(ask.site)
        shown = response_models.Items[Assumption](items=found, total=len(found))
        cite = told.names.assumption(name).value
        return ask.record(shown, written(told, lambda: told.assumption(name)), cite=cite)

    def assumptions(self, ask: Ask) -> Response:
        """The assumptions that formulas may name, with their ranges and sources."""
        return ask.items(self._brain.prices.library().assumptions)


def _order(price: Price) -> str:
    """Item first, then everything that distinguishes prices; U+0001 sorts before every printable character."""
    parts = (
        price.item,
        price.component,
        price.processing,
        f"{price.above:012d}",
        price.region or "",
        price.catalog,
        price.valid_from.isoformat() if price.valid_from else "",
        price.unit,
        price.note,
        str(price.value),
    )
    return "\x01".join(parts)


def _by_price(price: Price) -> Cursor:
    return Cursor(_order(price), "")


def routes(desk: AppContext) -> Sequence[ApiRoute]:
    """The routes in their order."""
    of, listed, wrong = Prices(desk), ("json", "csv"), ("not-found", "invalid-datetime")
    prices, linked = response_models.Items[Price], ("json", *LINKED, "html")
    return (
        ApiRoute("/v1/prices", of.prices, prices, listed, ("invalid-cursor", "invalid-datetime")),
        ApiRoute("/v1/prices/{item:path}/history", of.history, prices, listed, ("not-found", "invalid-cursor")),
        ApiRoute(
            "/v1/prices/{item:path}/impact", of.impact, response_models.Items[response_models.Impact], listed, wrong
        ),
        ApiRoute("/v1/prices/{item:path}", of.price, prices, linked, wrong),
        ApiRoute("/v1/assumptions/{name}", of.assumption, response_models.Items[Assumption], linked, ("not-found",)),
        ApiRoute("/v1/assumptions", of.assumptions, response_models.Items[Assumption], listed),
    )
