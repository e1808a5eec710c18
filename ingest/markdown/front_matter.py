"""Front matter: YAML between `---` lines, or TOML between `+++` lines, at the top of a Markdown document.

A block that is no YAML is read field by field, with warnings; one with more lines of prose than fields, and one that is
no TOML, is text.

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

from graph.models.document_models import Skip
from graph.problems import Problem
from graph.yaml.reader import Fault, Listing, Mapping, Tree, Word, field, load, word
from ingest.markdown.toml_front import load_toml
from ingest.terms.tag_parsing import normal
from ingest.text.decoding import FRONT_ENDS, MOST, TOML, DecodedText, front_end

UNREAD = "a line of the front matter that is not a field"

_LINK = re.compile(r"\[\[[^\[\]\n]{1,400}\]\]")
_HASH = re.compile(r"#(?=\S)")
_SCALARS = frozenset({"title", "date", "published", "kind"})
_ANY_CASE = frozenset({"title", "tags", "tag", "aliases", "alias", "date", "published"})
_TAGS = frozenset({"tags", "tag"})
_HIDDEN = re.compile(r"[\"'\]]*((?:\s+#\w[^\s,#]*,?)+)\s*$")
_PLAIN_TEXT = "read as plain text"
_NAME = re.compile(r"[^\W\d_][\w .&/-]{0,60}|_[\w-]{0,60}")
_SCRIPT = re.compile(r"https?|ftp|file")
_DEEPEST = 4  # maximum depth of lists in invalid YAML


class Front(NamedTuple):
    """Fields; `end` is the closing line (0: no front matter), `unread` the lines of invalid YAML in no field."""

    end: int
    fields: dict[Word, Tree]
    problems: tuple[Problem, ...] = ()
    unread: tuple[int, ...] = ()

    def get(self, name: str) -> Tree:
        """A field; None if missing."""
        return field(self.fields, name)

    def word(self, name: str) -> str:
        """A field as text; empty if missing or no scalar."""
        return word(self.get(name)).strip()

    def skips(self, text: DecodedText) -> tuple[Skip, ...]:
        """The unread lines, as left out."""
        return tuple(text.skip(number, number, UNREAD) for number in self.unread)

    def listed(self, *names: str, separators: str) -> list[str]:
        """The names in these fields: lists, or lines divided by the pattern `separators`."""
        return [part for name in names for part in _names(self.get(name), separators)]

    def tags(self) -> tuple[str, ...]:
        """The tags of `tags` and `tag`, each once."""
        parts = self.listed("tags", "tag", separators=r"[,#\s]+")
        return tuple(dict.fromkeys(tag for tag in map(normal, parts) if tag))


def _names(tree: Tree, separators: str) -> list[str]:
    if isinstance(tree, Word):
        links = _LINK.findall(tree)  # the name of a linked note may have a space or a comma
        return [*(link[2:-2] for link in links), *re.split(separators, _LINK.sub(" ", tree))]
    return list(_texts(tree)) if isinstance(tree, list) else []


def _texts(tree: Tree) -> Iterator[str]:
    """The scalars of a list; mappings as `name: value`."""
    if isinstance(tree, Word):
        yield tree[2:-2] if _LINK.fullmatch(tree) else str(tree)
    elif isinstance(tree, list):
        for one in tree:
            yield from _texts(one)
    elif isinstance(tree, dict):
        yield from (f"{name}: {text}" for name, value in tree.items() for text in _texts(value) or [""])


def front_block(lines: Sequence[str]) -> tuple[int, bool]:
    """The index after the front matter (0: none), and whether it is valid."""
    end = front_end(lines)
    tree, faults = _loaded(lines, end) if end else (None, ())
    if isinstance(tree, dict) or not (faults or tree):
        return end, True
    if _is_toml(lines):
        return 0, False
    fields, _, unread = _repaired(_numbered(lines, end))
    return end if _is_front(fields, unread) else 0, False


def _is_toml(lines: Sequence[str]) -> bool:
    return lines[0].rstrip() == TOML


def _loaded(lines: Sequence[str], end: int) -> tuple[Tree, tuple[Fault, ...]]:
    inside = lines[1 : end - 1]
    return load_toml(inside, 2) if _is_toml(lines) else load("\n".join(inside), 2)


def _numbered(lines: Sequence[str], end: int) -> list[Word]:
    return [Word(lines[number - 1], number, 1) for number in range(2, end)]


def _is_front(fields: Mapping, unread: Sequence[int]) -> bool:
    """Whether an invalid block has more fields than prose."""
    return bool(fields) and len(unread) <= len(fields)


def front_matter(text: DecodedText) -> Front:
    """The front matter of a document, with what is readable of invalid YAML."""
    end = text.front_end
    mark, below = (*text.lines[:2], "")[:2]
    if not end:
        opened = mark.rstrip() in FRONT_ENDS and _field_name(below.replace("=", ":") if mark[0] == "+" else below)
        message = f"the front matter does not end; write a line {mark.rstrip()!r} after its fields"
        return Front(0, {}, (text.problem(1, "front-unclosed", message, column=1),) if opened else ())
    tree, faults = _loaded(text.lines, end)
    if isinstance(tree, dict):
        return Front(end, _as_meant(tree, text), tuple(_warning(text, fault) for fault in faults))
    if _is_toml(text.lines):
        wrong = ((one.line, one.column, f"this is not TOML: {one.message}; it is read as text") for one in faults)
        return Front(0, {}, tuple(text.problem(line, "toml", told, column=column) for line, column, told in wrong))
    return _broken(text, end, faults) if faults or tree is not None else Front(end, {})


def _broken(text: DecodedText, end: int, faults: Sequence[Fault]) -> Front:
    """The fields of a block that is not YAML; prose is text."""
    fields, own_faults, unread = _repaired(_numbered(text.lines, end))
    if not _is_front(fields, unread):
        message = "the front matter has no fields; it is read as text"
        return Front(0, {}, (text.problem(2, "front-shape", message),))
    problems = [_warning(text, fault) for fault in own_faults or (() if unread else faults)]
    problems += [text.problem(number, "front-line", f"{UNREAD}; left out") for number in unread[:MOST]]
    return Front(end, _as_meant(fields, text), tuple(problems), tuple(unread))


def _warning(text: DecodedText, fault: Fault) -> Problem:
    message = f"{fault.message}; {_PLAIN_TEXT}" if fault.fatal else fault.message
    return text.problem(fault.line, "yaml", message, column=fault.column, hint=fault.hint)


def _as_meant(fields: dict[Word, Tree], text: DecodedText) -> dict[Word, Tree]:
    """The fields with links and tags as text."""
    found = Mapping()
    for name, value in fields.items():
        lower = name.lower()
        known = lower in _ANY_CASE and (name == lower or Word(lower) not in fields)
        found[Word(lower, name.line, name.column) if known else name] = _meant(lower, name, value, text)
    return found


def _meant(lower: str, name: Word, value: Tree, text: DecodedText) -> Tree:
    """The value as meant: `[[Note]]` is no list, `#tag` no comment."""
    if value is None or (lower in _SCALARS and not isinstance(value, Word) and not _linked(value, text)):
        return _written(name, value, text)
    return _all_tags(value, text) if lower in _TAGS else _with_links(value, text)


def _all_tags(value: Tree, text: DecodedText) -> Tree:
    """Tags with those that YAML takes for a comment: `tags: gpu, #rent`."""
    found = _with_links(value, text)
    words = [one for one in (found if isinstance(found, list) else [found]) if isinstance(one, Word) and one.line]
    ends = ((one, _HIDDEN.match(text.lines[one.line - 1], one.column - 1 + len(one))) for one in words)
    more = [Word(tag, one.line, one.column) for one, end in ends if end for tag in end[1].split()]
    if isinstance(found, Listing):
        found.extend(more)
    return Word(" ".join((found, *more)), found.line, found.column) if isinstance(found, Word) and more else found


def _written(name: Word, value: Tree, text: DecodedText) -> Tree:
    """The rest of the line of a field, as text."""
    line = text.lines[name.line - 1]
    after = line.find(":", name.column - 1 + len(name)) + 1
    rest = line[after:].strip()
    if not after or not rest or (value is None and not _HASH.match(rest)):
        return value
    return Word(rest, name.line, line.index(rest, after) + 1)


def _with_links(value: Tree, text: DecodedText) -> Tree:
    """A value with each `[[Note]]` and `- #tag` as written."""
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
    """The wikilink that YAML read as lists."""
    if not (isinstance(value, Listing) and len(value) == 1 and isinstance(value[0], list)):
        return None
    found = _LINK.match(text.lines[value.line - 1], value.column - 1)
    return Word(found[0], value.line, value.column) if found else None


def _field_name(line: str) -> str:
    """The name of the field on a line; empty if none."""
    name, colon, rest = line.partition(":")
    name = name.rstrip().strip("\"'")
    spaced = not rest or rest[0].isspace()
    dense = " " not in name and not rest.startswith(("//", ":")) and not _SCRIPT.fullmatch(name)  # `name:value`
    return name if colon and _NAME.fullmatch(name) and (spaced or dense) else ""


def _repaired(lines: Sequence[Word], depth: int = 0) -> tuple[Mapping, list[Fault], list[int]]:
    """The readable fields, their faults, and the lines in none."""
    fields, faults, unread = Mapping(), list[Fault](), list[int]()
    for chunk in _chunks(lines):
        head = chunk[0].lstrip()
        name = _field_name(head)
        if not name:
            unread += [line.line for line in chunk if line.strip() and not line.lstrip().startswith("#")]
            continue
        key = Word(name, chunk[0].line, len(chunk[0]) - len(head) + 1)
        value, own, left = _value(chunk, name, depth)
        if key in fields:
            message = f"the field {name!r} is written twice; the last one counts"
            faults.append(Fault(message, key.line, key.column, fatal=False))
        fields[key] = value
        faults += own
        unread += left
    return fields, faults, unread


def _chunks(lines: Sequence[Word]) -> Iterator[list[Word]]:
    """The lines of each field."""
    chunk: list[Word] = []
    valued = False  # no field can be below a value on the same line
    for line in lines:
        text = line.lstrip()
        own = line == text and text and not text.startswith(("-", "#"))
        if own or (valued and _field_name(text)):
            if chunk:
                yield chunk
            chunk = []
            valued = bool(_field_name(text)) and text.partition(":")[2].strip()[:1] not in {"", "|", ">", "[", "{", '"'}
        chunk.append(line)
    if chunk:
        yield chunk


def _value(chunk: Sequence[Word], name: str, depth: int) -> tuple[Tree, list[Fault], list[int]]:
    """The value of a field: YAML, else items, else text."""
    text = "\n".join(chunk)
    tree, faults = load(text, chunk[0].line)
    if isinstance(tree, dict) and list(tree) == [name]:
        return next(iter(tree.values())), list(faults), []
    plain, more = load(text.expandtabs(2), chunk[0].line) if "\t" in text else (None, ())
    if isinstance(plain, dict) and list(plain) == [name]:
        return next(iter(plain.values())), [*faults, *more], []
    rest = chunk[0].partition(":")[2].strip()
    below = [line for line in chunk[1:] if line.strip() and not line.lstrip().startswith("#")]
    if not rest and below and _is_item(below[0]) and depth < _DEEPEST:
        items, unread = _items(below, depth)
        return items, list(faults), unread
    written = " ".join([rest, *map(str.strip, below)]).strip()
    column = chunk[0].find(rest) + 1 if rest else 1
    wrong = list(faults) or [Fault("a space is missing after the colon", chunk[0].line, column, "write name: value")]
    return Word(written, chunk[0].line, column) if written else None, wrong, []


def _is_item(line: Word) -> bool:
    text = line.lstrip()
    return text == "-" or text.startswith(("- ", "-\t"))


def _items(lines: Sequence[Word], depth: int) -> tuple[Listing, list[int]]:
    found, unread = Listing(lines[0].line, _width(lines[0]) + 1), list[int]()
    outer = min(_width(line) for line in lines if _is_item(line))
    item: list[Word] = []
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


def _item(lines: Sequence[Word], depth: int) -> tuple[Tree, list[int]]:
    first = lines[0].replace("-", " ", 1)
    inside = [Word(text.strip(), line.line, 1) for text, line in zip((first, *lines[1:]), lines, strict=True)]
    if len(lines) > 1 and all(map(_field_name, inside)):
        fields, _, unread = _repaired(inside, depth + 1)
        return fields, unread
    text = " ".join(inside)
    tree, faults = load(text, lines[0].line)
    if tree is not None and not faults and not isinstance(tree, dict):
        return tree, []
    return Word(text, lines[0].line, len(lines[0]) - len(first.lstrip()) + 1), []


def _width(line: Word) -> int:
    return len(line) - len(line.lstrip())
