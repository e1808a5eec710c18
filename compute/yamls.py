"""YAML with the place of every value, each scalar as it was written, so that `2.50` keeps its digits.

    text ──read──▶ Mark tree ──Fields──▶ typed values, with a Problem for each mistake

Aliases are refused: an editor's price list has no use for them, and they let ten lines unfold to a billion.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import yaml
from yaml.composer import Composer
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from compute.slips import Place, slip
from graph.likeness import did_you_mean
from graph.problems import Problem, Severity

_NULLS = frozenset({"", "~", "null", "Null", "NULL"})


@dataclass(frozen=True)
class Mark:
    """One YAML value with its place: a text, a tuple of marks, or a mapping of marks. `line` and `column` from 1."""

    value: str | tuple[Mark, ...] | dict[str, Mark] | None
    line: int
    column: int
    keys: dict[str, Mark] = field(default_factory=dict)

    def items(self) -> tuple[Mark, ...]:
        """The entries of a list; none where it is something else."""
        return self.value if isinstance(self.value, tuple) else ()

    def text(self) -> str | None:
        """The scalar as written, or None."""
        return self.value if isinstance(self.value, str) else None


_Events: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""Reads events: by libyaml where PyYAML was built with it, which takes a fifth of the time."""


class _Plain(Composer):
    """Composes nodes; refuses aliases."""

    def compose_node(self, parent: Node | None, index: int) -> Node | None:
        if self.check_event(yaml.AliasEvent):  # type: ignore[attr-defined]  # comes from the reader of events below
            event = self.peek_event()  # type: ignore[attr-defined]  # the same
            raise yaml.composer.ComposerError(None, None, "aliases (*name) are not allowed here", event.start_mark)
        return super().compose_node(parent, index)


class _Loader(_Plain, _Events):  # type: ignore[misc]  # which reader there is, is known at run time
    """Nodes composed in Python, whose depth is bounded, from events that may be read in C."""

    def __init__(self, stream: str) -> None:
        _Events.__init__(self, stream)
        Composer.__init__(self)


class Sheet:
    """A document being read: its name, its lines, and the problems found so far."""

    def __init__(self, document: str, text: str) -> None:
        self.document = document
        self.lines = text.splitlines()
        self.problems: list[Problem] = []

    def complain(
        self,
        mark: Mark | None,
        message: str,
        *,
        code: str,
        hint: str | None = None,
        severity: Severity = Severity.ERROR,
        offset: int = 0,
    ) -> None:
        """Note a problem at `mark`, `offset` characters into its text."""
        line = mark.line if mark else None
        text = self.lines[line - 1] if line and line <= len(self.lines) else None
        column = mark.column + offset if mark else None
        self.problems.append(
            Problem(
                document=self.document, line=line, column=column, severity=severity, code=code, message=message,
                text=text, hint=hint,
            )
        )  # fmt: skip

    def slipped(self, error: yaml.MarkedYAMLError) -> None:
        """Note what the library could not read, in words for who wrote it."""
        start = _place(error.context_mark)
        spot = _place(error.problem_mark) or start
        text = self.lines[spot[0] - 1] if spot and spot[0] <= len(self.lines) else ""
        found = slip(error.problem or error.context or "", spot, start, text)
        mark = Mark(None, *found.place) if found.place else None
        self.complain(mark, f"not readable as YAML: {found.message}", code="yaml-syntax", hint=found.hint)


def _place(mark: yaml.Mark | None) -> Place | None:
    return (mark.line + 1, mark.column + 1) if mark else None


def read(document: str, text: str) -> tuple[Mark | None, Sheet]:
    """The tree of a YAML text; None with one problem where it is not YAML or is empty."""
    sheet = Sheet(document, text)
    try:
        node = yaml.compose(text, Loader=_Loader)
        root = _mark(node, sheet) if node is not None else None
    except yaml.MarkedYAMLError as error:
        sheet.slipped(error)
        return None, sheet
    except (yaml.YAMLError, RecursionError) as error:
        sheet.complain(None, f"not readable as YAML: {_first_line(error)}", code="yaml-syntax")
        return None, sheet
    if root is None:
        sheet.complain(None, "the file is empty", code="yaml-empty", severity=Severity.WARNING)
    return root, sheet


def _first_line(error: Exception) -> str:
    return "it is nested too deeply" if isinstance(error, RecursionError) else str(error).splitlines()[0]


