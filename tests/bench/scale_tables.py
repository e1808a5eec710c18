"""The tables of the scale benchmark: figures by size with their slopes, what they give for larger brains, and its cost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

import numpy as np

from compute.prices.price_book import CatalogBook
from compute.prices.price_models import Price

FAR = (10_000_000, 100_000_000)
"""The sizes that are computed, not measured."""

NIGHTS = 30
"""Runs of a month."""

ASKED_MONTHLY = 1_000_000
"""First requests of a month, a third of each kind: what is asked again is answered from a cache."""

LEAST = 1e-6
"""In place of a figure of nothing, which has no logarithm."""

SEARCH = ("index, ", "start, ", "text, ")
"""How the figures begin that depend on the search engine: it changes with the number of nodes."""

PARTS = {"s": ("ms", 1000.0), "MB": ("kB", 1000.0)}
"""The unit of a figure of everything, with that of the part of one node or claim."""


class Series(NamedTuple):
    """A figure by the number of nodes or claims, in the order of the numbers."""

    name: str
    values: Mapping[int, float]
    since: int = 0
    """The number from which on the figures are of one kind: smaller ones do not count for the exponent."""

    @property
    def total(self) -> bool:
        """Whether the figure is one of everything, which grows with the number; else of one request."""
        return not self.name.endswith((", ms", " sent"))

    @property
    def last(self) -> int:
        """The largest number that was measured."""
        return max(self.values)

    @property
    def exponent(self) -> float:
        """The slope of the least-squares line on a log-log scale: 1 is in proportion, 0 is constant."""
        if len(self.values) < 2:
            return float("nan")
        like = [size for size in self.values if size > self.since]
        sizes = like if len(like) > 1 else list(self.values)
        found = np.maximum([self.values[size] for size in sizes], LEAST)
        return float(np.polyfit(np.log(sizes), np.log(found), 1)[0])

    @property
    def each(self) -> float:
        """What one more costs: the slope between the two largest numbers, in the unit of the figure."""
        before, last = sorted(self.values)[-2:]
        return (self.values[last] - self.values[before]) / (last - before)

    def at(self, count: int) -> float:
        """The figure at a larger number.

        For a request by the exponent. For everything the larger one of that and the line through the two largest
        numbers: an exponent below 1 comes from what is needed for no node at all, and says too little far away.
        """
        powered = self.values[self.last] * (count / self.last) ** self.exponent
        lined = self.values[self.last] + self.each * (count - self.last)
        return max(powered, lined) if self.total else powered


def series(found: Mapping[int, Mapping[str, float]], engine_from: int = 0) -> dict[str, Series]:
    """The figures by name, in the order in which they were measured first.

    Brains of more than `engine_from` nodes have another search engine than smaller ones.
    """
    names = dict.fromkeys(name for size in sorted(found) for name in found[size])
    return {
        name: Series(
            name,
            {size: found[size][name] for size in sorted(found) if name in found[size]},
            engine_from if name.startswith(SEARCH) else 0,
        )
        for name in names
    }


def table(title: str, one: str, found: Mapping[str, Series], failed: Mapping[tuple[int, str], str]) -> str:
    """The figures of one kind with the slopes; `failed` says why a figure is missing."""
    sizes = sorted({*(size for line in found.values() for size in line.values), *(size for size, _ in failed)})
    heads = ["figure", *(f"{size:,}" for size in sizes), "exponent", f"one {one} more", *(f"at {far:,}" for far in FAR)]
    lines = [f"\n{title}\n", _row(heads), "|---" * len(heads) + "|"]
    for line in found.values():
        cells = [_cell(line, size, failed) for size in sizes]
        far = [_figure(line.at(size)) for size in FAR] if len(line.values) > 1 else ["–", "–"]
        lines.append(_row([line.name, *cells, *_slope(line), *far]))
    return "\n".join(lines)


def _cell(line: Series, size: int, failed: Mapping[tuple[int, str], str]) -> str:
    return _figure(line.values[size]) if size in line.values else failed.get((size, line.name), "–")


def _slope(line: Series) -> tuple[str, str]:
    if len(line.values) < 2:
        return "–", "–"
    unit, factor = PARTS.get(line.name.rpartition(", ")[2].split()[0], ("", 0))
    return f"{line.exponent:.2f}", f"{line.each * factor:.2f} {unit}" if line.total and unit else "–"


def _figure(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:,.1f}" if value >= 10 else f"{value:.2f}"


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


# ---- the monthly cost


class Rate(NamedTuple):
    """What something costs in a month, in USD, and where the number is from."""

    usd: float
    source: str


class Rates(NamedTuple):
    """What a machine is paid for, each in USD: a GB of disk and of memory for a month, an hour of a core, a GB sent."""

    disk: Rate
    memory: Rate
    core: Rate
    sent: Rate


WANTED = {
    "disk": (("storage", "disk"), "USD/GB/month", 0.10),
    "memory": (("memory",), "USD/GB/month", 5.00),
    "core": (("core", "vcpu"), "USD/h", 0.03),
    "sent": (("egress",), "USD/GB", 0.09),
}
"""The components of a price that give a rate, the unit, and the assumption where the catalogue has no such price."""


def rates(book: CatalogBook) -> Rates:
    """The dearest price of each kind that the catalogues state now, else what is assumed."""
    stated = [price for item in book.items() for price in book.prices(item) if price.valid_to is None]
    return Rates(*(_rate(stated, *wanted) for wanted in WANTED.values()))


def _rate(stated: Iterable[Price], components: tuple[str, ...], unit: str, assumed: float) -> Rate:
    fitting = [price for price in stated if price.component in components and price.unit == unit]
    if not fitting:
        return Rate(assumed, "assumed: no price of it in the catalogue")
    dearest = max(fitting, key=lambda price: price.value)
    return Rate(float(dearest.value), f"{dearest.item} in the catalogue {dearest.catalog}")


def cost(nodes: Mapping[str, Series], claims: Mapping[str, Series], paid: Rates) -> str:
    """The monthly cost of one machine for so many nodes, and of as many claims evaluated every night."""
    heads = ["a month of", *(f"{far:,}" for far in FAR)]
    lines = ["\nMonthly cost, USD\n", _row(heads), "|---" * len(heads) + "|"]
    lines += [_row([name, *(f"{line(far):,.2f}" for far in FAR)]) for name, line in _lines(nodes, claims, paid)]
    sources = (f"{name}: {rate.usd:g} USD, {rate.source}" for name, rate in zip(Rates._fields, paid, strict=True))
    return "\n".join([*lines, "", *sources])


def _lines(
    nodes: Mapping[str, Series], claims: Mapping[str, Series], paid: Rates
) -> Iterator[tuple[str, Callable[[int], float]]]:
    """The lines of the cost, each with its USD by the number of nodes or claims."""
    asked = [name for name in ("node", "tag", "text") if f"{name}, ms" in nodes]
    share = ASKED_MONTHLY / max(1, len(asked))
    each = {
        "disk: store and search index": (nodes, ("store, MB of disk", "index, MB of disk"), paid.disk.usd / 1000),
        "memory: a server": (nodes, ("requests, MB of memory",), paid.memory.usd / 1000),
        "memory: `brain ingest` of everything": (nodes, ("ingest, MB of memory",), paid.memory.usd / 1000),
        "memory: `brain ingest` of one changed note": (
            nodes, ("one changed note, MB of memory",), paid.memory.usd / 1000,
        ),
        "memory: the search index is built": (nodes, ("index, MB of memory",), paid.memory.usd / 1000),
        "cores: a million first requests": (nodes, [f"{name}, ms" for name in asked], paid.core.usd / 3.6e6 * share),
        "network: their answers": (nodes, [f"{name}, kB sent" for name in asked], paid.sent.usd / 1e6 * share),
        "disk: the claims": (claims, ("claims, MB of disk",), paid.disk.usd / 1000),
        "disk: thirty first runs": (claims, ("first run, MB of disk",), paid.disk.usd / 1000 * NIGHTS),
        "memory: `brain verify`": (claims, ("verify, MB of memory",), paid.memory.usd / 1000),
        "cores: `brain verify` every night": (claims, ("verify, s",), paid.core.usd / 3600 * NIGHTS),
    }  # fmt: skip
    for name, (found, needed, usd) in each.items():
        lines = [found[one] for one in needed if one in found and len(found[one].values) > 1]
        if lines:
            yield name, partial(_usd, lines, usd)


def _usd(lines: Iterable[Series], usd: float, count: int) -> float:
    return usd * sum(line.at(count) for line in lines)
