"""TOML front matter, as Hugo writes it between lines `+++`: read to the tree that YAML front matter is read to."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence

from graph.text.characters import safe
from graph.yaml.reader import DEEPEST, Fault, Listing, Mapping, Position, Tree, Word

_FAULT = re.compile(r"(?P<message>.*?) \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)", re.S)
_KEY = re.compile(r"[ \t]*+(?:\[{1,2}[ \t]*+)?[\"']?(?P<name>[\w-]+)[^=\n]{0,100}=?[ \t]*")


def load_toml(lines: Sequence[str], first: int) -> tuple[Tree, tuple[Fault, ...]]:
    """The fields, each at the place of its value, or None and the fault; `first` is the number of the first line."""
    places: dict[str, Position] = {}
    for number, line in enumerate(lines, first):
        if key := _KEY.match(line):
            places.setdefault(key["name"], (number, key.end() + 1))
    tree = Mapping()
    try:
        for name, value in tomllib.loads("\n".join(lines), parse_float=str).items():
            place = places.get(name, (first, 1))
            tree[Word(safe(name), place[0], 1)] = _tree(value, place, 1)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        return None, (_fault(str(error), first, len(lines)),)
    return tree, ()


def _fault(told: str, first: int, count: int) -> Fault:
    found = _FAULT.fullmatch(told)
    if found is None:
        return Fault(told, first, 1)
    line = int(found["line"]) if found["line"] else max(count, 1)
    return Fault(found["message"], first + line - 1, int(found["column"] or 1))


def _tree(value: object, place: Position, depth: int) -> Tree:
    if depth > DEEPEST:
        raise tomllib.TOMLDecodeError(f"lists and mappings are nested more than {DEEPEST} levels deep")
    if isinstance(value, dict):
        fields = Mapping(*place)
        fields.update({Word(safe(name), *place): _tree(one, place, depth + 1) for name, one in value.items()})
        return fields
    if isinstance(value, list):
        items = Listing(*place)
        items.extend(_tree(one, place, depth + 1) for one in value)
        return items
    return Word(str(value).lower() if isinstance(value, bool) else safe(str(value)), *place)
