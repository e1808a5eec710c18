"""The table of claims, and one claim: its verdicts, what to do, and the reader's own numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from datetime import date
from decimal import Decimal
from itertools import groupby

from api.pages.charts.chart import NothingToDrawError, Plot, plotted
from api.pages.charts.claim_charts import INLINE, ClaimEvaluation, Field, fields, input_chart, overrides_of, value_plots
from api.pages.page_request import Narrowing, PageRequest, Side, TemplateResponse, page_of, part_of, path_of
from api.pages.render.figure_format import figure, plain_words
from api.pages.render.figure_marks import claim_places
from api.pages.render.strips import life_strip
from api.pages.render.verdict_signs import VERDICTS, WORDS
from api.pages.views.claim_table import SEVERITIES, ClaimRow, PageContext
from api.pages.views.node_page import dependents
from compute.claims.overrides import OverrideError
from compute.explain.expectation_text import short, spoken
from compute.units.units import SHARES
from graph.groups import group_by
from graph.models.claim_models import Claim, VerdictName
from graph.models.node_models import Node, Quotation, Source
from graph.models.verdict_models import Verdict
from graph.text.quote_anchor import figures_of

LENGTH, HISTORY, RESTING = 30, 400, 14

TIGHT = Decimal("0.02")  # an input that turns the verdict with so small a change, as a share, is named with the verdict
_FAR = Decimal("Infinity")

SORTS: Mapping[str, tuple[str, Callable[[ClaimRow], tuple[object, ...]]]] = {
    "gravity": ("open first, by severity", lambda row: row.gravity),
    "room": ("smallest margin first", lambda row: (_FAR if row.room is None else row.room, row.claim.id)),
    "since": ("failing longest first", lambda row: (row.flag is None, row.flag and row.flag.first_seen, row.claim.id)),
    "stated": ("newest first", lambda row: (-row.claim.as_of.toordinal(), row.claim.id)),
    "id": ("by id", lambda row: (row.claim.id,)),
}
"""The orders of the table, by the word in the address: what it says, and by what it sorts."""

SIDES: tuple[Side[ClaimRow], ...] = (
    Side("verdict", "Verdict", lambda row: (row.state,), WORDS, ordered=True),
    Side("severity", "Severity", lambda row: (row.claim.severity.value,), SEVERITIES, ordered=True),
    Side("brain", "Brain", lambda row: (row.brain,)),
    Side("tag", "Tag", lambda row: row.claim.tags, rest="/tags"),
)


def index(context: PageContext, request: PageRequest) -> TemplateResponse:
    """The table of claims with their lives in words. Raises PageRequestError for an unknown facet or order."""
    table, order = context.claim_table(), request.one_of("sort", list(SORTS)) or "gravity"
    words = request.text("q").lower().split()
    named = (row for id_, row in table.lines.items() if all(one in f"{id_} {row.claim.says}".lower() for one in words))
    found = Narrowing(request, named, SIDES)
    part = part_of(request, sorted(found.passing(), key=SORTS[order][1]), LENGTH)
    counts = found.counts(SIDES[0])
    lives = context.brain.record.lives_of([row.claim.id for row in part.things], request.today)
    return page_of(
        "claims.html",
        run=table.run,
        part=part,
        without_note=context.brain.reports.without_note(row.claim for row in table.lines.values()),
        everything=len(table.lines),
        counts=[(name, counts[name]) for name in VERDICTS if name in counts],
        facets=found.facets(),
        sorts=SORTS,
        order=order,
        titles=context.brain.nodes.refs(row.claim.node for row in part.things),
        ranks=Counter(row.gravity[0] for row in found.passing()) if order == "gravity" else {},
        disputed=sum(row.calm and row.state == VerdictName.STALE for row in found.passing()),
        groups=group_by(part.things, lambda row: row.gravity[0] if order == "gravity" else 0),
        lives=lives,
        moves=context.causes(part.things, request.today, lives),
        chosen=found.filters,
    )


ChangedInput = tuple[str, str, str, bool]
"""An input with its figures then and now, and whether a price was only corrected."""


def page(context: PageContext, request: PageRequest) -> TemplateResponse:
    """The page of a claim. Raises UnknownClaimError, UnknownInputError, PageRequestError for a day that is no date."""
    name, day = request.parts["claim"], request.day
    row = context.claim_row(name)
    claim, verdict, given = row.claim, context.explain(name, day), overrides_of(request.query)
    filled = fields(claim, verdict, given)
    ordered = sorted(filled, key=_nearness)
    movable = [field for field in ordered if field.key and field.ends]
    refused = next((field for field in filled if field.refused), None)
    trial, error = _trial(context, verdict, day, given) if given and not refused else (None, "")
    first, life = movable[0] if movable else None, context.brain.record.life(name, request.today)
    chosen = next((field for field in movable if field.key == request.text("input")), first)
    history = context.brain.ledger.history(name, HISTORY, present=True)
    moved, changed = _causes(context, claim, day)
    node, place = context.brain.nodes.find(claim.node), context.brain.quotes.place(claim)
    quotation, source = _source_words(node, claim)
    return page_of(
        "claim.html",
        row=row,
        verdict=verdict,
        place=place,
        quotation=quotation,
        figures=figures_of,
        body=node.body if node else "",
        origin=node.origin if node else None,
        source=source,
        moved=moved,
        changed=changed,
        node=context.brain.nodes.refs([claim.node]).get(claim.node),
        without_note=context.brain.reports.without_note([claim]),
        sentence="" if row.calm else _sentence_of_today(claim, verdict),
        fields=filled,
        trial=trial,
        error=error,
        refused=refused,
        given=tuple(given.items()),
        flips=movable,
        turning=[field for field in ordered if field.flip and field.flip.at is not None],
        tight=[field for field in ordered if _nearness(field) <= TIGHT],
        days=value_plots(context, claim, request.today),
        chosen=chosen,
        plot=_plot(context, request, claim, chosen, trial or verdict),
        stretches=[list(runs) for _, runs in groupby(history, key=lambda one: (one[1].verdict, one[1].value))],
        resting=dependents(context, claim.node, RESTING),
        contradicts=[other for other in map(context.claim_table().lines.get, claim.contradicts) if other],
        mark=context.mark,
        totals={one.input: one.total for one in verdict.sensitivity},
        point=ClaimEvaluation(context, claim).point(day, day) if verdict.swings else None,
        life=life,
        strip=life_strip(life),
        address=request.site + path_of("claims", name),
    )


def _source_words(node: Node | None, claim: Claim) -> tuple[Quotation | None, Source | None]:
    """The quotation of the note with most figures of the claim, and the claim's source; None each if missing."""
    if node is None:
        return None, None
    wanted = set(figures_of(claim.quote or claim.says))
    ranked = [(len(wanted & set(figures_of(one.quote))), -one.span, one) for one in node.quotes]
    best = max(ranked, key=lambda one: one[:2], default=(0, 0, None))
    quotation = best[2] if best[0] else None
    address = (quotation.source if quotation else None) or claim.source
    return quotation, next((one for one in node.sources if address in {one.url, one.id}), None)


