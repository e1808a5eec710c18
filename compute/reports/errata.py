"""Errata: figures of sources that do not add up, grouped by root error.

A refuted claim whose figure somebody stated is an erratum of its source. Claims of one error are one group: those that
name the same claim as their `root`, and those with the same quoted words on the same node. Figures of texts that differ
are listed separately: it is not known which is right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from decimal import Decimal

from compute.reports.report_model import ReportEntry
from graph.models.claim_models import Cause, Claim, ClaimSeverity, Speaker, Stance, VerdictName
from graph.models.verdict_models import Run
from graph.values import Value

_SEVERITIES = list(ClaimSeverity)


class Erratum(Value):
    """One error, as its root claim reports it.

    `stated` is the figure that is expected, `computed` what it is instead, in `unit`; `computed` is the value now.
    `quote` are the words of the text, None where the claim quotes none. `document` and `line` are those of the quoted
    words, else of the node. `since` and `run` are the first run that refuted one of the claims; `claims` are all that
    see the error, the root first.
    """

    root: str
    says: str
    quote: str | None
    node: str
    title: str = ""
    document: str | None = None
    line: int | None = None
    stated: str
    computed: Decimal | None
    unit: str
    margin: Decimal | None
    severity: ClaimSeverity
    cause: Cause | None
    asserted_by: Speaker
    stance: Stance
    source: str | None
    reason: str
    since: date | None = None
    run: int | None = None
    claims: tuple[str, ...]

    @property
    def order(self) -> tuple[int, str]:
        """The most severe first, then by id."""
        return -_SEVERITIES.index(self.severity), self.root


class Errata(Value):
    """Every erratum by severity, and the figures of texts that differ, by the `run`; None if there is none yet."""

    items: tuple[Erratum, ...] = ()
    contradictions: tuple[Erratum, ...] = ()
    run: int | None = None


def is_erratum(entry: ReportEntry) -> bool:
    """Whether the claim shows that a stated figure is wrong."""
    stated = entry.claim.asserted_by is not Speaker.NOBODY
    return entry.row.verdict is VerdictName.REFUTED and stated and entry.row.cause is not Cause.SOURCES_DIFFER


def is_contradiction(entry: ReportEntry) -> bool:
    """Whether the claim shows that figures of texts differ."""
    return entry.row.cause is Cause.SOURCES_DIFFER and entry.row.verdict is not VerdictName.HOLDS


def errata(
    entries: Iterable[ReportEntry],
    first: Callable[[str], Run | None] = lambda _: None,
    place: Callable[[Claim], Mapping[str, object]] = lambda _: {},
) -> Errata:
    """The errata, the most severe first; `first` is the run that first refuted a claim, `place` where the claim is."""
    listed = {entry.claim.id: entry for entry in entries}

    def those(kind: Callable[[ReportEntry], bool]) -> tuple[Erratum, ...]:
        found = (_erratum(group, first) for group in grouped(filter(kind, listed.values())))
        ordered = sorted(found, key=lambda one: one.order)
        return tuple(one.model_copy(update=dict(place(listed[one.root].claim))) for one in ordered)

    return Errata(items=those(is_erratum), contradictions=those(is_contradiction))


def grouped(entries: Iterable[ReportEntry]) -> tuple[tuple[ReportEntry, ...], ...]:
    """The claims of each error, its root first."""
    groups: dict[tuple[str, ...], list[ReportEntry]] = {}
    for entry in entries:
        keys = [("claim", entry.claim.id), *_keys(entry)]
        joined = {id(group): group for key in keys if (group := groups.get(key))}.values()
        merged = [*(one for group in joined for one in group), entry]
        groups |= dict.fromkeys((key for one in merged for key in (("claim", one.claim.id), *_keys(one))), merged)
    return tuple(tuple(_rooted(group)) for group in {id(group): group for group in groups.values()}.values())


def _keys(entry: ReportEntry) -> Iterator[tuple[str, ...]]:
    """What the claims of one error share."""
    claim = entry.claim
    if claim.root:
        yield "claim", claim.root
    if claim.quote:
        yield "quote", claim.node, " ".join(claim.quote.split()).casefold()


def _rooted(group: list[ReportEntry]) -> list[ReportEntry]:
    """The group with its root first: a claim that others name, else the most severe rootless one."""
    named = {entry.claim.root for entry in group}
    return sorted(group, key=lambda entry: (
        entry.claim.id not in named, entry.claim.root is not None,
        -_SEVERITIES.index(entry.claim.severity), entry.claim.id,
    ))  # fmt: skip


def _erratum(group: tuple[ReportEntry, ...], first: Callable[[str], Run | None]) -> Erratum:
    claim, row = group[0].claim, group[0].row
    quote = next((entry.claim.quote for entry in group if entry.claim.quote), None)
    since = min((run for entry in group if (run := first(entry.claim.id))), key=lambda run: run.id, default=None)
    return Erratum(
        root=claim.id, says=claim.says, quote=quote, node=claim.node, stated=group[0].expectation_text,
        computed=row.value, unit=row.unit, margin=row.margin,
        severity=max((entry.claim.severity for entry in group), key=_SEVERITIES.index), cause=row.cause,
        asserted_by=claim.asserted_by, stance=claim.stance, source=claim.source, reason=row.reason,
        since=since.as_of if since else None, run=since.id if since else None,
        claims=tuple(entry.claim.id for entry in group),
    )  # fmt: skip
