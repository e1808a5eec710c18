"""The queries of the API as read-only tools of the Model Context Protocol, in messages of at most 25,000 bytes."""

from __future__ import annotations

import inspect
import logging
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from functools import wraps
from itertools import islice
from typing import Annotated, Any
from urllib.parse import quote

from mcp.server import MCPServer
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from mcp.shared.exceptions import MCPError
from mcp.types import ToolAnnotations
from pydantic import Field, ValidationError

from api.brain import Brain
from api.cli.error_exits import code_of
from api.models import api_models
from api.models.api_models import IsoDay
from api.release import VERSION
from api.services.answer_pages import Answer, ChangedAnswerError, Cursor, digest, page
from api.services.claim_status import shortened
from compute.impact.note_health import Health, HealthState
from graph.models.claim_models import VerdictName
from graph.models.node_models import Kind
from graph.models.query_models import Card, NodeQuery
from graph.text.similar_names import near

ABOUT = (
    "An analyst's brain: theses, readings with quoted sources, a glossary, and claims whose figures are computed from "
    "a dated price catalogue. Begin with `search`; `explain` gives the working behind a figure, `health` says whether "
    "what a node depends on still holds; `failing_nodes` answers which theses rest on stale figures, and why, in one "
    "call. Quote figures with the verdict and the day they are of. An answer with `next` is not complete: call the "
    "tool again with the same arguments and `next` as `cursor`. `continues` then says where the page belongs in the "
    "complete answer."
)

MOST_CAUSES = 5  # maximum causes of one node in an answer, the nearest first
MOST_CLAIMS = 10  # maximum failing claims of one cause in an answer
LONGEST_ERROR = 1_000  # maximum characters of an error's text, which is cut in the middle

Text = Annotated[str, Field(max_length=2_000)]
NodeId = Annotated[str, Field(max_length=500, description="A node's id, `brain/slug`, as `search` gives it.")]
ClaimId = Annotated[str, Field(max_length=500, description="A claim's id, as `claims` gives it.")]
Day = Annotated[IsoDay | None, Field(description="The day to compute for; default today.")]
Most = Annotated[int, Field(ge=1, le=100, description="The most items on a page.")]
Next = Annotated[
    str | None,
    Field(max_length=4_000, description="`next` of the page before, with the other arguments unchanged."),
]


