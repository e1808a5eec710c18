"""One claim: its verdict then and now, what its source said, what to do, the inputs with the reader's own numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from itertools import groupby

from api.pages.charts.chart import inline
from api.pages.charts.claim_charts import INLINE, input_chart
from api.pages.charts.claim_series import ClaimEvaluation
from api.pages.charts.picture import NothingToDrawError
from api.pages.render.figure_format import figure, plain_words
from api.pages.render.figure_marks import claim_places
from api.pages.render.strips import life_strip, night_strip
from api.pages.request.page_request import PageRequest, TemplateResponse, page_of, path_of
from api.pages.views.claim_table import PageContext
from api.pages.views.input_fields import Field, fields, overrides_of, refusal
from api.pages.views.ledger_pages import CAUSE_WORDS
from api.pages.views.node_page import dependents
from compute.claims.overrides import OverrideError
from compute.explain.reason_parts import short, spoken
from compute.ranges.range_text import sentence
from compute.reports.morning import CORRECTED
from graph.models.claim_models import Claim, VerdictName
from graph.models.node_models import Node, Quotation, Source
from graph.models.verdict_models import Verdict
from graph.store.store_errors import UnknownClaimError
from graph.text.quote_anchor import figures_of

HISTORY, RESTING, MOST_CAUSES = 400, 14, 4
LONG = 110
"""A headline of more letters is set smaller."""

ChangedInput = tuple[str, str, str, bool]
"""An input with its figures then and now, and whether a price was only corrected."""


def page(context: PageContext, request: PageRequest) -> TemplateResponse:
    """The page of a claim.

    Raises:
        UnknownClaimError: there is no such claim.
        PageRequestError: the day is no date.
        UnknownInputError: a parameter is no input of the claim.
    """
    name, day = request.parts["claim"], request.day
    row = context.claim_table().lines.get(name)
    if row is None:
        raise UnknownClaimError(name)
    claim, verdict, given = row.claim, context.explain(name, day), overrides_of(request.query)
    filled = fields(claim, verdict, given)
    movable = [field for field in filled if field.key and field.most is not None]
    trial, error = _trial(context, verdict, day, given, filled)
    chosen, life = _chosen(movable, request), context.brain.record.life(name, request.today)
    history = context.brain.ledger.history(name, HISTORY, present=True)
    moved, changed = _causes(context, claim, day)
    node, place = context.brain.nodes.find(claim.node), context.brain.quotes.place(claim)
    quotation, source = _source_words(node, claim)
    return page_of(
        "claim.html",
        row=row,
        claim=claim,
        verdict=verdict,
        long=len(claim.says or name) > LONG,
        place=place,
        quotation=quotation,
        source=source,
        moved=moved[:MOST_CAUSES],
        changed=changed[:MOST_CAUSES],
        changed_left=max(0, len(changed) - MOST_CAUSES),
        cause=_cause_in_words(verdict, changed[:MOST_CAUSES]),
        node=context.brain.nodes.refs([claim.node]).get(claim.node),
        without_note=context.brain.reports.without_note([claim]),
        calm=row.calm,
        sentence="" if row.calm else _sentence_of_today(claim, verdict),
        today=request.today,
        day=day,
        fields=filled,
        trial=trial,
        error=error,
        given=tuple(given.items()),
        flips=movable,
        chosen=chosen,
        plot=_plot(context, request, claim, chosen, trial or verdict),
        stretches=[list(runs) for _, runs in groupby(history, key=lambda one: (one[1].verdict, one[1].value))],
        nights=night_strip((run.as_of, found.verdict) for run, found in history),
        resting=dependents(context, claim.node, RESTING),
        contradicts=[other for other in map(context.claim_table().lines.get, claim.contradicts) if other],
        ranges=_ranges(verdict),
        charts=path_of("charts/claims", name),
        life=life,
        strip=life_strip(life),
        address=request.site + path_of("claims", name),
        other_formats=(
            ("JSON", path_of("v1/claims", name)),
            ("history as JSON", path_of("v1/claims", name) + "/history"),
        ),
    )


def _source_words(node: Node | None, claim: Claim) -> tuple[Quotation | None, Source | None]:
    """The words of a source in the note that have most figures of the claim, and the source of the claim.

    The first is None where the note quotes no such words, the second where the claim names no source of the note.
    """
    if node is None:
        return None, None
    wanted = set(figures_of(claim.quote or claim.says))
    ranked = [(len(wanted & set(figures_of(one.quote))), -one.span, one) for one in node.quotes]
    best = max(ranked, key=lambda one: one[:2], default=(0, 0, None))
    quotation = best[2] if best[0] else None
    address = (quotation.source if quotation else None) or claim.source
    return quotation, next((one for one in node.sources if address in {one.url, one.id}), None)


def _sentence_of_today(claim: Claim, verdict: Verdict) -> str:
    """The words of a claim with today's figure in the place of theirs; empty if either is not known."""
    words = plain_words(claim.quote or claim.says)
    bare = claim.model_copy(update={"quote": words})
    span = claim_places(words, [bare], None, {claim.id: (0, len(words))}).get(claim.id)
    if verdict.value is None or span is None or span == (0, len(words)):
        return ""
    return words[: span[0]] + figure(verdict.value, verdict.unit) + words[span[1] :]


