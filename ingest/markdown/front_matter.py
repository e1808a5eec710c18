"""YAML front matter: the block between `---` lines at the top of a Markdown document.

It begins in the first line of a document, as in Obsidian. A block that is no YAML is read field by field: each field
that is YAML on its own keeps its value, another one is read as the text that its author wrote, with a warning. A block
with more lines of prose than fields is no front matter but text between two rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from graph.models.document_models import Skip
from graph.problems import Problem
from graph.yaml import Fault, Listing, Mapping, Tree, Word, field, load, word
from ingest.markdown.front_repair import Line, field_name, repaired
from ingest.terms.tag_parsing import normal
from ingest.text.decoding import MOST, DecodedText, front_end

UNREAD = "a line of the front matter that is no field"
"""The reason for which lines of broken front matter are left out."""

_LINK = re.compile(r"\[\[[^\[\]\n]{1,400}\]\]")
_HASH = re.compile(r"#(?=\S)")
_SCALARS = frozenset({"title", "date", "published", "kind"})
_ANY_CASE = frozenset({"title", "tags", "tag", "aliases", "alias", "date", "published"})
_PLAIN_TEXT = "read as plain text"


class Front(NamedTuple):
    """The fields of the front matter; `end` is the line that closes it, 0 if there is none.

    `unread` are the lines (from 1) of broken front matter that belong to no field.
    """

    end: int
    fields: dict[Word, Tree]
    problems: tuple[Problem, ...] = ()
    unread: tuple[int, ...] = ()

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

    def listed(self, *names: str, separators: str) -> list[str]:
        """The names in these fields: lists, or lines with `separators` (a pattern) between them."""
        return [part for name in names for part in _names(self.get(name), separators)]

    def tags(self) -> tuple[str, ...]:
        """The tags of `tags` and `tag`, lists or lines with commas, spaces or `#`; each once."""
        parts = self.listed("tags", "tag", separators=r"[,#\s]+")
        return tuple(dict.fromkeys(tag for tag in map(normal, parts) if tag))


def _names(tree: Tree, separators: str) -> list[str]:
    if isinstance(tree, Word):
        links = _LINK.findall(tree)  # the name of a linked note may have a space or a comma
        return [*(link[2:-2] for link in links), *re.split(separators, _LINK.sub(" ", tree))]
    return list(_texts(tree)) if isinstance(tree, list) else []


def _texts(tree: Tree) -> Iterator[str]:
    """Every scalar of a list; a mapping in it gives name and value as one text."""
    if isinstance(tree, Word):
        yield tree[2:-2] if _LINK.fullmatch(tree) else str(tree)
    elif isinstance(tree, list):
        for one in tree:
            yield from _texts(one)
    elif isinstance(tree, dict):
        yield from (f"{name}: {text}" for name, value in tree.items() for text in _texts(value) or [""])


class FrontBlock(NamedTuple):
    """Where front matter ends: `end` is the index of the line after it, 0 if there is none; `intact` if it is YAML."""

    end: int
    intact: bool = True


def front_block(lines: Sequence[str]) -> FrontBlock:
    """Where the front matter ends; text between two rules is none."""
    end = front_end(lines)
    tree, faults = load("\n".join(lines[1 : end - 1]), 2) if end else (None, ())
    if isinstance(tree, dict) or not (faults or tree):
        return FrontBlock(end)
    fields, _, unread = repaired(_numbered(lines, end))
    return FrontBlock(end if _is_front(fields, unread) else 0, intact=False)


def _numbered(lines: Sequence[str], end: int) -> list[Line]:
    return [Line(number, lines[number - 1]) for number in range(2, end)]


def _is_front(fields: Mapping, unread: Sequence[int]) -> bool:
    """Whether a block that is not YAML is front matter: it has more fields than prose."""
    return bool(fields) and len(unread) <= len(fields)


def front_matter(text: DecodedText) -> Front:
    """The front matter of a document, with problems and what is readable of invalid YAML."""
    end = text.front_end
    if not end:
        return Front(0, {}, tuple(_unclosed(text)))
    tree, faults = load("\n".join(text.lines[1 : end - 1]), 2)
    if isinstance(tree, dict):
        return Front(end, _as_meant(tree, text), tuple(_warning(text, fault) for fault in faults))
    return _broken(text, end, faults) if faults or tree is not None else Front(end, {})


def _unclosed(text: DecodedText) -> Iterator[Problem]:
    """A warning for a first line `---` before a field that no line closes."""
    if text.lines[0].rstrip() == "---" and len(text.lines) > 1 and field_name(text.lines[1]):
        yield text.problem(1, "front-unclosed", "the front matter is never closed by a line '---'", column=1)


def _broken(text: DecodedText, end: int, faults: Sequence[Fault]) -> Front:
    """The fields of a block that is not YAML; none for a block of prose."""
    fields, own_faults, unread = repaired(_numbered(text.lines, end))
    if not _is_front(fields, unread):
        message = "the front matter has no fields; it is kept as text"
        return Front(0, {}, (text.problem(2, "front-shape", message),))
    problems = [_warning(text, fault) for fault in own_faults or (() if unread else faults)]
    problems += [text.problem(number, "front-line", f"{UNREAD}; left out") for number in unread[:MOST]]
    return Front(end, _as_meant(fields, text), tuple(problems), tuple(unread))


def front_skips(text: DecodedText, front: Front) -> Iterator[Skip]:
    """The lines of broken front matter that are left out."""
    return (text.skip(number, number, UNREAD) for number in front.unread)


def _warning(text: DecodedText, fault: Fault) -> Problem:
    message = f"{fault.message}; {_PLAIN_TEXT}" if fault.fatal else fault.message
    return text.problem(fault.line, "yaml", message, column=fault.column, hint=fault.hint)


def _as_meant(fields: dict[Word, Tree], text: DecodedText) -> dict[Word, Tree]:
    """The fields with unquoted links and tags as text, and known names in lower case."""
    found = Mapping()
    for name, value in fields.items():
        lower = name.lower()
        known = lower in _ANY_CASE and (name == lower or Word(lower) not in fields)
        found[Word(lower, name.line, name.column) if known else name] = _meant(lower, name, value, text)
    return found


def _meant(lower: str, name: Word, value: Tree, text: DecodedText) -> Tree:
    """The value of a field as meant: YAML reads `[[Note]]` as lists and `#tag` as a comment."""
    if value is None or (lower in _SCALARS and not isinstance(value, Word) and not _linked(value, text)):
        return _written(name, value, text)
    return _with_links(value, text)


def _written(name: Word, value: Tree, text: DecodedText) -> Tree:
    """What is on the line of a field, as text."""
    line = text.lines[name.line - 1]
    after = line.find(":", name.column - 1 + len(name)) + 1
    rest = line[after:].strip()
    if not after or not rest or (value is None and not _HASH.match(rest)):
        return value
    return Word(rest, name.line, line.index(rest, after) + 1)


def _with_links(value: Tree, text: DecodedText) -> Tree:
    """A value with each `[[Note]]` and each `- #tag` as written."""
    if not isinstance(value, Listing):
        return value
    if link := _linked(value, text):
        return link
    for index, (line, _) in value.nulls.items():
        written = text.lines[line - 1].strip().removeprefix("-").strip()
        if _HASH.match(written):
            value[index] = Word(written, line, text.lines[line - 1].index(written) + 1)
    value[:] = [_with_links(item, text) for item in value]
    return value


def _linked(value: Tree, text: DecodedText) -> Word | None:
    """The wikilink that was read as a list in a list."""
    if not (isinstance(value, Listing) and len(value) == 1 and isinstance(value[0], list)):
        return None
    found = _LINK.match(text.lines[value.line - 1], value.column - 1)
    return Word(found[0], value.line, value.column) if found else None
