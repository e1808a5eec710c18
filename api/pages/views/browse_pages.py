"""Tags: what the nodes carry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from api.pages.request.page_request import Option, PageRequest, TemplateResponse
from api.pages.views.claim_table import PageContext
from api.pages.views.name_hits import NameHit, found, shown
from api.services.concepts import Concept
from api.services.linked_data import tag_detail
from api.services.tag_uses import TagUse, families
from graph.models.claim_models import Claim
from graph.models.query_models import NodeQuery, Page, TagDetail
from graph.search.name_index import NameWords

TOP_TAGS = 40
FAMILIES, MEMBERS = 12, 6
LETTER_TAGS = 600
"""How many tags the page of a letter, or of a beginning, has."""
LENGTH = 15
"""How many nodes the page of a tag has."""
CLAIMS = 12
NEAR = 20
TERMS = 40


@dataclass(frozen=True, slots=True)
class Tags:
    """The tags: the most used, families of related, and every first letter; or all tags with one beginning.

    `letters` have the number of tags and the link; `left` counts the tags of a long letter that are not shown.
    """

    total: int
    starts: str
    top: tuple[TagUse, ...] = ()
    families: tuple[tuple[TagUse, tuple[TagUse, ...]], ...] = ()
    letters: tuple[Option, ...] = ()
    found: tuple[TagUse, ...] = ()
    left: int = 0


@dataclass(frozen=True, slots=True)
class TagPage:
    """One tag with the nodes, claims and terms that carry it; `claims_left` and `terms_left` are not shown."""

    tag: TagDetail
    nodes: Page
    claims: tuple[NameHit, ...]
    claims_left: int
    terms: tuple[Concept, ...]
    terms_left: int
    near: tuple[tuple[str, int], ...]
    following: str | None


def tags(desk: PageContext, asked: PageRequest) -> TemplateResponse:
    """The most used tags and their families, and the letters of all; or the tags with the requested beginning."""
    starts = asked.text("starts")
    uses = desk.brain.names.tag_uses()
    if starts:
        begun = [use for use in uses if use.tag.casefold().startswith(starts.casefold())]
        listed = tuple(sorted(begun[:LETTER_TAGS], key=lambda use: use.tag))
        return TemplateResponse("tags.html", Tags(len(begun), starts, found=listed, left=len(begun) - len(listed)))
    counts = Counter(use.tag[:1].upper() for use in uses)
    letters = (Option(letter, asked.link(starts=letter.lower()), counts[letter]) for letter in sorted(counts))
    related = desk.recall("tag families", lambda: families(uses, desk.brain.index_feed.card_list(), FAMILIES, MEMBERS))
    return TemplateResponse("tags.html", Tags(len(uses), "", uses[:TOP_TAGS], related, tuple(letters)))


def tag(desk: PageContext, asked: PageRequest) -> TemplateResponse:
    """One tag.

    Raises:
        UnknownTagError: no node and no claim carries it.
        CursorError: the cursor is not of this list.
    """
    name = asked.parts["tag"]
    detail = desk.recall(("tag", name), lambda: tag_detail(desk.brain, name))
    cursor = asked.text("cursor") or None
    nodes = desk.brain.nodes.page(NodeQuery(tags=(detail.tag,), sort="newest", limit=LENGTH, cursor=cursor))
    claims = found(desk, "claim", NameWords(()), may=lambda claim: detail.tag in claim.tags)
    terms = desk.recall(("tagged terms", detail.tag), lambda: _terms(desk, detail.tag))
    model = TagPage(
        tag=detail,
        nodes=nodes,
        claims=shown(desk, "claim", claims[:CLAIMS], asked.today),
        claims_left=max(0, len(claims) - CLAIMS),
        terms=terms[:TERMS],
        terms_left=max(0, len(terms) - TERMS),
        near=_near(detail, (claim.thing for claim in claims)),
        following=asked.link(cursor=nodes.next) if nodes.next else None,
    )
    return TemplateResponse("tag.html", model)


def _terms(desk: PageContext, tag: str) -> tuple[Concept, ...]:
    """The concepts of which a term carries the tag, or that the tag names."""
    return tuple(one for one in desk.brain.names.concepts() if any(tag in term.tags for term in one.terms))


def _near(detail: TagDetail, claims: Iterable[Claim]) -> tuple[tuple[str, int], ...]:
    """The tags used with it on nodes; those on the same claims where no node carries it."""
    if detail.related:
        return tuple((one.tag, one.together) for one in detail.related)
    together = Counter(tag for claim in claims for tag in claim.tags if tag != detail.tag)
    return tuple(together.most_common(NEAR))
