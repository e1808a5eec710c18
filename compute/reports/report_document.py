"""What a report says and in which order: blocks, which a terminal prints, and which are written here as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Literal, NamedTuple

from compute.reports.report_model import COUNTED
from graph.models.verdict_models import VerdictChange

_MARKED = re.compile(r"([\\`*_\[\]<>|#])")
_ADDRESS = re.compile(r"https?://[^\s<>|\\]+")


class Words(NamedTuple):
    """Words with a role; `name` is the id of a claim, `link` an address."""

    text: str
    role: Literal["name", "verdict", "quote", "link", "remark"]


Line = Sequence[str | Words]


class Heading(NamedTuple):
    """A heading of level 1, 2 or 3."""

    level: int
    line: Line


class Paragraph(NamedTuple):
    """One line; without words an empty one."""

    line: Line


class Item(NamedTuple):
    """An item of a list; a screen shows complete lines if `whole`, else what fits on one."""

    lines: Sequence[Line]
    whole: bool = True


class Table(NamedTuple):
    """Rows under titles as in `api.terminal.tables.table`: `claim | value> | expected~`."""

    titles: str
    rows: Sequence[Sequence[Line]]


Block = Heading | Paragraph | Item | Table


def paragraphs(*texts: str) -> Iterator[Paragraph]:
    """A paragraph for each text that is not empty."""
    return (Paragraph((text,)) for text in texts if text)


def section(title: str, titles: str, rows: Sequence[Sequence[Line]]) -> Iterator[Block]:
    """A heading with a table; nothing without rows."""
    if rows:
        yield from (Heading(2, (title,)), Table(titles, rows))


def counts(found: Mapping[str, int]) -> Line:
    """The numbers of `verdict_counts`, each with its word."""
    listed = [(found[name], name) for name in reversed(COUNTED) if found.get(name)]
    parts = [part for count, name in listed for part in (", ", f"{count} ", verdict(name))]
    return parts[1:] or ("no claims yet: brain claim new NOTE WORDS writes one",)


def verdict(name: str) -> Words:
    """A verdict, or how it is counted, as a word."""
    return Words(name.replace("-", " "), "verdict")


def before_after(change: VerdictChange) -> Line:
    """The verdict before, an arrow, and the verdict after."""
    before = verdict(change.before) if change.before else Words("new", "remark")
    return before, " → ", verdict(change.after) if change.after else Words("gone", "remark")


# ---- as Markdown


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
