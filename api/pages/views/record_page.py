"""How long figures live: chart, table by group, and broken figures by cause."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from urllib.parse import urlencode

from api.pages.charts.chart import NARROW, WIDE, Chart, Corner, Frame, Line, Size, framed_image, plots, stepped
from api.pages.page_request import PageRequest, RawResponse, TemplateResponse, page_of
from api.pages.render.figure_format import cut, plural
from api.pages.render.strips import life_strips
from api.pages.views.claim_table import PageContext
from compute.record.record import DAYS, Basis, BrokenFigure, GroupField, Record, RecordGroup, basis_text, percent
from graph.groups import group_by

MOST_LINES, MOST_BROKEN = 5, 60  # how many groups are drawn, and how many broken figures are listed
FEW = 20  # fewer figures under observation make a curve pale

_COLOURS = ("one", "two", "three", "four", "five")
_BY = {"kind": "kind of note", "asserted_by": "who states them", "input": "price", "model": "model"}
_TICKS = (0, 182, 365, 547, 730, 1095, 1825)


def page(context: PageContext, request: PageRequest) -> TemplateResponse:
    """The record, by hindsight or by the ledger. Raises PageRequestError for an unknown field, basis or day."""
    found = _requested(context, request)
    broken, shown = found.broken[:MOST_BROKEN], _drawable(found)
    query = urlencode([(name, value) for name in ("by", "basis", "as_of") if (value := request.text(name))])
    lives = context.brain.record.lives_of([one.claim for one in broken], request.today)
    return page_of(
        "record.html",
        found=found,
        causes=[
            (group, tuple({(move.item, move.component): move for one in group for move in one.moves}.values()))
            for group in group_by(broken, _what_broke).values()
        ],
        lives=life_strips(lives),
        days_of=lives,
        titles=context.brain.nodes.refs(sorted({one.node for one in broken})),
        days=DAYS,
        described=_described(shown),
        plots=plots(lambda size: _survival_chart(shown, size)) if shown else (),
        picture=f"?{query}" if query else "",
    )


def _what_broke(one: BrokenFigure) -> tuple[date, str]:
    return one.day, next((move.item or move.name for move in one.moves), one.claim)


def _requested(context: PageContext, request: PageRequest) -> Record:
    by = request.one_of("by", [one.value for one in GroupField])
    basis = request.one_of("basis", [one.value for one in Basis])
    chosen = GroupField(by) if by else None
    return context.brain.record.record(request.day, Basis(basis) if basis else Basis.HINDSIGHT, chosen)


def record_image(context: PageContext, request: PageRequest) -> RawResponse:
    """The picture of a record. Raises PageRequestError for unknown parameters."""
    found = _requested(context, request)
    shown = _drawable(found)
    by = f", by {_BY.get(shown[0].by, shown[0].by)}" if len(shown) > 1 else ""
    shaded = "; shaded: the 95% interval" if len(shown) == 1 else ""
    what = f"Share of figures that still hold, by their age{by}; {basis_text(found)}{shaded}; pale: fewer than {FEW}"
    broke, true = sum(one.broken for one in shown), sum(one.true_when_written for one in shown)
    source = f"{broke:,} of {true:,} broke that were true when written"
    frame = Frame("How long figures live", what, source, found.as_of, request.address_of("/record"))
    return framed_image(request, _survival_chart(shown), frame, _described(shown) or "no group has enough figures")


def _drawable(found: Record) -> tuple[RecordGroup, ...]:
    """The largest groups that have a curve."""
    return tuple(one for one in found.groups if len(one.curve) > 1)[:MOST_LINES]


def _described(shown: Sequence[RecordGroup]) -> str:
    groups = []
    for one in shown:
        shares = [f"{percent(share)} after {day} days" for day, share in one.alive.items() if share is not None]
        groups.append(f"{one.value}: {one.true_when_written} figures, {', '.join(shares) or 'no share yet'}")
    return "; ".join(groups)


def _survival_chart(shown: Sequence[RecordGroup], size: Size = WIDE) -> Chart:
    """Curves up to the longest observation, with the 95% interval of a single one."""
    longest = max((one.observed_until for one in shown), default=365)
    days = next((tick for tick in _TICKS[2:] if tick >= min(longest, 730)), 730)
    lines = [line for one, colour in zip(shown, _COLOURS, strict=False) for line in _fading(one, days, colour)]
    bands, dot = [], None
    if len(shown) == 1:
        if (year := shown[0].alive["365"]) is not None and shown[0].by == "all":
            dot = (365.0, float(year)), f"{percent(year)} after a year"
        bands.append(((*_curve(shown[0], "high", days), *reversed(_curve(shown[0], "low", days))), "one"))
    return Chart(
        x=(0, days),
        y=(0.0, 1.0),
        across=[(tick, _age(tick)) for tick in _TICKS if tick <= days and (size != NARROW or tick % 365 == 0)],
        upward=[(share / 100, f"{share}%") for share in range(100, -1, -20)],
        lines=lines,
        bands=bands,
        dot=dot,
    )


def _fading(one: RecordGroup, days: int, colour: str) -> list[Line]:
    """The curve of a group, paler from the day on which few figures are under observation."""
    corners = _curve(one, "alive", days)
    thin = next((point.day for point in one.curve if point.at_risk < FEW), days + 1)
    firm, pale = [at for at in corners if at[0] <= thin], [at for at in corners if at[0] >= thin]
    words, name = _label(one)
    line = Line(firm, colour, 3, name=name, figure=words)
    return [line._replace(name=""), line._replace(corners=pale, opacity=0.5)] if firm and len(pale) > 1 else [line]


def _curve(one: RecordGroup, name: str, days: int) -> list[Corner]:
    points = [(float(point.day), float(getattr(point, name))) for point in one.curve if point.day <= days]
    return stepped(points, min(one.observed_until, days))


def _age(day: int) -> str:
    years, months = divmod(round(day / 30.4), 12)
    return plural(years, "year") if years and not months else plural(12 * years + months, "month")


def _label(one: RecordGroup) -> tuple[str, str]:
    """The figure and the name at the end of a curve."""
    year, broke = one.alive["365"], f"{one.broken} of {one.true_when_written:,} broke"
    if one.by == "all":  # its share stands at its age
        return "", "all" if year is None else ""
    return cut(one.value, 18), broke if year is None else f"{percent(year)}, {broke}"
