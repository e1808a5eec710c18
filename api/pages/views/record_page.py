"""How long figures live: chart, table by group, and broken figures by cause."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

from api.pages.charts.chart import NARROW, WIDE, Chart, Corner, Frame, Line, Size, framed_image, plots, stepped
from api.pages.page_request import PageRequest, RawResponse, TemplateResponse, page_of
from api.pages.render.figure_format import cut
from api.pages.views.claim_table import PageContext
from compute.record.record import LEAST, Basis, GroupField, Record, RecordGroup, basis_text, percent, share_without
from compute.record.survival import CurvePoint

MOST_LINES, MOST_BROKEN = 5, 60  # how many groups are drawn, and how many broken figures are listed
AGES = {91: "3 months", 182: "6 months"}  # the ages in days that have shares, besides the last that ten figures have

_COLOURS = ("one", "two", "three", "four", "five")
_BY = {"kind": "kind of note", "asserted_by": "who states them", "input": "price", "model": "model"}
_TICKS = {int(30.42 * months): f"{months} months" for months in (0, 3, 6, 9, 12, 18, 24, 36, 60)}


def page(context: PageContext, request: PageRequest) -> TemplateResponse:
    """The record, by hindsight or by the ledger. Raises PageRequestError for an unknown field, basis or day."""
    found = _requested(context, request)
    broken, shown = found.broken[:MOST_BROKEN], _drawable(found)
    query = urlencode([(name, value) for name in ("by", "basis", "as_of") if (value := request.text(name))])
    return page_of(
        "record.html",
        found=found,
        broken=broken,
        lives=context.brain.record.lives_of([one.claim for one in broken], request.today),
        table=context.claim_table(),
        titles=context.brain.nodes.refs(sorted({one.node for one in broken})),
        ages=_ages(shown),
        at=_at,
        without=share_without,
        described=_described(shown),
        plots=plots(lambda size: _survival_chart(shown, size)) if shown else (),
        picture=f"?{query}" if query else "",
    )


def _requested(context: PageContext, request: PageRequest) -> Record:
    by = request.one_of("by", [one.value for one in GroupField])
    basis = request.one_of("basis", [one.value for one in Basis])
    chosen = GroupField(by) if by else None
    return context.brain.record.record(request.day, Basis(basis) if basis else Basis.HINDSIGHT, chosen)


def record_image(context: PageContext, request: PageRequest) -> RawResponse:
    """The picture of a record. Raises PageRequestError for unknown parameters."""
    shown = _drawable(found := _requested(context, request))
    by = f", by {_BY.get(shown[0].by, shown[0].by)}" if len(shown) > 1 else ""
    shaded = "; shaded: the 95% interval; below: how many were followed" if len(shown) == 1 else ""
    what = f"Share of figures that still hold, by their age{by}; {basis_text(found)}{shaded}; to where {LEAST} are left"
    broke, true = sum(one.broken for one in shown), sum(one.true_when_written for one in shown)
    source = f"{broke:,} of {true:,} broke that were true when written"
    frame = Frame("How long figures live", what, source, found.as_of, request.address_of("/record"))
    return framed_image(request, _survival_chart(shown), frame, _described(shown) or "no group has enough figures")


def _drawable(found: Record) -> tuple[RecordGroup, ...]:
    """The largest groups that have a curve."""
    return tuple(one for one in found.groups if _end(one) > one.observed_from)[:MOST_LINES]


def _end(one: RecordGroup) -> int:
    """The last age with a point of the curve at which enough figures were under observation."""
    return max((point.day for point in one.curve if point.at_risk >= LEAST), default=0)


def _at(one: RecordGroup, day: int) -> tuple[CurvePoint | None, str]:
    """The point of the curve at an age, None if fewer than `LEAST` are followed at it; how many are."""
    until = [point for point in one.curve if point.day <= day]
    number = sum(each.days >= day and (each.entry < day or each.entry == one.observed_from) for each in one.watched)
    return (until[-1], f"{number:,}") if until and number >= LEAST else (None, f"< {LEAST}")


def _ages(shown: Sequence[RecordGroup]) -> dict[int, str]:
    last = max((day for one in shown for day in _TICKS if _at(one, day)[0]), default=0)
    return AGES | ({last: _TICKS[last]} if last > max(AGES) else {})


def _described(shown: Sequence[RecordGroup]) -> str:
    ages = ((one, [(_at(one, day)[0], words) for day, words in _ages(shown).items()]) for one in shown)
    said = ((one, ", ".join(f"{percent(at.alive)} after {words}" for at, words in found if at)) for one, found in ages)
    return "; ".join(f"{one.value}: {one.true_when_written} figures, {words or 'no share yet'}" for one, words in said)


def _survival_chart(shown: Sequence[RecordGroup], size: Size = WIDE) -> Chart:
    """Curves as far as enough figures are followed; of a single one its 95% interval, their number and its shares."""
    days = next((tick for tick in _TICKS if tick >= max([365, *map(_end, shown)])), 1825)
    lines = []
    for one, colour in zip(shown, _COLOURS, strict=False):
        broke = f"{one.broken} of {one.true_when_written:,} broke"
        lines.append(Line(_curve(one, "alive"), colour, 3, name=broke, figure=cut(one.value, 18)))
    ages = [(tick, _TICKS[tick]) for tick in _TICKS if tick <= days and tick % (91 if days == 365 else 182) < 6]
    across = [(tick, words.split()[0] if tick and size == NARROW else words) for tick, words in ages]
    bands, dots = [], []
    if len(shown) == 1:
        bands.append(((*_curve(shown[0], "high"), *reversed(_curve(shown[0], "low"))), "one"))
    if len(shown) == 1 and shown[0].by == "all":  # the numbers under observation, and its shares in place of its name
        lines = [lines[0]._replace(name="")]
        across = [(tick, f"{words}\n{_at(shown[0], tick)[1]}") for tick, words in across]
        found = ((day, _at(shown[0], day)[0]) for day in _ages(shown))
        dots = [((float(day), float(at.alive)), percent(at.alive)) for day, at in found if at]
    return Chart(
        x=(0, days),
        y=(0.0, 1.0),
        across=across,
        upward=[(share / 100, f"{share}%") for share in range(100, -1, -20)],
        lines=lines,
        bands=bands,
        dots=dots,
    )


def _curve(one: RecordGroup, name: str) -> list[Corner]:
    end = _end(one)
    return stepped([(float(point.day), float(getattr(point, name))) for point in one.curve if point.day <= end], end)
