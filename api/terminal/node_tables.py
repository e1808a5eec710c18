"""Nodes, tags and citations in a terminal."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType, group
from rich.padding import Padding
from rich.text import Text

from api.models.api_models import Backlink, NodeView
from api.terminal.tables import table
from graph.models.node_models import Citation, Quotation
from graph.models.query_models import FacetCount
from graph.text.counts import many
from graph.text.plain_text import names_of, naming, plain_text, readable

if TYPE_CHECKING:
    from rich.markdown import Markdown

    from ingest.terms.tag_merges import Merge  # not loaded by a search


def tags(found: Sequence[FacetCount]) -> RenderableType:
    """Tags with counts."""
    counts = max((len(str(one.count)) for one in found), default=0)
    lines = [f"{one.count:>{counts}}  {one.value}" for one in found]
    return Group(Text("\n".join(lines), no_wrap=True, overflow="ellipsis"))


def merges(found: Sequence[Merge]) -> RenderableType:
    """Similar tags with a suggested merge."""
    rows = ((f"{one.source} ({one.source_count})", f"{one.target} ({one.target_count})", one.reason) for one in found)
    return table("merge | into= | because of~=", rows, "no similar tags")


def node_table(node: NodeView) -> RenderableType:
    """A node with text, sources, tags and place."""
    place = node.provenance
    head = Text.assemble((node.title, "bold"), "\n", (f"{node.kind.value} · {node.id} · {node.health}", "dim"))
    tail = Text(f"{place.document}, lines {place.first_line} to {place.last_line}", style="dim")
    sources = [Text(f"• {source.title or source.url}  {source.url if source.title else ''}") for source in node.sources]
    body = Padding(markdown_text(readable(node.body, naming(_titles(node)))), (1, 2))
    return Group(head, body, *sources, Text(" ".join(f"#{tag}" for tag in node.tags), style="cyan"), tail)


def markdown_text(text: str) -> Markdown:
    """Markdown with pictures as their words or file names: rich prints them before their paragraph, and cuts that."""
    from rich.markdown import Markdown  # noqa: PLC0415  # brings in a parser and Pygments, which only `show` needs

    made = Markdown(text)
    for token in made.parsed:
        for child in token.children or ():
            if child.type == "image":
                child.content = child.content or str(child.attrs.get("src", "")).rpartition("/")[2]
                child.type, child.tag, child.children = "text", "", None
    return made


def _titles(node: NodeView) -> dict[str, str]:
    """The titles of cited nodes, by the words of the links."""
    cited = [one for one in node.citations if isinstance(one, Citation) and one.target and one.target_title]
    written = {one.marker.strip("[]").casefold(): str(one.target_title) for one in cited}
    return written | {
        key: name for one in cited for key, name in names_of(str(one.target), str(one.target_title)).items()
    }


def citations(found: Sequence[Citation | Quotation]) -> RenderableType:
    """References of a node."""
    return table("marker | links to~ | how= | sure>=", map(_reference, found), "cites nothing")


def _reference(one: Citation | Quotation) -> Sequence[object]:
    if isinstance(one, Citation):
        target, among = one.target_title or one.target, ""
    else:
        target, among = one.source, "" if one.source else f" of {len(one.candidates)}"
    return one.marker, target or "–", f"{one.resolution}{among}", f"{one.confidence:.2f}"


@group()
def backlinks(found: Sequence[Backlink], node: str, title: str) -> Iterator[RenderableType]:
    """What cites a node, with the sentences."""
    named = naming(names_of(node, title))
    for one in found:
        yield Text.assemble((one.title, "bold"), "  ", (one.relation, "cyan"), "  ", (one.id, "dim"))
        if one.context:
            yield Padding(Text(plain_text(one.context, named), style="italic"), (0, 2))
    if not found:
        yield Text("nothing cites this node")


@group()
def search_results(page: Mapping[str, Any]) -> Iterator[RenderableType]:
    """Nodes with snippets, then the facets; `page` has the fields of `NodePage`."""
    for item in page["items"]:
        yield Text.assemble((item["title"], "bold"), "  ", (item["kind"].value, "cyan"), "  ", (item["id"], "dim"))
        if item["snippet"]:
            yield Padding(_snippet(item["snippet"]), (0, 2))
        yield Padding(Text(" ".join(f"#{tag}" for tag in item["tags"]), style="dim"), (0, 2, 1, 2))
    yield Text(many(page["total"], "node") if page["total"] else "nothing found", style="bold")
    for word, others in page["synonyms"].items():
        yield Text(f"also looked for {', '.join(others)} ({word})", style="dim")
    if page["suggestion"]:
        yield Text(f"did you mean: {page['suggestion']}", style="yellow")
    for name, values in page["facets"].items():
        if values:
            shown = "  ".join(f"{value['value']} {value['count']}" for value in values[:12])
            yield Text.assemble((f"{name}: ", "bold dim"), (shown, "dim"))


def _snippet(marked: str) -> Text:
    """A snippet in HTML as text, with bold in place of `<mark>`."""
    text = Text()
    for number, part in enumerate(re.split(r"</?mark[^>]*>", marked)):
        text.append(html.unescape(re.sub(r"<[^<>]+>", "", part)), style="bold yellow" if number % 2 else "")
    return text
