"""Search results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from graph.models.query_models import Facets, NodeSummary
from graph.values import Value


@dataclass(frozen=True, slots=True)
class Synonym:
    """A name in the query, and the other names of the same term that were searched too."""

    query: str
    used: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A node that was found. `snippet` is HTML: escaped text with `<mark>` around matches; `plain` is plain text.

    Scores are comparable only within one answer.
    """

    node: NodeSummary
    score: float
    snippet: str
    plain: str


class Answer(Value):
    """A page of the hits, the counts over all of them, and how the query was changed.

    `relaxed`: no node had all the words, so these have some. `suggestion`: the query with its spelling corrected.
    """

    hits: tuple[Hit, ...] = ()
    total: int = 0
    facets: Facets = Facets()
    next: str | None = None
    relaxed: bool = False
    synonyms: tuple[Synonym, ...] = ()
    suggestion: str | None = None


class Completion(Value):
    """One completion: `text` is displayed, `insert` is the query text, `count` how often it occurs."""

    kind: Literal["tag", "term", "title"]
    text: str
    insert: str
    count: int = 1
    node: str | None = None
