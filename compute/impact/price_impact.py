"""The impact of a price or an assumption: everything that depends on it.

price ──read by──▶ claims ──asserted by──▶ nodes ──cited by──▶ nodes that depend on them ──…
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date

from compute.claims.claim_dependencies import Dependency, dependencies
from compute.claims.overrides import Overrides
from compute.impact.dependency_graph import DependencyGraph
from compute.prices.price_book import CatalogBook
from graph.models.claim_models import Claim
from graph.values import Value

ASSUMED = "assume:"
"""The prefix of an assumption's name, to distinguish it from a price."""


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


Readers = Mapping[Dependency, Sequence[Claim]]
"""Each input with the claims that read it, by their ids."""


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

    `assume:NAME` as the item selects an assumption. At most the `most` nearest dependents are listed.
    """
    wanted = book.meant(item, on)
    hits = [
        AffectedClaim(claim=claim.id, node=claim.node, asks=one.name, processing=_processing(one))
        for one, claims in reading.items()
        if _requested(one, component) and _reads(one, item, wanted, book, on)
        for claim in claims
    ]
    hits.sort(key=lambda hit: hit.claim)
    nodes = tuple(dict.fromkeys(hit.node for hit in hits))
    walk = rests.walk(nodes)
    resting = tuple(walk.way(node) for node in walk.above[:most])
    return Impact(item=item, claims=tuple(hits), nodes=nodes, resting=resting, left=len(walk.above) - len(resting))


def unread(told: Overrides, claims: Iterable[Claim], book: CatalogBook, on: date) -> tuple[str, ...]:
    """The names of overrides that no claim reads on a day: misspelt, or without dependents."""
    everything = list(claims)
    found = {one for claim in everything for one in dependencies(claim)}
    given = {name for claim in everything for name, _ in claim.given}
    asked = {
        (item, one.question.component, one.question.processing)
        for one in found
        if one.question is not None
        for item in (one.question.item, book.meant(one.question.item, on))
    }
    assumed = {one.name for one in found if one.kind == "assumption"}
    lost = [
        ":".join((f"price:{item}/{component}", *([how] if how != "standard" else [])))
        for item, component, how in told.prices
        if (item, component, how) not in asked
    ]
    lost += [f"assume:{name}" for name in told.assumptions if name not in assumed]
    return (*lost, *(name for name in told.givens if name not in given))


def readable(claims: Iterable[Claim]) -> Iterator[str]:
    """The names of the inputs that the claims read and a caller can override."""
    for claim in claims:
        yield from (name for name, _ in claim.given)
        for one in dependencies(claim):
            if one.question is not None:
                how = one.question.processing
                yield f"price:{one.name}" + (f":{how}" if how != "standard" else "")
            elif one.kind == "assumption":
                yield ASSUMED + one.name


def _reads(one: Dependency, item: str, resolved: str, book: CatalogBook, on: date) -> bool:
    """Whether a dependency is the requested input; `resolved` is the item that `item` resolves to on the day."""
    if one.question is None:
        return one.kind == "assumption" and item == ASSUMED + one.name
    return one.question.item == item or book.meant(one.question.item, on) == resolved


def _requested(one: Dependency, component: str | None) -> bool:
    return component is None or (one.question is not None and one.question.component == component)


def _processing(one: Dependency) -> str:
    return one.question.processing if one.question else "standard"
