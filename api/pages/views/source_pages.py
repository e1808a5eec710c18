"""The list of works, most used first, and one work with its quotations, claims and prices."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from api.pages.page_request import Narrowing, PageRequest, Side, TemplateResponse, page_of, part_of
from api.pages.render.source_titles import SOURCE_KINDS, SourceKind, source_kind, source_name
from api.pages.views.claim_table import ClaimRow, PageContext
from api.pages.views.price_table import price_table
from api.pages.views.search_page import excerpt
from compute.reports.report_model import SOURCE_WRONG
from graph.groups import group_by
from graph.search.query_language import parse
from graph.search.snippets import Marker, gist
from graph.store.source_queries import SourceCount
from ingest.quotations.publication_ids import publication_id

LISTED = 30
FIGURES, NOTES = 60, 12


class SourceEntry(NamedTuple):
    """A work in the list; `claims` take their figure from it, `wrong` counts the figures of it that are wrong."""

    source: SourceCount
    title: str
    kind: SourceKind
    claims: Sequence[ClaimRow]
    wrong: int


SORTS: Mapping[str, tuple[str, Callable[[SourceEntry], tuple[object, ...]]]] = {
    "uses": ("most notes and claims together first", lambda one: (-one.source.nodes - len(one.claims), one.source.id)),
    "claims": ("most claims first", lambda one: (-len(one.claims), -one.source.nodes, one.source.id)),
    "wrong": ("most wrong first", lambda one: (-one.wrong, -len(one.claims), one.source.id)),
    "title": ("by title", lambda one: (one.title.lower(), one.source.id)),
}
"""The orders of the list, by the word in the address: what it says, and by what it sorts."""

_KINDS = {kind.name: kind.title for kind in SOURCE_KINDS}
SIDES: tuple[Side[SourceEntry], ...] = (
    Side("kind", "Kind", lambda entry: (entry.kind.name,), _KINDS, shown=16, rest="/v1/sources"),
    Side("host", "Host", lambda entry: (entry.source.host,), shown=16, rest="/v1/sources"),
)


def sources(context: PageContext, request: PageRequest) -> TemplateResponse:
    """The works, most used first. Raises PageRequestError for an unknown order or page."""
    words, order = request.text("q").lower().split(), request.one_of("sort", list(SORTS)) or "uses"
    everything = context.recall(("source entries", order), lambda: sorted(_entries(context), key=SORTS[order][1]))
    named = [one for one in everything if all(word in f"{one.title} {one.source.id}".lower() for word in words)]
    found = Narrowing(request, named, SIDES, lambda entry: entry.source.id)
    part = part_of(request, found.passing(), LISTED)
    works = [one.source.id for one in part.things]
    return page_of(
        "sources.html",
        uses={use.source.id: use for use in context.brain.sources.of(works)},
        quotes=context.brain.sources.first_quotations(works),
        chosen=found.filters,
        part=part,
        everything=len(everything),
        wrong=context.recall("wrong sources", lambda: sum(one.wrong > 0 for one in everything)),
        facets=found.facets(),
        sorts=SORTS,
        order=order,
    )


def _entries(context: PageContext) -> Iterable[SourceEntry]:
    for one in context.brain.sources.counts():
        claims = claims_by_work(context).get(one.id, ())
        yield SourceEntry(one, source_name(one), source_kind(one.id, one.url), claims, wrong_figures(context, claims))


def wrong_figures(context: PageContext, rows: Iterable[ClaimRow]) -> int:
    """How many figures these claims find wrong in a source, counted as on the page of errata."""
    found = context.recall("errata", context.brain.reports.errata).items
    roots = {claim: one.root for one in found for claim in one.claims}
    return len({roots.get(row.claim.id, row.claim.id) for row in rows if row.state == SOURCE_WRONG})


def claims_by_work(context: PageContext) -> Mapping[str, Sequence[ClaimRow]]:
    """The claims that take their figure from each work, most severe first."""

    def make() -> Mapping[str, Sequence[ClaimRow]]:
        sourced = (row for row in context.claim_table().lines.values() if row.claim.source)
        ordered = sorted(sourced, key=lambda one: one.gravity)
        return group_by(ordered, lambda one: publication_id(one.claim.source or ""))

    return context.recall("claims by work", make)


def source(context: PageContext, request: PageRequest) -> TemplateResponse:
    """One work with quotations, claims and prices. Raises UnknownSourceError."""
    work = request.parts["work"]
    detail = context.brain.sources.get(work)
    figures, own = claims_by_work(context).get(work, ()), detail.use.source
    listed = [ref.id for ref in detail.use.nodes[:NOTES]]
    names = (source_name(own), own.host.removeprefix("www.").partition(".")[0], own.id.rpartition(":")[2])
    marker = Marker(item.text for name in names if len(name) > 5 for item in parse(f'"{name}"').required)
    texts = ((one.id, gist(one)) for one in context.brain.nodes.get_many(listed))
    return page_of(
        "source.html",
        use=detail.use,
        quotations=detail.quotations,
        title=source_name(own),
        kind=source_kind(own.id, own.url),
        figures=figures,
        wrong=wrong_figures(context, figures),
        titles=context.brain.nodes.refs(row.claim.node for row in figures[:FIGURES]),
        notes=context.brain.nodes.summaries(listed),
        named={node: excerpt(marker, text) for node, text in texts if marker.spans(text)},
        priced=_priced_by(context, request.today).get(work, ()),
    )


def _priced_by(context: PageContext, today: date) -> Mapping[str, Iterable[str]]:
    def make() -> Mapping[str, Iterable[str]]:
        found: dict[str, dict[str, None]] = {}
        for row in price_table(context, today).rows:
            for price in row.prices:
                if price.catalog == "cards" and price.source:
                    found.setdefault(publication_id(price.source), {})[row.item] = None
        return found

    return context.recall(("priced by", today), make)