class McpTools:
    """The tools of an agent, which answer with the fields of the API; `after` is the position of a next page."""

    def __init__(self, brain: Brain, clock: Callable[[], datetime]) -> None:
        brain.use_clock(clock)
        self._brain, self._clock = brain, clock

    def all(self) -> Sequence[Callable[..., Answer]]:
        """The tools in the order of their use."""
        return (
            self.search, self.node, self.citations, self.backlinks, self.related, self.health, self.failing_nodes,
            self.claims, self.explain, self.errata, self.prices, self.impact, self.changes,
            self.proof, self.check_claims,
        )  # fmt: skip

    def search(
        self,
        text: Annotated[Text, Field(description='Words, "phrases", tag:x, kind:x, brain:x, -not, prefix*.')],
        kind: Annotated[Kind | None, Field(description="Only nodes of this kind.")] = None,
        limit: Most = 10,
        after: str | None = None,
    ) -> Answer:
        """Find nodes (theses, readings, terms …) by text and tag, best first, with a snippet of each as plain text."""
        found = self._brain.find(text, NodeQuery(kind=kind, limit=limit, cursor=after))
        fields = api_models.page_fields(found, lambda hit: hit.plain)
        return Answer({name: fields[name] for name in ("total", "suggestion", "items")}, found.next)

    def node(self, node: NodeId) -> Answer:
        """One complete node: its text, tags, sources, citations and health."""
        told = self._brain.node(self._brain.nodes.named(node)).model_dump()
        first = ("id", "brain", "kind", "title", "url", "health", "published", "tags", "section", "body")
        return Answer({name: told[name] for name in dict.fromkeys((*first, *told))})

    def citations(self, node: NodeId) -> Answer:
        """What a node cites and quotes, with the confidence of each resolution."""
        return Answer({"items": self._brain.nodes.get(self._brain.nodes.named(node)).citations})

    def backlinks(self, node: NodeId) -> Answer:
        """What cites a node, with the sentence."""
        return Answer({"items": self._brain.backlinks(self._brain.nodes.named(node))})

    def related(
        self, node: NodeId, limit: Annotated[int, Field(ge=1, le=100, description="Number of nodes.")] = 10
    ) -> Answer:
        """Similar nodes, with the reasons."""
        found = self._brain.links.related(self._brain.nodes.named(node), limit)
        return Answer({"items": [api_models.related(one) for one in found]})

    def health(self, node: NodeId) -> Answer:
        """Whether a node is sound, weakened, broken or unchecked, and the chain of citations that made it so."""
        return Answer(self._brain.status.health(self._brain.nodes.named(node)))

    def errata(self, limit: Most = 20, after: str | None = None) -> Answer:
        """Refuted figures, each error once, with the quoted words and the computed figure.

        `contradictions` are figures on which two texts differ; `run` is the last, null before the first.
        """
        found, start = self._brain.reports.errata(), self._start(after)
        more = {} if start else {"contradictions": found.contradictions[:limit], "run": found.run}
        return self._part(found.items, start, limit, **more)

    def failing_nodes(  # noqa: PLR0917  # an agent names every argument
        self,
        kind: Annotated[Kind | None, Field(description="Only nodes of this kind, for example thesis.")] = None,
        state: Annotated[
            HealthState | None, Field(description="Only this health; by default broken and weakened.")
        ] = None,
        verdict: Annotated[
            VerdictName | None, Field(description="Only where a claim with this verdict decides.")
        ] = None,
        as_of: Day = None,
        limit: Most = 20,
        after: str | None = None,
    ) -> Answer:
        """Theses (or other nodes) that depend on failing figures, and why.

        For each node its health and its causes, the nearest first: the path of citations to the node that states a
        figure, and the ids of its failing claims. `claims` describes each claim once: verdict, reason, value, address,
        and its inputs with source, dates and age in days.
        """
        states = {state} if state else {HealthState.BROKEN, HealthState.WEAKENED}
        healths = self._brain.status.healths()
        cards = [card for card in self._brain.index_feed.cards() if kind is None or card.kind is kind]
        found = [
            (card, health)
            for card in cards
            if healths.state(card.id) in states and (health := healths[card.id]) and (verdict in {None, health.verdict})
        ]
        start, day = self._start(after), self._day(as_of)
        items = [self._failing(card, health, day) for card, health in found[start : start + limit]]
        named = dict.fromkeys(claim for item in items for cause in item["causes"] for claim in cause["claims"])
        claims = {claim: self._cause(claim, day) for claim in named}
        return self._part(found, start, limit, items=items, claims=claims)

    def _failing(self, card: Card, health: Health, day: date) -> dict[str, Any]:
        oldest = None
        if health.claim is not None:
            checked = [one for one in self._brain.evaluator.explain(health.claim, day).inputs if one.checked]
            oldest = min(checked, key=lambda one: one.checked or day, default=None)
        age = oldest and oldest.checked and {
            "item": oldest.item or oldest.name, "checked": oldest.checked, "days": (day - oldest.checked).days,
        }  # fmt: skip
        found = self._brain.status.causes(card.id)
        shown = [
            {"path": one.path, "claims": [claim.id for claim in one.claims[:MOST_CLAIMS]]}
            for one in found[:MOST_CAUSES]
        ]
        return {
            "kind": card.kind, "title": card.title, "url": self._brain.site + api_models.address(card.id),
            **health.model_dump(), "oldest_input": age, "causes": shown, "causes_total": len(found),
        }  # fmt: skip

    def _cause(self, claim: str, day: date) -> dict[str, object]:
        """A failing claim with long texts cut; ages in days before `day`."""
        state, verdict = self._brain.status.state(claim), self._brain.evaluator.explain(claim, day)
        shown = {"name", "kind", "item", "value", "unit", "catalog", "source", "valid_from", "checked"}
        inputs = [
            {**one.model_dump(include=shown), "days": (day - one.checked).days if one.checked else None}
            for one in verdict.inputs
            if one.kind != "literal"
        ]
        return {
            "node": state.node, "url": f"{self._brain.site}/claims/{quote(claim, safe='')}",
            "says": shortened(state.says), "as_of": state.as_of, "verdict": state.verdict, "severity": state.severity,
            "value": verdict.value, "unit": verdict.unit, "expected": verdict.expected,
            "reason": shortened(state.reason), "run": state.run, "inputs": inputs,
        }  # fmt: skip

    def claims(
        self,
        verdict: Annotated[VerdictName | None, Field(description="Only claims with this verdict.")] = None,
        node: Annotated[Text | None, Field(description="Only claims of this node.")] = None,
        tag: Annotated[Text | None, Field(description="Only claims with this tag.")] = None,
        limit: Most = 50,
        after: str | None = None,
    ) -> Answer:
        """Claims with their last verdict, value, margin and reason."""
        return self._part(self._brain.status.states(verdict=verdict, node=node, tag=tag), self._start(after), limit)

    def explain(
        self,
        claim: ClaimId,
        as_of: Day = None,
        sets: Annotated[
            dict[Text, Text] | None,
            Field(
                max_length=100,
                description="Your own numbers, for example {'assume:utilisation': '40%'}; nothing is stored.",
            ),
        ] = None,
        currency: Annotated[
            Text | None, Field(description="A currency code such as EUR: money in it, at the rate of each day.")
        ] = None,
    ) -> Answer:
        """One claim evaluated: then and now, working, inputs with sources, and the values at which it changes."""
        return Answer(self._brain.evaluator.explain(claim, self._day(as_of), sets=sets, currency=currency))

    def prices(
        self, item: Annotated[Text, Field(description="`provider/thing`, or a family such as `anthropic/sonnet`.")]
    ) -> Answer:
        """All dated prices of an item, each with unit, validity and source."""
        return Answer({"items": self._brain.names.prices_of(item)})

    def impact(
        self, price: Annotated[Text, Field(description="A price item, a family, or `assume:NAME`.")], as_of: Day = None
    ) -> Answer:
        """What depends on a price: claims, their nodes, and the nodes that depend on those."""
        return Answer(self._brain.status.impact(price, self._day(as_of)))

    def changes(
        self,
        since: Annotated[IsoDay | None, Field(description="Only runs from this day on.")] = None,
        limit: Most = 20,
        after: str | None = None,
    ) -> Answer:
        """Which verdicts changed in which nightly run, latest first; an item is a run."""
        runs = self._brain.reports.changed_runs(since, before=int(after) if after else None)
        found = list(islice(runs, limit + 1))
        return Answer({"items": found[:limit]}, str(found[limit - 1].run) if len(found) > limit else None)

    def proof(
        self,
        text: Annotated[
            str, Field(min_length=1, max_length=200_000, description="Markdown, plain text or a web page; not stored.")
        ],
        name: Annotated[
            str, Field(max_length=300, description="Its file name: the suffix determines the format.")
        ] = "draft.md",
        as_of: Day = None,
    ) -> Answer:
        """Check the figures of a text: what each should be, and which claim of the brain has it, by line and column."""
        found = self._brain.proofreader.proof(text.encode("utf-8", "replace"), name, self._day(as_of))
        return Answer({"figures": found.figures, "items": found.items, "problems": found.problems})

    def check_claims(
        self,
        claims: Annotated[
            str, Field(min_length=1, max_length=100_000, description="Claims in YAML: quote, given, value, expect.")
        ],
        text: Annotated[
            str | None, Field(max_length=200_000, description="The text that they quote; else the notes they name.")
        ] = None,
        as_of: Day = None,
    ) -> Answer:
        """Check drafts of claims for a text: quote word for word, formula, units, prices, verdict, and what to change.

        Nothing is stored. Correct the drafts by `changes` and check again, until there are none.
        """
        data = None if text is None else text.encode("utf-8", "replace")
        found = self._brain.mining.check_drafts(claims, self._day(as_of), text=data)
        return Answer({"items": found.items, "problems": found.problems})

    def _day(self, asked: date | None) -> date:
        return asked or self._clock().date()

    def _start(self, after: str | None) -> int:
        """The offset of a page. Raises ChangedAnswerError if the brain has changed."""
        version_of_list, _, offset = (after or f"{self._brain.version()}:0").partition(":")
        if version_of_list != str(self._brain.version()):
            raise ChangedAnswerError
        return int(offset)

    def _part(self, found: Sequence[object], start: int, limit: int, **more: object) -> Answer:
        """The items of a list from `start` on, and the position of the next."""
        stop, told = start + limit, {"total": len(found), "items": found[start : start + limit], **more}
        return Answer(told, f"{self._brain.version()}:{stop}" if stop < len(found) else None)


