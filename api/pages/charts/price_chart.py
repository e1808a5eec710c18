"""The chart of a price: one step line for each catalogue and kind of price, with gaps where none is known."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from api.pages.charts.chart_svg import PIECES, TIME, Spec, drawn, layered, today_rule
from compute.prices.price_models import Price


def price_over_time(prices: Sequence[Price], today: date, says: str, *, narrow: bool = False) -> bytes:
    """A price as steps, one line for each catalogue and kind of price."""
    ordered = sorted(prices, key=lambda price: price.valid_from or date.min)  # at a border the earlier is drawn first
    rows = [row for price in ordered for row in _interval(price, prices, today)]
    top = 1.08 * max(row["value"] for row in rows) or 1
    encoding = {
        "x": TIME,
        "y": {
            "field": "value",
            "type": "quantitative",
            "title": prices[0].unit,
            "scale": {"zero": True, "domainMax": top},
        },
        "color": _colours(list(dict.fromkeys(row["series"] for row in rows))),
        **PIECES,
    }
    mark = {"type": "line", "interpolate": "step-after", "strokeWidth": 2, "clip": True}
    layers = [{"mark": mark, "encoding": encoding}, today_rule(today)]
    return drawn(layered(rows, layers, narrow), "The price over time", says)


def _colours(names: Sequence[str]) -> Spec:
    """A colour for each line, listed below the chart if there are several."""
    colours = ["var(--value)", "var(--bound)", "var(--good)", "var(--bad)", "var(--soft)"] * len(names)
    legend = {
        "orient": "bottom",
        "direction": "vertical",
        "labelColor": "var(--soft)",
        "labelLimit": 560,
        "labelFontSize": 12,
    }
    return {
        "field": "series",
        "type": "nominal",
        "title": None,
        "scale": {"domain": list(names), "range": colours[: len(names)]},
        "legend": {**legend, "symbolType": "stroke"} if len(names) > 1 else None,
    }


def _interval(price: Price, prices: Sequence[Price], today: date) -> list[dict[str, Any]]:
    """Both ends of a price; one that is open begins at the first day known of any, and ends today or later."""
    days = [day for one in prices for day in (one.valid_from, one.valid_to) if day is not None]
    start = price.valid_from or min([*days, today.replace(year=today.year - 1)])
    end = price.valid_to or _afterwards([*days, today])
    name = price.catalog
    name += f" · above {price.above:,} tokens" if price.above else ""
    name += f" · {price.region}" if price.region else ""
    row = {"series": name, "value": float(price.value), "piece": _piece(name, price, prices)}
    return [{**row, "at": f"{start}T00:00:00"}, {**row, "at": f"{end}T00:00:00"}]


def _afterwards(days: Sequence[date]) -> date:
    """A little after the last of these days: a price that begins on it is a step with a tread."""
    return max(days) + (max(days) - min(days)) / 20


def _piece(name: str, price: Price, prices: Sequence[Price]) -> str:
    """Prices that follow one another without a gap are one line; a gap begins another."""
    start = price
    while before := next((one for one in prices if one is not start and _follows(one, start)), None):
        start = before
    return f"{name} {start.valid_from}"


def _follows(before: Price, price: Price) -> bool:
    kind = (before.catalog, before.above, before.region) == (price.catalog, price.above, price.region)
    return kind and before.valid_to is not None and before.valid_to == price.valid_from
