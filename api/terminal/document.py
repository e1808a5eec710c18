"""The blocks of a report in a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from rich.console import Console, ConsoleOptions, RenderableType, group
from rich.padding import Padding
from rich.text import Text

from api.terminal.tables import table
from compute.reports.report_document import Block, Heading, Item, Line, Paragraph, Table, Words
from graph.models.claim_models import VerdictName

STYLES: Mapping[str, str] = {
    VerdictName.HOLDS: "green",
    VerdictName.UNVERIFIABLE: "magenta",
    VerdictName.ERROR: "bold red",
    VerdictName.CONFLICTING: "cyan",
    VerdictName.DEPENDS: "blue",
    VerdictName.STALE: "yellow",
    VerdictName.REFUTED: "red",
    "source wrong": "green",
    "needs-assumption": "magenta",
    "unpriced": "cyan",
    "differs": "blue",
    "current": "green",
    "outdated": "yellow",
    "edited": "red",
    "unknown": "red",
    "no value": "magenta",
    "unclosed": "red",
}
"""The colour of each verdict, finding, and state of a live figure; its word is always shown too."""


def word(name: str) -> Text:
    """A verdict, finding or state as a coloured word."""
    return Text(name, style=STYLES[name])


@group()
def document(blocks: Iterable[Block]) -> Iterator[RenderableType]:
    """The blocks with bold headings and indented text."""
    indent = 2
    for block in blocks:
        match block:
            case Heading(level, line):
                indent = 4 if level == 3 else 2
                yield from [Text("")] if level == 2 else []
                title = styled_line(line)
                title.stylize("bold")
                yield Padding(title, (0, 0, 0, indent - 2))
            case Paragraph(line):
                yield Padding(styled_line(line), (0, 0, 0, indent))
            case Item(lines, whole):
                for number, words in enumerate(map(styled_line, lines)):
                    yield Padding(words if whole else _OneLine(words), (0, 0, 0, indent + (2 if number else 0)))
            case Table(titles, rows):
                yield Padding(table(titles, (map(styled_line, row) for row in rows)), (0, 0, 0, indent))


def styled_line(line: Line) -> Text:
    """A line with its styles."""
    return Text.assemble(*map(_styled, line))


def _styled(part: str | Words) -> Text:
    if isinstance(part, str):
        return Text(part)
    match part.role:
        case "verdict":
            return word(part.text)
        case "quote":
            return Text(f"“{' '.join(part.text.split())}”", "italic")
        case role:
            return Text(part.text, {"name": "bold", "remark": "dim"}.get(role, ""))


class _OneLine:
    """A text that a terminal cuts to one line."""

    def __init__(self, text: Text) -> None:
        self._text = text

    def __rich_console__(self, console: Console, _options: ConsoleOptions) -> Iterator[Text]:
        text = self._text.copy()
        if console.is_terminal:
            text.no_wrap, text.overflow = True, "ellipsis"
        yield text
