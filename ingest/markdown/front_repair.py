"""Front matter that is not YAML, read field by field.

title: GPU: what it costs      a value that is no YAML is text
tags:
<tab>- gpu                     tabs are spaces
sources:                       a field that is YAML on its own keeps its value
  - url: https://example.org
what is no field               is left over
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from graph.yaml.reader import Fault, Listing, Mapping, Tree, Word, load

_NAME = re.compile(r"[^\W\d_][\w .&/-]{0,60}|_[\w-]{0,60}")
_SCRIPT = re.compile(r"https?|ftp|file")
_DEEPEST = 4
"""A list of mappings, and a list in one of them, is as deep as front matter goes."""


class Line(NamedTuple):
    """A line of front matter with its number in the document."""

    number: int
    text: str


Repaired = tuple[Mapping, list[Fault], list[int]]
"""The fields, what is wrong with them, and the numbers of lines that belong to no field."""


def field_name(line: str) -> str:
    """The field that begins on a line without indentation; else empty."""
    name, colon, rest = line.partition(":")
    name = name.rstrip().strip("\"'")
    spaced = not rest or rest[0].isspace()
    dense = " " not in name and not rest.startswith(("//", ":")) and not _SCRIPT.fullmatch(name)  # `name:value`
    return name if colon and _NAME.fullmatch(name) and (spaced or dense) else ""


def repaired(lines: Sequence[Line], depth: int = 0) -> Repaired:
    """The fields of these lines, as many as can be read."""
    fields, faults, unread = Mapping(), list[Fault](), list[int]()
    for chunk in _chunks(lines):
        head = chunk[0].text.lstrip()
        name = field_name(head)
        if not name:
            unread += [line.number for line in chunk if line.text.strip() and not line.text.lstrip().startswith("#")]
            continue
        key = Word(name, chunk[0].number, len(chunk[0].text) - len(head) + 1)
        value, own, left = _value(chunk, name, depth)
        if key in fields:
            message = f"the field {name!r} is written twice; the last one counts"
            faults.append(Fault(message, key.line, key.column, fatal=False))
        fields[key] = value
        faults += own
        unread += left
    return fields, faults, unread


def _chunks(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Each field with its lines: indented ones, items, comments and empty ones."""
    chunk: list[Line] = []
    valued = False  # whether the field has a value on its own line, so that no field can be below it
    for line in lines:
        text = line.text.lstrip()
        own = line.text == text and text and not text.startswith(("-", "#"))
        if own or (valued and field_name(text)):
            if chunk:
                yield chunk
            chunk = []
            valued = bool(field_name(text)) and text.partition(":")[2].strip()[:1] not in {"", "|", ">", "[", "{", '"'}
        chunk.append(line)
    if chunk:
        yield chunk


def _value(chunk: Sequence[Line], name: str, depth: int) -> tuple[Tree, list[Fault], list[int]]:
    """The value of a field: YAML of its lines, else the items of a list, else the text."""
    text = "\n".join(line.text for line in chunk)
    tree, faults = load(text, chunk[0].number)
    if isinstance(tree, dict) and list(tree) == [name]:
        return next(iter(tree.values())), list(faults), []
    plain, more = load(text.expandtabs(2), chunk[0].number) if "\t" in text else (None, ())
    if isinstance(plain, dict) and list(plain) == [name]:
        return next(iter(plain.values())), [*faults, *more], []
    rest = chunk[0].text.partition(":")[2].strip()
    below = [line for line in chunk[1:] if line.text.strip() and not line.text.lstrip().startswith("#")]
    if not rest and below and _is_item(below[0]) and depth < _DEEPEST:
        items, unread = _items(below, depth)
        return items, list(faults), unread
    written = " ".join([rest, *(line.text.strip() for line in below)]).strip()
    column = chunk[0].text.find(rest) + 1 if rest else 1
    wrong = list(faults) or [Fault("a space is missing after the colon", chunk[0].number, column, "write name: value")]
    return Word(written, chunk[0].number, column) if written else None, wrong, []


def _is_item(line: Line) -> bool:
    text = line.text.lstrip()
    return text == "-" or text.startswith(("- ", "-\t"))


def _items(lines: Sequence[Line], depth: int) -> tuple[Listing, list[int]]:
    """The items of a list, each read on its own."""
    found, unread = Listing(lines[0].number, _width(lines[0]) + 1), list[int]()
    outer = min(_width(line) for line in lines if _is_item(line))
    item: list[Line] = []
    for line in (*lines, None):
        if line is None or (_is_item(line) and _width(line) <= outer):
            if item:
                value, left = _item(item, depth)
                found.append(value)
                unread += left
            item = []
        if line is not None:
            item.append(line)
    return found, unread


def _item(lines: Sequence[Line], depth: int) -> tuple[Tree, list[int]]:
    """The value of one item: YAML, else its fields, else its text."""
    first = lines[0].text.replace("-", " ", 1)
    inside = [Line(lines[0].number, first.strip()), *(Line(line.number, line.text.strip()) for line in lines[1:])]
    if len(lines) > 1 and all(field_name(line.text) for line in inside):
        fields, _, unread = repaired(inside, depth + 1)
        return fields, unread
    text = " ".join(line.text for line in inside)
    tree, faults = load(text, lines[0].number)
    if tree is not None and not faults and not isinstance(tree, dict):
        return tree, []
    return Word(text, lines[0].number, len(lines[0].text) - len(first.lstrip()) + 1), []


def _width(line: Line) -> int:
    return len(line.text) - len(line.text.lstrip())
