"""Reports as Markdown, and Markdown as one HTML page that loads nothing, for mail or build artifacts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import escape
from itertools import groupby

from markdown_it import MarkdownIt

from compute.reports.report_document import Block, Heading, Item, Line, Paragraph, Table, Words

_MARKED = re.compile(r"([\\`*_\[\]<>|#])")
_ADDRESS = re.compile(r"https?://[^\s<>|\\]+")
_FRAME = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
body {{ font: 1rem/1.5 Georgia, serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }}
table {{ border-collapse: collapse; font-variant-numeric: tabular-nums; }}
th, td {{ text-align: left; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid #ccc; vertical-align: top; }}
code {{ font-size: .85em; }}
@media (prefers-color-scheme: dark) {{ body {{ background: #16181c; color: #e6e4df; }} }}
</style>
</head>
<body>
{body}</body>
</html>
"""


def markdown(blocks: Iterable[Block]) -> str:
    """Blocks as Markdown; authors' markup is escaped, and an item is one line."""
    parts = [
        "\n".join(line for block in group for line in _lines(block))
        for _, group in groupby(blocks, key=lambda one: one if isinstance(one, Heading) else type(one))
    ]
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def html(title: str, blocks: Iterable[Block]) -> str:
    """Blocks as one HTML document that loads nothing; HTML in texts is escaped."""
    body = MarkdownIt("commonmark", {"html": False}).enable("table").render(markdown(blocks))
    return _FRAME.format(title=escape(title), body=body)


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
