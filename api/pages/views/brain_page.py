"""The page of one brain, which is mostly one contributor's: what it holds, its claims, what is new, its readers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlencode

from api.pages.render.verdict_signs import KINDS
from api.pages.request.page_request import Facet, Option, PageRequest, TemplateResponse, path_of
from api.pages.views.claim_table import PageContext
from api.pages.views.thing_page import FORMS
from api.services.brain_overview import BrainOverview, overview
from compute.reports.report_model import ORDER
from graph.models.claim_models import VerdictName
from graph.models.node_models import Kind
from graph.models.query_models import DocumentHead, FacetCount, NodeQuery, NodeSummary
from graph.models.verdict_change import VerdictChange

MOST_DOCUMENTS = 50
"""How many documents are listed, those with the most notes first."""
MOST_NEW = 6
"""How many of the newest notes are listed."""
MOST_CHANGES = 8
"""How many verdicts that changed in the last run are listed."""
MOST_THESES = 12
"""How many theses are listed, the newest first."""
SHOWN_TAGS = 12
"""How many tags are shown; the others are folded away."""


@dataclass(frozen=True, slots=True)
class BrainPage:
    """The page: `verdicts`, the most severe first, `new`, the newest notes, `forms`, the addresses of other formats."""

    of: BrainOverview
    verdicts: tuple[tuple[VerdictName, int], ...]
    unevaluated: int
    changes: tuple[VerdictChange, ...]
    changes_left: int
    new: tuple[NodeSummary, ...]
    documents: tuple[DocumentHead, ...]
    documents_left: int
    facets: tuple[Facet, ...]
    forms: tuple[tuple[str, str], ...]
    most_theses: int = MOST_THESES


def page(desk: PageContext, asked: PageRequest) -> TemplateResponse:
    """One brain.

    Raises:
        UnknownBrainError: there is no such brain.
    """
    name = asked.parts["brain"]
    return TemplateResponse("brain.html", desk.recall(("brain", name), lambda: _page(desk, name)))


def _page(desk: PageContext, name: str) -> BrainPage:
    found = overview(desk.brain, name)
    counts = dict(found.verdicts)
    changes = [change for change in desk.changed() if change.node.startswith(f"{name}/")]
    documents = sorted(
        (head for head in desk.brain.documents.heads() if head.brain == name), key=lambda head: (-head.nodes, head.name)
    )
    return BrainPage(
        of=found,
        verdicts=tuple((verdict, counts[verdict]) for verdict in ORDER if verdict in counts),
        unevaluated=counts.get(None, 0),
        changes=tuple(changes[:MOST_CHANGES]),
        changes_left=max(0, len(changes) - MOST_CHANGES),
        new=desk.brain.nodes.page(NodeQuery(brain=name, sort="newest", limit=MOST_NEW)).items,
        documents=tuple(documents[:MOST_DOCUMENTS]),
        documents_left=max(0, len(documents) - MOST_DOCUMENTS),
        facets=tuple(_facets(found)),
        forms=tuple((text, f"{path_of('brains', name)}?format={form}") for text, form in FORMS),
    )


def _facets(found: BrainOverview) -> Iterable[Facet]:
    """The facets next to the page; those without an option are not shown."""
    kinds = (
        Option(KINDS[Kind(one.value)], f"/search?{urlencode({'brain': found.id, 'kind': one.value})}", one.count)
        for one in found.kinds
    )
    yield Facet("Notes by kind", tuple(kinds))
    yield _tags("Tags used only here", found.own)
    yield _tags("Tags shared with others", found.shared)
    yield Facet("Cited by", _brains(found.read_by))
    yield Facet("Cites", _brains(found.reads))


def _tags(title: str, tags: Iterable[FacetCount]) -> Facet:
    options = tuple(Option(one.value, path_of("tags", one.value), one.count) for one in tags)
    more = options[SHOWN_TAGS:]
    return Facet(title, options[:SHOWN_TAGS], more=more)


def _brains(counted: Iterable[FacetCount]) -> tuple[Option, ...]:
    return tuple(Option(one.value, path_of("brains", one.value), one.count) for one in counted)
