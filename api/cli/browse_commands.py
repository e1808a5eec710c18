"""Commands to browse: `search`, `tags`, `show`, `citations`, `backlinks`."""

from __future__ import annotations

import html
from typing import Annotated

from typer import Argument, Option

from api.cli.cli_options import Node
from api.cli.cli_session import Answer, CliSession, listing
from api.models import api_models
from api.terminal import node_tables as shown
from graph.models.node_models import Kind
from graph.models.query_models import NodeQuery


def search(
    asked: CliSession,
    text: Annotated[str, Argument(help='Words, "phrases", tag:x, kind:x, brain:x, -not, prefix*.')] = "",
    tag: Annotated[list[str] | None, Option(help="Only nodes with this tag (repeatable; all must hold).")] = None,
    kind: Annotated[Kind | None, Option(help="Only nodes of this kind.")] = None,
    brain: Annotated[str | None, Option(help="Only nodes of this brain.")] = None,
    limit: Annotated[int, Option(min=1, max=1000, help="Number of nodes to show.")] = 20,
) -> Answer:
    """Find nodes by text and tag, best first.

    Examples: brain search "prompt caching" --tag batch-pricing · brain search 'TTFT kind:reading -vllm' ·
    brain search -- '-vllm kind:reading'
    """
    query = NodeQuery(tags=tuple(tag or ()), kind=kind, brain=brain, limit=limit)
    if text.strip():
        asked.brain.search.refresh(asked.steps())
    found = asked.brain.find(text, query)
    asked.mention_empty()
    listed = api_models.page_fields(found, lambda hit: html.unescape(hit.snippet))  # with marks, for no browser
    return Answer(listed, lambda: shown.search_results(api_models.page_fields(found)))


def tags(
    asked: CliSession,
    near: Annotated[bool, Option("--near", help="Tags that look alike, with a suggested merge.")] = False,
) -> Answer:
    """All tags with their number of nodes. To merge two, ingest a file `tags: {from: to}`.

    Examples: brain tags --json · brain tags --near
    """
    found = asked.brain.tags.all()
    if near:
        from ingest.terms.tag_merges import near_duplicates  # noqa: PLC0415  # a list of tags does without the parsers

        merges = near_duplicates({one.value: one.count for one in found})
        return listing(merges, shown.merges)
    listed = [{"tag": one.value, "count": one.count} for one in found]
    return Answer({"items": listed}, lambda: shown.tags(found))


def show(asked: CliSession, node: Node) -> Answer:
    """Show one node.  Example: brain show kai/what-ai-coverage-is-for"""
    found = asked.brain.node(asked.brain.nodes.named(node))
    return Answer(found, lambda: shown.node_table(found))


def citations(asked: CliSession, node: Node) -> Answer:
    """What a node cites and quotes, with confidence.  Example: brain citations kai/what-ai-coverage-is-for"""
    return listing(asked.brain.nodes.get(asked.brain.nodes.named(node)).citations, shown.citations)


def backlinks(asked: CliSession, node: Node) -> Answer:
    """What cites a node, with the sentence.  Example: brain backlinks analyst/kv-cache-budget"""
    own = asked.brain.node(asked.brain.nodes.named(node))
    found = asked.brain.backlinks(own.id)
    return Answer({"items": found}, lambda: shown.backlinks(found, own.id, own.title))
