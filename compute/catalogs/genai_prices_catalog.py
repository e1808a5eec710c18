"""The `genai-prices` package as a catalogue: its models, dated prices, tiers and variants as `Price` records.

How the package selects prices, and how this importer differs:

- The **last** active window of a model's prices applies. A window without a date has no known first day. If every
  window has a date, the package uses the first one for earlier days; here those days are unknown.
- A variant (`processing: batch`, `service_tier: flex`, `speed: fast`) overrides single components, the **first**
  active one first. If none is active, the package falls back to the standard price; here the price is unknown, because
  a standard price is not a batch price. If one is active, components that it omits keep their standard price.
- The first day of a variant is the day of its record, unless the standard price changes on the same day; later windows
  of the variant are changes of price.
- A price above a tier applies to requests with **more** tokens than the tier's start, and for all their tokens.
- Windows by time of day are not windows of days: each becomes a separate `processing`, `01:00-04:00 UTC`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from importlib.metadata import version
from itertools import pairwise
from typing import TypeVar

from genai_prices import types as genai
from genai_prices.data_snapshot import get_snapshot
from genai_prices.data_units import unit_data
from genai_prices.types import _providers_from_raw  # the only reader of the published list
from genai_prices.units import UnitDef, UnitRegistry
from genai_prices.update_prices import DEFAULT_UPDATE_URL

from compute.prices.price_models import RULE_TESTS, Catalog, Name, Price, Rule
from graph.groups import group_by
from graph.problems import Problem, Severity
from graph.values import dumps
from graph.yaml.reader import load as load_yaml

T = TypeVar("T")
Interval = tuple[date | None, date | None]


def between(borders: Iterable[date]) -> Iterator[Interval]:
    """The intervals before, between and after these days."""
    return pairwise([None, *sorted(set(borders)), None])


def joined(parts: Sequence[tuple[Interval, T]]) -> list[tuple[Interval, T]]:
    """Joins neighbouring intervals with equal content; `parts` ascend without overlap."""
    found: list[tuple[Interval, T]] = []
    for (begin, end), content in parts:
        if found and begin is not None and found[-1][0][1] == begin and found[-1][1] == content:
            found[-1] = ((found[-1][0][0], end), content)
        else:
            found.append(((begin, end), content))
    return found


NAME = "genai-prices"
LICENCE = "MIT"
ADDRESS = DEFAULT_UPDATE_URL  # where the package's maintainers publish the list
LIVE = "openrouter"  # its prices come from its own live list, so none of their dates is in the future
_UNITS = UnitRegistry(unit_data)
_ADDRESS = re.compile(r"https?://[^\s,)]+")

# The unit of each price key of the package that is not per million tokens, by unit family.
_COUNTED: Mapping[str, str] = {
    "characters": "Mchar",
    "messages": "message",
    "durations": "h",
    "pixels": "pixel",
    "document_pages": "page",
    "rerank": "search",
    "tool_calls": "request",
    "requests": "request",
}
_WHOLE = frozenset({"tokens", "characters", "durations"})  # families whose unit above is the package's multiple

Prices = Mapping[str, "Decimal | genai.TieredPrices"]


def load() -> Catalog:
    """The prices in the installed package."""
    return convert(get_snapshot().providers)


def read(document: str, text: str, on: date) -> tuple[Catalog, tuple[Problem, ...]]:
    """The published list as fetched on a day, and the problem of an unreadable one."""
    try:
        return convert(providers_of(text), on), ()
    except Exception as error:  # noqa: BLE001  # the package's reader passes on any exception of its validator
        message = f"not a list of providers that genai-prices {version('genai-prices')} can read: {error}"
        problem = Problem(document=document, severity=Severity.ERROR, code="genai-import", message=message)
        return Catalog(name=NAME, prices=()), (problem,)


def providers_of(text: str) -> Sequence[genai.Provider]:
    """The providers in a list, or the one of a YAML file of the package's sources."""
    if text.lstrip().startswith("["):
        return _providers_from_raw(json.loads(text))
    tree, faults = load_yaml(text)
    if faults:
        raise ValueError(faults[0].message)
    return _providers_from_raw([json.loads(dumps(tree))])


def convert(providers: Sequence[genai.Provider], taken: date | None = None) -> Catalog:
    """Providers `taken` on a day as a catalogue; the package is as old as the live provider's latest date."""
    edition = version("genai-prices") + (f"+{taken.isoformat()}" if taken else "")
    live = (model for provider in providers if provider.id == LIVE for model in provider.models)
    taken = taken or max((day for model in live for day in _starts(_windows(model))), default=None)
    prices: list[Price] = []
    names: list[Name] = []
    for provider in providers:
        for model in provider.models:
            item = f"{provider.id}/{model.id}"
            names.append(Name(item=item, rule=_rule(model.match)))
            prices += _prices(item, model, _source(provider, model))
    elsewhere = [(p.id, tuple(p.fallback_model_providers)) for p in providers if p.fallback_model_providers]
    return Catalog(
        name=NAME, prices=tuple(prices), names=tuple(names), elsewhere=tuple(elsewhere), taken=taken, version=edition,
        licence=LICENCE,
    )  # fmt: skip


def _source(provider: genai.Provider, model: genai.ModelInfo) -> str | None:
    found = _ADDRESS.search(model.price_comments or "")
    if found:
        return found.group().rstrip(".;:")
    return provider.pricing_urls[0] if provider.pricing_urls else None


