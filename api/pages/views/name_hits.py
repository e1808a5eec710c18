"""Claims, prices, terms, tags and sources found by name, with their main figure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from datetime import date
from typing import Any, NamedTuple

from api.pages.page_request import path_of, work_path
from api.pages.render.figure_format import figure, plural, printed
from api.pages.render.source_titles import source_name
from api.pages.render.verdict_signs import UNSEEN, VerdictSign
from api.pages.views.claim_table import ClaimRow, PageContext, expectation_text
from api.pages.views.price_table import price_text
from api.services.names import Concept, NameSearch, PricedItem, TagUse
from compute.prices.price_overview import rows_of
from compute.reports.report_model import SOURCE_WRONG
from graph.models.claim_models import Claim
from graph.models.node_models import Kind
from graph.search.name_index import BEGINS, NAMED, NameTable, NameWords
from graph.store.source_queries import SourceCount


class NameHit(NamedTuple):
    """A match: title, link, main figure or count, note; `parts` are the glossaries of a term."""

    kind: str
    title: str
    href: str
    figure: str = ""
    note: str = ""
    sign: VerdictSign | None = None
    parts: tuple[tuple[str, str], ...] = ()

    @property
    def label(self) -> str:
        """Kind and figure: `claim · stale · 97.5%`, `term · 3 glossaries`."""
        kind = "note" if self.kind == "node" else self.kind
        return " · ".join(part for part in (kind, self.sign.word if self.sign else "", self.figure) if part)


class FoundThing(NamedTuple):
    """Something that was found, and how well it matches."""

    level: int
    thing: Any


class NameKind(NamedTuple):
    """A kind: title, table, order of equal matches, and how one is shown."""

    title: str
    table: Callable[[NameSearch], NameTable[Any]]
    order: Callable[[Mapping[str, ClaimRow], Any], tuple[object, ...]]
    shown: Callable[[PageContext, Any, date], NameHit]


def found(
    context: PageContext,
    kind: str,
    wanted: NameWords,
    unwanted: Iterable[NameWords] = (),
    may: Callable[[Any], bool] | None = None,
) -> list[FoundThing]:
    """Matches by name, best first, all without words; `may` filters."""
    one, lines = NAME_KINDS[kind], context.claim_table().lines
    table = one.table(context.brain.names)
    matches = table.find(wanted, unwanted) if wanted.words else [(0, thing) for thing in table.things]
    kept = [
        FoundThing(NAMED if kind == "claim" and level == BEGINS else level, thing)
        for level, thing in matches
        if may is None or may(thing)
    ]
    return sorted(kept, key=lambda match: (match.level, *one.order(lines, match.thing)))


def _claim_order(lines: Mapping[str, ClaimRow], claim: Claim) -> tuple[object, ...]:
    return lines[claim.id].gravity if claim.id in lines else (len(lines), 0, 0, claim.id)


def _claim(context: PageContext, claim: Claim, _today: date) -> NameHit:
    line = context.claim_table().lines.get(claim.id)
    row = line.row if line else None
    value = figure(row.value, row.unit) if row and row.value is not None else ""
    word, link = "stated" if line and line.state == SOURCE_WRONG else "expected", path_of("claims", claim.id)
    expected = printed(f"{word} {line.expected if line else expectation_text(claim)}")
    return NameHit("claim", claim.says or claim.id, link, value, expected, line.sign if line else UNSEEN)


def _price(context: PageContext, item: PricedItem, today: date) -> NameHit:
    rows = rows_of(context.brain.prices.book(), item.name, today)
    now = next((row for row in rows if row.value is not None or row.low is not None), None)
    read = f"read by {plural(item.claims, 'claim')}" if item.claims else ""
    component = now.component.replace("_", " ") if now else "no price today"
    notes = (component, "family" if item.family else "", read)
    value, note = price_text(now) if now else "", " · ".join(part for part in notes if part)
    return NameHit("price", item.name, path_of("prices", item.name), value, note)


def _term(_context: PageContext, concept: Concept, _today: date) -> NameHit:
    count = plural(len(concept.glossaries), "glossary", "glossaries")
    parts = tuple((term.brain, path_of("nodes", term.id)) for term in concept.terms)
    return NameHit("term", concept.title, path_of("terms", concept.id), count, parts=parts)


def _tag(context: PageContext, use: TagUse, _today: date) -> NameHit:
    terms = terms_by_tag(context)[use.tag]
    counts = ((use.nodes - terms, "note"), (terms, "term"), (use.claims, "claim"))
    figures = ", ".join(plural(count, word) for count, word in counts if count)
    return NameHit("tag", use.tag, path_of("tags", use.tag), figures)


def terms_by_tag(context: PageContext) -> Counter[str]:
    """How many terms have each tag."""
    terms = (one for one in context.brain.index_feed.card_list() if one.kind is Kind.TERM)
    return context.recall("terms by tag", lambda: Counter(tag for one in terms for tag in one.tags))


def _source(_context: PageContext, source: SourceCount, _today: date) -> NameHit:
    count, link = plural(source.nodes, "note"), work_path(source.id)
    return NameHit("source", source_name(source), link, count, source.host)


NAME_KINDS: Mapping[str, NameKind] = {
    "claim": NameKind("Claims", NameSearch.claims, _claim_order, _claim),
    "price": NameKind(
        "Prices", NameSearch.prices, lambda _, one: (-one.claims, not one.family, len(one.name), one.name), _price
    ),
    "term": NameKind("Terms", NameSearch.terms, lambda _, one: (-len(one.glossaries), one.title), _term),
    "tag": NameKind("Tags", NameSearch.tags, lambda _, one: (-one.total, one.tag), _tag),
    "source": NameKind("Sources", NameSearch.sources, lambda _, one: (-one.nodes, one.title or one.id), _source),
}
"""What is found by name, by the word in an address; nodes are found by their text."""
