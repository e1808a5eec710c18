"""Look around: `search`, `tags`, `show`, `citations`, `backlinks`."""

from __future__ import annotations

from typing import Annotated

from typer import Argument, Context, Option

from api.cli.cli_options import Json, Node
from api.cli.cli_session import opened_brain, session, steps
from api.models import api_models
from api.terminal import node_tables as shown
from graph.models.node_models import Kind
from graph.models.query_models import NodeQuery


def search(
    context: Context,
    text: Annotated[str, Argument(help='Words, "phrases", tag:x, kind:x, brain:x, -not, prefix*.')] = "",
    tag: Annotated[list[str] | None, Option(help="Only nodes with this tag (repeatable; all must hold).")] = None,
    kind: Annotated[Kind | None, Option(help="Only nodes of this kind.")] = None,
    brain: Annotated[str | None, Option(help="Only nodes of this brain.")] = None,
    limit: Annotated[int, Option(min=1, max=1000, help="Number of nodes to show.")] = 20,
    json: Json = False,
) -> None:
    """Find nodes by text and tag, best first.

    Examples: brain search "prompt caching" --tag batch-pricing · brain search 'TTFT kind:reading -vllm' ·
    brain search -- '-vllm kind:reading'
    """
    asked = session(context)
    query = NodeQuery(tags=tuple(tag or ()), kind=kind, brain=brain, limit=limit)
    with asked.brain() as opened:
        if text.strip():
            with asked.progress() as bar:
                opened.search.refresh(steps(bar))
        found = opened.find(text, query)
        asked.mention_empty(opened)
    asked.answer(api_models.without_entities(found), lambda: shown.search_results(found), json=json)


def tags(
    context: Context,
    near: Annotated[bool, Option("--near", help="Tags that look alike, with a suggested merge.")] = False,
    json: Json = False,
) -> None:
    """All tags with their number of nodes.

    --near lists tags that look alike. To merge two, ingest a file `tags: {from: to}`.

    Examples: brain tags --json · brain tags --near
    """
    with opened_brain(context) as (asked, opened):
        found = opened.tags.all()
    if near:
        from ingest.terms.tag_merges import near_duplicates  # noqa: PLC0415  # a list of tags does without the parsers

        merges = near_duplicates({one.value: one.count for one in found})
        asked.answer({"items": merges}, lambda: shown.merges(merges), json=json)
    else:
        listed = [{"tag": one.value, "count": one.count} for one in found]
        asked.answer({"items": listed}, lambda: shown.tags(found), json=json)


def show(context: Context, node: Node, json: Json = False) -> None:
    """Show one node.  Example: brain show kai/what-ai-coverage-is-for"""
    with opened_brain(context) as (asked, opened):
        found = opened.node(opened.nodes.named(node))
    asked.answer(found, lambda: shown.node_table(found), json=json)


def citations(context: Context, node: Node, json: Json = False) -> None:
    """What a node cites and quotes, with confidence.  Example: brain citations kai/what-ai-coverage-is-for"""
    with opened_brain(context) as (asked, opened):
        found = opened.nodes.get(opened.nodes.named(node)).citations
    asked.answer({"items": found}, lambda: shown.citations(found), json=json)


def backlinks(context: Context, node: Node, json: Json = False) -> None:
    """What cites a node, with the sentence.  Example: brain backlinks analyst/kv-cache-budget"""
    with opened_brain(context) as (asked, opened):
        own = opened.node(opened.nodes.named(node))
        found = opened.backlinks(own.id)
    asked.answer({"items": found}, lambda: shown.backlinks(found, own.id, own.title), json=json)
