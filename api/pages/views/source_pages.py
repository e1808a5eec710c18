"""Sources: the works that nodes list, most used first, and one work with what is quoted and computed from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from api.pages.render.source_kinds import SOURCE_KINDS, SourceKind, source_kind, title_of_address
from api.pages.request.page_request import FOLDED, Facet, Option, PageRequest, TemplateResponse, facet
from api.pages.views.claim_table import ClaimRow, PageContext, verdict_order
from api.pages.views.price_table import price_table
from graph.models.claim_models import VerdictName
from graph.models.query_models import NodeRef, SourceDetail, SourceUse
from ingest.quotations.publication_ids import publication_id

LISTED = 30
HOSTS = 16
QUOTES, FIGURES, LISTING = 100, 60, 100

VerdictCounts = tuple[tuple[VerdictName, int], ...]


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
    def uses(self) -> int:
        """How often it is used: nodes, and claims."""
        return self.nodes + len(self.claims)


@dataclass(frozen=True, slots=True)
class ListedSource:
    """A line of the list: the entry, the work with its nodes, and the verdicts of its claims.

    `quote` are words of the work, `used_for` words of a node that state a figure from it; each may be empty.
    """

    entry: SourceEntry
    use: SourceUse
    counts: VerdictCounts
    quote: str
    used_for: str


@dataclass(frozen=True, slots=True)
class Sources:
    """The list."""

    lines: tuple[ListedSource, ...]
    q: str
    chosen: tuple[tuple[str, str], ...]
    total: int
    everything: int
    facets: tuple[Facet, ...]
    sorts: tuple[Option, ...]
    number: int
    pages: int
    previous: str | None
    following: str | None
    cleared: str | None


@dataclass(frozen=True, slots=True)
class SourcePage:
    """One work; `items` are priced by it. `left`, `figures_left` and `nodes_left` count what is not shown."""

    detail: SourceDetail
    title: str
    kind: SourceKind
    counts: VerdictCounts
    figures: tuple[ClaimRow, ...]
    figures_left: int
    titles: Mapping[str, NodeRef]
    items: tuple[str, ...]
    nodes: tuple[NodeRef, ...]
    nodes_left: int
    left: int


Key = Callable[[SourceEntry], tuple[object, ...]]

SORTS: Mapping[str, tuple[str, Key]] = {
    "uses": ("most used first", lambda entry: (-entry.uses, -entry.quotations, entry.work)),
    "claims": ("most claims first", lambda entry: (-len(entry.claims), -entry.nodes, entry.work)),
    "title": ("by title", lambda entry: (entry.title.lower(), entry.work)),
}
"""The orders of the list, by the word in the address: what it says, and by what it sorts."""


class Side(NamedTuple):
    """One way to narrow the list down: the word in the address, the title, and what an entry has of it."""

    name: str
    title: str
    value: Callable[[SourceEntry], str]


SIDES = (
    Side("kind", "Kind", lambda entry: entry.kind.name),
    Side("host", "Host", lambda entry: entry.host),
)

KIND_TITLES = {kind.name: kind.title for kind in SOURCE_KINDS}


def sources(context: PageContext, request: PageRequest) -> TemplateResponse:
    """The works, most used first.

    Raises:
        PageRequestError: an order that there is not, or the number of a page that is none.
    """
    key = ("sources", tuple(request.query))
    return context.recall(key, lambda: TemplateResponse("sources.html", _sources(context, request)))


def _sources(context: PageContext, request: PageRequest) -> Sources:
    words = request.text("q").lower().split()
    chosen = {side.name: request.text(side.name) for side in SIDES}
    order = request.one_of("sort", list(SORTS)) or "uses"
    everything = _sorted(context, order)
    named = [one for one in everything if all(word in f"{one.title} {one.work}".lower() for word in words)]
    passing = _passing(named, chosen)
    pages = max(1, -(-len(passing) // LISTED))
    number = min(request.number("page"), pages)
    return Sources(
        lines=_lines(context, passing[(number - 1) * LISTED : number * LISTED]),
        q=request.text("q"),
        chosen=tuple((name, value) for name, value in chosen.items() if value),
        total=len(passing),
        everything=len(everything),
        facets=tuple(_facet(request, named, chosen, side) for side in SIDES),
        sorts=tuple(Option(title, request.link(sort=name), chosen=name == order) for name, (title, _) in SORTS.items()),
        number=number,
        pages=pages,
        previous=request.link(page=str(number - 1)) if number > 1 else None,
        following=request.link(page=str(number + 1)) if number < pages else None,
        cleared=request.path if words or any(chosen.values()) else None,
    )


def _sorted(context: PageContext, order: str) -> tuple[SourceEntry, ...]:
    """All works in an order, sorted once: a filter keeps the order."""

    def make() -> tuple[SourceEntry, ...]:
        entries = context.recall("source entries", lambda: tuple(_entries(context)))
        return tuple(sorted(entries, key=SORTS[order][1]))

    return context.recall(("source entries", order), make)


def _entries(context: PageContext) -> Iterable[SourceEntry]:
    claims = claims_by_work(context)
    for one in context.brain.sources.counts():
        title = one.title or title_of_address(one.url) or one.id
        kind = source_kind(one.id, one.url)
        yield SourceEntry(one.id, title, one.host, kind, one.nodes, one.quotations, claims.get(one.id, ()))


def claims_by_work(context: PageContext) -> Mapping[str, tuple[ClaimRow, ...]]:
    """The claims that take their figure from each work, most severe verdict first."""
    return context.recall("claims by work", lambda: _claims_by_work(context))


def _claims_by_work(context: PageContext) -> Mapping[str, tuple[ClaimRow, ...]]:
    found: dict[str, list[ClaimRow]] = {}
    for line in context.claim_table().lines.values():
        if line.claim.source:
            found.setdefault(publication_id(line.claim.source), []).append(line)
    return {work: tuple(sorted(lines, key=lambda one: verdict_order(one.verdict))) for work, lines in found.items()}


def _passing(entries: Iterable[SourceEntry], chosen: Mapping[str, str]) -> list[SourceEntry]:
    expected = [(side.value, chosen[side.name]) for side in SIDES if chosen[side.name]]
    return [one for one in entries if all(value(one) == given for value, given in expected)]


def _lines(context: PageContext, entries: Sequence[SourceEntry]) -> tuple[ListedSource, ...]:
    works = [one.work for one in entries]
    uses = {use.source.id: use for use in context.brain.sources.of(works)}
    quotes = context.brain.sources.first_quotations(works)
    return tuple(
        ListedSource(one, uses[one.work], counted(one.claims), quotes.get(one.work, ""), _used_for(one.claims))
        for one in entries
        if one.work in uses
    )


def _used_for(lines: Iterable[ClaimRow]) -> str:
    return next((line.claim.quote for line in lines if line.claim.quote), "")


def counted(lines: Iterable[ClaimRow]) -> VerdictCounts:
    """How many claims have each verdict, most severe first."""
    found = Counter(line.verdict for line in lines if line.verdict is not None)
    return tuple(sorted(found.items(), key=lambda pair: verdict_order(pair[0])))


def _facet(request: PageRequest, entries: Iterable[SourceEntry], chosen: Mapping[str, str], side: Side) -> Facet:
    """The choices of a side, counted over what passes the other; some addresses name no host."""
    given = chosen[side.name]
    found = Counter(side.value(one) for one in _passing(entries, {**chosen, side.name: ""}))
    values = [value for value, _ in found.most_common() if value]
    options = (
        Option(
            KIND_TITLES.get(value, value),
            request.link(**{side.name: None if value == given else value}),
            found[value],
            value == given,
        )
        for value in values[: HOSTS + FOLDED]
    )
    return facet(side.title, list(options), HOSTS, len(values), "/v1/sources")


def source(context: PageContext, request: PageRequest) -> TemplateResponse:
    """One work with everything quoted from it, the claims that take their figure from it, and the prices it states.

    Raises:
        UnknownSourceError: no node lists it.
    """
    work = request.parts["work"]
    detail = context.recall(("source", work), lambda: context.brain.sources.get(work))
    left = max(0, len(detail.quotations) - QUOTES)
    if left:
        detail = detail.model_copy(update={"quotations": detail.quotations[:QUOTES]})
    figures = claims_by_work(context).get(work, ())
    nodes, own = detail.use.nodes, detail.use.source
    model = SourcePage(
        detail=detail,
        title=own.title or title_of_address(own.url) or own.id,
        kind=source_kind(own.id, own.url),
        counts=counted(figures),
        figures=figures[:FIGURES],
        figures_left=max(0, len(figures) - FIGURES),
        titles=context.brain.nodes.refs(line.claim.node for line in figures[:FIGURES]),
        items=_priced_by(context, request.today).get(work, ()),
        nodes=nodes[:LISTING],
        nodes_left=max(0, len(nodes) - LISTING),
        left=left,
    )
    return TemplateResponse("source.html", model)


def _priced_by(context: PageContext, today: date) -> Mapping[str, tuple[str, ...]]:
    """The items that each work prices, as the price cards say."""
    return context.recall(("priced by", today), lambda: _items_by_work(context, today))


def _items_by_work(context: PageContext, today: date) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = {}
    for row in price_table(context, today).rows:
        for price in row.prices:
            if price.catalog == "cards" and price.source:
                found.setdefault(publication_id(price.source), {})[row.item] = None
    return {work: tuple(items) for work, items in found.items()}
