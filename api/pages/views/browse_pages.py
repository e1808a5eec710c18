"""Tags: the most used and those that go together, and one tag with its claims, terms and nodes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from api.pages.request.listing import Option
from api.pages.request.page_request import PageRequest, TemplateResponse, page_of
from api.pages.views.claim_table import PageContext
from api.pages.views.search.name_hits import found, shown
from api.services.linked_data import tag_detail
from api.services.names import families
from graph.models.claim_models import Claim
from graph.models.query_models import NodeQuery, TagDetail
from graph.search.name_index import NameWords

TOP_TAGS, FAMILIES, MEMBERS = 40, 12, 6
LETTER_TAGS = 600
"""How many tags the page of a letter, or of a beginning, has."""

LENGTH, CLAIMS, NEAR, TERMS = 15, 12, 20, 40
"""How many nodes, claims, tags and terms the page of a tag has."""


def tags(context: PageContext, request: PageRequest) -> TemplateResponse:
    """The most used tags and their families, and the letters of all; or the tags with the requested beginning."""
    starts, uses = request.text("starts"), context.brain.names.tag_uses()
    if starts:
        begun = [use for use in uses if use.tag.casefold().startswith(starts.casefold())]
        listed = sorted(begun[:LETTER_TAGS], key=lambda use: use.tag)
        return page_of("tags.html", total=len(begun), starts=starts, found=listed, left=len(begun) - len(listed))
    counts = Counter(use.tag[:1].upper() for use in uses)
    cards = context.brain.index_feed.card_list
    return page_of(
        "tags.html",
        total=len(uses),
        starts="",
        top=uses[:TOP_TAGS],
        families=context.recall("tag families", lambda: families(uses, cards(), FAMILIES, MEMBERS)),
        letters=[Option(one, request.link(starts=one.lower()), counts[one]) for one in sorted(counts)],
    )


def tag(context: PageContext, request: PageRequest) -> TemplateResponse:
    """One tag.

    Raises:
        UnknownTagError: no node and no claim carries it.
        CursorError: the cursor is not of this list.
    """
    name, cursor = request.parts["tag"], request.text("cursor") or None
    detail = context.recall(("tag", name), lambda: tag_detail(context.brain, name))
    nodes = context.brain.nodes.page(NodeQuery(tags=(detail.tag,), sort="newest", limit=LENGTH, cursor=cursor))
    claims = found(context, "claim", NameWords(()), may=lambda claim: detail.tag in claim.tags)
    concepts = context.brain.names.concepts()
    terms = [one for one in concepts if any(detail.tag in term.tags for term in one.terms)]
    return page_of(
        "tag.html",
        tag=detail,
        nodes=nodes,
        claims=shown(context, "claim", claims[:CLAIMS], request.today),
        claims_total=len(claims),
        terms=terms[:TERMS],
        terms_total=len(terms),
        near=_near(detail, (claim.thing for claim in claims)),
        following=request.link(cursor=nodes.next) if nodes.next else None,
    )


def _near(detail: TagDetail, claims: Iterable[Claim]) -> list[tuple[str, int]]:
    """The tags used with it on nodes; those on the same claims where no node carries it."""
    if detail.related:
        return [(one.tag, one.together) for one in detail.related]
    return Counter(tag for claim in claims for tag in claim.tags if tag != detail.tag).most_common(NEAR)
