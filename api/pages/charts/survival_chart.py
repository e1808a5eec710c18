"""The survival of figures as a picture: the share that still holds by age, a step line for each group."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from api.pages.charts.picture import Scheme, cut, line, picture, text
from compute.record.record import Record, RecordGroup
from compute.record.record_text import basis_text, percent
from compute.record.survival import CurvePoint

WIDE, NARROW = (1200, 675), (680, 760)
"""The size in pixels: for a post and a wide page, and for a small screen, which shows it at half of that."""

MOST_LINES = 5
_COLOURS = ("one", "two", "three", "four", "five")
_BY = {"kind": "kind of note", "asserted_by": "who states them", "input": "price", "model": "model"}
_TICKS = (0, 30, 90, 180, 365, 730, 1095, 1825)


@dataclass(frozen=True, slots=True)
class _Plot:
    """The area of the curves in pixels; `days` is the age at its right edge, `floor` the share at its lower edge."""

    left: float
    top: float
    width: float
    height: float
    days: int
    floor: float

    def x(self, day: float) -> float:
        return self.left + self.width * min(day, self.days) / self.days

    def y(self, share: float) -> float:
        return self.top + self.height * (1 - share) / (1 - self.floor)


def drawable(found: Record) -> tuple[RecordGroup, ...]:
    """The groups that have a curve, at most `MOST_LINES`, the largest first."""
    return tuple(one for one in found.groups if len(one.curve) > 1)[:MOST_LINES]


def described(found: Record) -> str:
    """What the picture shows, for those who cannot see it."""
    return "; ".join(_described(one) for one in drawable(found)) or "no group has enough figures"


def _described(one: RecordGroup) -> str:
    shares = [f"{percent(share)} after {day} days" for day, share in one.alive.items() if share is not None]
    return f"{one.value}: {one.true_when_written} figures, {', '.join(shares) or 'no share yet'}"


def survival_chart(found: Record, source: str, *, narrow: bool = False, scheme: Scheme = Scheme.AUTO) -> bytes:
    """The picture of a record with its title, its source and the day in it."""
    size, shown = NARROW if narrow else WIDE, drawable(found)
    plot = _plot(size, shown, narrow=narrow)
    parts = [*_head(found, shown, narrow=narrow), *_axes(plot, narrow=narrow)]
    if len(shown) == 1:
        parts.append(_band(plot, shown[0].curve))
    for one, colour in zip(shown, _COLOURS, strict=False):
        parts.append(_curve(plot, one, colour))
    parts += _labels(plot, shown, narrow=narrow)
    parts.append(
        text((40, size[1] - 26), cut(f"{source} · {found.as_of.isoformat()}", 60 if narrow else 120), 17, "soft")
    )
    return picture(size, "How long figures live", described(found), parts, scheme)


def _plot(size: tuple[int, int], shown: Sequence[RecordGroup], *, narrow: bool) -> _Plot:
    """The area for the curves: as many days as one of them has, and a floor below the lowest share."""
    longest = max((one.observed_until for one in shown), default=365)
    days = next((tick for tick in _TICKS[3:] if tick >= min(longest, 730)), 730)
    lowest = min((float(_until(one, days)) for one in shown), default=0.5)
    floor = max(0.0, (int(lowest * 10) - 1) / 10)
    below = 60 + 30 * len(shown) if narrow else 0
    return _Plot(88, 150, size[0] - (124 if narrow else 360), size[1] - 250 - below, days, floor)


def _until(one: RecordGroup, days: int) -> float:
    return min(float(point.alive) for point in one.curve if point.day <= days)


def _head(found: Record, shown: Sequence[RecordGroup], *, narrow: bool) -> Iterator[str]:
    yield text((40, 58), "How long figures live", 36, more=' font-weight="600"')
    by = f"; by {_BY.get(found.groups[0].by, found.groups[0].by)}" if len(shown) > 1 else ""
    counted = f": {shown[0].true_when_written:,} figures true when written" if len(shown) == 1 else ""
    told = f"Share that still holds, by age in days{by}{counted}"
    yield text((40, 92), told if narrow else f"{told} ({basis_text(found)})", 19, "soft")


def _axes(plot: _Plot, *, narrow: bool) -> Iterator[str]:
    step = 0.1 if plot.floor >= 0.5 else 0.2
    share = 1.0
    while share >= plot.floor - 1e-9:
        at = plot.y(share)
        yield line((plot.left, at), (plot.left + plot.width, at))
        yield text((plot.left - 12, at + 6), f"{round(share * 100)}%", 17, "soft", anchor="end")
        share -= step
    bottom = plot.y(plot.floor)
    for day in (tick for tick in _TICKS if tick <= plot.days and not (narrow and tick == 30)):
        yield line((plot.x(day), bottom), (plot.x(day), bottom + 6), "soft")
        if day != 30:  # its label would overlap that of the start
            yield text((plot.x(day), bottom + 28), _age(day), 17, "soft", anchor="middle")


def _age(day: int) -> str:
    if day and day % 365 == 0:
        return f"{day // 365} year{'s' if day > 365 else ''}"
    return f"{day} days" if day else "0"


def _steps(plot: _Plot, curve: Sequence[CurvePoint], until: int) -> list[tuple[float, float]]:
    """The corners of a step line up to an age."""
    shown = [point for point in curve if point.day <= plot.days]
    corners: list[tuple[float, float]] = []
    for point in shown:
        if corners:
            corners.append((plot.x(point.day), corners[-1][1]))
        corners.append((plot.x(point.day), plot.y(float(point.alive))))
    return [*corners, (plot.x(min(until, plot.days)), corners[-1][1])]


def _curve(plot: _Plot, one: RecordGroup, colour: str) -> str:
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in _steps(plot, one.curve, one.observed_until))
    return (
        f'<polyline points="{points}" fill="none" stroke="var(--{colour})" stroke-width="4" stroke-linejoin="round"/>'
    )


def _band(plot: _Plot, curve: Sequence[CurvePoint]) -> str:
    """The 95% interval around one curve, as far as the plot reaches down."""
    until = curve[-1].day
    high = _steps(plot, [point.model_copy(update={"alive": point.high}) for point in curve], until)
    low = _steps(
        plot, [point.model_copy(update={"alive": max(float(point.low), plot.floor)}) for point in curve], until
    )
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in [*high, *reversed(low)])
    return f'<polygon points="{points}" fill="var(--one)" opacity="0.15"/>'


def _labels(plot: _Plot, shown: Sequence[RecordGroup], *, narrow: bool) -> Iterator[str]:
    """The name of each group at the end of its line, below each other without overlap; on small screens in a list."""
    if narrow:
        top = plot.y(plot.floor) + 70
        for number, (one, colour) in enumerate(zip(shown, _COLOURS, strict=False)):
            yield text((40, top + 30 * number), f"{_name(one)}  {_summary(one)}", 19, colour)
        return
    last = plot.top - 30.0
    ends = sorted(zip(shown, _COLOURS, strict=False), key=lambda pair: -_last(pair[0], plot.days))
    for one, colour in ends:
        last = max(plot.y(_last(one, plot.days)) + 6, last + 48)
        at = plot.left + plot.width + 16
        yield text((at, last), _name(one), 19, colour, more=' font-weight="600"')
        yield text((at, last + 21), _summary(one), 16, "soft")


def _name(one: RecordGroup) -> str:
    return "all figures" if one.by == "all" else cut(one.value, 24)


def _last(one: RecordGroup, days: int) -> float:
    return float([point.alive for point in one.curve if point.day <= days][-1])


def _summary(one: RecordGroup) -> str:
    year = one.alive["365"]
    told = f"{percent(year)} after a year, " if year is not None else ""
    return f"{told}{one.broken} of {one.true_when_written:,} broke"
