"""The model that a sentence speaks of without its name: that of the sentence before, or of the heading.

Birch 2.5 is fast. It costs $2 per million tokens.     It: Birch 2.5
## Birch 2.5                                           the text below it, if it names no other model
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass, replace
from functools import lru_cache

from compute.mining.mining_models import Passage
from compute.mining.model_mentions import Lexicon, Mention
from compute.mining.text_windows import Window, paragraph

_PRONOUN = re.compile(r"\b(?:it|its|the model|this model|that model|the same model)\b(?!['’])", re.I)
_SUBJECT = re.compile(r"\W{0,3}(?:it|its|(?:the|this|that) model)\b", re.I)
_MOST_COMPARED = 3
"""How many models that are only compared with are passed over."""
_HEADING = re.compile(r"^#{1,6}[ \t]+(?P<words>[^\n]+)$", re.M)


COMPARED = re.compile(
    r"\b(?:replac\w+|than|versus|vs\.?|over|under|below|above|against|beat\w*|undercut\w*|compared (?:to|with)|unlike"
    r"|from|supersed\w+|outperform\w*|instead of|succeed\w*|alongside"
    r"|(?:half|third|quarter|fifth|tenth|twice|double|\d%) (?:of )?)\s?(?:the\s)?(?:old\s|original\s)?$",
    re.I,
)
"""Words before a model that another one is compared with."""


@dataclass(frozen=True, slots=True)
class Implied:
    """A model that a sentence does not name; `sure` if no other one can be meant."""

    mention: Mention
    sure: bool


def implied(passage: Passage, window: Window, lexicon: Lexicon) -> Implied | None:
    """The last model named before a sentence in its paragraph, else the only one of the heading."""
    begin, _ = paragraph(passage.mask, window.start)
    last = lexicon.last_between(passage.mask, begin, window.start)
    for _ in range(_MOST_COMPARED):
        if last is None or not COMPARED.search(passage.mask[max(begin, last.start - 40) : last.start]):
            break
        last = lexicon.last_between(passage.mask, begin, last.start) or last
    if last is None:
        return _headed(passage, window, lexicon)
    if last.family or not _SUBJECT.match(window.prose):
        return Implied(last, sure=False)
    return Implied(last, sure=lexicon.alone_between(passage.mask, begin, window.start))


def _headed(passage: Passage, window: Window, lexicon: Lexicon) -> Implied | None:
    every = _headings(passage.mask)
    place = bisect_left(every, (window.start, ""))
    named = {one.item: one for one in lexicon.mentions(every[place - 1][1] if place else passage.title)}
    if len(named) != 1:
        return None
    item, mention = next(iter(named.items()))
    alone = len(every) < 2 and lexicon.items_of(passage.mask) <= {item}
    return Implied(mention, sure=alone and not mention.family)


def section_start(mask: str, offset: int) -> int:
    """Where the text begins that a sentence at an offset belongs to: the last heading before it, else its paragraph."""
    every = _headings(mask)
    place = bisect_left(every, (offset, ""))
    return every[place - 1][0] if place else paragraph(mask, offset)[0]


@lru_cache(maxsize=4)
def _headings(mask: str) -> tuple[tuple[int, str], ...]:
    """The headings in a text, with their offsets."""
    return tuple((match.start(), match["words"]) for match in _HEADING.finditer(mask))


def pronoun(window: Window, mentions: tuple[Mention, ...], model: Mention) -> Mention | None:
    """The word for a model in a sentence, before all models that the sentence names; None if there is none."""
    found = _PRONOUN.search(window.prose, 0, mentions[0].start) if mentions else _PRONOUN.search(window.prose)
    return replace(model, start=found.start(), end=found.end(), implied=True) if found else None