def _mark(node: Node, sheet: Sheet) -> Mark:
    line, column = node.start_mark.line + 1, node.start_mark.column + 1
    if isinstance(node, ScalarNode):
        plain_null = node.style is None and node.value in _NULLS
        return Mark(None if plain_null else node.value, line, column + (1 if node.style in {'"', "'"} else 0))
    if isinstance(node, SequenceNode):
        return Mark(tuple(_mark(child, sheet) for child in node.value), line, column)
    return _mapping(node, sheet) if isinstance(node, MappingNode) else Mark(None, line, column)


def _mapping(node: MappingNode, sheet: Sheet) -> Mark:
    values: dict[str, Mark] = {}
    keys: dict[str, Mark] = {}
    for key_node, value_node in node.value:
        key = _mark(key_node, sheet)
        name = key.text() or ""
        if name in values:
            sheet.complain(key, f"{name!r} stands twice; the first counts", code="yaml-duplicate-key")
            continue
        values[name], keys[name] = _mark(value_node, sheet), key
    return Mark(values, node.start_mark.line + 1, node.start_mark.column + 1, keys)


class Fields:
    """The fields of one mapping, read by name; every mistake becomes a problem of the sheet.

    `broken` says whether a field that was read is missing or wrong: the entry must then be left out.
    """

    def __init__(self, mark: Mark, sheet: Sheet, known: tuple[str, ...], what: str) -> None:
        self.mark = mark
        self.sheet = sheet
        self.what = what
        self.broken = False
        self._values = mark.value if isinstance(mark.value, dict) else {}
        if not isinstance(mark.value, dict):
            self.fail(mark, f"{what} must be a mapping of fields", code="yaml-shape")
        for name in self._values:
            if name not in known:
                hint = did_you_mean(name, known) or "known fields: " + ", ".join(known)
                self.fail(mark.keys[name], f"{what} has no field {name!r}", code="unknown-key", hint=hint)

    def fail(self, mark: Mark | None, message: str, *, code: str, hint: str | None = None, offset: int = 0) -> None:
        """Note a problem and mark the entry as broken."""
        self.broken = True
        self.sheet.complain(mark or self.mark, message, code=code, hint=hint, offset=offset)

    def at(self, name: str) -> Mark | None:
        """The value of a field with its place, or None where it is not written or null."""
        mark = self._values.get(name)
        return mark if mark is not None and mark.value is not None else None

    def need(self, name: str) -> Mark | None:
        """The value of a field that must be there."""
        mark = self.at(name)
        if mark is None:
            self.fail(self._values.get(name), f"{self.what} needs {name!r}", code="missing-key")
        return mark

    def text(self, name: str, *, need: bool = False) -> str | None:
        """A field of text."""
        mark = self.need(name) if need else self.at(name)
        if mark is None:
            return None
        if not isinstance(mark.value, str):
            self.fail(mark, f"{name!r} must be one text", code="yaml-shape")
            return None
        return mark.value.strip()

    def day(self, name: str, *, need: bool = False) -> date | None:
        """A field that is a day, `YYYY-MM-DD`."""
        text = self.text(name, need=need)
        if text is None:
            return None
        try:
            return date.fromisoformat(text) if len(text) == len("2025-01-31") else _no_day(text)
        except ValueError:
            self.fail(self.at(name), f"{text!r} is not a day", code="bad-date", hint="write YYYY-MM-DD")
            return None

    def whole(self, name: str) -> int | None:
        """A field that is a whole number from 0; `_` may group its digits, `k` and `M` multiply."""
        text = self.text(name)
        if text is None:
            return None
        digits = text.replace("_", "")
        scale = {"k": 1_000, "M": 1_000_000}.get(digits[-1:], 1)
        digits = digits[:-1] if scale > 1 else digits
        if not (digits.isascii() and digits.isdigit() and len(digits) <= 12):
            self.fail(self.at(name), f"{text!r} is not a whole number", code="bad-number")
            return None
        return int(digits) * scale


def _no_day(text: str) -> date:
    raise ValueError(text)


def entries(
    root: Mark | None, sheet: Sheet, key: str, known: tuple[str, ...], optional: tuple[str, ...] = ()
) -> Iterator[Fields]:
    """The entries of the list under `key` of a file's mapping, or of a file that is itself that list."""
    if root is None:
        return
    listing: Mark | None = root
    if isinstance(root.value, dict):
        listing = Fields(root, sheet, (key, *optional), "the file").need(key)
    if listing is None:
        return
    if not isinstance(listing.value, tuple):
        sheet.complain(listing, f"{key!r} must be a list", code="yaml-shape")
        return
    for mark in listing.value:
        yield Fields(mark, sheet, known, f"an entry of {key!r}")
