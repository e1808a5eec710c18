"""Links between nodes, and results of queries for paths, related nodes, dependents and drawings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from graph.models.node_models import Kind
from graph.models.query_models import NodeRef
from graph.values import Value

_NAMES = """
    agreesWith cites citesAsAuthority citesAsDataSource citesAsEvidence citesAsMetadataDocument
    citesAsPotentialSolution citesAsRecommendedReading citesAsRelated citesAsSourceDocument citesForInformation
    compiles confirms containsAssertionFrom corrects credits critiques derides describes disagreesWith discusses
    disputes documents extends includesExcerptFrom includesQuotationFrom linksTo obtainsBackgroundFrom
    obtainsSupportFrom parodies plagiarizes qualifies refutes repliesTo retracts reviews ridicules speculatesOn
    supports updates usesConclusionsFrom usesDataFrom usesMethodIn"""

CITO_PROPERTIES = frozenset(_NAMES.split())  # local names of CiTO properties, such as `supports`


_ARGUING = """
    citesAsEvidence citesAsAuthority citesAsDataSource citesForInformation confirms agreesWith extends
    obtainsBackgroundFrom obtainsSupportFrom supports usesConclusionsFrom usesDataFrom usesMethodIn"""
ARGUING = frozenset(_ARGUING.split())
"""Kinds of citation (CiTO) that make a node depend on what it cites; a plain link only mentions it."""

SURE = 0.5  # a citation with a lower confidence is not a dependency


@dataclass(frozen=True, slots=True)
class Link:
    """An edge of any kind; in a path it is `forwards` if the path goes from its subject to its target."""

    # A dataclass for speed: a map has tens of thousands. `cito` is None unless it is a citation.
    __pydantic_config__: ClassVar[dict[str, str]] = {"extra": "ignore"}

    subject: str
    kind: str
    target: str
    reason: str = ""
    confidence: float = 1.0
    cito: str | None = None
    forwards: bool = True


class LinkPath(Value):
    """A path from one node to another: its nodes, and the links between them (one fewer)."""

    nodes: tuple[NodeRef, ...]
    links: tuple[Link, ...] = ()


class Shared(Value):
    """What two nodes share: `names` are the rarest of `count` tags, titles of terms or nodes, or works."""

    kind: Literal["tags", "terms", "sources", "cited by", "cite"]
    names: tuple[str, ...]
    count: int
    weight: float


class Related(Value):
    """A node related to another; `score` is the cosine of their marks, weighted by rarity."""

    node: NodeRef
    score: float
    reasons: tuple[Shared, ...]


class Dependent(Value):
    """A node that depends on another, with the shortest chain of citations, which begins at the dependent.

    `confidence` is the product along the chain.
    """

    node: NodeRef
    distance: int
    confidence: float
    chain: tuple[NodeRef, ...]
    links: tuple[Link, ...] = ()


class Dot(Value):
    """A node in a drawing; x and y from 0 to 1, `distance` in steps from the central node."""

    id: str
    kind: Kind
    title: str
    brain: str
    tags: tuple[str, ...] = ()
    degree: int = 0
    distance: int = 0
    x: float
    y: float


class Drawing(Value):
    """Nodes with their positions, and the links among them; `left_out` counts the nodes cut off by a limit."""

    dots: tuple[Dot, ...]
    links: tuple[Link, ...]
    left_out: int = 0