class Server(MCPServer[Any]):
    """The tools over the protocol; errors say briefly what the agent must change."""

    def __init__(self, brain: Brain, clock: Callable[[], datetime]) -> None:
        # The handler that the library would set draws tracebacks in time quadratic in the length of a name.
        logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="%(levelname)s %(name)s %(message)s")
        reads = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
        tools = [
            Tool.from_function(_tool(tool, brain), annotations=reads, structured_output=False)
            for tool in McpTools(brain, clock).all()
        ]
        for tool in tools:
            tool.parameters["additionalProperties"] = False
        self._takes: Mapping[str, tuple[str, ...]] = {tool.name: tuple(tool.parameters["properties"]) for tool in tools}
        super().__init__("brain", version=VERSION, instructions=ABOUT, tools=tools, middleware=[_bounded])

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Any = None) -> Any:  # noqa: ANN401  # what the class above takes and gives
        """The answer of a tool."""
        if name not in self._takes:
            raise ToolError(_unknown("tool", [name], tuple(self._takes)))
        if lost := [one for one in arguments if one not in self._takes[name]]:
            raise ToolError(_unknown(f"argument of {name}", lost, self._takes[name]))
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            if not isinstance(error.__cause__, ValidationError):
                raise
            raise ToolError(f"{name}: {_wrong(error.__cause__)}") from error


