"""Figures in definitions: numbers with their units, and differences between definitions of one term.

~20 tokens per parameter        20 token
2-3x speedup                    2 to 3 x
values 0–255                    no unit, so nothing to compare
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from decimal import Decimal
from typing import NamedTuple

from graph.models.node_models import Node
from ingest.text.prose_masks import masked

_UNITS = {
    "%": "%", "percent": "%", "percentage": "%", "x": "x", "×": "x", "times": "x", "fold": "x",
    "bit": "bit", "byte": "byte", "token": "token", "parameter": "parameter", "param": "parameter",
    "example": "example", "sample": "sample", "step": "step", "stage": "stage", "layer": "layer", "head": "head",
    "expert": "expert", "dimension": "dimension", "second": "s", "sec": "s", "s": "s", "ms": "ms", "millisecond": "ms",
    "minute": "min", "min": "min", "hour": "h", "h": "h", "day": "day", "month": "month", "year": "year", "yr": "year",
    "kb": "KB", "mb": "MB", "gb": "GB", "tb": "TB", "pb": "PB", "kib": "KiB", "mib": "MiB", "gib": "GiB",
    "w": "W", "kw": "kW", "mw": "MW", "kwh": "kWh", "flops": "FLOPS", "tflops": "TFLOPS", "pflops": "PFLOPS",
    "gpu": "GPU", "node": "node", "request": "request", "query": "query", "dollar": "USD", "usd": "USD",
}  # fmt: skip  # one line per group is more readable than sixty lines
_SCALES = {"k": Decimal(10) ** 3, "m": Decimal(10) ** 6, "b": Decimal(10) ** 9, "t": Decimal(10) ** 12}
_NUMBER = r"\d{1,15}(?:,\d{3})*(?:\.\d{1,12})?"
_FIGURE = re.compile(
    rf"(?<![\w.,-])(?P<money>\$)?(?P<low>{_NUMBER})(?P<low_scale>[kKMBT](?![a-zA-Z]))?"
    rf"(?:\s?(?:-|–|—|to)\s?\$?(?P<high>{_NUMBER})(?P<high_scale>[kKMBT](?![a-zA-Z]))?)?"
    rf"\+?(?:\s?-?\s?(?P<unit>%|×|[a-zA-Z]+))?"
)


class Figure(NamedTuple):
    """A number or a range as a definition states it: `low` equals `high` for a single number; `text` as written."""

    low: Decimal
    high: Decimal
    unit: str
    text: str


class Difference(NamedTuple):
    """Definitions of one term that state different figures in one unit: each node's figures, as written."""

    unit: str
    figures: tuple[tuple[str, tuple[str, ...]], ...]


def figures(text: str) -> tuple[Figure, ...]:
    """The figures with a unit in a text, outside names, code and addresses."""
    found = (_figure(match) for match in _FIGURE.finditer(masked(text)))
    return tuple(figure for figure in found if figure is not None)


def _figure(match: re.Match[str]) -> Figure | None:
    unit = "USD" if match["money"] else _unit(match["unit"] or "")
    if unit is None:
        return None
    low_scale, high_scale = match["low_scale"], match["high_scale"]
    low = _number(match["low"], low_scale or (high_scale if match["high"] else None))
    high = _number(match["high"], high_scale) if match["high"] else low
    return Figure(min(low, high), max(low, high), unit, " ".join(match[0].split()))


def _number(digits: str, scale: str | None) -> Decimal:
    return Decimal(digits.replace(",", "")) * _SCALES.get((scale or "").lower(), Decimal(1))


def _unit(word: str) -> str | None:
    word = word.lower()
    singular = word[:-3] + "y" if word.endswith("ies") else word.removesuffix("s")
    return _UNITS.get(word) or _UNITS.get(singular)


def differences(nodes: Iterable[Node]) -> tuple[Difference, ...]:
    """Units in which two definitions of a term state different figures."""
    stated: dict[str, dict[str, list[Figure]]] = defaultdict(dict)
    for node in nodes:
        for figure in figures(node.body):
            stated[figure.unit].setdefault(node.id, []).append(figure)
    return tuple(
        Difference(
            unit, tuple((node, tuple(dict.fromkeys(one.text for one in found))) for node, found in given.items())
        )
        for unit, given in sorted(stated.items())
        if len({frozenset((one.low, one.high) for one in found) for found in given.values()}) > 1
    )
