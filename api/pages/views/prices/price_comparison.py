"""Prices of one thing ranked over its providers: a GPU, a model, or what all families mean on a day."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from statistics import median

from api.pages.render.figure_format import figure
from api.pages.request.listing import Facet, Option, choices, facet, part_of
from api.pages.request.page_request import PageRequest, TemplateResponse, page_of
from api.pages.views.claim_table import PageContext
from api.pages.views.prices.price_table import PriceTable, claims_of, family_rows, price_table, row_name
from api.services.claim_status import UnknownPriceError
from compute.prices.price_kinds import KIND_TITLES, KINDS, RANK, range_end
from compute.prices.price_overview import PriceRow

FAMILIES, MODELS = "families", "models"
"""The comparison of what all families cost, and the list of everything that several providers sell."""

LISTED, COMPARED = 50, 10
"""How many comparisons are on one page of that list, and before the fold of the others."""


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


def page(context: PageContext, request: PageRequest) -> TemplateResponse:
    """One thing over all providers, or with `compare=models` the list of what can be compared.

    Raises:
        UnknownPriceError: no item has that name.
        PageRequestError: it has no price of that kind.
    """
    name, make = request.text("compare"), _comparison
    key = ("comparison", request.day, tuple(request.query))
    return context.recall(key, lambda: _spreads(context, request) if name == MODELS else make(context, request, name))


def _comparison(context: PageContext, request: PageRequest, name: str) -> TemplateResponse:
    table, day = price_table(context, request.day), request.day
    rows = family_rows(context, day) if name == FAMILIES else table.by_model.get(name, ())
    if not rows:
        raise UnknownPriceError(name)
    present = sorted({row.kind for row in rows}, key=RANK.__getitem__)
    kind = request.one_of("kind", present) or most_offered(rows)
    chosen = [row for row in rows if row.kind == kind]
    return page_of(
        "price_comparison.html",
        name=name,
        title="Families of models" if name == FAMILIES else name,
        kind=KIND_TITLES[kind],
        kinds=choices(request, "kind", {one: KIND_TITLES[one] for one in present}, kind),
        rankings=rankings(chosen, lambda item: claims_of(context, item, day)),
        unpriced=[row for row in chosen if row.value is None],
        others=compared(table, name),
        catalogs=[name for name in table.catalogs if any(row.catalog == name for row in chosen)],
        day=day,
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
    found = []
    for unit, offers in sorted(by_unit.items(), key=lambda pair: (-len(pair[1]), pair[0])):
        ordered = sorted(offers, key=lambda row: (_value(row), row.item))
        top = _value(ordered[-1]) or Decimal(1)
        ranked = (Offer(row, round(1000 * _value(row) / top), claims(row.item), _note(row)) for row in ordered)
        found.append(Ranking(unit, tuple(ranked), spread_text(ordered)))
    return tuple(found)


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


def _spreads(context: PageContext, request: PageRequest) -> TemplateResponse:
    words = {"providers": "most providers first", "spread": "largest spread first"}
    order, table = request.one_of("sort", list(words)) or "providers", price_table(context, request.day)
    found = context.recall(("spreads", request.day), lambda: tuple(_spread_of(table)))
    if order == "spread":
        found = tuple(sorted(found, key=lambda one: (one.ratio is None, -(one.ratio or 0), one.name)))
    sorts, part = choices(request, "sort", words, order), part_of(request, found, LISTED)
    return page_of("price_spreads.html", part=part, sorts=sorts, day=request.day)


def _spread_of(table: PriceTable) -> Iterable[Spread]:
    for name, providers in _sold(table):
        kind = most_offered(table.by_model[name])
        ranked = rankings((row for row in table.by_model[name] if row.kind == kind), table.claims.__getitem__)
        if ranked:
            offers = ranked[0].offers
            yield Spread(name, providers, KIND_TITLES[kind], offers[0].row, offers[-1].row)


def _sold(table: PriceTable) -> list[tuple[str, int]]:
    """What several providers sell, with their number: machines first, then what most of them sell."""
    counts = ((model, len({row.provider for row in rows})) for model, rows in table.by_model.items())
    machines = {name for name, rows in table.by_model.items() if any(row.kind.startswith("gpu-") for row in rows)}
    sold = ((model, count) for model, count in counts if count > 1)
    return sorted(sold, key=lambda pair: (pair[0] not in machines, -pair[1], pair[0]))


def compared(table: PriceTable, chosen: str = "") -> Facet:
    """What can be compared: the families, machines, then the models that most providers sell."""
    named, here = _sold(table), PageRequest("/prices", date.min)
    options = [Option("families of models", here.link(compare=FAMILIES), chosen=chosen == FAMILIES)]
    options += [Option(name, here.link(compare=name), count, name == chosen) for name, count in named[: 3 * COMPARED]]
    return facet("Compare providers", options, COMPARED, len(named) + 1, here.link(compare=MODELS))
