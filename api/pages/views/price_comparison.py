"""Prices of one thing ranked over its providers: a GPU, a model, or what all families mean today."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from statistics import median

from api.pages.render.figure_format import figure
from api.pages.request.page_request import Facet, Option, PageRequest, TemplateResponse, facet
from api.pages.views.claim_table import PageContext
from api.pages.views.price_table import PriceTable, claims_of, family_rows, price_table, row_name
from api.services.name_lookup import UnknownPriceError
from compute.prices.model_names import range_end
from compute.prices.price_kinds import KINDS, RANK
from compute.prices.price_overview import PriceRow

FAMILIES, MODELS = "families", "models"
"""The comparison of what all families cost, and the list of everything that several providers sell."""

LISTED = 50
"""How many comparisons are on one page of that list."""

COMPARED = 10
"""How many comparisons a list offers before its fold."""


@dataclass(frozen=True, slots=True)
class Offer:
    """One provider's price: `share` is its part of the highest one, from 0 to 1000; `note` what is special about it."""

    row: PriceRow
    share: int
    claims: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class Ranking:
    """The offers in one unit, cheapest first, with a sentence about their spread."""

    unit: str
    offers: tuple[Offer, ...]
    spread: str


@dataclass(frozen=True, slots=True)
class PriceComparison:
    """The page. `unpriced` are the items that have no price today, or a range of them."""

    name: str
    title: str
    kind: str
    kinds: tuple[Option, ...]
    rankings: tuple[Ranking, ...]
    unpriced: tuple[PriceRow, ...]
    others: Facet
    catalogs: tuple[str, ...]
    today: date


@dataclass(frozen=True, slots=True)
class Spread:
    """What several providers sell: its name, how many they are, and the cheapest and the most expensive offer."""

    name: str
    providers: int
    kind: str
    low: PriceRow
    high: PriceRow

    @property
    def ratio(self) -> Decimal | None:
        """How many times as much the most expensive offer costs; None if the cheapest is free."""
        return round(_value(self.high) / _value(self.low), 1) if _value(self.low) else None


@dataclass(frozen=True, slots=True)
class SpreadList:
    """A page of the list of everything that several providers sell."""

    spreads: tuple[Spread, ...]
    total: int
    number: int
    pages: int
    previous: str | None
    following: str | None
    sorts: tuple[Option, ...]
    today: date


def page(context: PageContext, request: PageRequest) -> TemplateResponse:
    """One thing over all providers, or with `compare=models` the list of what can be compared.

    Raises:
        UnknownPriceError: no item has that name.
        PageRequestError: it has no price of that kind.
    """
    name = request.text("compare")
    key = ("comparison", request.today, tuple(request.query))
    if name == MODELS:
        return context.recall(key, lambda: TemplateResponse("price_spreads.html", _spreads(context, request)))
    return context.recall(key, lambda: TemplateResponse("price_comparison.html", _comparison(context, request, name)))


def _comparison(context: PageContext, request: PageRequest, name: str) -> PriceComparison:
    table = price_table(context, request.today)
    rows = family_rows(context, request.today) if name == FAMILIES else table.by_model.get(name, ())
    if not rows:
        raise UnknownPriceError(name)
    present = sorted({row.kind for row in rows}, key=RANK.__getitem__)
    kind = request.one_of("kind", present) or most_offered(rows)
    chosen = [row for row in rows if row.kind == kind]
    return PriceComparison(
        name=name,
        title="Families of models" if name == FAMILIES else name,
        kind=next(one.title for one in KINDS if one.name == kind),
        kinds=tuple(
            Option(one.title, request.link(kind=one.name), chosen=one.name == kind)
            for one in KINDS
            if one.name in present
        ),
        rankings=rankings(chosen, lambda item: claims_of(context, item, request.today)),
        unpriced=tuple(row for row in chosen if row.value is None),
        others=compared(table, name),
        catalogs=tuple(name for name in table.catalogs if any(row.catalog == name for row in chosen)),
        today=request.today,
    )


def most_offered(rows: Iterable[PriceRow]) -> str:
    """The kind that most providers have a price of; of several the first in the order of kinds."""
    providers: dict[str, set[str]] = {}
    for row in rows:
        providers.setdefault(row.kind, set()).add(row.provider)
    return min(providers, key=lambda kind: (-len(providers[kind]), RANK[kind]))


