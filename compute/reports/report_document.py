"""What a report says and in which order, without a layout: headings, paragraphs, items and tables.

The terminal (`api.terminal.document`) and Markdown (`markdown_report`) print the same blocks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from compute.reports.report_model import COUNTED
from graph.models.verdict_models import VerdictChange


class Words(NamedTuple):
    """Words with a role: the id of a claim, a verdict, quoted words, an address, or a remark."""

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
    """An item of a list; a screen shows each line `whole`, or as much of it as fits on one line."""

    lines: Sequence[Line]
    whole: bool = True


class Table(NamedTuple):
    """Rows under titles, which are written as in `api.terminal.tables.table`: `claim | value> | expected~`."""

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
