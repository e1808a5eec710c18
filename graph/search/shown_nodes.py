"""The summaries and plain texts of nodes that answers have shown: many answers show the same nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from graph.models.query_models import NodeSummary
from graph.text.plain_text import Named, plain_text

MOST_CHARACTERS = 8_000_000
"""The most characters of text that are kept; beyond them all is read again."""

Shown = tuple[NodeSummary, str]
"""A summary and the text of the node without Markdown."""


class ShownNodes:
    """The nodes of one version of the graph; `read` gives summaries and Markdown by id, `named` the text of links.

    Threads may share it: at worst two of them read the same node.
    """

    def __init__(
        self,
        read: Callable[[Iterable[str]], Mapping[str, tuple[NodeSummary, str]]],
        named: Named,
    ) -> None:
        self._read, self._named = read, named
        self._known: dict[str, Shown] = {}
        self._characters = 0

    def of(self, ids: Iterable[str]) -> list[Shown]:
        """The nodes with these ids, in this order, without those that the store no longer has."""
        known, wanted = self._known, list(ids)
        missing = [one for one in wanted if one not in known]
        read = self._read(missing) if missing else {}
        fresh = {name: (summary, plain_text(body, self._named)) for name, (summary, body) in read.items()}
        found = [fresh[one] if one in fresh else known[one] for one in wanted if one in fresh or one in known]
        self._keep(fresh)
        return found

    def _keep(self, fresh: Mapping[str, Shown]) -> None:
        self._characters += sum(len(text) for _, text in fresh.values())
        if self._characters > MOST_CHARACTERS:
            self._known, self._characters = {}, 0
        else:
            self._known.update(fresh)
