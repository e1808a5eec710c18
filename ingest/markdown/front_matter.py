"""YAML front matter: the block between `---` lines at the top of a Markdown document."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from graph.problems import Problem, Severity
from graph.yaml import Fault, Tree, Word, field, load, word, words
from ingest.terms.tag_parsing import normal
from ingest.text.decoding import DecodedText

_OPEN = re.compile(r"---\s*")
_CLOSE = re.compile(r"(?:---|\.\.\.)\s*")
_SIMPLE = re.compile(r"(?P<key>[A-Za-z_](?:[\w -]*[\w-])?)\s*:\s+(?P<value>\S.*)")
_KEY = re.compile(r"(?P<key>[A-Za-z_](?:[\w -]*[\w-])?)\s*:")
_ITEM = re.compile(r"\s*-\s+(?P<value>\S.*)")


class Front(NamedTuple):
    """The fields of the front matter; `end` is the line that closes it, 0 if there is none."""

    end: int
    fields: dict[Word, Tree]
    problems: tuple[Problem, ...] = ()

    def get(self, name: str) -> Tree:
        """A field, None if it is missing."""
        return field(self.fields, name)

    def word(self, name: str) -> str:
        """A field as text, empty if it is missing or not a scalar."""
        return word(self.get(name)).strip()

    def words(self) -> Iterator[tuple[str, str]]:
        """Every field that is one word, as name and value."""
        for name, value in self.fields.items():
            if isinstance(value, Word):
                yield str(name), str(value)

    def tags(self) -> tuple[str, ...]:
        """The tags of `tags` and `tag`, lists or lines with commas, spaces or `#` between them; each once."""
        parts = [part for name in ("tags", "tag") for part in self._tag_words(self.get(name))]
        return tuple(dict.fromkeys(tag for tag in map(normal, parts) if tag))

    @staticmethod
    def _tag_words(tree: Tree) -> list[str]:
        return re.split(r"[,#\s]+", tree) if isinstance(tree, Word) else list(map(str, words(tree)))


def front_matter(text: DecodedText) -> Front:
    """The front matter of a document; if its YAML is invalid, the lines readable separately, and the problem."""
    start = next((index for index, line in enumerate(text.lines) if line.strip()), 0)
    if not _OPEN.fullmatch(text.lines[start]):
        return Front(0, {})
    end = next((index for index in range(start + 1, len(text.lines)) if _CLOSE.fullmatch(text.lines[index])), None)
    if end is None:
        message = "the front matter is never closed by a line '---'"
        return Front(0, {}, (text.problem(start + 1, "front-unclosed", message, column=1),))
    tree, faults = load("\n".join(text.lines[start + 1 : end]), start + 2)
    problems = tuple(_problem(text, fault) for fault in faults)
    if isinstance(tree, dict):
        return Front(end + 1, tree, problems)
    if tree is not None:
        problems = (*problems, text.problem(start + 2, "front-shape", "the front matter has no fields"))
    return Front(end + 1, _salvaged(text, start + 1, end) if problems else {}, problems)


def _problem(text: DecodedText, fault: Fault) -> Problem:
    severity = Severity.ERROR if fault.fatal else Severity.WARNING
    return text.problem(fault.line, "yaml", fault.message, severity=severity, column=fault.column, hint=fault.hint)


def _salvaged(text: DecodedText, start: int, end: int) -> dict[Word, Tree]:
    """The fields on one line each, and lists with one item per line."""
    found: dict[Word, Tree] = {}
    items: list[Tree] | None = None
    for number in range(start + 1, end + 1):
        line = text.lines[number - 1].rstrip()
        simple, key, item = _SIMPLE.fullmatch(line), _KEY.fullmatch(line), _ITEM.fullmatch(line)
        if simple:
            found[Word(simple["key"], number, 1)] = _value(simple, number)
        elif key:
            items = found[Word(key["key"], number, 1)] = []
        elif item and items is not None:
            items.append(_value(item, number))
            continue
        items = items if key else None
    return found


def _value(match: re.Match[str], number: int) -> Tree:
    """A value on its line: its YAML value unless that is a mapping; else the words as written."""
    tree, faults = load(match["value"], number)
    if tree is not None and not faults and not isinstance(tree, dict):
        return tree
    return Word(match["value"], number, match.start("value") + 1)