def rankings(rows: Iterable[PriceRow], claims: Callable[[str], int]) -> tuple[Ranking, ...]:
    """The offers of each unit, the unit with most offers first: prices in different units have no order.

    `claims` gives the number of claims that rest on an item.
    """
    by_unit: dict[str, list[PriceRow]] = {}
    for row in rows:
        if row.value is not None:
            by_unit.setdefault(row.unit, []).append(row)
    ordered = sorted(by_unit.items(), key=lambda pair: (-len(pair[1]), pair[0]))
    return tuple(_ranking(unit, found, claims) for unit, found in ordered)


def _ranking(unit: str, rows: Sequence[PriceRow], claims: Callable[[str], int]) -> Ranking:
    ordered = sorted(rows, key=lambda row: (_value(row), row.item))
    top = _value(ordered[-1]) or Decimal(1)
    offers = (Offer(row, round(1000 * _value(row) / top), claims(row.item), _note(row)) for row in ordered)
    return Ranking(unit, tuple(offers), spread_text(ordered))


def _note(row: PriceRow) -> str:
    kind = next(one for one in KINDS if one.name == row.kind)
    end = range_end(row.item)
    parts = (f"{end} end of a range" if end else "", "" if len(kind.components) == 1 else row_name(row))
    return ", ".join(part for part in parts if part)


def spread_text(ordered: Sequence[PriceRow]) -> str:
    """The cheapest and the most expensive provider of some rows in one unit, cheapest first, and their ratio."""
    low, high = ordered[0], ordered[-1]
    if _value(low) == _value(high):
        return f"All cost {figure(low.value, low.unit)}."
    by_provider = len({row.model for row in ordered}) == 1
    cheapest, dearest = (row.provider if by_provider else row.item for row in (low, high))
    ratio = f", {figure(round(_value(high) / _value(low), 1))} times as much" if _value(low) else ""
    middle = f" The median is {figure(median(map(_value, ordered)), low.unit)}." if len(ordered) > 2 else ""
    return (
        f"{cheapest} is the cheapest with {figure(low.value, low.unit)}; {dearest} charges "
        f"{figure(high.value, high.unit)}{ratio}.{middle}"
    )


def _value(row: PriceRow) -> Decimal:
    return row.value or Decimal(0)


def _spreads(context: PageContext, request: PageRequest) -> SpreadList:
    order = request.one_of("sort", ["providers", "spread"]) or "providers"
    table = price_table(context, request.today)
    found = context.recall(("spreads", request.today), lambda: tuple(_spread_of(table)))
    if order == "spread":
        found = tuple(sorted(found, key=lambda one: (one.ratio is None, -(one.ratio or 0), one.name)))
    pages = max(1, -(-len(found) // LISTED))
    number = min(request.number("page"), pages)
    titles = (("providers", "most providers first"), ("spread", "largest spread first"))
    return SpreadList(
        spreads=found[(number - 1) * LISTED : number * LISTED],
        total=len(found),
        number=number,
        pages=pages,
        previous=request.link(page=str(number - 1)) if number > 1 else None,
        following=request.link(page=str(number + 1)) if number < pages else None,
        sorts=tuple(Option(title, request.link(sort=name), chosen=name == order) for name, title in titles),
        today=request.today,
    )


def _spread_of(table: PriceTable) -> Iterable[Spread]:
    for name, providers in _sold(table):
        kind = most_offered(table.by_model[name])
        ranked = rankings((row for row in table.by_model[name] if row.kind == kind), table.claims.__getitem__)
        if ranked:
            rows = [offer.row for offer in ranked[0].offers]
            yield Spread(name, providers, next(one.title for one in KINDS if one.name == kind), rows[0], rows[-1])


def _sold(table: PriceTable) -> list[tuple[str, int]]:
    """What several providers sell, with their number: machines first, then what most of them sell."""
    counts = ((model, len({row.provider for row in rows})) for model, rows in table.by_model.items())
    return sorted(
        ((model, count) for model, count in counts if count > 1),
        key=lambda pair: (not _machine(table.by_model[pair[0]]), -pair[1], pair[0]),
    )


def compared(table: PriceTable, chosen: str = "") -> Facet:
    """What can be compared: the families, machines, then the models that most providers sell."""
    named, here = _sold(table), PageRequest("/prices", date.min)
    options = [Option("families of models", here.link(compare=FAMILIES), chosen=chosen == FAMILIES)]
    options += [Option(name, here.link(compare=name), count, name == chosen) for name, count in named[: 3 * COMPARED]]
    return facet("Compare providers", options, COMPARED, len(named) + 1, here.link(compare=MODELS))


def _machine(rows: Iterable[PriceRow]) -> bool:
    return any(row.kind.startswith("gpu-") for row in rows)
