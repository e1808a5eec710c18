"""The blocks of a report in a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.console import Console, ConsoleOptions, RenderableType, group
from rich.padding import Padding
from rich.text import Text

from api.terminal.tables import table
from api.terminal.verdict_tables import word
from compute.reports.report_document import Block, Heading, Item, Line, Paragraph, Table, Words
from graph.models.claim_models import VerdictName


@group()
def document(blocks: Iterable[Block]) -> Iterator[RenderableType]:
    """Headings in bold, and what is under each, indented."""
    indent = 2
    for block in blocks:
        match block:
            case Heading(level, line):
                indent = 4 if level == 3 else 2
                yield from [Text("")] if level == 2 else []
                title = _text(line)
                title.stylize("bold")
                yield Padding(title, (0, 0, 0, indent - 2))
            case Paragraph(line):
                yield Padding(_text(line), (0, 0, 0, indent))
            case Item(lines, whole):
                for number, text in enumerate(map(_text, lines)):
                    yield Padding(text if whole else _OneLine(text), (0, 0, 0, indent + (2 if number else 0)))
            case Table(titles, rows):
                yield Padding(table(titles, (map(_text, row) for row in rows)), (0, 0, 0, indent))


def _text(line: Line) -> Text:
    return Text.assemble(*map(_styled, line))


def _styled(part: str | Words) -> Text:
    if isinstance(part, str):
        return Text(part)
    match part.role:
        case "verdict":
            return word(VerdictName(part.text))
        case "quote":
            return Text(f"“{' '.join(part.text.split())}”", "italic")
        case role:
            return Text(part.text, {"name": "bold", "remark": "dim"}.get(role, ""))


class _OneLine:
    """A text on one line, cut at the width of the screen; a file gets it whole."""

    def __init__(self, text: Text) -> None:
        self._text = text

    def __rich_console__(self, console: Console, _options: ConsoleOptions) -> Iterator[Text]:
        text = self._text.copy()
        if console.is_terminal:
            text.no_wrap, text.overflow = True, "ellipsis"
        yield text