def _causes(context: PageContext, claim: Claim, day: date) -> tuple[list[tuple[str, ...]], list[ChangedInput]]:
    """What changed the value of a claim since its own day; nothing where it is the same.

    First, names that mean another item now: the name in the formula, the item then, the item now and its full name.
    Then the changed inputs.
    """
    case = context.recall(("case", claim.id, day), lambda: ClaimEvaluation(context, claim).case(day))
    if case is None or case.then.reading.value == case.now.reading.value:
        return [], []
    moved: dict[tuple[str, ...], None] = {}
    listed: dict[ChangedInput, None] = {}
    for one in case.changes:
        was, price = one.then.price, one.now.price
        then, now = (figure(value.stated, value.unit.text) for value in (one.then, one.now))
        listed[spoken(one.label, one.now), then, now, one.kind == "correction"] = None
        if was and price and was.item != price.item:
            same = short(was.item) == short(price.item)
            names = (was.item, price.item) if same else (short(was.item), short(price.item))
            moved[one.requested, *names, price.item] = None
    return list(moved), list(listed)


def _cause_in_words(verdict: Verdict, listed: Iterable[ChangedInput]) -> str:
    """Why a claim does not hold; nothing if it holds, or if that is not known."""
    if verdict.cause:
        return CAUSE_WORDS[verdict.cause]
    failing = verdict.verdict in {VerdictName.STALE, VerdictName.DEPENDS}
    return CORRECTED if failing and any(corrected for *_, corrected in listed) else ""


def _plot(
    context: PageContext, request: PageRequest, claim: Claim, chosen: Field | None, shown: Verdict
) -> Mapping[str, object] | None:
    """The chart over the chosen input; None if there is none, or the reader's numbers cannot be read."""
    if chosen is None:
        return None
    try:
        markup, area = inline(input_chart(context, request, claim, chosen, shown), INLINE, 4, 0)
    except (NothingToDrawError, OverrideError):
        return None
    return {"markup": markup, "area": area, "size": INLINE}


def _ranges(verdict: Verdict) -> Mapping[str, object] | None:
    """The claim within the stated ranges: in words, with the swings of the inputs, between the values of `reach`."""
    if verdict.robust is None:
        return None
    totals = {one.input: one.total for one in verdict.sensitivity}
    known = [end for one in verdict.swings for end in (one.at_low, one.at_high) if end is not None]
    known += [verdict.value] if verdict.value is not None else []
    return {
        "says": sentence(verdict.robust, verdict.unit),
        "swings": [(one, totals.get(one.input)) for one in verdict.swings],
        "reach": (min(known, default=0), max(known, default=0)),
    }


def _trial(
    context: PageContext, verdict: Verdict, day: date, given: Mapping[str, str], filled: Iterable[Field]
) -> tuple[Verdict | None, str]:
    """What the claim gives with the reader's own numbers, or why they cannot be."""
    if not given:
        return None, ""
    if refused := next((why for one in filled if (why := refusal(one))), ""):
        return None, refused
    try:
        found = context.brain.evaluator.explain(verdict.claim, day, sets=given)
    except OverrideError as error:
        return None, str(error)
    unknown = VerdictName.UNVERIFIABLE
    if found.verdict is unknown and verdict.verdict is not unknown:
        return None, f"These numbers cannot be used: {found.reason}"
    return found, ""


def _chosen(movable: Sequence[Field], request: PageRequest) -> Field | None:
    """The input of the flip chart: the requested one, else the one with the smallest change."""
    wanted = request.text("input")
    if found := next((field for field in movable if wanted and field.key == wanted), None):
        return found
    turning = [field for field in movable if field.change is not None]
    return min(turning, key=lambda field: abs(field.change or 0), default=movable[0] if movable else None)


def preview(context: PageContext, request: PageRequest) -> TemplateResponse:
    """The card that is shown over a figure."""
    row = context.claim_table().lines.get(request.parts["claim"])
    if row is None:
        raise UnknownClaimError(request.parts["claim"])
    return page_of("preview_claim.html", row=row)
