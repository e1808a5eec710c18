"""The blocks of a report in a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderableType, group
from rich.padding import Padding
from rich.text import Text

from api.terminal.tables import table
from compute.reports.report_document import Block, Heading, Item, Line, Paragraph, Table, Words
from graph.models.claim_models import VerdictName

WORDS: Mapping[str, Sequence[str]] = {
    "green": (VerdictName.HOLDS, "source wrong", "current"),
    "blue": (VerdictName.DEPENDS, "differs"),
    "cyan": (VerdictName.CONFLICTING, "unpriced"),
    "magenta": (VerdictName.UNVERIFIABLE, "needs-assumption", "no value"),
    "yellow": (VerdictName.STALE, "outdated"),
    "red": (VerdictName.REFUTED, "edited", "unknown", "unclosed"),
    "bold red": (VerdictName.ERROR,),
}
"""The verdicts, findings and states of live figures of each colour; the word is always shown too."""
STYLES = {word: colour for colour, words in WORDS.items() for word in words}


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


@dataclass(frozen=True)
class _OneLine:
    """A text that a terminal cuts to one line."""

    text: Text

    def __rich_console__(self, console: Console, _options: ConsoleOptions) -> Iterator[Text]:
        if console.is_terminal:
            self.text.no_wrap, self.text.overflow = True, "ellipsis"
        yield self.text
