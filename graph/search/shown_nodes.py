"""The summaries and plain texts of nodes that answers have shown: many answers show the same nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from graph.models.query_models import NodeSummary
from graph.search.stored_texts import StoredTexts
from graph.text.plain_text import Named, plain_text

MOST_CHARACTERS = 8_000_000
"""The most characters of text that are kept; beyond them all is read again."""

LONG = 100_000
"""More characters of Markdown than this take some milliseconds."""

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
        before_long: Callable[[], None] = lambda: None,
    ) -> None:
        """`before_long` is called before more than `LONG` characters are worked on; it may raise."""
        self._read, self._named, self._before_long = read, named, before_long
        self._known: dict[str, Shown] = {}
        self._characters = 0

    def of(self, ids: Iterable[str]) -> list[Shown]:
        """The nodes with these ids, in this order, without those that the store no longer has."""
        known, wanted = self._known, list(ids)
        missing = [one for one in wanted if one not in known]
        read = self._read(missing) if missing else {}
        if (
            sum(len(body) for _, body in read.values()) + sum(len(known[one][1]) for one in wanted if one in known)
            > LONG
        ):
            self._before_long()
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


MOST_KEPT = 1_000_000
"""The most characters of the texts of lists that are kept: all of a small brain."""


class ShownTexts:
    """The texts alone, by serial, as the index has them."""

    def __init__(self, stored: StoredTexts, before_long: Callable[[], None]) -> None:
        self._stored, self._before_long = stored, before_long
        self._known: dict[int, str] = {}
        self._characters = 0

    def of(self, serials: Sequence[int]) -> dict[int, str]:
        """The texts of those nodes that the index has."""
        known = self._known
        found = {one: known[one] for one in serials if one in known}
        if len(found) < len(serials):
            fresh = self._stored.of([one for one in serials if one not in found])
            if self._characters < MOST_KEPT:
                self._characters += sum(map(len, fresh.values()))
                known.update(fresh)
            found.update(fresh)
        if sum(map(len, found.values())) > LONG:
            self._before_long()
        return found
