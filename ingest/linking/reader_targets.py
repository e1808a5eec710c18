"""What a link may mean where brains are private: what the readers of its brain see goes before what they do not.

A private note never takes a link from a note that others can read, and never makes one ambiguous: else what the link
leads to would say that the private note exists.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from graph.models.node_models import Node
from ingest.linking.link_targets import LinkTargets


class ReaderTargets:
    """Every node by every name that a link may use, for the links of each brain; `private` are the private brains."""

    def __init__(self, nodes: Iterable[Node], private: Collection[str] = ()) -> None:
        self._by_id: dict[str, Node] = {}
        for node in nodes:
            self._by_id.setdefault(node.id, node)
        self._private = frozenset(private) & {node.brain for node in self._by_id.values()}
        self._made: dict[frozenset[str], LinkTargets] = {}

    def title(self, name: str) -> str | None:
        """The title of the node of an id."""
        node = self._by_id.get(name)
        return node.title if node else None

    def node(self, name: str) -> Node | None:
        """The node of an id."""
        return self._by_id.get(name)

    def hides(self, name: str | None, brain: str) -> bool:
        """Whether the node of an id is of a private brain other than `brain`."""
        return (name or "").partition("/")[0] in self._private - {brain}

    def find(self, written: str, brain: str, near: str = "") -> list[str]:
        """As `LinkTargets.find`, among what readers of `brain` see; if they see nothing of the name, among all."""
        found = self._without(self._private - {brain}).find(written, brain, near)
        return found or self._without(frozenset()).find(written, brain, near)

    def _without(self, hidden: frozenset[str]) -> LinkTargets:
        if hidden not in self._made:
            self._made[hidden] = LinkTargets(node for node in self._by_id.values() if node.brain not in hidden)
        return self._made[hidden]
