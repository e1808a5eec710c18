"""One claim: its verdict then and now, the working, the inputs, fields for the reader's numbers, what depends on it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from api.pages.charts.claim_images import NothingToDrawError, input_plot
from api.pages.charts.input_chart import InlinePlot, inline
from api.pages.charts.tornado_chart import described, drawable, height
from api.pages.render.night_strip import NightStrip, night_strip
from api.pages.render.plain_words import headline, plain_words
from api.pages.request.page_request import PageRequest, TemplateResponse, path_of
from api.pages.views.claim_causes import Causes, causes
from api.pages.views.claim_table import ClaimRow, PageContext
from api.pages.views.dependents import Resting, resting
from api.pages.views.input_fields import Field, fields, overrides_of
from compute.claims.overrides import OverrideError
from compute.ranges.range_text import sentence
from compute.record.life_models import LifeLine
from compute.reports.morning import CAUSES, CORRECTED
from compute.reports.report_model import ClaimWithoutNote
from graph.models.claim_models import VerdictName
from graph.models.query_models import NodeRef
from graph.models.verdict_models import QuotePlace, Robust, Run, Swing, Verdict, VerdictRow
from graph.store.store_errors import UnknownClaimError

HISTORY = 400
RESTING = 14
LONG = 130
"""A headline of more letters is set smaller."""


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
    error: str = ""


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
    """The page. `headline` and `below` are the quoted words and the sentence, `quoted` is where the note has the words.

    `trial` is None where the reader has given no numbers; `given` are these numbers by the names of the inputs.
    `flips` are the inputs that have a chart, `plot` is that of the `chosen` one.
    """

    line: ClaimRow
    verdict: Verdict
    headline: str
    below: str
    quoted: QuotePlace | None
    causes: Causes
    cause: str
    node: NodeRef | None
    without_note: tuple[ClaimWithoutNote, ...]
    today: date
    day: date
    fields: tuple[Field, ...]
    trial: Trial | None
    given: tuple[tuple[str, str], ...]
    flips: tuple[Field, ...]
    chosen: Field | None
    plot: InlinePlot | None
    stretches: tuple[Stretch, ...]
    nights: NightStrip | None
    resting: Resting
    contradicts: tuple[ClaimRow, ...]
    ranges: Ranges | None
    charts: str
    life: LifeLine
    cite_as: str
    other_formats: tuple[tuple[str, str], ...]

    @property
    def long(self) -> bool:
        """Whether the headline is a long one."""
        return len(self.headline) > LONG


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
    trial, chosen = _trial(desk, name, asked.day, given) if given else None, _chosen(movable, asked)
    words = plain_words(verdict.quote.text) if verdict.quote else ""
    large, small = headline(words, line.claim.says or name)
    history = desk.brain.ledger.history(name, HISTORY, present=True)
    changed = causes(desk, line.claim, asked.day)
    model = ClaimPage(
        line=line,
        verdict=verdict,
        headline=large,
        below=small,
        quoted=desk.brain.quotes.place(line.claim),
        causes=changed,
        cause=_cause_in_words(verdict, changed),
        node=desk.brain.nodes.refs([line.claim.node]).get(line.claim.node),
        without_note=desk.brain.reports.without_note([line.claim]),
        today=asked.today,
        day=asked.day,
        fields=filled,
        trial=trial,
        given=tuple(given.items()),
        flips=movable,
        chosen=chosen,
        plot=_plot(desk, asked, line, chosen, trial.verdict or verdict if trial else verdict),
        stretches=tuple(_stretches(history)),
        nights=night_strip((run.as_of, row.verdict) for run, row in history),
        resting=resting(desk, line.claim.node, RESTING),
        contradicts=tuple(other for other in map(desk.claim_table().lines.get, line.claim.contradicts) if other),
        ranges=_ranges(verdict),
        charts=path_of("charts/claims", name),
        life=desk.brain.record.life(name, asked.today),
        cite_as=_cite_as(line, verdict, asked),
        other_formats=(
            ("JSON", path_of("v1/claims", name)),
            ("history as JSON", path_of("v1/claims", name) + "/history"),
        ),
    )
    return TemplateResponse("claim.html", model)


def _cause_in_words(verdict: Verdict, changed: Causes) -> str:
    """Why a claim does not hold; nothing if it holds, or if that is not known."""
    if verdict.cause:
        return CAUSES[verdict.cause]
    failing = verdict.verdict in {VerdictName.STALE, VerdictName.DEPENDS}
    return CORRECTED if failing and any(one.corrected for one in changed.listed) else ""


def _plot(
    desk: PageContext, asked: PageRequest, line: ClaimRow, chosen: Field | None, shown: Verdict
) -> InlinePlot | None:
    """The chart over the chosen input; None if there is none, or the reader's numbers cannot be read."""
    if chosen is None:
        return None
    try:
        plot = input_plot(desk, asked, line.claim, chosen, shown)
    except (NothingToDrawError, OverrideError):
        return None
    return inline(plot) if any(point.value is not None for point in plot.series.points) else None


def _cite_as(line: ClaimRow, verdict: Verdict, asked: PageRequest) -> str:
    """How to cite the claim: who, when, what, the verdict of the day, and where."""
    claim = line.claim
    address = asked.site + path_of("claims", claim.id)
    says = (claim.says or claim.id).rstrip(".")
    found = f"{verdict.verdict.value} on {asked.day.isoformat()}"
    return f"{line.brain} ({claim.as_of.year}). {says}. {found}. {address}, accessed {asked.today.isoformat()}."


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
        return Trial(error=str(error))


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
