"""Check a text; figures of a note that could be claims; errata of sources."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from datetime import date
from decimal import Decimal
from itertools import accumulate, pairwise

from api.pages.page_request import Narrowing, PageRequest, Side, TemplateResponse, page_of, part_of
from api.pages.render.figure_format import factor
from api.pages.views.claim_table import SEVERITIES, SEVERITY_ORDER, PageContext
from api.services.texts.proofreader import LONGEST, ProofItem
from compute.figures.figure_models import Figure, Statement
from compute.figures.figure_reader import figures
from compute.prices.price_models import Question, Quote
from compute.reports.errata import Erratum
from graph.groups import group_by
from graph.models.node_models import host_of
from graph.progress_steps import WorkLimitError, work_limit
from graph.text.code_blocks import verbatim_masked
from graph.text.plain_text import naming, plain_text
from ingest.quotations.publication_ids import publication_id

ERRATA, MOST_UNCHECKED = 50, 40
CSS = {
    "refuted": "refuted", "stale": "stale", "needs-assumption": "depends", "unpriced": "unverifiable", "holds": "holds",
}  # fmt: skip
"""The kinds of findings in the order of the page, each with the class of its colour."""

EXAMPLE = (
    "GPT-4o is $5.00 for a million input tokens and $10 for a million of output. "
    "Eight GPUs at $3 an hour cost $240 a day."
)
"""A text with a figure that is stale, one that holds, and one that is refuted."""

ERRATA_SIDES: tuple[Side[Erratum], ...] = (
    Side("host", "Source", lambda one: (host_of(one.source or "") or "not linked",)),
    Side("severity", "Severity", lambda one: (one.severity.value,), SEVERITIES, ordered=True),
)

_BLOCK = re.compile(r"\n[ \t]*\n|(?<=\|)[ \t]*\n|\n(?=[ \t]*(?:[-*+]|\d+[.)]|\|)[ \t])")
"""Between two paragraphs, rows of a table or points of a list."""

_PRICE = re.compile(r'price\("([^"]+)", "([^"]+)"(?:, processing="([^"]+)")?\)')


def form(context: PageContext, request: PageRequest) -> TemplateResponse:
    """The form with the text of the address, and an example."""
    proof = context.brain.proofreader.proof
    found = context.recall(("example", request.day), lambda: proof(EXAMPLE.encode(), "draft.md", request.day).items)
    return proof_page(request, request.text("text"), example=_findings(context, found, request.day))


def _findings(
    context: PageContext, items: Iterable[ProofItem], day: date
) -> list[tuple[int, ProofItem, Decimal | None]]:
    return [(number, one, _now(context, one, day)) for number, one in enumerate(items, 1)]


def proof_page(
    request: PageRequest, text: str, stopped: str = "", status: int = 200, **found: object
) -> TemplateResponse:
    """The page; `stopped` says why a text was not checked."""
    shown = {"proof": None, "parts": (), "unchecked": (), "last_line": 0, "most": LONGEST, "example": (), **found}
    return page_of("proof.html", status, text=text, day=request.day, stopped=stopped, kinds=CSS, **shown)


def proof(context: PageContext, request: PageRequest, text: str) -> TemplateResponse:
    """The proof of a text; browsers end its lines with CR LF."""
    given, seconds = text.replace("\r\n", "\n").replace("\r", "\n"), context.brain.settings.proof_seconds
    shown = _beginning(given, LONGEST)
    if not shown.strip():
        return proof_page(request, "")
    name = "draft.html" if shown.lstrip()[:1] == "<" else "draft.md"
    try:
        found = context.brain.proofreader.proof(shown.encode("utf-8"), name, request.day, step=work_limit(seconds))
    except WorkLimitError as error:
        return proof_page(request, given, str(error))
    every = figures(verbatim_masked(shown))
    return proof_page(
        request,
        given,
        proof=found,
        findings=_findings(context, found.items, request.day),
        parts=_parts(shown, found.items),
        unchecked=list(_unchecked(shown, every, [one[:2] for one in _spans(shown, found.items)])),
        last_line=shown.rstrip("\n").count("\n") + 1 if len(shown) < len(given) else 0,
    )


def _now(context: PageContext, item: ProofItem, day: date) -> Decimal | None:
    """Today's price or, for other figures, what was computed."""
    asked = _PRICE.fullmatch(item.expression) if item.verdict == "stale" else None
    if asked is None:
        return item.computed
    question = Question(item=asked[1], component=asked[2], processing=asked[3] or "standard")
    found = context.brain.prices.book().price(question, day)
    return found.price.value if isinstance(found, Quote) and found.price.unit == item.unit else None


