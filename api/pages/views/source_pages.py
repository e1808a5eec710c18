"""Sources: the works that nodes list, most used first, and one work with what is quoted and computed from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from api.pages.render.source_titles import SOURCE_KINDS, SourceKind, source_kind, title_of_address
from api.pages.request.listing import Narrowing, Side, part_of
from api.pages.request.page_request import PageRequest, TemplateResponse, page_of
from api.pages.views.claim_table import ClaimRow, PageContext, counted
from api.pages.views.price_table import price_table
from graph.models.query_models import SourceUse
from ingest.quotations.publication_ids import publication_id

LISTED = 30
FIGURES = 60


@dataclass(frozen=True, slots=True)
class SourceEntry:
    """A work as the list filters and sorts it: `claims` take their figure from it."""

    work: str
    title: str
    host: str
    kind: SourceKind
    nodes: int
    quotations: int
    claims: tuple[ClaimRow, ...]

    @property
    def counts(self) -> tuple[tuple[str, int], ...]:
        """The verdicts of its claims."""
        return counted(row.state for row in self.claims)


Line = tuple[SourceEntry, SourceUse, str, str]
"""A line of the list: the entry, the work with its nodes, words of the work, and words of a node that state a figure
from it; either words may be empty."""


SORTS: Mapping[str, tuple[str, Callable[[SourceEntry], tuple[object, ...]]]] = {
    "uses": ("most used first", lambda entry: (-entry.nodes - len(entry.claims), -entry.quotations, entry.work)),
    "claims": ("most claims first", lambda entry: (-len(entry.claims), -entry.nodes, entry.work)),
    "title": ("by title", lambda entry: (entry.title.lower(), entry.work)),
}
"""The orders of the list, by the word in the address: what it says, and by what it sorts."""

_KINDS = {kind.name: kind.title for kind in SOURCE_KINDS}
SIDES: tuple[Side[SourceEntry], ...] = (
    Side("kind", "Kind", lambda entry: (entry.kind.name,), _KINDS, shown=16, rest="/v1/sources"),
    Side("host", "Host", lambda entry: (entry.host,), shown=16, rest="/v1/sources"),
)


def sources(context: PageContext, request: PageRequest) -> TemplateResponse:
    """The works, most used first.

    Raises:
        PageRequestError: an order that there is not, or the number of a page that is none.
    """
    words, order = request.text("q").lower().split(), request.one_of("sort", list(SORTS)) or "uses"
    everything = context.recall(("source entries", order), lambda: sorted(_entries(context), key=SORTS[order][1]))
    named = [one for one in everything if all(word in f"{one.title} {one.work}".lower() for word in words)]
    found = Narrowing(request, named, SIDES, lambda entry: entry.work)
    part = part_of(request, found.passing(), LISTED)
    return page_of(
        "sources.html",
        lines=_lines(context, part.things),
        q=request.text("q"),
        chosen=found.filters,
        part=part,
        everything=len(everything),
        facets=found.facets(),
        sorts=SORTS,
        order=order,
    )


def _entries(context: PageContext) -> Iterable[SourceEntry]:
    claims = claims_by_work(context)
    for one in context.brain.sources.counts():
        title = one.title or title_of_address(one.url) or one.id
        kind = source_kind(one.id, one.url)
        yield SourceEntry(one.id, title, one.host, kind, one.nodes, one.quotations, claims.get(one.id, ()))


def claims_by_work(context: PageContext) -> Mapping[str, tuple[ClaimRow, ...]]:
    """The claims that take their figure from each work, most severe first."""

    def make() -> Mapping[str, tuple[ClaimRow, ...]]:
        found: dict[str, list[ClaimRow]] = {}
        for row in context.claim_table().lines.values():
            if row.claim.source:
                found.setdefault(publication_id(row.claim.source), []).append(row)
        return {work: tuple(sorted(rows, key=lambda one: one.gravity)) for work, rows in found.items()}

    return context.recall("claims by work", make)


def _lines(context: PageContext, entries: Sequence[SourceEntry]) -> list[Line]:
    works = [one.work for one in entries]
    uses = {use.source.id: use for use in context.brain.sources.of(works)}
    quotes = context.brain.sources.first_quotations(works)
    stated = {one.work: next((row.claim.quote for row in one.claims if row.claim.quote), "") for one in entries}
    return [(one, uses[one.work], quotes.get(one.work, ""), stated[one.work]) for one in entries if one.work in uses]


def source(context: PageContext, request: PageRequest) -> TemplateResponse:
    """One work with everything quoted from it, the claims that take their figure from it, and the prices it states.

    Raises:
        UnknownSourceError: no node lists it.
    """
    work = request.parts["work"]
    detail = context.brain.sources.get(work)
    figures = claims_by_work(context).get(work, ())
    own = detail.use.source
    return page_of(
        "source.html",
        use=detail.use,
        quotations=detail.quotations,
        title=own.title or title_of_address(own.url) or own.id,
        kind=source_kind(own.id, own.url),
        counts=counted(row.state for row in figures),
        figures=figures,
        titles=context.brain.nodes.refs(row.claim.node for row in figures[:FIGURES]),
        priced=_priced_by(context, request.today).get(work, ()),
    )


def _priced_by(context: PageContext, today: date) -> Mapping[str, tuple[str, ...]]:
    def make() -> Mapping[str, tuple[str, ...]]:
        found: dict[str, dict[str, None]] = {}
        for row in price_table(context, today).rows:
            for price in row.prices:
                if price.catalog == "cards" and price.source:
                    found.setdefault(publication_id(price.source), {})[row.item] = None
        return {work: tuple(items) for work, items in found.items()}

    return context.recall(("priced by", today), make)
