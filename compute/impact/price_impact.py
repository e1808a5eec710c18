"""The impact of a price or an assumption: everything that depends on it.

price ──read by──▶ claims ──asserted by──▶ nodes ──cited by──▶ nodes that depend on them ──…
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date

from compute.claims.claim_program import Dependency, dependencies
from compute.claims.overrides import Overrides
from compute.prices.price_book import CatalogBook
from graph.links.dependencies import DependencyGraph, walk, way
from graph.models.claim_models import Claim
from graph.values import Value

ASSUMED = "assume:"  # before the name of an assumption, to distinguish it from a price


class AffectedClaim(Value):
    """A claim that reads a price or an assumption; `asks` is the name in its formula (`item/component`)."""

    claim: str
    node: str
    asks: str
    processing: str = "standard"


class Impact(Value):
    """Everything that depends on one input.

    `nodes` assert the claims; `resting` are the paths of their dependents, each from the dependent down to an asserting
    node; `left` counts the dependents beyond the requested number.
    """

    item: str
    claims: tuple[AffectedClaim, ...] = ()
    nodes: tuple[str, ...] = ()
    resting: tuple[tuple[str, ...], ...] = ()
    left: int = 0


Readers = Mapping[Dependency, Sequence[Claim]]  # each input with the claims that read it


def readers(claims: Iterable[Claim]) -> Readers:
    """The claims that read each input."""
    found: dict[Dependency, list[Claim]] = {}
    for claim in claims:
        for one in dependencies(claim):
            found.setdefault(one, []).append(claim)
    return found


def impact(
    item: str,
    reading: Readers,
    rests: DependencyGraph,
    book: CatalogBook,
    *,
    on: date,
    component: str | None = None,
    most: int | None = None,
) -> Impact:
    """Everything that depends on the prices of `item` on a day; `item` is a name, an alias or a family.

    `assume:NAME` selects an assumption. At most the `most` nearest dependents are listed.
    """
    wanted = book.meant(item, on)
    hits: list[AffectedClaim] = []
    for one, claims in reading.items():
        fits = component is None or (one.question is not None and one.question.component == component)
        meant = book.meant(one.question.item, on) == wanted if one.question else _name(one) == item
        if fits and meant:
            about = {"asks": one.name, "processing": one.question.processing if one.question else "standard"}
            hits += (AffectedClaim(claim=claim.id, node=claim.node, **about) for claim in claims)
    hits.sort(key=lambda hit: hit.claim)
    nodes = tuple(dict.fromkeys(hit.node for hit in hits))
    found = walk(rests.above, nodes)
    above = [node for node, before in found.items() if before is not None]
    resting = tuple(way(found, node) for node in above[:most])
    return Impact(item=item, claims=tuple(hits), nodes=nodes, resting=resting, left=len(above) - len(resting))


def unread(numbers: Overrides, claims: Iterable[Claim], book: CatalogBook, on: date) -> tuple[str, ...]:
    """Overrides that no claim reads on a day: misspelt, or without dependents."""
    everything = list(claims)
    read = {*readable(everything)}
    found = {one for claim in everything for one in dependencies(claim)}
    read |= {_name(one, book.meant(one.question.item, on)) for one in found if one.question}
    given = [*(_price_name(*key) for key in numbers.prices), *(ASSUMED + name for name in numbers.assumptions)]
    return tuple(name for name in (*given, *numbers.givens) if name not in read)


def readable(claims: Iterable[Claim]) -> Iterator[str]:
    """Names of the inputs that the claims read and a caller can override."""
    for claim in claims:
        yield from (name for name, _ in claim.given)
        yield from filter(None, map(_name, dependencies(claim)))


def _name(one: Dependency, item: str | None = None) -> str:
    """Override name of an input; empty if it cannot be overridden."""
    if one.question is not None:
        return _price_name(item or one.question.item, one.question.component, one.question.processing)
    return ASSUMED + one.name if one.kind == "assumption" else ""


def _price_name(item: str, component: str, processing: str) -> str:
    return f"price:{item}/{component}" + (f":{processing}" if processing != "standard" else "")


def price_readers(reading: Readers, book: CatalogBook, day: date) -> Mapping[str, set[str]]:
    """The claims that read each price, by the name in their formulas and by the item it means on a day."""
    found: dict[str, set[str]] = defaultdict(set)
    for one, claims in reading.items():
        if one.question is not None:
            for item in (one.question.item, book.meant(one.question.item, day)):
                found[item] |= {claim.id for claim in claims}
    return dict(found)
