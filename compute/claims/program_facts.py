"""What a compiled claim reads: the days that it names, and texts."""

from __future__ import annotations

from datetime import date

from compute.claims.claim_program import Program
from compute.formula.formula_terms import CellLeaf, ChoiceLeaf, LiteralLeaf, PriceLeaf
from graph.models.claim_models import Claim


def named_days(program: Program) -> frozenset[date]:
    """The days that the price lookups of a program name."""
    return frozenset(leaf.on for leaf in program.leaves if isinstance(leaf, PriceLeaf | ChoiceLeaf) and leaf.on)


def last_day(program: Program) -> date:
    """The latest day that a price lookup of a program names; `date.min` if none does."""
    return max(named_days(program), default=date.min)


def reads_texts_only(program: Program) -> bool:
    """Whether a program reads figures of texts only: what the claim gives, and cells of tables."""
    return program.bar.target is None and all(isinstance(leaf, LiteralLeaf | CellLeaf) for leaf in program.leaves)


def compares_texts(claim: Claim, program: Program) -> bool:
    """Whether a claim compares texts: with another claim, or by a table of a node that is not its own."""
    others = {leaf.node for leaf in program.leaves if isinstance(leaf, CellLeaf)} - {claim.node}
    return program.bar.target is not None or bool(others)
