"""A family of models named without a version, where the text has named one: Claude Haiku 4.5 is ours. Haiku costs $1.

The figures of such a sentence are read twice, as those of the version and as those of the family, whose name means its
latest model. Of each figure the reading that accuses it less is told.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from compute.mining.mining_models import Passage, Reading, Statement
from compute.mining.model_mentions import Lexicon, Mention
from compute.mining.price_facts import PriceFact
from compute.mining.price_pronouns import Implied
from compute.mining.text_windows import paragraph
from compute.prices.price_book import CatalogBook

Told = tuple[Reading | PriceFact, Statement]
"""A statement with what it was made from."""

_ENDING = re.compile(r"-(?:latest|preview|0|\d{6,8})$")
"""The end of a model's name that a text leaves out: claude-3-5-haiku-latest."""


class Versions:
    """The versions of families that a text names before their short names."""

    def __init__(self, book: CatalogBook, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._members = {
            name: frozenset(_plain(member.model) for member in family.members) for name, family in book.families.items()
        }

    def named(self, passage: Passage, mentions: Iterable[Mention], offset: int = 0) -> tuple[Mention, ...]:
        """Mentions as those of the versions which the text names; `offset` is where their part of the text begins.

        It is the last version that the paragraph names before a mention, else the only one of the text. A mention is
        unchanged if it is clear, or the text names no version.
        """
        return tuple(self._named(passage, one, offset + one.start) for one in mentions)

    def implied(self, passage: Passage, before: Implied | None, start: int) -> Implied | None:
        """The model of the text before a sentence that begins at `start`, by its version."""
        return before and replace(before, mention=self._named(passage, before.mention, start))

    def priced(self, passage: Passage, fact: PriceFact) -> PriceFact:
        """The price of a family as that of the version which the text names."""
        item = self._version(passage, fact.family, fact.start) if fact.family in self._members else ""
        return replace(fact, items=(item,), family="") if item else fact

    def _named(self, passage: Passage, mention: Mention, place: int) -> Mention:
        item = self._version(passage, mention.item, place) if mention.family and mention.item in self._members else ""
        return replace(mention, item=item, family=False) if item else mention

    def _version(self, passage: Passage, family: str, end: int) -> str:
        begin = paragraph(passage.mask, end)[0]
        near = [one.item for one in self._lexicon.between(passage.mask, begin, end) if self._is_of(one.item, family)]
        if near:
            return near[-1]
        titled = (one.item for one in self._lexicon.mentions(passage.title))
        every = {one for one in (*self._lexicon.items_of(passage.mask), *titled) if self._is_of(one, family)}
        return every.pop() if len(every) == 1 else ""

    def _is_of(self, item: str, family: str) -> bool:
        return _plain(item) in self._members[family]


def least_accused(first: Iterable[Told], second: Iterable[Told]) -> list[Told]:
    """Of each figure its statements of one of two readings: that which accuses it less, of equal ones the first.

    A figure that only one of them is about is not refuted. One that neither of them saves is refuted if one refutes it.
    """
    one, other = _by_figure(first), _by_figure(second)
    chosen = [_chosen(one.get(place, []), other.get(place, [])) for place in {**one, **other}]
    return [told for group in chosen for told in group]


def _chosen(one: list[Told], other: list[Told]) -> list[Told]:
    least = min((one, other), key=_accused)
    saved = not (one and other) or _accused(least) <= _ACCUSED["stale"]
    return least if saved else max((one, other), key=_accused)


_ACCUSED = {"holds": 0, "stale": 1, "needs-assumption": 2, "unpriced": 2}
_SILENT, _REFUTED = 3, 4


def _accused(group: list[Told]) -> int:
    return max((_ACCUSED.get(told.verdict, _REFUTED) for _, told in group), default=_SILENT)


def _by_figure(found: Iterable[Told]) -> dict[int, list[Told]]:
    groups: dict[int, list[Told]] = defaultdict(list)
    for made, told in found:
        groups[told.figure_start].append((made, told))
    return groups


def _plain(item: str) -> str:
    return _ENDING.sub("", item)
