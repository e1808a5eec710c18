"""The protocol of search over a store: with an index in files (`Search`) or in the database (`ServerSearch`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from graph.models.query_models import NodeQuery
from graph.problems import Problem
from graph.search.search_models import Answer, Completion

Progress = Callable[[str, int, int], None]
"""Receives the name of the step, how many items are done, and how many there are."""


def quiet(_what: str, _done: int, _total: int) -> None:
    """Ignore the progress."""


class TextSearch(Protocol):
    """Search over a store. Threads may share it."""

    def in_background(self, progress: Progress = quiet) -> None:
        """Build the index in a background thread where it is behind; queries wait a moment, then raise an error."""

    def opening(self) -> bool:
        """Whether what `in_background` has only to open is not open yet: a search would have to wait for it."""

    def index(self, progress: Progress = quiet) -> None:
        """Bring the index up to date."""

    def refresh(self, progress: Progress = quiet) -> None:
        """Bring the index up to date and make it ready for queries."""

    def rebuild(self, progress: Progress = quiet) -> None:
        """Build the index again in any case."""

    def close(self) -> None:
        """Close the index, and cancel a running build."""

    def search(self, typed: str, query: NodeQuery | None = None) -> Answer:
        """One page of the nodes that match the text and the filters, the best first."""

    def complete(self, typed: str, limit: int = 10) -> tuple[Completion, ...]:
        """Tags, terms and titles that complete the typed text."""

    def term_names(self) -> tuple[tuple[str, str], ...]:
        """Every label of a term with the id of the first term that has it."""

    def check(self) -> list[Problem]:
        """Report an index that is missing or out of date."""
