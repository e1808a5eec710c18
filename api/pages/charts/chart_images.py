"""Chart images, drawn once and cached until the store or the day changes."""

from __future__ import annotations

from api.pages.charts import chart_svg, tornado_chart
from api.pages.charts.chart_series import Series, over_input, over_time, point_on
from api.pages.render.figure_format import figure
from api.pages.request.page_request import PageRequest, RawResponse
from api.pages.views.claim_table import PageContext
from api.pages.views.input_fields import fields, overrides_of
from graph.models.claim_models import Claim
from graph.store import NotFoundError

SVG = "image/svg+xml"


class NothingToDrawError(NotFoundError):
    """There is no such chart: nothing is known that could be drawn."""

    noun = "chart"


def claim_history(desk: PageContext, asked: PageRequest) -> RawResponse:
    """A claim's value against its bound over time.

    Raises:
        UnknownClaimError: there is no such claim.
        NothingToDrawError: it never had a value.
    """
    claim = desk.brain.claims.get(asked.parts["claim"])
    return desk.recall(("history", claim.id, asked.today, _narrow(asked)), lambda: _history(desk, claim, asked))


def _history(desk: PageContext, claim: Claim, asked: PageRequest) -> RawResponse:
    series = _known(over_time(desk, claim, asked.today), claim.id)
    first, last = series.points[0], series.points[-1]
    values = (figure(point.value, series.unit) for point in (first, last))
    says = f"From {first.at} to {last.at} the value went from {' to '.join(values)}."
    return RawResponse(chart_svg.value_over_time(series, asked.today, says, narrow=_narrow(asked)), SVG)


def claim_flip(desk: PageContext, asked: PageRequest) -> RawResponse:
    """How a claim's value depends on one of its inputs.

    Raises:
        UnknownClaimError: there is no such claim.
        NothingToDrawError: there is no such input, or it cannot move.
        OverrideError: a number of the reader's cannot be read.
    """
    claim = desk.brain.claims.get(asked.parts["claim"])
    key = ("flip", claim.id, asked.day, asked.parts["number"], tuple(asked.query))
    return desk.recall(key, lambda: _flip(desk, claim, asked))


def _flip(desk: PageContext, claim: Claim, asked: PageRequest) -> RawResponse:
    verdict = desk.explain(claim.id, asked.day)
    known = fields(claim, verdict, {})
    field = next((one for one in known if str(one.number) == asked.parts["number"]), None)
    if field is None or field.input.value is None:
        raise NothingToDrawError(f"{claim.id} by input {asked.parts['number']}")
    given = overrides_of(asked.query)
    series = _known(over_input(desk, claim, field, asked.day, given), claim.id)
    flip = field.flip.at if field.flip and field.flip.at is not None and field.flip.at <= (field.most or 0) else None
    change = (
        f"the verdict changes at {figure(flip, field.input.unit)}"
        if flip is not None
        else "no possible value changes the verdict"
    )
    says = f"{field.label} is {figure(field.input.value, field.input.unit)} today; {change}."
    label = f"{field.label} ({field.input.unit})" if field.input.unit else field.label
    return RawResponse(
        chart_svg.value_over_input(series, (field.input.value, flip), label, says, narrow=_narrow(asked)), SVG
    )


def claim_tornado(desk: PageContext, asked: PageRequest) -> RawResponse:
    """How far each ranged input moves a claim's value.

    Raises:
        UnknownClaimError: there is no such claim.
        NothingToDrawError: no input has a range, or the value is undefined at its ends.
    """
    claim = desk.brain.claims.get(asked.parts["claim"])
    key = ("tornado", claim.id, asked.day, _narrow(asked))
    return desk.recall(key, lambda: _tornado(desk, claim, asked))


def _tornado(desk: PageContext, claim: Claim, asked: PageRequest) -> RawResponse:
    verdict = desk.explain(claim.id, asked.day)
    now = point_on(desk, claim, asked.day)
    if now is None or not tornado_chart.drawable(verdict.swings):
        raise NothingToDrawError(claim.id)
    says = tornado_chart.described(verdict.swings, verdict.unit)
    return RawResponse(tornado_chart.tornado(verdict.swings, now, verdict.unit, says, narrow=_narrow(asked)), SVG)


def _narrow(asked: PageRequest) -> bool:
    """Whether the request asks for a small screen."""
    return asked.text("size") == "small"


def _known(series: Series, name: str) -> Series:
    if not any(point.value is not None for point in series.points):
        raise NothingToDrawError(name)
    return series
