"""All claims as a table: facets, an order, a strip of counts, the life line and the last nights of each claim."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

from api.pages.render.night_strip import NightStrip, night_strip
from api.pages.render.verdict_signs import SEVERITIES, VERDICTS
from api.pages.request.page_request import Facet, Option, PageRequest, TemplateResponse, facet
from api.pages.views.claim_table import ClaimRow, PageContext, verdict_order
from compute.record.life_models import LifeLine
from compute.reports.report_model import ClaimWithoutNote
from graph.models.claim_models import ClaimSeverity, VerdictName
from graph.models.query_models import NodeRef
from graph.models.verdict_models import Run

LENGTH = 30
TAGS, MORE_TAGS = 12, 36
NIGHTS = 60
"""So many of the last runs are in the strip of a claim."""

_FAR = Decimal("Infinity")

Key = Callable[[ClaimRow], tuple[object, ...]]
SORTS: Mapping[str, tuple[str, Key]] = {
    "gravity": ("most severe first", lambda line: (verdict_order(line.verdict), _weight(line), line.claim.id)),
    "room": ("smallest margin first", lambda line: (_FAR if line.room is None else line.room, line.claim.id)),
    "since": ("found failing longest ago first", lambda line: (line.flag is None, _since(line), line.claim.id)),
    "stated": ("newest first", lambda line: (-line.claim.as_of.toordinal(), line.claim.id)),
    "id": ("by id", lambda line: (line.claim.id,)),
}
"""The orders of the table, by the word in the address: what it says, and by what it sorts."""


class Side(NamedTuple):
    """One way to narrow the table down: the word in the address, the title, and what a claim has of it."""

    name: str
    title: str
    values: Callable[[ClaimRow], tuple[str, ...]]


SIDES = (
    Side("verdict", "Verdict", lambda line: (line.verdict.value,) if line.verdict else ()),
    Side("severity", "Severity", lambda line: (line.claim.severity.value,)),
    Side("brain", "Brain", lambda line: (line.brain,)),
    Side("tag", "Tag", lambda line: line.claim.tags),
)


@dataclass(frozen=True, slots=True)
class Claims:
    """The page. `counts` are over everything that passes the facets other than the verdict.

    `chosen` are the filters, each with the address without it.
    """

    run: Run | None
    lines: tuple[ClaimRow, ...]
    without_note: tuple[ClaimWithoutNote, ...]
    total: int
    everything: int
    counts: tuple[tuple[VerdictName, int], ...]
    facets: tuple[Facet, ...]
    sorts: tuple[Option, ...]
    titles: Mapping[str, NodeRef]
    lives: Mapping[str, LifeLine]
    nights: Mapping[str, NightStrip]
    chosen: tuple[Option, ...]
    number: int
    pages: int
    previous: str | None
    following: str | None
    cleared: str | None


def page(desk: PageContext, asked: PageRequest) -> TemplateResponse:
    """The table of claims.

    Raises:
        AskedWronglyError: a facet or an order that there is not.
    """
    return desk.recall(("claims", asked.today, tuple(asked.query)), lambda: _table(desk, asked))


def _table(desk: PageContext, asked: PageRequest) -> TemplateResponse:
    claim_table = desk.claim_table()
    chosen = {
        "verdict": asked.one_of("verdict", [name.value for name in VERDICTS]),
        "severity": asked.one_of("severity", [severity.value for severity in SEVERITIES]),
        "brain": asked.text("brain"),
        "tag": asked.text("tag"),
    }
    order = asked.one_of("sort", list(SORTS)) or "gravity"
    everything = list(claim_table.lines.values())
    passing = sorted(_passing(everything, chosen), key=SORTS[order][1])
    pages = max(1, -(-len(passing) // LENGTH))
    number = min(asked.number("page"), pages)
    shown = tuple(passing[(number - 1) * LENGTH : number * LENGTH])
    found = Counter(line.verdict for line in _passing(everything, {**chosen, "verdict": ""}))
    model = Claims(
        run=claim_table.run,
        lines=shown,
        without_note=desk.brain.reports.without_note(line.claim for line in everything),
        total=len(passing),
        everything=len(everything),
        counts=tuple((name, found[name]) for name in VERDICTS if found[name]),
        facets=tuple(_facet(asked, everything, chosen, side) for side in SIDES),
        sorts=tuple(Option(says, asked.link(sort=name), chosen=name == order) for name, (says, _) in SORTS.items()),
        titles=desk.brain.nodes.refs(line.claim.node for line in shown),
        lives=desk.brain.record.lives_of((line.claim.id for line in shown), asked.today),
        nights=_nights(desk, [line.claim.id for line in shown]),
        chosen=tuple(Option(value, asked.link(**{name: None})) for name, value in chosen.items() if value),
        number=number,
        pages=pages,
        previous=asked.link(page=str(number - 1)) if number > 1 else None,
        following=asked.link(page=str(number + 1)) if number < pages else None,
        cleared=asked.path if any(chosen.values()) else None,
    )
    return TemplateResponse("claims.html", model)


def _nights(desk: PageContext, claims: Sequence[str]) -> dict[str, NightStrip]:
    """The strip of each claim over the last runs, those that have one."""
    ledger = desk.brain.ledger
    days = {run.id: run.as_of for run in desk.recall("nights of claims", lambda: ledger.present_runs(NIGHTS))}
    found = ledger.verdicts_of(claims, days) if claims and days else {}
    strips = {
        name: night_strip((days[run], by_run[run]) for run in days if run in by_run) for name, by_run in found.items()
    }
    return {name: strip for name, strip in strips.items() if strip}


def _passing(lines: Iterable[ClaimRow], chosen: Mapping[str, str]) -> list[ClaimRow]:
    wanted = [(side.values, chosen[side.name]) for side in SIDES if chosen[side.name]]
    return [line for line in lines if all(value in values(line) for values, value in wanted)]


def _facet(asked: PageRequest, lines: Sequence[ClaimRow], chosen: Mapping[str, str], side: Side) -> Facet:
    """The choices of a side, counted over what passes the others."""
    held = chosen[side.name]
    counts = Counter(value for line in _passing(lines, {**chosen, side.name: ""}) for value in side.values(line))
    if held and held not in counts:
        counts[held] = 0
    ordered = sorted(counts.items(), key=lambda entry: (_place(entry[0]), -entry[1], entry[0]))
    options = (
        Option(value, asked.link(**{side.name: None if value == held else value}), count, value == held)
        for value, count in ordered[: TAGS + MORE_TAGS]
    )
    return facet(side.title, list(options), TAGS, len(ordered), "/tags")


def _place(value: str) -> int:
    """The place of a verdict or a severity in its own order, most severe first; other words have none."""
    words = [*(name.value for name in VERDICTS), *(severity.value for severity in SEVERITIES)]
    return words.index(value) if value in words else len(words)


def _weight(line: ClaimRow) -> int:
    return list(ClaimSeverity)[::-1].index(line.claim.severity)


def _since(line: ClaimRow) -> int:
    return line.flag.first_seen.toordinal() if line.flag else 0
