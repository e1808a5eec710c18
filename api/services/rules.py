"""The documents that hold rules instead of nodes, and who reads each: `(document, text) -> (values, problems)`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from compute import assumptions, claims, decisions, families, freshness, scenario, silences
from compute.catalogs import cards
from graph.problems import Problem
from ingest import hygiene

Loader = Callable[[str, str], tuple[Any, Sequence[Problem]]]

RULES: Mapping[str, Loader] = {
    "claims": claims.load,
    "prices": cards.load,
    "assumptions": assumptions.load,
    "families": families.load,
    "decisions": decisions.load,
    "freshness": freshness.load,
    "scenarios": scenario.load,
    "silences": silences.load,
    "tags": lambda document, text: hygiene.load_mapping(text, document),
}
