"""Finds contradictions between texts: one entity, one metric, one unit, one condition, and another figure.

figure ─▶ measure: entity, metric, unit, condition ─▶ pairs by a shared key ─▶ pairs that differ in the figure alone

No text is refuted: which of the two texts is right is not known, and both may be. Conditions that only one of them
states are shown with the pair.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import combinations

from compute.mining.contradiction_agreement import agree
from compute.mining.contradiction_candidates import candidates, one_sided, other_times
from compute.mining.contradiction_disputes import disputed
from compute.mining.contradiction_entities import alike, entities
from compute.mining.contradiction_meanings import Stating, statings
from compute.mining.contradiction_measures import DATE, Measure, figures_of
from compute.mining.contradiction_metrics import metrics
from compute.mining.contradiction_reader import OTHER, pair_reader
from compute.mining.contradiction_rents import RENT, rents
from compute.mining.contradiction_words import HIGHEST, IMPLIED, metric
from compute.mining.mining_models import Figure, MinedInput, Passage, Statement
from compute.mining.readings import Named, given
from compute.mining.statement_judge import figure_text, quoted

_BASE = re.compile(r"\b(?:than|against|versus|vs|over|relative to|compared)\b", re.I)
CONFIDENCE = Decimal("0.4")
MOST_ALIKE = 40
"""The number of measures from which a key is too common to be one."""
RAREST = 6
"""How many of the rarest words of a clause make keys."""
MANY = 600
"""The number of different words from which a collection is large: only clauses that say nothing else are compared."""
SURE, SURER, SUREST = 0.1, 0.6, 1.2
"""The score that two figures need; the one if only one text states a condition; and the one among many pairs."""
FEW_PAIRS = 100
"""The number of pairs from which hardly any is of the same thing."""
ENOUGH = 2.5
"""The weight of the common words: names count twice, frequent words less than once."""


Watch = Callable[[int, int], None]
"""Is told how many pairs of texts have been read, and of how many."""


def _unwatched(_done: int, _total: int) -> None:
    """Ignores progress."""


def contradictions(
    passages: Iterable[Passage], of: Container[str] | None = None, watch: Watch = _unwatched
) -> tuple[Statement, ...]:
    """Pairs of statements that cannot both be right of the same thing, reported at both places.

    With `of`, pairs by the network are read only where one text is of these nodes.
    """
    found: dict[str, Statement] = {}
    for pair in pairs(passages, of, watch):
        for here, there in ((pair.one, pair.two), (pair.two, pair.one)):
            statement = _statement(here, there)
            found.setdefault(statement.id, statement)
    return tuple(found.values())


@dataclass(frozen=True, slots=True)
class Pair:
    """Two measures that differ."""

    one: Measure
    two: Measure
    how: str
    """By which path it was found: the words, the name of a metric, the rent of a GPU, a dispute, a network."""


def pairs(passages: Iterable[Passage], of: Container[str] | None = None, watch: Watch = _unwatched) -> Iterator[Pair]:
    """The pairs of measures that differ in the figure alone, each once; `of` and `watch` as in `contradictions`."""
    known = [(passage, [*figures_of(passage)]) for passage in passages]
    every = [measure for _, some in known for measure in some if measure.dimension]
    found: dict[frozenset[tuple[str, int]], Pair] = {}
    rented = [(key, measure, one) for measure in every for key, one in rents(measure)]
    others = _without(every, [measure for _, measure, _ in rented])
    stated = [one for passage, some in known for one in statings(passage, some)]
    worded = _not_of_others(_by_words(others), stated)
    read = _by_meaning(stated, of, watch)
    for pair in (*worded, *_by_metric(every), *_by_rent(rented), *_by_dispute(every), *read):
        found.setdefault(frozenset((one.passage.node, one.figure.start) for one in (pair.one, pair.two)), pair)
    return iter(found.values())


def _by_words(every: list[Measure]) -> Iterator[Pair]:
    counts = Counter(item for measure in every for item in measure.near.items)
    weights = _weights(counts, len(every))
    for first, second in sorted(_candidates(every, counts)):
        one, two = every[first], every[second]
        if _same(one, two, weights):
            yield Pair(one, two, "words")


def _by_metric(every: list[Measure]) -> Iterator[Pair]:
    groups: dict[tuple[str, ...], list[Measure]] = defaultdict(list)
    for measure in every:
        for key in metrics(measure.dimension, measure.texts, measure.named):
            groups[key].append(measure)
    for key, group in groups.items():
        for one, two in combinations(group[:MOST_ALIKE], 2):
            others = len(key) == 1 and _others_named(one, two)
            if not (_same_place(one, two) or agree(one, two) or _other_days(one, two) or others):
                yield Pair(one, two, key[0])


def _without(every: list[Measure], rented: Iterable[Measure]) -> list[Measure]:
    """The measures of plain statements that are not rents, which are compared by provider and tier."""
    known = {id(measure) for measure in rented}
    return [measure for measure in every if measure.plain and id(measure) not in known]


def _by_rent(rented: Iterable[tuple[tuple[str, ...], Measure, Measure]]) -> Iterator[Pair]:
    groups: dict[tuple[str, ...], list[Measure]] = defaultdict(list)
    for key, _, one in rented:
        groups[key].append(one)
    for group in groups.values():
        for one, two in combinations(group[:MOST_ALIKE], 2):
            if not (_same_place(one, two) or agree(one, two) or _other_days(one, two)):
                yield Pair(one, two, "rent of a GPU")


def _by_dispute(every: list[Measure]) -> Iterator[Pair]:
    for own, stated in disputed(every, agree):
        yield Pair(own, stated, "dispute")


def _not_of_others(found: Iterable[Pair], every: Iterable[Stating]) -> Iterator[Pair]:
    """The pairs without those of which the network is sure that they are of other things."""
    known = {_place(one.measure): one for one in every}
    for pair in found:
        one, two = known.get(_place(pair.one)), known.get(_place(pair.two))
        if one is None or two is None or pair_reader().score(one, two) > OTHER:
            yield pair


def _place(measure: Measure) -> tuple[str, int]:
    return measure.passage.node, measure.figure.start


def _by_meaning(every: list[Stating], of: Container[str] | None, watch: Watch) -> Iterator[Pair]:
    found = [
        some for some in candidates(every) if of is None or any(one.measure.passage.node in of for one in some[:2])
    ]
    for done, (one, two, here, there) in enumerate(found, 1):
        least = SUREST if len(found) > FEW_PAIRS else SURER if one_sided(one, two) else SURE
        if pair_reader().same(one, two, least):
            yield Pair(here, there, "meaning")
        watch(done, len(found))


def _same_place(one: Measure, two: Measure) -> bool:
    """Whether two measures are of one sentence or row."""
    return one.passage.node == two.passage.node and one.place.split(":")[0] == two.place.split(":")[0]


def _others_named(one: Measure, two: Measure) -> bool:
    here, there = (found.named or tuple(entities(found.sentence)) for found in (one, two))
    if any(entity.device for entity in here) != any(entity.device for entity in there):
        return True
    return bool(here and there) and not any(alike(first, second) for first in here for second in there)


def _other_days(one: Measure, two: Measure) -> bool:
    return other_times(one.near.dates, two.near.dates)


def _weights(counts: Counter[str], total: int) -> Mapping[str, float]:
    if len(counts) <= MANY:
        return dict.fromkeys(counts, 1.0)
    return {item: 1.0 if count < total / 100 else 0.6 for item, count in counts.items()}


def _candidates(every: list[Measure], counts: Counter[str]) -> set[tuple[int, int]]:
    groups: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for index, measure in enumerate(every):
        rare = sorted(measure.near.items, key=lambda item: (counts[item], item))[:RAREST]
        for one, two in combinations(sorted(rare), 2):
            groups[measure.dimension, one, two].append(index)
    return {pair for found in groups.values() if 1 < len(found) <= MOST_ALIKE for pair in combinations(found, 2)}


def _same(one: Measure, two: Measure, weights: Mapping[str, float]) -> bool:
    """Whether two measures differ in the figure and speak of one thing: what one clause says, the other says too."""
    if _same_place(one, two) or agree(one, two) or _other_conditions(one, two):
        return False
    if _unnamed(one, two) or _unnamed(two, one):
        return False
    shared = one.near.items & two.near.items
    names = (one.near.names | two.near.names) & shared
    common = sum(weights[item] * (2 if item in names else 1) for item in shared)
    missing = _missing(one, two), _missing(two, one)
    if all(missing) and any(map(metric, missing[0] | missing[1])):
        return False  # each says something else, and one of them names another metric
    less, more = sorted(sum(weights[item] for item in one) for one in missing)
    enough = common >= ENOUGH and (bool(names) or len(shared) > 2)
    if len(weights) > MANY:
        return (
            enough and not less and more <= common / 2 and len(shared - names) > 1 and not _different_things(one, two)
        )
    if len(shared) < 2 or not (enough or not more) or (one.dimension == f"{DATE}/" and _others_named(one, two)):
        return False
    return less <= (1 if common > ENOUGH and names else 0) and more <= common


def _different_things(one: Measure, two: Measure) -> bool:
    """Whether two measures of a large collection are of different things: by name, by base, or by a missing name."""
    unnamed = one.dimension.startswith("unit/") and not (one.named and two.named)
    return unnamed or _relative(one) or _relative(two) or (bool(one.named and two.named) and _others_named(one, two))


def _unnamed(one: Measure, two: Measure) -> bool:
    """Whether the clause of one names something that the other does not name."""
    own = two.near.items if two.near.names else two.near.items | two.wide.items
    return not one.near.names <= own


def _relative(measure: Measure) -> bool:
    """Whether a share or a multiple is of something that another clause may not mean."""
    return measure.dimension.startswith(("ratio", "share")) and bool(
        _BASE.search(measure.texts[min(1, len(measure.texts) - 1)])
    )


def _missing(one: Measure, two: Measure) -> frozenset[str]:
    """What the clause of one says, and the sentence of the other does not."""
    return (
        (one.near.names | one.near.words)
        - two.near.items
        - two.wide.items
        - IMPLIED.get(one.dimension.split("/")[1] or one.dimension.split("/")[0], frozenset())
    )


def _other_conditions(one: Measure, two: Measure) -> bool:
    near, far = one.near, two.near
    bound = frozenset({HIGHEST}) if "low" in {one.side, two.side} else frozenset()
    if near.conditions - far.conditions - two.wide.conditions - bound:
        return True
    if far.conditions - near.conditions - one.wide.conditions - bound:
        return True
    if near.limits != far.limits or near.others != far.others:
        return True
    return other_times(near.dates or one.wide.dates, far.dates or two.wide.dates)


def _statement(here: Measure, there: Measure) -> Statement:
    quote, start = quoted(here.passage.text, here.start, here.end)
    unit = {"%": "%", "x": "x", "pp": "pp"}.get(here.figure.sort, here.figure.full_unit)
    other = (there.passage.node, " ".join(quoted(there.passage.text, there.start, there.end)[0].split())[:200])
    found = stated((here.passage.node, quote, start), (here.figure, _in_unit(here, there)), unit, other)
    conditions = f"{_divided(here, there)}{_conditions(here, there)}"
    return found.model_copy(update={"note": f"{found.note}{conditions}"}) if conditions else found


def _in_unit(here: Measure, there: Measure) -> Figure:
    """The figure of another text in the unit of this one: ten requests a second as 600 a minute."""
    if here.dimension != there.dimension or here.dimension in {RENT, f"{DATE}/"}:
        return there.figure
    written = here.written or _in_proportion(here, there)
    if written is None:
        return there.figure
    low, high = sorted(_rounded(written(value)) for value in (there.low, there.high))
    return replace(there.figure, low=low, high=high)


def _in_proportion(here: Measure, there: Measure) -> Callable[[Decimal], Decimal] | None:
    """What writes a value in the unit of this figure; None if both have one unit."""
    factor, other = _factor(here), _factor(there)
    if not factor or not other or (factor == other and there.written is None):
        return None
    return lambda value: value / factor


def _factor(measure: Measure) -> Decimal:
    """How much of its base unit one of a figure is."""
    return _rounded(measure.low / measure.figure.low) if measure.figure.low else Decimal(0)


def _rounded(value: Decimal) -> Decimal:
    """A value with six digits."""
    return round(value, 5 - value.adjusted()) if value else value


def _divided(here: Measure, there: Measure) -> str:
    """The amounts for one GPU, if a text states them for several."""
    if all(one.low == one.figure.low for one in (here, there)) or here.dimension != RENT:
        return ""
    return f"; for one GPU: {figure_text(here.low, 'USD/h')} here, {figure_text(there.low, 'USD/h')} there"


def _conditions(here: Measure, there: Measure) -> str:
    """The conditions that only one of two texts states."""
    parts = []
    for name, one, two in (("here", here, there), ("there", there, here)):
        own = {item for item in (*one.near.dates, *one.near.limits) if item not in two.near.dates | two.near.limits}
        own |= {
            " ".join(sorted(entity.words))
            for entity in one.named
            if not any(alike(entity, other) for other in two.named)
        }
        if own:
            parts.append(f"only {name}: {', '.join(sorted(own))}")
    return f"; {'; '.join(parts)}" if parts else ""


def stated(place: tuple[str, str, int], pair: tuple[Figure, Figure], unit: str, other: tuple[str, str]) -> Statement:
    """The statement that a node contradicts another: its place (node, quotation, offset), and the other figure."""
    (node, quote, start), (here, there) = place, pair
    inputs: tuple[MinedInput, ...] = given(Named("here", here), Named("there", there))
    digest = hashlib.sha256(f"{node}\n{quote}\n{here.text}\n{other[0]}\n{there.text}".encode()).hexdigest()
    says = figure_text(there.low, unit) + (f" to {figure_text(there.high, unit)}" if there.ranged else "")
    says = there.text if unit == DATE else says
    return Statement(
        id=f"{node}#{digest[:8]}",
        node=node,
        quote=quote,
        kind="cross-document",
        inputs=inputs,
        expression="there",
        stated=here.low,
        computed=there.low,
        unit=unit,
        verdict="differs",
        confidence=CONFIDENCE,
        note=f"two texts differ: {other[0]} says {says}: “{other[1]}”",
        start=start,
        figure_start=here.start,
        figure_end=here.end,
        within=here.half,
    )
