"""The documents that hold rules instead of nodes, and who reads each: `(document, text) -> (values, problems)`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from compute.catalogs import price_cards
from compute.claims import claim_loader
from compute.prices import assumptions, data_freshness, decisions, families, own_units
from compute.runs import silence_files
from compute.verify import scenarios
from graph.problems import Problem
from ingest.terms import tag_merges

Loader = Callable[[str, str], tuple[Any, Sequence[Problem]]]

RULES: Mapping[str, Loader] = {
    "claims": claim_loader.load,
    "prices": price_cards.load,
    "assumptions": assumptions.load,
    "families": families.load,
    "decisions": decisions.load,
    "freshness": data_freshness.load,
    "scenarios": scenarios.load,
    "silences": silence_files.load,
    "units": own_units.load,
    "tags": lambda document, text: tag_merges.load_mapping(text, document),
}