def _sentence_of_today(claim: Claim, verdict: Verdict) -> str:
    """The claim's sentence with today's figure; empty if not known."""
    words = plain_words(claim.quote or claim.says)
    bare = claim.model_copy(update={"quote": words})
    span = claim_places(words, [bare], None, {claim.id: (0, len(words))}).get(claim.id)
    if verdict.value is None or span is None or span == (0, len(words)):
        return ""
    if ("%" in words[slice(*span)]) != (verdict.unit in SHARES):
        return ""  # another figure than the value
    return words[: span[0]] + figure(verdict.value, verdict.unit) + words[span[1] :]


def _causes(context: PageContext, claim: Claim, day: date) -> tuple[list[tuple[str, ...]], list[ChangedInput]]:
    """Items that replaced others since the claim's day (name, before, now, full name), and changed inputs."""
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


def _plot(
    context: PageContext, request: PageRequest, claim: Claim, chosen: Field | None, shown: Verdict
) -> Plot | None:
    """The chart over the chosen input; None if there is none."""
    if chosen is None:
        return None
    try:
        chart = input_chart(context, request, claim, chosen, shown)
    except (NothingToDrawError, OverrideError):
        return None
    return plotted(chart, INLINE, 4, 8)


def _trial(context: PageContext, verdict: Verdict, day: date, given: Mapping[str, str]) -> tuple[Verdict | None, str]:
    """The verdict with the reader's numbers, or an error."""
    try:
        found = context.brain.evaluator.explain(verdict.claim, day, sets=given)
    except OverrideError as error:
        return None, str(error)
    unknown = VerdictName.UNVERIFIABLE
    if found.value is None and found.verdict is unknown and verdict.verdict is not unknown:
        return None, f"These numbers cannot be used: {found.reason}"
    return found, ""


def _nearness(field: Field) -> Decimal:
    """The least change that flips the verdict, as a share of the input."""
    return _FAR if field.change is None else abs(field.change)


def preview(context: PageContext, request: PageRequest) -> TemplateResponse:
    """The card that is shown over a figure."""
    return page_of("preview_claim.html", row=context.claim_row(request.parts["claim"]))
