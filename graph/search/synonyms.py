"""The glossary as a list of synonyms: asking for one name of a term asks for its other names too."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from graph.models.node_models import Node
from graph.search.query_language import AllOf, AnyOf, Item, Phrase, Text, Word, with_text
from graph.search.search_models import Synonym
from graph.search.tokenizer import stems

LONGEST_NAME = 8
"""How many words of a query are held against the names of terms together."""

MOST_NAMES = 8
"""How many other names one name stands for."""

Name = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Synonyms:
    """Name to the other names of its terms, each as stems with the name as written."""

    others: Mapping[Name, Mapping[Name, str]]

    def expand(self, items: tuple[Item, ...]) -> tuple[tuple[Item, ...], tuple[Synonym, ...]]:
        """The items with other names beside those that are names of terms, and which were used; longest names first."""
        expanded: list[Item] = []
        used: list[Synonym] = []
        at = 0
        while at < len(items):
            length = self._longest(items, at)
            run = items[at : at + max(1, length)]
            item = run[0] if not length else _wider(run, self.others[_name(run)])
            if length:
                used.append(Synonym(asked=" ".join(one.typed for one in run), used=tuple(self._shown(run))))
            expanded.append(item)
            at += len(run)
        return tuple(expanded), tuple(used)

    def _shown(self, run: tuple[Item, ...]) -> list[str]:
        return list(self.others[_name(run)].values())

    def _longest(self, items: tuple[Item, ...], at: int) -> int:
        """How many items from `at` on are together a name; 0 where none is."""
        for length in range(min(LONGEST_NAME, len(items) - at), 0, -1):
            run = items[at : at + length]
            if all(_plain(item) for item in run) and self.others.get(_name(run)):
                return length
        return 0


def synonyms_of(terms: Iterable[Node]) -> Synonyms:
    """The synonyms that the labels of terms make."""
    others: dict[Name, dict[Name, str]] = {}
    for node in terms:
        names = {tuple(stems(label)): label for label in reversed(node.labels.all())} if node.labels else {}
        names.pop((), None)
        for name in names:
            beside = others.setdefault(name, {})
            beside.update(
                (other, label) for other, label in names.items() if other != name and len(beside) < MOST_NAMES
            )
    return Synonyms(others)


def _plain(item: Item) -> bool:
    """Words as typed without quotes, in no field, not left out."""
    return not item.quoted and not item.negated and isinstance(item.text, (Word, Phrase))


def _name(run: tuple[Item, ...]) -> Name:
    return tuple(stems(" ".join(item.typed for item in run)))


def _wider(run: tuple[Item, ...], names: Mapping[Name, str]) -> Item:
    own: Text = run[0].text if len(run) == 1 else AllOf(tuple(item.text for item in run))
    other = (Word(name[0]) if len(name) == 1 else Phrase(name) for name in names)
    typed = " ".join(item.typed for item in run)
    return with_text(Item(typed, own), AnyOf((own, *other)))
