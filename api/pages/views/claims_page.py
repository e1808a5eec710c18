"""All claims as a table: facets, an order, counts, the life line and the last nights of each claim."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal

from api.pages.render.strips import Strip, life_strip, night_strip
from api.pages.render.verdict_signs import SEVERITIES, VERDICTS, WORDS
from api.pages.request.listing import Narrowing, Option, Side, choices, part_of
from api.pages.request.page_request import PageRequest, TemplateResponse, page_of
from api.pages.views.claim_table import ClaimRow, PageContext

LENGTH = 30
NIGHTS = 60
"""So many of the last runs are in the strip of a claim."""

_FAR = Decimal("Infinity")

SORTS: Mapping[str, tuple[str, Callable[[ClaimRow], tuple[object, ...]]]] = {
    "gravity": ("most severe first", lambda row: row.gravity),
    "room": ("smallest margin first", lambda row: (_FAR if row.room is None else row.room, row.claim.id)),
    "since": ("failing longest first", lambda row: (row.flag is None, _since(row), row.claim.id)),
    "stated": ("newest first", lambda row: (-row.claim.as_of.toordinal(), row.claim.id)),
    "id": ("by id", lambda row: (row.claim.id,)),
}
"""The orders of the table, by the word in the address: what it says, and by what it sorts."""

SIDES: tuple[Side[ClaimRow], ...] = (
    Side("verdict", "Verdict", lambda row: (row.state,), WORDS, ordered=True),
    Side(
        "severity", "Severity", lambda row: (row.claim.severity.value,), {one: one for one in SEVERITIES}, ordered=True
    ),
    Side("brain", "Brain", lambda row: (row.brain,)),
    Side("tag", "Tag", lambda row: row.claim.tags, rest="/tags"),
)


def page(context: PageContext, request: PageRequest) -> TemplateResponse:
    """The table of claims.

    Raises:
        PageRequestError: a facet or an order that there is not.
    """
    return context.recall(("claims", request.today, tuple(request.query)), lambda: _table(context, request))


def _table(context: PageContext, request: PageRequest) -> TemplateResponse:
    table, order = context.claim_table(), request.one_of("sort", list(SORTS)) or "gravity"
    found = Narrowing(request, table.lines.values(), SIDES)
    part = part_of(request, sorted(found.passing(), key=SORTS[order][1]), LENGTH)
    counts = found.counts(SIDES[0])
    names = [row.claim.id for row in part.things]
    lives = context.brain.record.lives_of(names, request.today)
    return page_of(
        "claims.html",
        run=table.run,
        part=part,
        without_note=context.brain.reports.without_note(row.claim for row in table.lines.values()),
        everything=len(table.lines),
        counts=[(name, counts[name]) for name in VERDICTS if name in counts],
        facets=found.facets(),
        sorts=choices(request, "sort", {name: says for name, (says, _) in SORTS.items()}, order),
        titles=context.brain.nodes.refs(row.claim.node for row in part.things),
        lives={name: life_strip(life) for name, life in lives.items()},
        nights=_nights(context, names),
        chosen=[Option(value, request.link(**{name: None})) for name, value in found.filters],
        cleared=request.path if found.filters else None,
    )


def _nights(context: PageContext, claims: Sequence[str]) -> dict[str, Strip]:
    """The strip of each claim over the last runs, of those that have more than one."""
    ledger = context.brain.ledger
    days = {run.id: run.as_of for run in context.recall("nights of claims", lambda: ledger.present_runs(NIGHTS))}
    found = ledger.verdicts_of(claims, days) if claims and len(days) > 1 else {}
    strips = {
        name: night_strip((days[run], by_run[run]) for run in days if run in by_run) for name, by_run in found.items()
    }
    return {name: strip for name, strip in strips.items() if strip}


def _since(row: ClaimRow) -> int:
    return row.flag.first_seen.toordinal() if row.flag else 0
