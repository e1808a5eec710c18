"""What a search answers."""

from __future__ import annotations

from typing import Literal

from graph.models.query_models import Facets, NodeSummary
from graph.values import Value


class Hit(Value):
    """A node that was found. `snippet` is HTML: escaped text with `<mark>` around what matched; `plain` has no marks.

    `title` is the title in the same HTML. `score` compares hits of one answer and no others.
    """

    node: NodeSummary
    score: float
    title: str
    snippet: str
    plain: str


class Synonym(Value):
    """A name that was asked for, and the other names of the same term that were looked for too."""

    asked: str
    used: tuple[str, ...]


class Answer(Value):
    """Some of the hits, the counts over all of them, and what was done to find them.

    `relaxed`: no node had all the words, so these have some. `suggestion`: the query as it may have been meant.
    """

    hits: tuple[Hit, ...] = ()
    total: int = 0
    facets: Facets = Facets()
    next: str | None = None
    relaxed: bool = False
    synonyms: tuple[Synonym, ...] = ()
    suggestion: str | None = None


class Completion(Value):
    """One way to go on typing: `text` as it is shown, `insert` as the query takes it, `count` how often it occurs."""

    kind: Literal["tag", "term", "title"]
    text: str
    insert: str
    count: int = 1
    node: str | None = None