def _rule(clause: object) -> Rule:
    """A match clause as a rule; an unknown clause of a later release matches nothing."""
    if isinstance(clause, genai.ClauseOr):
        return Rule(op="or", rules=tuple(_rule(part) for part in clause.or_))
    if isinstance(clause, genai.ClauseAnd):
        return Rule(op="and", rules=tuple(_rule(part) for part in clause.and_))
    for op in RULE_TESTS:
        if hasattr(clause, op):  # each has its text under the name of its kind
            return Rule(op=op, text=getattr(clause, op))
    return Rule(op="or")


def _windows(model: genai.ModelInfo) -> list[genai.ConditionalPrice]:
    if isinstance(model.prices, genai.ModelPrice):
        return [genai.ConditionalPrice(prices=model.prices)]
    return list(model.prices)


def _starts(windows: Iterable[genai.ConditionalPrice | genai.PriceVariant]) -> Iterator[date]:
    for window in windows:
        if isinstance(window.constraint, genai.StartDateConstraint):
            yield window.constraint.start_date


Window = TypeVar("Window", genai.ConditionalPrice, genai.PriceVariant)


def _active(windows: Iterable[Window], begin: date | None) -> list[Window]:
    """The windows of days active from `begin` on, None being before every date."""
    return [
        window
        for window in windows
        if (limit := window.constraint) is None
        or (isinstance(limit, genai.StartDateConstraint) and begin is not None and limit.start_date <= begin)
    ]


def _stated(prices: genai.ModelPrice) -> Prices:
    return {key: value for key, value in vars(prices).items() if value is not None and not key.startswith("_")}


def _standard(windows: Sequence[genai.ConditionalPrice], begin: date | None) -> Prices:
    active = _active(windows, begin)
    return _stated(active[-1].prices) if active else {}


def _prices(item: str, model: genai.ModelInfo, source: str | None) -> Iterator[Price]:
    windows = _windows(model)
    by_hours = {_hours(window): window for window in windows}  # the last one counts
    timed = sorted(filter(None, by_hours))
    note = f"outside {', '.join(timed)}; within, another price applies" if timed else ""
    parts = [
        (interval, {key: (value, note) for key, value in _standard(windows, interval[0]).items()})
        for interval in between(_starts(windows))
    ]
    yield from _records(item, "standard", parts, None, source)
    for hours, window in by_hours.items():
        if hours:
            stated = {key: (value, "") for key, value in _stated(window.prices).items()}
            yield from _records(item, hours, [((None, None), stated)], None, source)
    for label, variants in group_by(model.price_variants or (), _label).items():
        if label != "standard":  # equal to the standard price
            yield from _variant(item, label, windows, variants, source)


def _hours(window: genai.ConditionalPrice) -> str:
    """The hours of a window by time of day; empty for one of days."""
    limit = window.constraint
    if not isinstance(limit, genai.TimeOfDateConstraint):
        return ""
    return f"{limit.start_time:%H:%M}-{limit.end_time:%H:%M} UTC"


def _label(variant: genai.PriceVariant) -> str:
    """The `processing` of a variant."""
    stated = (f"{key}={value}" for key, value in sorted(variant.when.items()))
    short = {"service_tier=default": "standard"}
    return "+".join(short.get(one, re.sub(r"^(?:processing|service_tier|speed)=", "", one)) for one in stated)


def _variant(
    item: str,
    label: str,
    windows: Sequence[genai.ConditionalPrice],
    variants: Sequence[genai.PriceVariant],
    source: str | None,
) -> Iterator[Price]:
    silent = f"the catalogue's {label} entry omits this component, so its standard price applies"
    parts = []
    for begin, end in between([*_starts(windows), *_starts(variants)]):
        active = _active(variants, begin)
        stated = {key: (value, silent) for key, value in _standard(windows, begin).items()}
        for variant in active[::-1]:  # the first counts
            stated |= {key: (value, "") for key, value in _stated(variant.prices).items()}
        parts += [((begin, end), stated)] if active else []
    first = parts[0][0][0] if parts else None
    recorded = first if first not in set(_starts(windows)) else None
    yield from _records(item, label, parts, recorded, source)


Stated = Mapping[str, "tuple[Decimal | genai.TieredPrices, str]"]


def _records(
    item: str, processing: str, parts: Sequence[tuple[Interval, Stated]], recorded: date | None, source: str | None
) -> Iterator[Price]:
    """One price per component, tier and run of equal intervals; recording began on the day `recorded`."""
    for key in dict.fromkeys(key for _, stated in parts for key in stated):
        series = [(interval, stated[key]) for interval, stated in parts if key in stated]
        unit = _unit(key)
        if unit is None:
            continue
        family = unit.dimensions.get("family")
        component = key if key.endswith("_hours") else unit.usage_key  # the key without its multiple
        component = key.removesuffix("_mtok") if family == "tokens" else component
        counted = "Mtok" if family in {None, "tokens"} else _COUNTED.get(family, "request")
        for (begin, end), (value, note) in joined(series):
            dated = "record" if begin is None or begin == recorded else "price"
            tiers = () if isinstance(value, Decimal) else value.tiers
            base = value if isinstance(value, Decimal) else value.base
            for above, figure in ((0, base), *((one.start, one.price) for one in tiers)):
                yield Price(
                    item=item, component=component, value=figure if family in _WHOLE else figure / unit.per,
                    unit=f"USD/{counted}", processing=processing, above=above, valid_from=begin, valid_to=end,
                    dated=dated, catalog=NAME, source=source, checked=begin if dated == "record" else None,
                    licence=LICENCE, note=note,
                )  # fmt: skip


def _unit(key: str) -> UnitDef | None:
    try:
        return _UNITS.unit_for_price_key(key)
    except KeyError:
        return None  # a price key of a later release, whose unit is unknown
