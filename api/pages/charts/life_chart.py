"""The life line of a claim as a picture: its strip of days, and below it the changes with their causes."""

from __future__ import annotations

from collections.abc import Iterator

from api.pages.charts.chart_frame import MARGIN, ChartFrame, framed
from api.pages.charts.picture import STATE_COLOURS, Scheme, cut, text
from api.pages.charts.plot_area import LABEL, Area, across_axis, days_axis
from api.pages.render import life_strip
from api.pages.render.figure_format import readable, short_day
from compute.record.life_models import LifeLine, LifeState, LifeTurn
from compute.record.record_text import life_text, turn_text

WIDTH = 690
MOST_TURNS = 6
_STRIP, _STEP = 34, 22

_WORDS = (("good", "holds"), ("bad", "fails"), ("two", "fails by prices that are not dated"), ("unknown", "not known"))


def life_chart(life: LifeLine, frame: ChartFrame, scheme: Scheme = Scheme.AUTO) -> bytes:
    """The picture; of many changes the last ones are listed."""
    shown = life.turns[-MOST_TURNS:]
    top = frame.top(WIDTH)
    below = top + _STRIP + 34
    size = (WIDTH, int(below + 26 + _STEP * max(1, len(shown)) + frame.bottom() + 14))
    parts = [*_strip(life, top), *_legend(below), *_changes(life, shown, below + 30)]
    return framed(frame, size, parts, f"{life_text(life)}.", scheme)


def _strip(life: LifeLine, top: float) -> Iterator[str]:
    strip, wide = life_strip.bars(life), WIDTH - 2 * MARGIN
    scale = wide / life_strip.WIDTH
    for bar in strip.bars:
        colour = "two" if bar.undated else STATE_COLOURS[LifeState(bar.state)]
        shade = ' opacity="0.45"' if bar.ahead else ""
        yield (
            f'<rect x="{MARGIN + bar.x * scale:.1f}" y="{top:.1f}" width="{bar.width * scale:.1f}" height="{_STRIP}" '
            f'fill="var(--{colour})"{shade}/>'
        )
    first, last = strip.first.toordinal(), strip.last.toordinal()
    area = Area(MARGIN, top, wide, _STRIP, first, max(last, first + 1), 0, 1)
    yield from across_axis(area, days_axis(strip.first, strip.last, 7))


def _legend(top: float) -> Iterator[str]:
    x = float(MARGIN)
    for colour, words in _WORDS:
        yield f'<rect x="{x:.1f}" y="{top - 10:.1f}" width="11" height="11" fill="var(--{colour})"/>'
        yield text((x + 16, top), words, LABEL, "soft")
        x += 16 + 6.6 * len(words) + 18


def _changes(life: LifeLine, shown: tuple[LifeTurn, ...], top: float) -> Iterator[str]:
    if not shown:
        words = "It reads figures of texts only: no price changes it." if life.fixed else "No price has changed it."
        yield text((MARGIN, top), words, 14)
    for number, turn in enumerate(shown):
        announced = " (announced)" if turn.day > life.today else ""
        words = f"{short_day(turn.day)}{announced}: {readable(turn_text(turn))}"
        yield text((MARGIN, top + _STEP * number), cut(words, 96), 13)