def _beginning(text: str, most: int) -> str:
    """Complete lines of at most `most` bytes; complete words of a long line."""
    data = text.encode("utf-8", "replace")
    if len(data) <= most:
        return data.decode("utf-8")
    shown = data[:most].decode("utf-8", "ignore")
    end = max(shown.rfind("\n"), 0) or max(shown.rfind(" "), 0)
    return shown[: end + 1] if end else shown


def _spans(text: str, items: tuple[ProofItem, ...]) -> list[tuple[int, int, int]]:
    """Figures of the items in the text, with their numbers; the first of overlapping ones."""
    starts = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
    spans: list[tuple[int, int, int]] = []
    for number, item in enumerate(items, 1):
        start, end = starts[item.line - 1] + item.column - 1, starts[item.end_line - 1] + item.end_column - 1
        if not spans or start >= spans[-1][1]:
            spans.append((start, end, number))
    return spans


def _parts(text: str, items: tuple[ProofItem, ...]) -> list[tuple[str, int, str]]:
    """The text in parts: figures with item number (from 1) and class, and what is between."""
    edges = [(0, 0, 0), *_spans(text, items), (len(text), len(text), 0)]
    found: list[tuple[str, int, str]] = []
    for (_, before, _), (start, end, number) in pairwise(edges):
        found.append((text[before:start], 0, ""))
        found.append((text[start:end], number, CSS[items[number - 1].verdict] if number else ""))
    return [part for part in found if part[0]]


def _unchecked(text: str, every: Iterable[Figure], taken: list[tuple[int, int]]) -> Iterator[tuple[int, str, str]]:
    """Figures outside of `taken`: line, figure, words around it."""
    found = ((one.start, one.start + len(one.text)) for one in every)
    free = [(start, end) for start, end in found if not any(start < to and at < end for at, to in taken)]
    for start, end in free[:MOST_UNCHECKED]:
        before = _BLOCK.split(text[text.rfind(" ", 0, max(0, start - 40)) + 1 : start])[-1]
        after = _BLOCK.split(text[end : end + 40])[0]
        around = f"{before}{text[start:end]}{after}".replace("|", " ").split()
        yield text.count("\n", 0, start) + 1, text[start:end], " ".join(around[:-1] if len(after) == 40 else around)


def errata(context: PageContext, request: PageRequest) -> TemplateResponse:
    """Wrong figures of sources, severest and largest first. Raises PageRequestError for an unknown page or filter."""
    found = context.brain.reports.errata()
    chosen = Narrowing(request, found.items, ERRATA_SIDES, lambda one: one.root)
    part = part_of(request, sorted(chosen.passing(), key=_error_order), ERRATA)
    contradictions = () if chosen.filters else found.contradictions
    works = {one.source: publication_id(one.source) for one in (*part.things, *contradictions) if one.source}
    listed = {use.source.id: use.source for use in context.brain.sources.of([*{*works.values()}])}
    return page_of(
        "errata.html",
        run=context.claim_table().run,
        part=part,
        everything=len(found.items),
        groups=group_by(part.things, lambda one: one.severity.value),
        contradictions=contradictions,
        works={source: listed.get(work) for source, work in works.items()},
        facets=chosen.facets(),
        chosen=chosen.filters,
        lines=context.claim_table().lines,
        notes={
            one.id: one for one in context.brain.nodes.get_many(one.node for one in (*part.things, *contradictions))
        },
        refs=context.brain.nodes.refs,
    )


def _error_order(one: Erratum) -> tuple[int, Decimal, str]:
    return SEVERITY_ORDER.index(one.severity), -factor(one.stated, one.computed), one.root


def statements(context: PageContext, request: PageRequest) -> TemplateResponse:
    """Figures of a node that could be claims. Raises UnknownNodeError."""
    node = context.brain.nodes.get(request.node)
    named = naming({(one.target or "").casefold(): one.target_title or "" for one in node.cites})
    drafts, every = context.brain.mining.drafts(node, request.day), context.figures(node)
    left, taken = [one for one in every if not every[one]], [(one.figure_start, one.figure_end) for one in drafts]
    return page_of(
        "statements.html",
        node=node,
        claims=context.claim_table().by_node.get(node.id, ()),
        figures=every,
        unchecked=list(_unchecked(node.body, left, taken)),
        statements=[(one, marked(node.body, one, lambda text: plain_text(text, named))) for one in drafts],
    )


def marked(body: str, one: Statement, plain: Callable[[str], str]) -> tuple[str, str, str]:
    """The sentence of a statement as before, in and after its figure; all before if the figure is not found."""
    figure = plain(body[one.figure_start : one.figure_end])
    parts = plain(one.quote).split(figure) if figure else []
    earlier = plain(body[one.start : one.figure_start]).count(figure) + 1
    if earlier >= len(parts):
        return plain(one.quote), "", ""
    return figure.join(parts[:earlier]), figure, figure.join(parts[earlier:])
