"""Synonyms of the glossary: a query for one name of a term also finds its other names."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy import Connection

from graph.search.query_language import AllOf, AnyOf, Item, Phrase, Text, Word
from graph.search.search_models import Synonym
from graph.search.tokenizer import name_words, stems
from graph.store.node_filters import listed, statement
from graph.store.search_tables import LONGEST_KEY

LONGEST_NAME = 8  # maximum items of a query that are looked up together as one name

MOST_NAMES = 8  # maximum synonyms of a name

Name = tuple[str, ...]

_LABELS = (
    "SELECT DISTINCT l.serial, l.label, l.position FROM search_names k JOIN nodes n ON n.serial = k.serial"
    " JOIN search_names l ON l.serial = k.serial WHERE k.name IN {} ORDER BY l.serial, l.position"
)


Synonyms = Mapping[Name, Mapping[Name, str]]
"""Other names of terms by name (`name_words`): their stems, with the name as written."""


def with_synonyms(sql: Connection, items: tuple[Item, ...]) -> tuple[tuple[Item, ...], tuple[Synonym, ...]]:
    """The items with other names of the terms in them, and the synonyms used; of names the longest counts."""
    ends = range(1, len(items) + 1)
    runs = (items[start:end] for end in ends for start in range(max(0, end - LONGEST_NAME), end))
    names = {" ".join(_name(run))[:LONGEST_KEY] for run in runs} - {""}
    labels: dict[int, list[str]] = {}
    if names:
        asked = statement(_LABELS.format(listed(sql, "names", "text")), "serial, label, position")
        for serial, label, _ in sql.execute(asked, {"names": json.dumps(sorted(names))}):
            labels.setdefault(serial, []).append(label)
    return expand(items, synonyms_of(labels.values())) if labels else (items, ())


def expand(items: tuple[Item, ...], synonyms: Synonyms) -> tuple[tuple[Item, ...], tuple[Synonym, ...]]:
    """The items with synonyms added, and those that were used."""
    expanded: list[Item] = []
    used: list[Synonym] = []
    at = 0
    while at < len(items):
        length = _longest(items, at, synonyms)
        run = items[at : at + max(1, length)]
        if length:
            others, typed = synonyms[_name(run)], " ".join(one.typed for one in run)
            own: Text = run[0].text if length == 1 else AllOf(tuple(item.text for item in run))
            other = (Word(name[0]) if len(name) == 1 else Phrase(name) for name in others)
            expanded.append(Item(typed, AnyOf((own, *other))))
            used.append(Synonym(query=typed, used=tuple(others.values())))
        else:
            expanded += run
        at += len(run)
    return tuple(expanded), tuple(used)


def _longest(items: tuple[Item, ...], at: int, synonyms: Synonyms) -> int:
    """Number of items from `at` on that form a name; 0 if none do."""
    for length in range(min(LONGEST_NAME, len(items) - at), 0, -1):
        run = items[at : at + length]
        if all(_plain(item) for item in run) and synonyms.get(_name(run)):
            return length
    return 0


def synonyms_of(terms: Iterable[Sequence[str]]) -> Synonyms:
    """The synonyms from the labels of each term, the preferred one first."""
    others: dict[Name, dict[Name, str]] = {}
    for labels in terms:
        names = {tuple(stems(label)): label for label in reversed(labels)}
        names.pop((), None)
        for label in reversed(labels):
            own = tuple(stems(label))
            beside = others.setdefault(tuple(name_words(label)), {}) if own else {}
            beside.update((other, name) for other, name in names.items() if other != own and len(beside) < MOST_NAMES)
    return others


def _plain(item: Item) -> bool:
    """Whether an item is words: not quoted, not excluded, without a field."""
    own = item.text.parts[0] if isinstance(item.text, AnyOf) and isinstance(item.text.parts[0], Word) else item.text
    return not item.quoted and not item.negated and isinstance(own, (Word, Phrase))


def _name(run: tuple[Item, ...]) -> Name:
    return tuple(name_words(" ".join(item.typed for item in run)))
