"""The tornado chart: how far each input moves the value of a claim over its range, the widest bar first."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from api.pages.charts.chart_series import Point
from api.pages.charts.chart_svg import NARROW, WIDE, Spec, drawn
from api.pages.render.figure_format import figure
from graph.models.verdict_models import Swing

MOST_BARS = 12
_BAR, _MARGIN = 34, 70


def drawable(swings: Sequence[Swing]) -> tuple[Swing, ...]:
    """The swings that have a bar: those with a value at both ends."""
    return tuple(one for one in swings if one.at_low is not None and one.at_high is not None)[:MOST_BARS]


def height(bars: int) -> int:
    """The height of the picture in pixels."""
    return _MARGIN + _BAR * bars


def tornado(swings: Sequence[Swing], now: Point, unit: str, says: str, *, narrow: bool = False) -> bytes:
    """A bar for each swing of `drawable`, the value today as a line, the bounds of the expectation dashed."""
    bars = drawable(swings)
    rows = [_row(one) for one in bars]
    bounds = [float(edge) for edge in dict.fromkeys((now.low, now.high)) if edge is not None]
    values = [float(now.value)] if now.value is not None else []
    ends = [end for row in rows for end in (row["from"], row["to"])]
    reach = _reach([*ends, *bounds, *values], 0.55 if narrow else 0.22)
    across = {
        "type": "quantitative",
        "title": unit or "value",
        "scale": {"domain": reach, "nice": False, "zero": False},
    }
    upward = {
        "field": "input",
        "type": "nominal",
        "sort": None,
        "title": None,
        "axis": {"labelLimit": 110 if narrow else 220, "grid": False},
    }
    layers = [
        _bars(across, upward),
        _ends(across, upward, "from", "right", -5),
        _ends(across, upward, "to", "left", 5),
        *(_line(value, "var(--value)", []) for value in values),
        *(_line(bound, "var(--bound)", [5, 4]) for bound in bounds),
    ]
    spec: Spec = {
        "width": NARROW if narrow else WIDE,
        "height": height(len(bars)),
        "data": {"values": rows},
        "layer": layers,
        "padding": {"top": 6, "left": 4, "right": 8, "bottom": 4},
        "autosize": {"type": "fit", "contains": "padding"},
    }
    return drawn(spec, "The value over the range of each input", says)


def _row(one: Swing) -> dict[str, Any]:
    ends = sorted(((float(one.at_low or 0), one.low), (float(one.at_high or 0), one.high)), key=lambda end: end[0])
    (left, first), (right, last) = ends
    return {
        "input": one.input, "from": left, "to": right,
        "from_text": figure(first, one.unit), "to_text": figure(last, one.unit),
    }  # fmt: skip


def _reach(values: Sequence[float], share: float) -> list[float]:
    """The range of the axis, with room for the words at the ends of the bars."""
    low, high = min(values), max(values)
    room = (high - low) * share or abs(high) * 0.1 or 1.0
    return [low - room, high + room]


def _bars(across: Spec, upward: Spec) -> Spec:
    mark = {"type": "bar", "height": 16, "color": "var(--value)", "opacity": 0.75}
    return {"mark": mark, "encoding": {"x": {"field": "from", **across}, "x2": {"field": "to"}, "y": upward}}


def _ends(across: Spec, upward: Spec, field: str, align: str, shift: int) -> Spec:
    mark = {"type": "text", "align": align, "dx": shift, "color": "var(--ink)"}
    text = {"field": f"{field}_text", "type": "nominal"}
    return {"mark": mark, "encoding": {"x": {"field": field, **across}, "y": upward, "text": text}}


def _line(at: float, color: str, dash: list[int]) -> Spec:
    mark = {"type": "rule", "color": color, "strokeWidth": 1.4, "strokeDash": dash}
    return {"data": {"values": [{}]}, "mark": mark, "encoding": {"x": {"datum": at, "type": "quantitative"}}}


def described(swings: Sequence[Swing], unit: str) -> str:
    """What the chart shows, for those who cannot see it."""
    return "; ".join(_described(one, unit) for one in swings) + "."


def _described(one: Swing, unit: str) -> str:
    ends = f"{figure(one.low, one.unit)} to {figure(one.high, one.unit)}"
    return f"{one.input} from {ends}: {_value(one.at_low, unit)} to {_value(one.at_high, unit)}"


def _value(value: Decimal | None, unit: str) -> str:
    return "undefined" if value is None else figure(value, unit)
