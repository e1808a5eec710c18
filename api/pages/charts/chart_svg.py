"""Charts as SVG, made on the server without a browser.

Only this module and `chart_program` use the charts library. A chart is a separate image, so caches can store it; it
follows the reader's light or dark scheme. Its colours are variables, given once at its head, so a chart looks like
the page around it.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from itertools import zip_longest
from typing import Any

from api.pages.charts.chart_process import PROCESS
from api.pages.charts.chart_series import Point, Series

Spec = dict[str, Any]

WIDE, NARROW, HEIGHT = 690, 340, 300
"""The size of a picture with all that belongs to it; a page keeps the place free before it has come."""

_SANS = "'Helvetica Neue', 'Liberation Sans', Arial, sans-serif"

_SCHEMES = """
svg{--ink:#24211c;--soft:#625c52;--line:#ddd7cb;--value:#1f5673;--bound:#8a5a00;--band:#8a5a00;--good:#2b6a46;--bad:#a32a2f}
@media(prefers-color-scheme:dark){
svg{--ink:#e9e5dc;--soft:#a9a296;--line:#3a3834;--value:#7fb8d8;--bound:#dca94a;--band:#dca94a;--good:#7cc79a;--bad:#ef8e8b}}
"""

_CONFIG: Spec = {
    "background": "transparent",
    "font": _SANS,
    "view": {"stroke": None},
    "axis": {
        "labelColor": "var(--soft)",
        "titleColor": "var(--soft)",
        "gridColor": "var(--line)",
        "domainColor": "var(--line)",
        "tickColor": "var(--line)",
        "labelFontSize": 12,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
        "labelPadding": 5,
        "domain": False,
        "grid": False,
    },
    "axisY": {
        "grid": True,
        "ticks": False,
        "titleAngle": 0,
        "titleAlign": "left",
        "titleAnchor": "end",
        "titleX": -44,
        "titleY": -10,
    },
    "axisX": {"labelFlush": True, "labelOverlap": "greedy", "labelSeparation": 10},
    "text": {"color": "var(--soft)", "font": _SANS, "fontSize": 12},
}


TIME: Spec = {"field": "at", "type": "temporal", "title": None, "axis": {"format": "%b %Y", "tickCount": 6}}
"""The axis of days."""

LARGE = 100_000
"""From here on an axis writes 100k, 1M, 1G."""

WORDED = (
    "abs(datum.value) >= 1e12 ? format(datum.value / 1e12, ',~f') + ' trillion'"
    " : abs(datum.value) >= 1e9 ? format(datum.value / 1e9, ',~f') + ' billion' : datum.label"
)
"""An upward axis writes what is large as sentences do: 2 trillion."""

_FIT: Spec = {"autosize": {"type": "fit", "contains": "padding"}}

PIECES: Spec = {"detail": {"field": "piece", "type": "nominal"}}
"""Stretches with a gap between them are lines of their own."""


def drawn(spec: Spec, title: str, description: str) -> bytes:
    """A chart with a title and a description for screen readers."""
    svg = PROCESS.svg({"$schema": "https://vega.github.io/schema/vega-lite/v5.json", **spec, "config": _CONFIG})
    labels = f'<title id="t">{html.escape(title)}</title><desc id="d">{html.escape(description)}</desc>'
    head = f"{labels}<style>{_SCHEMES}</style>"
    opened = re.sub(r"^<svg ", '<svg role="img" aria-labelledby="t d" ', svg, count=1)
    return opened.replace(">", ">" + head, 1).encode()


def value_over_time(series: Series, today: date, says: str, *, narrow: bool = False) -> bytes:
    """A claim's value as steps, its bound as a band or a line, today as a rule; what lies ahead is dashed."""
    rows = _steps(series.points)
    marks = [
        *_bounds("at", "temporal", series, rows),
        _value_line(TIME, series, "step-after"),
        today_rule(today),
    ]
    return drawn(layered(rows, marks, narrow), "The value over time", says)


def value_over_input(
    series: Series, places: tuple[Decimal, Decimal | None], label: str, says: str, *, narrow: bool = False
) -> bytes:
    """A claim's value against one input, with `places` marked: its value today, and where the verdict changes."""
    now, flip = places
    rows = [_row(point) for point in series.points]
    here = min(rows, key=lambda row: abs(row["at"] - float(now)))
    reach = _focus(rows, here)
    axis = {"tickCount": 4 if narrow else 7, "format": "~s" if rows[-1]["at"] >= LARGE else "~f"}
    across = {
        "field": "at",
        "type": "quantitative",
        "title": label,
        "scale": {"nice": False, "zero": True},
        "axis": axis,
    }
    marks = [*_bounds("at", "quantitative", series, rows, reach), _value_line(across, series, "linear", reach)]
    marks += [_spot(here)] if here["value"] is not None else []
    marks += _rules([(float(now), "today")] + ([(float(flip), "verdict changes")] if flip is not None else []))
    return drawn(layered(rows, marks, narrow), f"The value against {label}", says)


def today_rule(today: date) -> Spec:
    """An upright line at today."""
    at = f"datetime({today.year}, {today.month - 1}, {today.day})"
    return _rule({"datum": {"expr": at}, "type": "temporal"}, "today")


def layered(rows: Sequence[Mapping[str, Any]], layers: Sequence[Spec], narrow: bool) -> Spec:
    """Layers over the same rows, in the size for a wide or a narrow screen."""
    room = {"top": 16, "left": 4, "right": 14, "bottom": 4}
    width = NARROW if narrow else WIDE
    return {
        "width": width,
        "height": HEIGHT,
        "data": {"values": list(rows)},
        "layer": list(layers),
        "padding": room,
        **_FIT,
    }


def _value_line(across: Spec, series: Series, shape: str, reach: tuple[float, float] | None = None) -> Spec:
    return {
        "mark": {"type": "line", "interpolate": shape, "color": "var(--value)", "strokeWidth": 2.5, "clip": True},
        "encoding": {"x": across, "y": _upward("value", series, reach), **PIECES},
    }  # fmt: skip


def _spot(row: Mapping[str, Any]) -> Spec:
    """Where the value is today."""
    across, up = {"field": "at", "type": "quantitative"}, {"field": "value", "type": "quantitative"}
    mark = {"type": "point", "filled": True, "size": 70, "opacity": 1, "color": "var(--value)"}
    return {"data": {"values": [dict(row)]}, "mark": mark, "encoding": {"x": across, "y": up}}


def _focus(rows: Sequence[Mapping[str, Any]], here: Mapping[str, Any]) -> tuple[float, float] | None:
    """The values to be shown: today's and the bound, with twice their distance around them.

    None where there is no distance to go by.
    """
    near = [part for part in (here["value"], here["low"], here["high"]) if part is not None]
    if here["value"] is None or len(near) < 2 or max(near) == min(near):
        return None
    room = 2 * (max(near) - min(near))
    known = [part for row in rows for part in (row["value"], row["low"], row["high"]) if part is not None]
    return max(min(known), min(near) - room), min(max(known), max(near) + room)


def _upward(field: str, series: Series, focus: tuple[float, float] | None = None) -> Spec:
    values = [part for point in series.points for part in (point.value, point.low, point.high) if part is not None]
    reach = _reach(values, [part for point in series.points for part in (point.low, point.high) if part is not None])
    scale: Spec = {"zero": False, "nice": True}
    if reach is not None:
        scale["domain"] = list(focus or reach)
    axis = {"axis": {"labelExpr": WORDED}} if max(map(abs, values), default=0) >= 10**9 else {}
    return {"field": field, "type": "quantitative", "title": series.unit or "value", "scale": scale, **axis}


def _reach(values: Sequence[Decimal], bounds: Sequence[Decimal]) -> tuple[float, float] | None:
    """The range of the axis: everything, unless a pole would flatten what matters; then five times the bound."""
    if not values:
        return None
    low, high = float(min(values)), float(max(values))
    edge = max((abs(float(bound)) for bound in bounds), default=0.0)
    if edge and high > 5 * edge:
        high = 5 * edge
    if edge and low < -5 * edge:
        low = -5 * edge
    room = (high - low) * 0.08 or abs(high) * 0.1 or 1.0
    return (low - room if low < 0 or low - room > 0 else 0.0, high + room)


def _bounds(
    field: str, sort: str, series: Series, rows: Sequence[Mapping[str, Any]], reach: tuple[float, float] | None = None
) -> list[Spec]:
    """What is expected: a band between two bounds, or a dashed line at one."""
    across = {"field": field, "type": sort}
    shape = "step-after" if sort == "temporal" else "linear"
    found: list[Spec] = []
    if any(row["low"] is not None and row["high"] is not None and row["low"] != row["high"] for row in rows):
        band: Spec = {
            "mark": {"type": "area", "interpolate": shape, "color": "var(--band)", "opacity": 0.16, "clip": True}
        }
        band["encoding"] = {"x": across, "y": _upward("low", series, reach), "y2": {"field": "high"}, **PIECES}
        found.append(band)
    for edge in ("low", "high"):
        if any(row[edge] is not None for row in rows):
            mark = {
                "type": "line",
                "interpolate": shape,
                "color": "var(--bound)",
                "strokeWidth": 1.4,
                "strokeDash": [5, 4],
                "clip": True,
            }
            found.append({"mark": mark, "encoding": {"x": across, "y": _upward(edge, series, reach), **PIECES}})
    return found


def _rule(across: Spec, word: str, align: str = "right") -> Spec:
    """An upright line with a word at its head, on its left or its right."""
    line = {"mark": {"type": "rule", "color": "var(--soft)", "strokeWidth": 1}, "encoding": {"x": across}}
    text_mark = {
        "type": "text",
        "text": word,
        "align": align,
        "baseline": "top",
        "dx": -5 if align == "right" else 5,
        "color": "var(--soft)",
    }
    once: Spec = {"values": [{}]}  # of its own, or it would be drawn again for every row
    return {"data": once, "layer": [line, {"mark": text_mark, "encoding": {"x": across, "y": {"value": 0}}}]}


def _rules(places: Iterable[tuple[float, str]]) -> list[Spec]:
    """Up to two lines, their words on the outer sides."""
    sides = ("right", "left")
    ordered = enumerate(sorted(places))
    return [_rule({"datum": at, "type": "quantitative"}, word, sides[number % 2]) for number, (at, word) in ordered]


def _row(point: Point) -> dict[str, Any]:
    at = point.at.isoformat() if isinstance(point.at, date) else float(point.at)
    return {"at": at, "piece": 0, "value": _float(point.value), "low": _float(point.low), "high": _float(point.high)}


def _steps(points: Sequence[Point]) -> list[dict[str, Any]]:
    """Rows of points in time, each stretch without a gap a piece that reaches to where the next point begins.

    A date is written with its hour, or it would be shown in another zone.
    """
    rows, piece = [], 0
    for point, following in zip_longest(points, points[1:]):
        if point.value is None:
            continue
        rows.append({**_row(point), "at": f"{point.at}T00:00:00", "piece": piece})
        if following is not None and following.value is None:
            rows.append({**_row(point), "at": f"{following.at}T00:00:00", "piece": piece})
            piece += 1
    return rows


def _float(value: Decimal | None) -> float | None:
    """A figure for drawing: pixels need no more digits than a float has."""
    return None if value is None else float(value)
