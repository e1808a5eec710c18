"""Which figures of a collection are worth reading beside each other: those that differ, where rare words are shared."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from math import log
from operator import itemgetter

from compute.mining.contradiction_meanings import Stating, differing
from compute.mining.contradiction_measures import Context, Measure, context_of
from compute.mining.contradiction_words import PERIOD
from compute.mining.number_words import NUMBERS

COMMON = 40
"""The number of figures from which a word in their texts leads from none to another."""
SHARED = 0.4
"""The part of the words of the shorter text, rare ones counting more, that both must have."""
FEW = 400
"""The number of figures up to which all with a word in common are read."""
MOST_TRIED = 8
"""How many others are tried for one with which a figure is read."""
LEAST = 10
"""The least number without a unit that is taken for the same in two texts."""
_NUMBER = re.compile(rf"(?<![\w.,])(?<!\w-)(?:\d{{1,4}}|{'|'.join(NUMBERS)})(?![\w.,]*\d)\b")
NAME = 2.0
"""How many words a name counts."""


def candidates(every: Sequence[Stating]) -> Iterator[tuple[Stating, Stating, Measure, Measure]]:
    """Pairs of figures of which one cannot be right if the other is, if they are of the same thing; likeliest first.

    They are of different nodes: two figures of one text are hardly ever of the same thing.
    """
    said = [context_of(one.text, 1) for one in every]
    beside = _by_sentence(every)
    weights = _weights(said)
    seen: set[tuple[int, int]] = set()
    shared = SHARED if len(every) > FEW else 0
    whole = [shared * sum(weights[item] for item in one.items) for one in said]
    for index, shares in enumerate(_shared(every, said, weights)):
        for other, common in sorted(shares.items(), key=itemgetter(1), reverse=True)[:MOST_TRIED]:
            one, two = every[index], every[other]
            alike = common >= min(whole[index], whole[other])
            if not alike or not _comparable(said[index], said[other]):
                continue
            pair = differing(one, two)
            if pair is None or _opposed(said[index], said[other], pair[0]) or explained(one, two, pair, beside):
                continue
            key = min(index, other), max(index, other)
            if key not in seen:
                seen.add(key)
                yield one, two, *pair
            break


Sentences = dict[tuple[str, int, int], list[Stating]]


def _by_sentence(every: Iterable[Stating]) -> Sentences:
    """The figures of each sentence or row."""
    found: Sentences = defaultdict(list)
    for one in every:
        found[_sentence(one)].append(one)
    return found


def _sentence(one: Stating) -> tuple[str, int, int]:
    return one.measure.passage.node, one.measure.start, one.measure.end


def explained(one: Stating, two: Stating, pair: tuple[Measure, Measure], beside: Sentences) -> bool:
    """Whether the texts say why two figures differ, or that they are of other things.

    Another figure of one sentence is that of the other; the one is as many times the other as a text says; or two
    shares make a whole.
    """
    here, there = (beside.get(_sentence(some), []) for some in (one, two))
    if any(_agree(one, other) for other in there if other is not two) or any(
        _agree(other, two) for other in here if other is not one
    ):
        return True
    least, most = sorted(some.low for some in pair)
    if pair[0].dimension == "share":
        return abs(least + most - 1) <= sum(some.slack for some in pair)
    times = most / least
    return any(abs(times - number) <= number / 100 for number in {*_numbers(one.text), *_numbers(two.text)})


def _agree(one: Stating, two: Stating) -> bool:
    """Whether two figures are plainly one: of a unit or with two digits, and without a bound."""
    same = {value.dimension for value in one.values} & {value.dimension for value in two.values}
    plain = not (one.measure.side or two.measure.side or one.measure.figure.ranged or two.measure.figure.ranged)
    told = same - {"count"} or one.measure.figure.low >= LEAST
    return bool(same and plain and told) and differing(one, two) is None


def _numbers(text: str) -> Iterator[int]:
    """The numbers above one of a text, in digits and in words."""
    for match in _NUMBER.finditer(text.lower()):
        number = int(match[0]) if match[0].isdigit() else int(NUMBERS[match[0]])
        if number > 1:
            yield number


def _weights(said: Sequence[Context]) -> dict[str, float]:
    """How rare each word is; a name counts more."""
    counts = Counter(item for one in said for item in one.items)
    names = {name for one in said for name in one.names}
    return {item: log(1 + len(said) / count) * (NAME if item in names else 1) for item, count in counts.items()}


def _shared(every: Sequence[Stating], said: Sequence[Context], weights: dict[str, float]) -> Iterator[dict[int, float]]:
    """For each figure those of other nodes in its dimension that share words with its text, and what these weigh."""
    places: dict[tuple[str, str], list[int]] = defaultdict(list)
    for index, one in enumerate(every):
        for dimension in {value.dimension for value in one.values}:
            for item in said[index].items:
                places[dimension, item].append(index)
    for index, one in enumerate(every):
        found: dict[int, float] = defaultdict(float)
        for dimension in {value.dimension for value in one.values}:
            for item in said[index].items:
                others = places[dimension, item]
                if len(others) <= COMMON:
                    for other in others:
                        found[other] += weights[item]
        node = one.measure.passage.node
        yield {other: total for other, total in found.items() if every[other].measure.passage.node != node}


def _comparable(here: Context, there: Context) -> bool:
    """Whether two texts are of the same time, and share a name or several words."""
    if other_times(here.dates, there.dates):
        return False
    told = min(len(here.items), len(there.items)) > 1  # 51, p.
    shared = here.items & there.items
    return told and (bool((here.names | there.names) & shared) or len(shared) > 2)


def other_times(one: frozenset[str], two: frozenset[str]) -> bool:
    """Whether the years and months of two texts are others, or one text is of a month of the year of the other."""
    if not (one and two):
        return False
    here, there = ({date for date in dates if not date.isdigit()} for dates in (one, two))
    return not one & two or (here != there and not here & there)


def _opposed(one: Context, two: Context, measure: Measure) -> bool:
    """Whether two texts state conditions of one kind that exclude each other: a median, an average.

    A month and a year are none for what is compared as an amount per second.
    """
    kinds = {kind for kind, _ in one.conditions} & {kind for kind, _ in two.conditions}
    shared = {kind for kind, _ in one.conditions & two.conditions}
    return bool(kinds - shared - ({PERIOD} if "s^-1" in measure.dimension else set()))


def one_sided(one: Stating, two: Stating) -> bool:
    """Whether the clause of one figure states a condition of which the other text says nothing: at the median."""
    return _only(one, two) or _only(two, one)


def _only(one: Stating, two: Stating) -> bool:
    found = one.measure.near.conditions - context_of(two.text, 1).conditions
    return any(kind != PERIOD for kind, _ in found)
