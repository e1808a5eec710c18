"""Charts as SVG, made on the server without a browser.

Only this module and `chart_program` use the charts library. A chart is a separate image, so caches can store it; it
follows the reader's light or dark scheme. Its colours are variables, given once at its head, so a chart looks like
the page around it.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from api.pages.charts.chart_process import PROCESS

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