def _tool(tool: Callable[..., Answer], brain: Brain) -> Callable[..., str]:
    """The tool in pages, its refusals as errors with similar names."""
    signature = inspect.signature(tool, eval_str=True)
    takes = [one for name, one in signature.parameters.items() if name != "after"]
    cursor = inspect.Parameter("cursor", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Next)

    @wraps(tool)
    def listing(*, cursor: str | None = None, **given: object) -> str:
        try:
            at = Cursor.read(cursor, digest([tool.__name__, given]))
            within = {"after": at.after} if "after" in signature.parameters else {}
            return page(tool(**given, **within), at)
        except Exception as error:
            if code_of(error) is None:
                raise
            close = ", ".join(brain.names.meant(error))
            raise ToolError(f"{_short(str(error))}; near it: {close}" if close else str(error)) from error

    listing.__signature__ = signature.replace(  # type: ignore[attr-defined]  # where `inspect` looks first
        parameters=[*takes, cursor], return_annotation=str
    )
    return listing


async def _bounded(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
    """Cut the texts of errors, which may repeat a long request."""
    try:
        result = await call_next(ctx)
    except MCPError as error:
        data = None if error.data is None else _short(str(error.data))
        raise MCPError(error.code, _short(error.message), data) from error
    if isinstance(result, dict) and result.get("isError"):
        for one in result["content"]:
            one["text"] = _short(one["text"])
    return result


def _short(text: str) -> str:
    half = LONGEST_ERROR // 2 - 10
    return text if len(text) <= LONGEST_ERROR else f"{text[:half]} … {text[-half:]}"


def _unknown(noun: str, lost: Sequence[str], known: Sequence[str]) -> str:
    """Says which names are unknown, with similar ones."""
    close = list(dict.fromkeys(name for one in lost[:5] for name in near(one, known, 1)))
    told = ", ".join(repr(one[:60]) for one in lost[:5])
    meant = f"; did you mean {', '.join(close)}?" if close else ""
    return f"unknown {noun}: {told}{meant} (known: {', '.join(known)})"


def _wrong(error: ValidationError) -> str:
    """What is wrong with the arguments."""
    return "; ".join(
        f"{'.'.join(str(part)[:60] for part in one['loc'])}: {one['msg'].removeprefix('Value error, ')}"
        for one in error.errors(include_url=False)[:5]
    )
