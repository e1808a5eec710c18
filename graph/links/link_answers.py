"""What queries over links return, made from cards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from graph.links.relatedness import RelatedNode, reasons
from graph.links.ring_layout import Place
from graph.models.link_models import Dot, Link, Related
from graph.models.query_models import Card, NodeRef
from graph.values import slim


def named(found: Iterable[RelatedNode], cards: Mapping[str, Card]) -> tuple[Related, ...]:
    """Related nodes with titles in place of ids; without those that are not among the cards."""
    return tuple(
        Related(
            node=ref_of_card(cards[one.id]),
            score=one.score,
            reasons=reasons(one.shared, {name: cards[name].title for (_, name), _ in one.shared if name in cards}),
        )
        for one in found
        if one.id in cards
    )


def ref_of_card(card: Card) -> NodeRef:
    """A node by name and title."""
    return NodeRef(id=card.id, kind=card.kind, title=card.title)


def dot_of(card: Card, degree: int, place: Place, distance: int) -> Dot:
    """A node in a drawing."""
    dot = Dot(
        id=card.id,
        kind=card.kind,
        title=card.title,
        brain=card.brain,
        tags=card.tags,
        degree=degree,
        distance=distance,
        x=place[0],
        y=place[1],
    )
    return slim(dot)


def sorted_links(links: Iterable[Link]) -> tuple[Link, ...]:
    """Links by their ends; those with the same ends stay in their order."""
    return tuple(sorted(links, key=lambda link: (link.subject, link.target)))
