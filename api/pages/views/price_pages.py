"""Prices: what is priced, and one item's history with its sources and what depends on it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from itertools import groupby

from api.pages.request.page_request import FOLDED, Facet, Option, PageRequest, TemplateResponse, facet, path_of
from api.pages.views.claim_table import ClaimRow, PageContext, verdict_order
from api.services.name_lookup import UnknownPriceError
from compute.impact.price_impact import AffectedClaim
from compute.prices.assumptions import current
from compute.prices.families import Family
from compute.prices.price_book import CatalogBook
from compute.prices.price_models import Assumption, Price
from compute.prices.price_selection import holds
from graph.models.query_models import NodeRef

LISTED = 120
PROVIDERS = 16
RESTING = 20
CLAIMS = 40


@dataclass(frozen=True, slots=True)
class Item:
    """One priced thing in the list: how many claims read it, what it is a family of."""

    name: str
    means: str = ""


@dataclass(frozen=True, slots=True)
class Prices:
    """The list. `families` and `assumptions` come first; items are filtered by name and provider."""

    q: str
    provider: str
    items: tuple[str, ...]
    number: int
    pages: int
    previous: str | None
    following: str | None
    total: int
    providers: Facet
    families: tuple[Item, ...]
    assumptions: tuple[Assumption, ...]
    today: date


@dataclass(frozen=True, slots=True)
class Component:
    """What is paid for, with every price known for it, the latest first; `now` holds today."""

    name: str
    processing: str
    unit: str
    prices: tuple[Price, ...]
    now: tuple[Price, ...]
    chart: str

    @property
    def changes(self) -> bool:
        """Whether there is a history to draw."""
        return len({(price.valid_from, price.valid_to) for price in self.prices}) > 1


@dataclass(frozen=True, slots=True)
class Reads:
    """A claim that reads the item, and everything that it asks of it."""

    claim: str
    node: str
    asks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PricePage:
    """One item, or one family."""

    item: str
    family: Family | None
    means: str
    components: tuple[Component, ...]
    hits: tuple[Reads, ...]
    hits_left: int
    lines: Mapping[str, ClaimRow]
    titles: Mapping[str, NodeRef]
    resting: tuple[tuple[str, ...], ...]
    resting_left: int
    today: date
    other_formats: tuple[tuple[str, str], ...]


def index(desk: PageContext, asked: PageRequest) -> TemplateResponse:
    """What is priced, filtered by words of its name and by provider; families and assumptions on the first page.

    Raises:
        AskedWronglyError: the number of a page that is none.
    """
    book = desk.brain.prices.book()
    words, provider = asked.text("q").lower().split(), asked.text("provider")
    named = [item for item in desk.recall("items", book.items) if all(word in item.lower() for word in words)]
    passing = [item for item in named if not provider or item.partition("/")[0] == provider]
    pages = max(1, -(-len(passing) // LISTED))
    number = min(asked.number("page"), pages)
    counts = Counter(item.partition("/")[0] for item in named)
    options = (
        Option(name, asked.link(provider=None if name == provider else name), count, name == provider)
        for name, count in counts.most_common(PROVIDERS + FOLDED)
    )
    first = number == 1 and not provider
    model = Prices(
        q=asked.text("q"),
        provider=provider,
        items=tuple(passing[(number - 1) * LISTED : number * LISTED]),
        number=number,
        pages=pages,
        previous=asked.link(page=str(number - 1)) if number > 1 else None,
        following=asked.link(page=str(number + 1)) if number < pages else None,
        total=len(passing),
        providers=facet("Provider", list(options), PROVIDERS, len(counts), "/v1/prices"),
        families=tuple(_families(book.families.values(), words, asked.today)) if first else (),
        assumptions=tuple(_assumptions(book.assumptions, words, asked.today)) if first else (),
        today=asked.today,
    )
    return TemplateResponse("prices.html", model)


def _families(families: Iterable[Family], words: list[str], today: date) -> Iterable[Item]:
    for family in families:
        member = family.on(today)
        if all(word in family.name.lower() for word in words):
            yield Item(family.name, member.model if member else "")


def _assumptions(known: Mapping[str, Iterable[Assumption]], words: list[str], today: date) -> Iterable[Assumption]:
    for name, each in known.items():
        if all(word in name.lower() for word in words):
            yield from (one for one in each if current(one, today))


def page(desk: PageContext, asked: PageRequest) -> TemplateResponse:
    """One item.

    Raises:
        UnknownPriceError: no catalogue knows it.
    """
    name = asked.parts["item"]
    book = desk.brain.prices.book()
    family = book.families.get(name)
    known = known_of(book, name)
    if not known:
        raise UnknownPriceError(name)
    member = family.on(asked.today) if family else None
    lines = desk.claim_table().lines
    hit = desk.recall(("impact", name, asked.today), lambda: desk.brain.status.impact(name, asked.today, RESTING))
    ordered = sorted(
        hit.claims, key=lambda one: verdict_order(lines[one.claim].verdict if one.claim in lines else None)
    )
    hits = tuple(_together(ordered))
    titles = desk.brain.nodes.refs(
        [*(one.node for one in hits[:CLAIMS]), *(step for way in hit.resting for step in way)]
    )
    model = PricePage(
        item=name,
        family=family,
        means=member.model if member else "",
        components=components(name, known, asked.today),
        hits=hits[:CLAIMS],
        hits_left=max(0, len(hits) - CLAIMS),
        lines=lines,
        titles=titles,
        resting=hit.resting,
        resting_left=hit.left,
        today=asked.today,
        other_formats=(
            ("history as JSON", path_of("v1/prices", name) + "/history"),
            ("impact as JSON", path_of("v1/prices", name) + "/impact"),
        ),
    )
    return TemplateResponse("price.html", model)


def _together(hits: Iterable[AffectedClaim]) -> Iterable[Reads]:
    """The claims in their order, each once."""
    found: dict[str, list[AffectedClaim]] = {}
    for hit in hits:
        found.setdefault(hit.claim, []).append(hit)
    for claim, group in found.items():
        asks = (one.asks if one.processing == "standard" else f"{one.asks} ({one.processing})" for one in group)
        yield Reads(claim, group[0].node, tuple(dict.fromkeys(asks)))


def known_of(book: CatalogBook, item: str) -> tuple[Price, ...]:
    """All prices of an item; of a family those of its models, each for as long as the family meant it."""
    family = book.families.get(item)
    if family is None:
        return book.prices(item)
    ends = [*(member.begins for member in family.members[1:]), None]
    return tuple(
        clipped
        for member, end in zip(family.members, ends, strict=True)
        for price in book.prices(member.model)
        if (clipped := _clipped(price, member.begins, end)) is not None
    )


def _clipped(price: Price, begin: date, end: date | None) -> Price | None:
    start = max(price.valid_from or begin, begin)
    stop = min((day for day in (price.valid_to, end) if day is not None), default=None)
    if stop is not None and stop <= start:
        return None
    return price.model_copy(
        update={"valid_from": start, "valid_to": stop, "dated": price.dated if start != begin else "price"}
    )


def components(item: str, known: Iterable[Price], today: date) -> tuple[Component, ...]:
    """Prices by what is paid for; those that claims read most often come first."""
    ordered = sorted(known, key=_place)
    return tuple(
        _component(item, tuple(group), today)
        for _, group in groupby(ordered, key=lambda price: (*_place(price), price.unit))
    )


FIRST = ("input", "cache_read", "cache_write", "output", "on_demand", "reserved_1y", "spot", "purchase")


def _place(price: Price) -> tuple[int, str, int, str]:
    rank = FIRST.index(price.component) if price.component in FIRST else len(FIRST)
    return (rank, price.component, price.processing != "standard", price.processing)


def _component(item: str, prices: tuple[Price, ...], today: date) -> Component:
    first = prices[0]
    latest = sorted(prices, key=lambda price: (price.valid_from or date.min, price.catalog), reverse=True)
    return Component(
        name=first.component,
        processing=first.processing,
        unit=first.unit,
        prices=tuple(latest),
        now=tuple(price for price in latest if holds(price, today)),
        chart=f"{path_of('charts/prices', item)}/{first.component}/{first.processing}.svg",
    )
