"""Reports as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby

from compute.reports.report_document import Block, Heading, Item, Line, Paragraph, Table, Words

_MARKED = re.compile(r"([\\`*_\[\]<>|#])")
_ADDRESS = re.compile(r"https?://[^\s<>|\\]+")


def markdown(blocks: Iterable[Block]) -> str:
    """Blocks as Markdown; authors' markup is escaped, and an item is one line."""
    parts = [
        "\n".join(line for block in group for line in _lines(block))
        for _, group in groupby(blocks, key=lambda one: one if isinstance(one, Heading) else type(one))
    ]
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def _lines(block: Block) -> Iterator[str]:
    match block:
        case Heading(level, line):
            yield f"{'#' * level} {_text(line)}"
        case Paragraph(line):
            yield f"{_text(line)}  " if line else ""
        case Item(lines):
            yield f"- {' · '.join(map(_text, lines))}"
        case Table(titles, rows):
            header = [one.rstrip(">~=") for one in titles.split(" | ")]
            yield f"| {' | '.join(header)} |"
            yield f"|{'---|' * len(header)}"
            yield from (f"| {' | '.join(map(_text, row))} |" for row in rows)


def _text(line: Line) -> str:
    """A line without line breaks."""
    return " ".join("".join(map(_word, line)).split())


def _word(word: str | Words) -> str:
    text = _MARKED.sub(r"\\\1", word.text if isinstance(word, Words) else word)
    if isinstance(word, str):
        return text
    match word.role:
        case "name":
            return f"`{word.text}`"
        case "verdict":
            return f"**{text}**"
        case "quote":
            return f"“{text}”"
        case "link" if _ADDRESS.fullmatch(word.text.strip()):
            return f"<{word.text.strip()}>"
        case _:
            return text
