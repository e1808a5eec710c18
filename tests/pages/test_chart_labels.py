"""The labels of a chart stand where no line goes through them."""

import re
from datetime import date
from decimal import Decimal
from itertools import pairwise

import pytest

from api.pages.charts.chart_frame import ChartFrame
from api.pages.charts.chart_series import Point, Series
from api.pages.charts.value_chart import MEDIUM, NARROW, WIDE, value_chart

TODAY = date(2026, 11, 27)
DAYS = (date(2025, 1, 1), date(2025, 9, 1), date(2026, 6, 1), TODAY, date(2027, 3, 1))
FRAME = ChartFrame("A discount", "", "cards", TODAY, "brain.example/claims/discount")


def crossed(svg):
    """The lines that go through the word at today, and whether the figure of today does."""
    x, y = map(float, re.search(r'<text x="([\d.]+)" y="([\d.]+)"[^>]*>today</text>', svg).groups())
    left, right, top, bottom = x - 33, x, y - 10, y + 3
    lines = [
        [tuple(map(float, corner.split(","))) for corner in points.split()]
        for points in re.findall(r'<polyline points="([^"]+)"', svg)
    ]
    found = [
        line
        for line in lines
        for (x0, y0), (x1, y1) in pairwise(line)
        if min(x0, x1) < right and max(x0, x1) > left and min(y0, y1) < bottom and max(y0, y1) > top
    ]
    figure = float(re.search(r'<text x="[\d.]+" y="([\d.]+)" [^>]*font-weight="600"[^>]*>[\d.]+%</text>', svg)[1])
    return found, bottom > figure - 10 and top < figure + 2


@pytest.mark.parametrize("size", [WIDE, MEDIUM, NARROW])
@pytest.mark.parametrize(
    "values", [(90, 90, 97, 98, 98), (98, 98, 97, 90, 90), (95, 97, 97, 97, 97), (1, 99, 1, 99, 1)]
)
@pytest.mark.parametrize("bounds", [(None, None), (94, 96), (80, 99)])
def test_the_word_at_today_stands_beside_the_values_the_bounds_and_the_figure(values, bounds, size):
    low, high = (None if one is None else Decimal(one) for one in bounds)
    points = tuple(Point(day, Decimal(value), low, high, None) for day, value in zip(DAYS, values, strict=True))
    svg = value_chart(Series(points, "%"), TODAY, FRAME, "A discount", size).decode()
    assert crossed(svg) == ([], False)
