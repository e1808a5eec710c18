"""Figures that a text disputes, and the texts that state them.

The document calls Haiku fifteen times cheaper than Opus; they are 60 to 1.     fifteen times is disputed, 60 is put against it
Haiku is fifteen times cheaper than the flagship.                               states it
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log

from compute.mining.contradiction_measures import Measure

_TEXT = (
    r"(?:document|author|reading|original|pack|glossary|essay|text|paper|source|summary(?: line)?|heading|headline|title|table|note|post|page"
    r"|article|report|guide|brochure|press release|draft|memo)"
)
_VERB = r"(?:says?|said|has|have|gives?|gave|puts?|calls?|called|states?|stated|lets?|speaks? of|counts?|names?|claims?|infers?|concludes?|quotes?|makes?|reports?|tells?)"
_BEFORE = re.compile(
    rf"\b{_TEXT}(?:['’]s)? (?:says?|gives?|puts?|states?|wrongly)(?: (?:it|them|the \w+))?(?: at| as)?\s(?:about |over |around )?$"
    r"|\b(?:wrongly|incorrectly|falsely) (?:said|stated|given|reported|put|called)(?: to be| as| at)?\s$",
    re.I,
)
"""What comes before a figure of another author."""
_AFTER = re.compile(
    rf"^[^.;:]{{0,50}}?\b(?:as stated|says? the {_TEXT}|the {_TEXT} {_VERB}|is (?:wrong|too|said|also too)|are (?:wrong|too|said)|by which [^.]{0, 40}(?:said|too)|SMs belong to)\b",
    re.I,
)
_AGAINST = re.compile(
    r"\b(?:wrong\w*|incorrect\w*|false|too (?:small|low|high|large|many|few|much|little)|in fact|actually|really|belongs? to|rather than|instead of"
    r"|but|whereas|would be|should be|contradict\w*|differs?|misquot\w*|forgotten|not|fits? only|agree only|"
    r"they are|it is|that is|where the|does not|do not|cannot|however|yet|disagree\w*|outside|below|above|only|other|narrower|wider|lower than|higher than)\b|[;:]",
    re.I,
)
_AGREES = re.compile(
    r"\b(?:is right|are right|holds|agrees?|confirms?|consistent|matches|as the \w+ says|in line with|within|exactly|correct)\b",
    re.I,
)
ENOUGH = 9.0
"""The weight that a text must share with a dispute for its figure to be the disputed one."""
REACH = 260


@dataclass(frozen=True, slots=True)
class Dispute:
    """A figure of another author, and the figure that a text puts against it."""

    theirs: Measure
    own: Measure


def disputed(every: Sequence[Measure], agree: Callable[[Measure, Measure], bool]) -> Iterator[tuple[Measure, Measure]]:
    """The own figure of each dispute, with each measure of another text that states the disputed one."""
    found = list(_disputes(every, agree))
    weights = _weights(every)
    stating: dict[tuple[str, str], list[Measure]] = defaultdict(list)
    for measure in every:
        stating[_value(measure)].append(measure)
    for dispute in found:
        for measure in stating[_value(dispute.theirs)]:
            if measure.passage.node != dispute.own.passage.node and _alike(dispute, measure, weights):
                yield dispute.own, measure


def _value(measure: Measure) -> tuple[str, str]:
    return measure.dimension.partition("/")[0], f"{measure.low:.3g}–{measure.high:.3g}"


def _disputes(every: Sequence[Measure], agree: Callable[[Measure, Measure], bool]) -> Iterator[Dispute]:
    for index, theirs in enumerate(every):
        mask, figure = theirs.passage.mask, theirs.figure
        if not _reported(theirs):
            continue
        around = [
            one for one in every[max(0, index - 6) : index + 7]
            if one is not theirs and one.passage is theirs.passage and one.dimension == theirs.dimension
            and (one.place == theirs.place or theirs.place < one.place) and abs(one.figure.start - figure.start) < REACH and not agree(one, theirs)
        ]  # fmt: skip
        around = [one for one in around if not _reported(one)]
        for own in sorted(around, key=lambda one: abs(one.figure.start - figure.start))[:1]:
            first, last = sorted((theirs, own), key=lambda one: one.figure.start)
            between = mask[first.figure.end : last.figure.start].replace("\x00", " ")
            said = mask[max(0, first.figure.start - 40) : last.figure.end + 40].replace("\x00", " ")
            if _AGAINST.search(between) and "\n\n" not in between and "|" not in between and not _AGREES.search(said):
                yield Dispute(theirs, own)


def _reported(measure: Measure) -> bool:
    """Whether the text says that another author states the figure."""
    mask, figure = measure.passage.mask, measure.figure
    before = mask[max(0, figure.start - 110) : figure.start].replace("\x00", " ").replace("\n", " ")
    return bool(_BEFORE.search(before) or _AFTER.match(mask[figure.end : figure.end + 70].replace("\x00", " ")))


def _weights(every: Sequence[Measure]) -> Mapping[str, float]:
    counts = Counter(item for measure in every for item in measure.wide.items)
    return {item: log(1 + len(every) / count) for item, count in counts.items()}


def _alike(dispute: Dispute, measure: Measure, weights: Mapping[str, float]) -> bool:
    mine = dispute.theirs.wide.items | dispute.own.wide.items
    shared = mine & measure.wide.items & (dispute.theirs.near.items | measure.near.items)
    named = shared & (mine_names := dispute.theirs.wide.names | dispute.own.wide.names | measure.wide.names)
    return sum(weights.get(item, 1.0) for item in shared) >= (ENOUGH if named else 2 * ENOUGH) and len(shared) >= (
        2 if mine_names else 3
    )
