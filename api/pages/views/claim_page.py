"""One claim: its verdict then and now, the working, the inputs, fields for the reader's numbers, what depends on it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from api.pages.charts.tornado_chart import described, drawable, height
from api.pages.request.page_request import PageRequest, TemplateResponse, path_of
from api.pages.views.claim_table import ClaimRow, PageContext
from api.pages.views.dependents import Resting, resting
from api.pages.views.input_fields import Field, fields, overrides_of
from compute.claims.overrides import OverrideError
from compute.ranges.range_text import sentence
from compute.record.life_models import LifeLine
from graph.models.query_models import NodeRef
from graph.models.verdict_models import QuotePlace, Robust, Run, Swing, Verdict, VerdictRow
from graph.store import UnknownClaimError

HISTORY = 400
RESTING = 14


@dataclass(frozen=True, slots=True)
class Stretch:
    """Runs in a row that found the same: the first and the last of them."""

    first: Run
    last: Run
    row: VerdictRow
    runs: int


@dataclass(frozen=True, slots=True)
class Trial:
    """What the claim gives with the reader's own numbers, or why they cannot be read."""

    verdict: Verdict | None = None
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class Ranges:
    """The claim within the stated ranges: in words, with the swing of each input and its share of the variance.

    `height` is that of the tornado chart in pixels, 0 if there is nothing to draw.
    """

    robust: Robust
    says: str
    swings: tuple[tuple[Swing, Decimal | None], ...]
    height: int
    described: str


@dataclass(frozen=True, slots=True)
class ClaimPage:
    """The page. `quoted` is where the note has the words of the claim. `trial` is None where the reader has given
    no numbers; `flips` are the inputs that have a chart."""

    line: ClaimRow
    verdict: Verdict
    quoted: QuotePlace | None
    node: NodeRef | None
    today: date
    day: date
    fields: tuple[Field, ...]
    trial: Trial | None
    flips: tuple[Field, ...]
    chosen: Field | None
    stretches: tuple[Stretch, ...]
    resting: Resting
    contradicts: tuple[ClaimRow, ...]
    ranges: Ranges | None
    charts: str
    life: LifeLine
    other_formats: tuple[tuple[str, str], ...]


def page(desk: PageContext, asked: PageRequest) -> TemplateResponse:
    """The page of a claim.

    Raises:
        UnknownClaimError: there is no such claim.
        AskedWronglyError: the day is no date.
        UnknownInputError: a parameter is no input of the claim.
    """
    name = asked.parts["claim"]
    line = desk.claim_table().lines.get(name)
    if line is None:
        raise UnknownClaimError(name)
    verdict = desk.explain(name, asked.day)
    given = overrides_of(asked.query)
    filled = fields(line.claim, verdict, given)
    movable = tuple(field for field in filled if field.key and field.most is not None)
    model = ClaimPage(
        line=line,
        verdict=verdict,
        quoted=desk.brain.quotes.place(line.claim),
        node=desk.brain.nodes.refs([line.claim.node]).get(line.claim.node),
        today=asked.today,
        day=asked.day,
        fields=filled,
        trial=_trial(desk, name, asked.day, given) if given else None,
        flips=movable,
        chosen=_chosen(movable, asked),
        stretches=tuple(_stretches(desk.brain.ledger.history(name, HISTORY, present=True))),
        resting=resting(desk, line.claim.node, RESTING),
        contradicts=tuple(other for other in map(desk.claim_table().lines.get, line.claim.contradicts) if other),
        ranges=_ranges(verdict),
        charts=path_of("charts/claims", name),
        life=desk.brain.record.life(name, asked.today),
        other_formats=(
            ("JSON", path_of("v1/claims", name)),
            ("history as JSON", path_of("v1/claims", name) + "/history"),
        ),
    )
    return TemplateResponse("claim.html", model)


def _ranges(verdict: Verdict) -> Ranges | None:
    if verdict.robust is None:
        return None
    totals = {one.input: one.total for one in verdict.sensitivity}
    bars = len(drawable(verdict.swings))
    return Ranges(
        robust=verdict.robust,
        says=sentence(verdict.robust, verdict.unit),
        swings=tuple((one, totals.get(one.input)) for one in verdict.swings),
        height=height(bars) if bars else 0,
        described=described(verdict.swings, verdict.unit),
    )


def _trial(desk: PageContext, name: str, day: date, given: dict[str, str]) -> Trial:
    try:
        return Trial(desk.brain.evaluator.explain(name, day, sets=given))
    except OverrideError as error:
        return Trial(trouble=str(error))


def _chosen(movable: tuple[Field, ...], asked: PageRequest) -> Field | None:
    """The input of the flip chart: the requested one, else the one with the smallest change."""
    wanted = asked.text("input")
    if found := next((field for field in movable if wanted and field.key == wanted), None):
        return found
    turning = [field for field in movable if field.change is not None]
    return min(turning, key=lambda field: abs(field.change or 0), default=movable[0] if movable else None)


def _stretches(history: Iterable[tuple[Run, VerdictRow]]) -> Iterable[Stretch]:
    """The history, the latest first, runs that found the same taken together."""
    held: Stretch | None = None
    for run, row in history:
        if held is not None and (held.row.verdict, held.row.value) == (row.verdict, row.value):
            held = Stretch(run, held.last, held.row, held.runs + 1)
            continue
        if held is not None:
            yield held
        held = Stretch(run, run, row, 1)
    if held is not None:
        yield held


def preview(desk: PageContext, asked: PageRequest) -> TemplateResponse:
    """The card that is shown over a figure."""
    line = desk.claim_table().lines.get(asked.parts["claim"])
    if line is None:
        raise UnknownClaimError(asked.parts["claim"])
    return TemplateResponse("preview_claim.html", line)
