"""The dependencies of a claim: prices, assumptions, tables and other claims."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from compute.claims.claim_program import program
from compute.claims.expectations import FieldError
from compute.formula.formula_tree import AssumptionLeaf, CellLeaf, Leaf, PriceLeaf
from compute.prices.price_models import Question
from graph.models.claim_models import Claim


@dataclass(frozen=True, slots=True)
class Dependency:
    """An external input of a claim; `name` is `item/component`, or the name of the assumption."""

    kind: Literal["price", "assumption", "table", "claim"]
    name: str
    question: Question | None = None


def dependencies(claim: Claim) -> tuple[Dependency, ...]:
    """The prices, assumptions, tables and claims that a claim reads, each once; empty if the claim is broken."""
    try:
        found = program(claim)
    except FieldError:
        return ()
    told = [one for leaf in found.leaves for one in _of_leaf(leaf)]
    if found.bar.target is not None:
        told.append(Dependency("claim", found.bar.target))
    return tuple(dict.fromkeys(told))


def _of_leaf(leaf: Leaf) -> Iterator[Dependency]:
    match leaf:
        case PriceLeaf():
            for one in leaf.questions:
                yield Dependency("price", f"{one.item}/{one.component}", one)
        case AssumptionLeaf(name=name):
            yield Dependency("assumption", name)
        case CellLeaf(node=node, table=table):
            yield Dependency("table", f"{node}#{table}")


def named_by(claim: Claim) -> tuple[str, ...]:
    """The ids of the claims that a claim is compared with or contradicts."""
    return (*(one.name for one in dependencies(claim) if one.kind == "claim"), *claim.contradicts)
