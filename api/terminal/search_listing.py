"""What a search found, in a terminal."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from api.terminal.figure_text import many

if TYPE_CHECKING:
    from api.models.api_models import NodePage


def listing(page: NodePage) -> RenderableType:
    """Found nodes with their snippets, then the facets."""
    parts: list[RenderableType] = []
    for item in page.items:
        parts.append(Text.assemble((item.title, "bold"), "  ", (item.kind.value, "cyan"), "  ", (item.id, "dim")))
        if item.snippet:
            parts.append(Padding(_snippet(item.snippet), (0, 2)))
        parts.append(Padding(Text(" ".join(f"#{tag}" for tag in item.tags), style="dim"), (0, 2, 1, 2)))
    parts.append(Text(many(page.total, "node") if page.total else "nothing found", style="bold"))
    parts += [
        Text(f"also looked for {', '.join(others)} ({word})", style="dim") for word, others in page.synonyms.items()
    ]
    if page.suggestion:
        parts.append(Text(f"did you mean: {page.suggestion}", style="yellow"))
    for name, values in page.facets.items():
        if not values:
            continue
        shown = "  ".join(f"{value.value} {value.count}" for value in values[:12])
        parts.append(Text.assemble((f"{name}: ", "bold dim"), (shown, "dim")))
    return Group(*parts)


def _snippet(marked: str) -> Text:
    """A snippet in HTML with `<mark>` as text with the marks in bold."""
    text = Text()
    for number, part in enumerate(re.split(r"</?mark[^>]*>", marked)):
        text.append(html.unescape(re.sub(r"<[^<>]+>", "", part)), style="bold yellow" if number % 2 else "")
    return text
