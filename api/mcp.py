"""The door for language-model agents: the same questions as the API's, as tools of the Model Context Protocol.

Read-only: a claim may be evaluated with one's own numbers, nothing is stored.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, datetime
from functools import wraps
from importlib.metadata import version
from typing import Annotated

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import Field

from api import named, views
from api.brain import Brain
from api.cli.exits import code_of
from graph.claims import VerdictName
from graph.nodes import Kind
from graph.query import NodeQuery
from graph.values import dumps

ABOUT = (
    "An analyst's brain: theses, readings with quoted sources, a glossary, and claims whose figures are computed from "
    "a dated price catalogue. Begin with `search`; `explain` gives the working behind a figure, `health` says whether "
    "what a node rests on still holds. Quote figures with the verdict and the day they are of."
)

NodeId = Annotated[str, Field(description="A node's id, `brain/slug`, as `search` gives it.")]
ClaimId = Annotated[str, Field(description="A claim's id, as `claims` gives it.")]
Day = Annotated[date | None, Field(description="The day to answer for; today where it is left out.")]
Most = Annotated[int, Field(ge=1, le=100, description="The most that are wanted.")]


class Tools:
    """What an agent may ask. Each answer is JSON with the fields of the API; `clock` gives the time at the door."""

    def __init__(self, brain: Brain, clock: Callable[[], datetime]) -> None:
        self._brain, self._clock = brain, clock

    def all(self) -> Sequence[Callable[..., str]]:
        """The tools in the order in which one would use them."""
        return (
            self.search, self.node, self.citations, self.backlinks, self.related, self.health,
            self.claims, self.explain, self.prices, self.impact, self.changes,
        )  # fmt: skip

    def search(
        self,
        text: Annotated[str, Field(description='Words, "phrases", tag:x, kind:x, brain:x, -not, prefix*.')],
        kind: Annotated[Kind | None, Field(description="Only nodes of this kind.")] = None,
        limit: Most = 10,
    ) -> str:
        """Find nodes (theses, readings, terms …) by text and tag, best first, with a snippet of each."""
        found = self._brain.find(text, NodeQuery(kind=kind, limit=limit))
        return dumps({"items": found.items, "total": found.total, "suggestion": found.suggestion})

    def node(self, node: NodeId) -> str:
        """One node, whole: its text, tags, sources, citations and health."""
        return dumps(self._brain.node(node))

    def citations(self, node: NodeId) -> str:
        """What a node cites and quotes, and how sure each resolution is."""
        return dumps({"items": [views.reference(one) for one in self._brain.store.node(node).citations]})

    def backlinks(self, node: NodeId) -> str:
        """What cites a node, with the sentence in which it does."""
        return dumps({"items": self._brain.backlinks(node)})

    def related(self, node: NodeId, limit: Most = 10) -> str:
        """The nodes that have most in common with a node, with the reasons."""
        return dumps({"items": [views.related(one) for one in self._brain.links.related(node, limit)]})

    def health(self, node: NodeId) -> str:
        """Whether a node is sound, weakened, broken or unchecked, and the chain of citations that made it so."""
        self._brain.store.node(node)
        return dumps(self._brain.standing.health(node))

    def claims(
        self,
        verdict: Annotated[VerdictName | None, Field(description="Only claims with this verdict.")] = None,
        node: Annotated[str | None, Field(description="Only claims of this node.")] = None,
        tag: Annotated[str | None, Field(description="Only claims with this tag.")] = None,
        limit: Most = 50,
    ) -> str:
        """Claims with their last verdict, value, margin and reason."""
        found = self._brain.standing.states(verdict=verdict, node=node, tag=tag)
        return dumps({"items": found[:limit], "total": len(found)})

    def explain(
        self,
        claim: ClaimId,
        as_of: Day = None,
        sets: Annotated[
            dict[str, str] | None,
            Field(description="Your own numbers, for example {'assume:utilisation': '40%'}; nothing is stored."),
        ] = None,
    ) -> str:
        """One claim evaluated: then and now, the working step by step, inputs with sources, and where it would turn."""
        return dumps(self._brain.auditor.explain(claim, self._day(as_of), sets=sets))

    def prices(
        self, item: Annotated[str, Field(description="`provider/thing`, or a family such as `anthropic/sonnet`.")]
    ) -> str:
        """All dated prices of an item, each with unit, validity and source."""
        return dumps({"items": named.prices(self._brain, item)})

    def impact(
        self, price: Annotated[str, Field(description="A price item, a family, or `assume:NAME`.")], as_of: Day = None
    ) -> str:
        """What rests on a price: claims, their nodes, and the nodes that rest on those."""
        return dumps(named.impact(self._brain, price, self._day(as_of)))

    def changes(
        self, since: Annotated[date | None, Field(description="The first day that matters.")] = None, limit: Most = 20
    ) -> str:
        """Which verdicts turned in which nightly run, the latest first."""
        return dumps({"items": self._brain.standing.changes(since, limit)})

    def _day(self, asked: date | None) -> date:
        return asked or self._clock().date()


def server(brain: Brain, clock: Callable[[], datetime]) -> MCPServer:
    """The server over an open brain; an agent is told of what it may mend, everything else is a defect."""
    made = MCPServer("brain", version=version("brain"), instructions=ABOUT)
    reads = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
    for tool in Tools(brain, clock).all():
        made.add_tool(_told(tool, brain), annotations=reads, structured_output=False)
    return made


def _told(tool: Callable[..., str], brain: Brain) -> Callable[..., str]:
    """The tool, its refusals as errors of the protocol, with the names that may have been meant."""

    @wraps(tool)
    def asked(**given: object) -> str:
        try:
            return tool(**given)
        except Exception as error:
            if code_of(error) is None:
                raise
            near = ", ".join(named.meant(brain, error))
            raise ToolError(f"{error}; near it: {near}" if near else str(error)) from error

    return asked
