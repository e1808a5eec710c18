"""All claims as a table: facets, an order, a bar of counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from api.pages.asked import Asked, Facet, Option, Sheet
from api.pages.board import Desk, Line, gravity
from api.pages.signs import SEVERITIES, VERDICTS
from graph.claims import Run, Severity, VerdictName
from graph.query import NodeRef

LENGTH = 100
TAGS = 18
_FAR = Decimal("Infinity")

Key = Callable[[Line], tuple[object, ...]]
SORTS: Mapping[str, tuple[str, Key]] = {
    "gravity": ("gravest first", lambda line: (gravity(line.verdict), _weight(line), line.claim.id)),
    "room": ("least room first", lambda line: (_FAR if line.room is None else line.room, line.claim.id)),
    "since": ("longest standing first", lambda line: (line.flag is None, _since(line), line.claim.id)),
    "stated": ("latest statement first", lambda line: (-line.claim.as_of.toordinal(), line.claim.id)),
    "id": ("by name", lambda line: (line.claim.id,)),
}
"""The orders of the table, by the word in the address: what it says, and by what it sorts."""

FACETS: Sequence[tuple[str, str, Callable[[Line], tuple[str, ...]]]] = (
    ("verdict", "Verdict", lambda line: (line.verdict.value,) if line.verdict else ()),
    ("severity", "Severity", lambda line: (line.claim.severity.value,)),
    ("brain", "Brain", lambda line: (line.brain,)),
    ("tag", "Tag", lambda line: line.claim.tags),
)
"""The facets: the word in the address, the title, and what a claim has of it."""


@dataclass(frozen=True, slots=True)
class Claims:
    """The page. `counts` are over everything that passes the facets other than the verdict."""

    run: Run | None
    lines: tuple[Line, ...]
    total: int
    everything: int
    counts: tuple[tuple[VerdictName, int], ...]
    facets: tuple[Facet, ...]
    sorts: tuple[Option, ...]
    titles: Mapping[str, NodeRef]
    number: int
    pages: int
    previous: str | None
    following: str | None
    cleared: str | None


def page(desk: Desk, asked: Asked) -> Sheet:
    """The table of claims.

    Raises:
        AskedWronglyError: a facet or an order that there is not.
    """
    board = desk.board()
    chosen = {
        "verdict": asked.one_of("verdict", [name.value for name in VERDICTS]),
        "severity": asked.one_of("severity", [severity.value for severity in SEVERITIES]),
        "brain": asked.text("brain"),
        "tag": asked.text("tag"),
    }
    order = asked.one_of("sort", list(SORTS)) or "gravity"
    everything = list(board.lines.values())
    passing = sorted(_passing(everything, chosen), key=SORTS[order][1])
    pages = max(1, -(-len(passing) // LENGTH))
    number = min(asked.number("page"), pages)
    shown = tuple(passing[(number - 1) * LENGTH : number * LENGTH])
    found = Counter(line.verdict for line in _passing(everything, {**chosen, "verdict": ""}))
    model = Claims(
        run=board.run,
        lines=shown,
        total=len(passing),
        everything=len(everything),
        counts=tuple((name, found[name]) for name in VERDICTS if found[name]),
        facets=tuple(_facet(asked, everything, chosen, *facet) for facet in FACETS),
        sorts=tuple(Option(says, asked.link(sort=name), chosen=name == order) for name, (says, _) in SORTS.items()),
        titles=desk.store.refs(line.claim.node for line in shown),
        number=number,
        pages=pages,
        previous=asked.link(page=str(number - 1)) if number > 1 else None,
        following=asked.link(page=str(number + 1)) if number < pages else None,
        cleared=asked.path if any(chosen.values()) else None,
    )
    return Sheet("claims.html", model)


def _passing(lines: Iterable[Line], chosen: Mapping[str, str]) -> list[Line]:
    wanted = [(values, chosen[name]) for name, _, values in FACETS if chosen[name]]
    return [line for line in lines if all(value in values(line) for values, value in wanted)]


def _facet(
    asked: Asked,
    lines: Sequence[Line],
    chosen: Mapping[str, str],
    name: str,
    title: str,
    values: Callable[[Line], tuple[str, ...]],
) -> Facet:
    """The choices of a facet, counted over what passes the others."""
    counts = Counter(value for line in _passing(lines, {**chosen, name: ""}) for value in values(line))
    if chosen[name] and chosen[name] not in counts:
        counts[chosen[name]] = 0
    ordered = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    options = (
        Option(value, asked.link(**{name: None if value == chosen[name] else value}), count, value == chosen[name])
        for value, count in ordered[:TAGS]
    )
    return Facet(title, tuple(options), max(0, len(ordered) - TAGS))


def _weight(line: Line) -> int:
    return list(Severity)[::-1].index(line.claim.severity)


def _since(line: Line) -> int:
    return line.flag.first_seen.toordinal() if line.flag else 0
