"""The documents that hold rules instead of nodes, and who reads each: `(document, text) -> (values, problems)`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from compute import assumptions, claims, decisions, families, freshness
from compute.catalogs import cards
from graph.problems import Problem

Loader = Callable[[str, str], tuple[Any, Sequence[Problem]]]

RULES: Mapping[str, Loader] = {
    "claims": claims.load,
    "prices": cards.load,
    "assumptions": assumptions.load,
    "families": families.load,
    "decisions": decisions.load,
    "freshness": freshness.load,
}
