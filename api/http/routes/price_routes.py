"""Prices and what depends on them; brains, document versions, snapshots; the export."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import partial
from typing import Annotated

from fastapi import Response

from api.http.api_route import LISTED, THING, ApiRoutes
from api.http.parameters import Ask, Brain, Day, Item, Part, path, query
from api.http.responses.content_negotiation import MEDIA
from api.http.responses.request_context import Stream, site_of
from api.models import response_models as answers
from api.models.response_models import Items
from api.services import linked_data as linked
from api.services.exports import exported
from api.services.linked_data import BrainView, overview
from api.services.price_refresh import CatalogFetch
from compute.impact.price_impact import Impact
from compute.prices.price_models import Assumption, Price
from graph.models.node_models import Kind
from graph.rdf.node_triples import assumption_facts, brain_facts, item_facts
from graph.store.cursors import Cursor

PRICES, THINGS = ApiRoutes("prices"), ApiRoutes("linked data")
EXPORTED = "turtle trig jsonld ntriples graphml csv json"
ENDINGS = {"turtle": "ttl", "ntriples": "nt"}
OfItem = Annotated[str | None, query("Only prices of this item or family.", "anthropic/claude-3-5-sonnet")]
Name = Annotated[str, path("The name of an assumption.", "pue")]
Snapshot = Annotated[str, path("The SHA-256 of a snapshot, or `latest`.", linked.LATEST)]
Document = Annotated[str, path("The name of a document, or `NAME/SHA256` for one version of it.", "assumptions.yaml")]


@PRICES("/v1/prices", Items[Price], LISTED)
def prices_prices(ask: Ask, part: Part, day: Day, item: OfItem = None) -> Response:
    """The prices of a day, of one item or of all, by item."""
    found = ask.app_context.days.get((item, day), lambda: _on_day(ask, item, day))
    return ask.page(found, part, lambda one: Cursor(_order(one), ""))


def _on_day(ask: Ask, item: str | None, day: date) -> Sequence[Price]:
    """The prices of a day in order, each once."""
    book = ask.brain.prices.book()
    named = book.items() if item is None else (item,)
    found = {_order(one): one for name in named for one in book.prices(name) if one.on(day)}
    return [found[key] for key in sorted(found)]


@PRICES("/v1/prices/{item:path}/history", Items[Price], LISTED)
def prices_history(ask: Ask, item: Item, part: Part) -> Response:
    """Every price of an item that any catalogue has, of all times."""
    return ask.page(sorted(ask.brain.names.prices_of(item), key=_order), part, lambda one: Cursor(_order(one), ""))


@PRICES("/v1/prices/{item:path}/impact", Items[Impact], LISTED)
def prices_impact(ask: Ask, item: Item, day: Day) -> Response:
    """What depends on a price: claims, their nodes, and the nodes that depend on those.

    `item/component` narrows it to one component; `assume:NAME` asks for an assumption.
    """
    return ask.listed([ask.brain.status.impact(item, day)])


@PRICES("/v1/prices/{item:path}", Items[Price], THING)
def prices_price(ask: Ask, item: Item, part: Part, day: Day) -> Response:
    """A priced item with every price of it; none where only claims name it."""
    found, told = tuple(sorted(linked.priced(ask.brain, item, day), key=_order)), ask.linked
    shown = Items[Price](items=tuple(ask.some(found, part)), next=ask.next, total=len(found))
    return ask.thing(shown, told.names.price(item), lambda: item_facts(item, found, told.names))


def _order(price: Price) -> str:
    """Item first, then everything that distinguishes prices; U+0001 sorts before every printable character."""
    parts = (price.item, price.component, price.processing, f"{price.above:012d}", price.region or "", price.catalog)
    since = price.valid_from.isoformat() if price.valid_from else ""
    return "\x01".join((*parts, since, price.unit, price.note, str(price.value)))


@PRICES("/v1/price-lists", Items[CatalogFetch], LISTED)
def prices_lists(ask: Ask, part: Part) -> Response:
    """The price lists that are fetched, and when each was last reached."""
    return ask.slice(ask.brain.price_refresher.lists(), part)


@PRICES("/v1/assumptions/{name}", Items[Assumption], THING)
def prices_assumption(ask: Ask, name: Name) -> Response:
    """One assumption with its range and source, for each interval of days."""
    found, told = linked.assumption(ask.brain, name), ask.linked
    shown = Items[Assumption](items=found, total=len(found))
    return ask.thing(shown, told.names.assumption(name), lambda: assumption_facts(name, found, told.names))


@PRICES("/v1/assumptions", Items[Assumption], LISTED)
def prices_assumptions(ask: Ask, part: Part) -> Response:
    """The assumptions that formulas may name, with their ranges and sources."""
    return ask.slice(ask.brain.prices.library().assumptions, part)


@THINGS("/v1/brains/{brain}", BrainView, THING)
def things_brain(ask: Ask, brain: Brain) -> Response:
    """One brain: its documents, and how many nodes of each kind it has."""
    found, told = overview(ask.brain, brain), ask.linked
    glossary = any(kind.value == Kind.TERM for kind in found.kinds)
    return ask.thing(found, told.names.brain(brain), lambda: brain_facts(brain, told.names, glossary=glossary))


@THINGS("/v1/documents/{document:path}", answers.DocumentView, THING)
def things_document(ask: Ask, document: Document) -> Response:
    """One version of a document as it was read, the current one by its name alone."""
    found, told = linked.document(ask.brain, document), ask.linked
    shown = answers.DocumentView.model_validate(found, from_attributes=True)
    return ask.thing(shown, told.names.document(found.name, found.sha256), lambda: told.document(found))


@THINGS("/v1/snapshots/{snapshot}", answers.SnapshotView, "json turtle jsonld ntriples")
def things_snapshot(ask: Ask, snapshot: Snapshot) -> Response:
    """One catalogue snapshot, and the runs that used it."""
    digest, told = linked.snapshot_hash(ask.brain, snapshot), ask.linked
    record, runs = linked.snapshot(ask.brain, digest)
    shown = answers.SnapshotView(
        sha256=digest,
        catalog=record.catalog if record else None,
        created_at=record.created_at if record else None,
        bytes=record.size if record else None,
        runs=tuple(run.id for run in runs),
    )
    return ask.thing(shown, told.names.snapshot(digest), lambda: told.snapshot(digest, record, runs))


@THINGS("/v1/export", None, EXPORTED)
def exports_export(ask: Ask) -> Response:
    """Everything: as RDF, GraphML, CSV, or as JSON that another brain takes in."""
    name = f"brain.{ENDINGS.get(ask.format, ask.format)}"
    headers = {**ask.answer_headers(), "Content-Disposition": f'attachment; filename="{name}"'}
    pieces = partial(exported, ask.brain.store, ask.brain.settings, ask.format, site_of(ask))
    return Stream(pieces, headers=headers, media_type=MEDIA[ask.format])
