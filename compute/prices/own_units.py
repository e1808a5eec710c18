"""Own units: things that are counted and priced, each a dimension of its own; docs/prices.md has the form."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from pydantic import Field, ValidationInfo, field_validator

from compute.units.unit_table import MULTIPLES, REFUSED
from compute.units.units import Vocabulary
from graph.problems import Problem
from graph.yaml.validation import Line, Source, Texts, Written, entries, mistake

RESERVED = frozenset({*Vocabulary().names, *REFUSED, "per"})  # words that cannot name own units


def _named(words: Iterable[str]) -> None:
    for word in words:
        if not (word.isascii() and word.isidentifier() and word[0].isalpha()) or "__" in word or len(word) > 40:
            hint = "letters, digits and single _, such as ticket"
            raise mistake("bad-unit", f"{word!r} cannot be the name of a unit", hint=hint)
        taken = [prefix + word for prefix in ("", *(prefix for prefix, _ in MULTIPLES)) if prefix + word in RESERVED]
        if taken:
            raise mistake("unit-exists", f"{taken[0]!r} is a unit already", hint="use it, or choose another name")


class OwnUnit(Written):
    """A thing that is counted."""

    name: Line = Field(description="The name, in the singular: ticket.")
    also: Texts = Field((), description="Other names, in the singular.")
    plural: Texts = Field((), description="The plurals of these names: tickets.")
    note: Line = ""

    @field_validator("name")
    @classmethod
    def _sound(cls, name: str) -> str:
        _named([name])
        return name

    @field_validator("also", "plural")
    @classmethod
    def _separated(cls, words: tuple[str, ...], info: ValidationInfo) -> tuple[str, ...]:
        _named(words)
        twice = set(words) & {info.data.get("name"), *(info.data.get("also") or ())}
        if twice or len(set(words)) < len(words):
            raise mistake("unit-twice", f"{sorted(twice or words)[0]!r} is named twice", hint="leave one out")
        return words

    @property
    def words(self) -> tuple[str, ...]:
        """Every word for the thing."""
        return (self.name, *self.also, *self.plural)


class Units(Written):
    """A file of own units."""

    units: tuple[OwnUnit, ...]


def load(document: str, text: str) -> tuple[tuple[OwnUnit, ...], tuple[Problem, ...]]:
    """The valid units of a file, and its problems."""
    source = Source(document, text)
    found: list[OwnUnit] = []
    for entry in entries(source, Units, OwnUnit):
        if entry.value is None:
            continue
        taken = {word for one in found for word in one.words} & set(entry.value.words)
        if taken:
            message = f"{min(taken)!r} is the name of two units"
            entry.complain((), message, code="unit-twice", hint="give each thing its own words")
            continue
        found.append(entry.value)
    return tuple(found), tuple(source.problems)


def vocabulary_of(own: Iterable[OwnUnit]) -> Vocabulary:
    """The vocabulary with these own units; of two that share a word the first counts."""
    known: dict[str, OwnUnit] = {}
    for one in own:
        if not known.keys() & set(one.words):
            known |= dict.fromkeys(one.words, one)
    return _vocabulary(tuple(dict.fromkeys((one.name, one.also, one.plural) for one in known.values())))


_vocabulary = lru_cache(maxsize=16)(Vocabulary)
