"""What speaks for a candidate: the words around its target and inputs, their places, and how their units fit.

A trait is a name such as `fall|near|down`: the relation, the place, the class of a word. No trait depends on whether
the relation computes.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache, reduce
from itertools import accumulate
from operator import or_
from typing import NamedTuple

from compute.mining.claim_cues import (
    AVERAGE,
    BORDERS,
    CONDITIONAL,
    DOWNWARD,
    LEFT,
    NEGATED,
    NEUTRAL,
    NOUN_SHARES,
    PART_OF,
    TOTAL,
    UPWARD,
)
from compute.mining.claim_fits import Group, QuantityType, product_fit, quantity_type, types_fit
from compute.mining.claim_scopes import PARAGRAPH, Candidate, Scope, sized
from compute.mining.expressions import denominator
from compute.mining.quantities import Quantity, QuantityKind

_LISTS: dict[str, str] = {
    "total": " ".join(sorted(TOTAL)) + " all told sum tally overall aggregate whole entire",
    "add": "add adds added adding plus + & and",
    "left": " ".join(sorted(LEFT)) + " keep keeps kept goes back",
    "average": " ".join(sorted(AVERAGE)) + " mean typical averages normally",
    "share": " ".join(sorted(PART_OF)) + " percent fraction slice chunk cent score pass ratio success hit win",
    "fee": " ".join(sorted(NOUN_SHARES)),
    "gap": "difference gap apart between spread surplus deficit shortfall delta lead cushion swing ahead behind "
           "short margin",
    "save": "save saves saved saving savings cheaper spare spared spares",
    "profit": "profit profits margin surplus earnings net gross income loss losses markup revenue costs",
    "equal": "= ≈ equals equal i e ie is are was were",
    "so": "so thus hence therefore means mean meaning making makes make giving gives give yields yielding works "
          "work worked comes come came coming amounts amounting translates which that that's results result",
    "of": "of",
    "whom": "whom which those these them",
    "than": "than",
    "as": "as",
    "times": "times time factor ratio multiple multiplier fold twofold threefold tenfold twice double triple × x",
    "by": "by",
    "to": "to → into reaching reached reaches stands",
    "from": "from",
    "at": "at @",
    "for": "for over during across within",
    "in": "in",
    "per": "per each every apiece / a an",
    "cost": "cost costs costing price priced prices pay pays paid paying bill bills billed charge charges "
            "charged spend spends spent fee rent earns earn sells sell sold invoice",
    "use": "use uses used using need needs needed take takes took taking taken requires require consumes consume "
           "draws burns runs run lasts last produces holds hold handles carries covers moves reads writes",
    "comma": ",",
    "colon": ":",
    "dash": "— – -",
    "paren": "(",
    "shut": ")",
    "semi": ";",
    "stop": ". ! ?",
    "and": "and &",
    "but": "but while whereas although though yet however meanwhile",
    "with": "with without",
    "now": "now today currently after new this later becomes became",
    "was": "before earlier old previously formerly former once used original originally last had ago against "
           "instead rather",
    "more": "another further extra additional again other rest next then",
    "grow": "compound compounded compounding compounds annualised annualized annually interest invested deposit "
            "grows earns yields",
    "only": "only just merely barely exactly precisely",
    "would": " ".join(sorted(CONDITIONAL)) + " can may",
    "not": " ".join(sorted(NEGATED)),
    "split": "split shared divided share equally evenly among between spread paid instalments installments equal "
             "parts people",
    "each": "each apiece every both",
    "time": "hour hours day days week weeks month months year years daily weekly monthly yearly annually annual "
            "minute minutes second seconds nightly night quarter",
    "long": "until till between later lasted took started ended opened closed since ago",
    "pronoun": "it this they he she we you that its their his her our",
    "out": "out",
    "on": "on off",
    "rate": "rate speed pace throughput yield density ratio turnover coverage utilisation utilization",
    "convert": "km mile miles metres metre feet inches pounds ounces litres gallons kilometres kilos kg celsius "
               "fahrenheit",
    "up to": "up most least",
    "since": "since ago peak average median record inflation year-on-year forecast expected target planned",
    "back": "respectively former latter first second",
    "money": "$ € £ % dollars euros",
    "paragraph": PARAGRAPH,
}  # fmt: skip  # one class a line
_CLASSES: dict[str, tuple[str, ...]] = {}
for _name, _listed in _LISTS.items():
    for _word in _listed.split():
        _CLASSES[_word] = (*_CLASSES.get(_word, ()), _name)
GROUPS = {
    "fall": "change", "rise": "change", "part": "ratio", "times": "ratio", "gap": "minus", "difference": "minus",
    "remainder": "minus", "flow": "plus", "sum": "plus", "mean": "plus", "part of sum": "ratio",
    "times of sum": "ratio",
    "sum of whole": "ratio",
    "rest of whole": "ratio", "complement": "shares", "stacked": "shares", "compound": "shares", "both": "shares",
    "multiplied": "scaled", "divided": "scaled", "taken": "scaled", "whole": "scaled", "cut": "scaled",
    "raised": "scaled", "uncut": "scaled", "unraised": "scaled", "cut twice": "scaled twice",
    "raised twice": "scaled twice",
    "taken twice": "scaled twice", "rest taken": "scaled twice", "grown": "interest", "shrunk": "interest",
    "part of share": "ratio", "annualised": "shares", "gap taken": "scaled twice", "elapsed": "span",
    "items": "span", "flop": "product",
    "availability": "shares", "celsius": "span", "interest": "interest", "bill": "bill", "saving": "saving",
    "payback": "saving", "product": "product",
    "quotient": "product", "convert": "convert", "span": "span", "weights": "span", "downtime": "span",
    "times of times": "ratio", "rate ratio": "ratio", "exchanged": "convert", "parts": "scaled",
    "doubled": "interest", "blend": "bill", "excess": "saving", "sum taken": "bill", "chain": "chain", "run": "product",
    "named": "named", "root": "interest", "reversed": "shares",
    "lost": "scaled twice", "known": "known", "science": "known", "trade": "known", "since": "change",
}  # fmt: skip  # one line per group is more readable


@lru_cache(maxsize=20_000)
def classes(word: str) -> tuple[str, ...]:
    """The classes of a word."""
    found = list(_CLASSES.get(word, ()))
    if DOWNWARD.fullmatch(word):
        found.append("down")
    if UPWARD.fullmatch(word):
        found.append("up")
    if NEUTRAL.fullmatch(word):
        found.append("either")
    return tuple(found)


_NAMES = tuple(sorted((*_LISTS, "down", "up", "either")))
_BITS = {name: 1 << place for place, name in enumerate(_NAMES)}
"""The classes of words as the bits of a number, in the order of their names."""


@lru_cache(maxsize=20_000)
def _bits(word: str) -> int:
    return _bits_of(classes(word))


def _bits_of(names: Iterable[str]) -> int:
    return reduce(or_, map(_BITS.__getitem__, names), 0)


def _names_of(bits: int) -> list[str]:
    found = []
    while bits:
        lowest = bits & -bits
        found.append(_NAMES[lowest.bit_length() - 1])
        bits -= lowest
    return found


def _classed(words: Sequence[str]) -> list[str]:
    """The classes of some words, sorted."""
    return _names_of(reduce(or_, map(_bits, words), 0))


@lru_cache(maxsize=20_000)
def _sides(gap: tuple[str, ...], left: bool) -> tuple[str, ...]:
    """Traits of the words on one side of a figure: those near it, those of its clause, those beyond a border."""
    if left:
        near, rest = gap[-3:], gap[:-3]
    else:
        near, rest = gap[:3], gap[3:]
    side = "left" if left else "right"
    found = [f"{side} near|{name}" for name in _classed(near)]
    inside: list[str] = []
    for word in reversed(rest) if left else rest:
        if word in BORDERS:
            break
        inside.append(word)
    found += [f"{side}|{name}" for name in _classed(inside)]
    found += [
        f"{side} far|{name}" for name in _classed(rest[: len(rest) - len(inside)] if left else rest[len(inside) :])
    ]
    touching = gap[-1:] if left else gap[:1]
    found += [f"{side} next|{name}" for name in _classed(touching)] or [f"{side} next|{'word' if gap else 'none'}"]
    return tuple(found)


def _worded(left: tuple[str, ...], right: tuple[str, ...]) -> Iterator[str]:
    """Traits of the words themselves that are next to a figure."""
    yield from (f"word left|{word}" for word in left)
    yield from (f"word right|{word}" for word in right)
    yield from (f"words left|{' '.join(left[at:])}" for at in (-1, -2) if len(left) >= -at)
    yield from (f"words right|{' '.join(right[:to])}" for to in (1, 2) if len(right) >= to)


def _repeats(one: Quantity, target: Quantity) -> bool:
    """Whether a figure of the sentence says the same as the target."""
    same = one.kind == target.kind and one.unit == target.unit and one.figure.low == target.figure.low
    return same and one.index != target.index


class Traits:
    """The traits of the candidates of one target."""

    def __init__(self, scope: Scope, target: Quantity) -> None:
        self._scope = scope
        self._around = _around(scope)
        self._target, self._home = target, scope.home(target)
        self._figures = scope.last - scope.first
        own = [*_sides(scope.left(target), True), *_sides(scope.right(target), False)]
        own += _worded(scope.left(target)[-3:], scope.right(target)[:3])
        own.append(f"kind|{target.kind}")
        own.append(f"hedge|{target.figure.hedge}")
        own.append(f"place|{_place(scope, target)}")
        if target.pers:
            own.append("target per")
        if any(_repeats(one, target) for one in scope.targets):
            own.append("repeated")
        if target.kind == "ratio":
            own.append("word<1" if target.figure.low < 1 else "x>1")
        self.own = tuple(own)
        self._pairs: dict[tuple[object, ...], tuple[Group, ...]] = {}
        self._last: tuple[Quantity, ...] = ()
        self._of = target
        self._found: tuple[Group, ...] = ()

    def pair(self, one: Candidate) -> tuple[str, ...]:
        """The traits of the inputs of a candidate."""
        return tuple(trait for group in self.groups(one) for trait in group)

    def groups(self, one: Candidate) -> tuple[Group, ...]:
        """The traits of the inputs of a candidate, in groups; relations with the same inputs share them."""
        if not one.used:
            return ()
        multiplied = one.rule in _MULTIPLIED
        if (
            one.used is self._last and one.target is self._of and not multiplied
        ):  # several relations of the same inputs follow each other
            return self._found
        tree = id(one.expression) if one.rule == "quotient" else 0
        key = (one.target is self._target, one.fit if multiplied else -1, tree, *map(id, one.used))
        found = self._pairs.get(key)
        if found is None:
            found = self._pairs[key] = (*self._placed(one.used), *self._fitting(one, multiplied=multiplied))
        if not multiplied:
            self._last, self._of, self._found = one.used, one.target, found
        return found

    def _placed(self, used: Sequence[Quantity]) -> tuple[Group, ...]:
        around, target, home = self._around, self._target.index, self._home
        inputs = around.inputs(used)
        first, last, homes = inputs.first, inputs.last, inputs.homes
        count = len(homes)
        low, high = first if first < target else target, last if last > target else target
        own, here = target in inputs.places, homes.count(home)
        away = max(home - homes[0], homes[-1] - home)
        like = inputs.like
        if not own and first - 3 <= target <= last + 3 and around.kinds[target] == used[0].kind:
            like -= 1
        placing = _placing(
            "after" if target > last else "before" if target < first else "amid",
            min(high - low - count, 3),
            min(away, 3),
            homes[0] > home,
            bool(away and here),
            around.paragraphs[high] > around.paragraphs[low],
            min(self._figures - 1 - here, 4),
            min(inputs.spare - bool(here and not own), 3) if away else -1,
            min(like, 3),
            min(count, 4),
        )
        if first <= target <= last:
            return (placing, *inputs.words)
        return (placing, *inputs.words, around.way(last, target) if target > last else around.way(target, first))

    def _fitting(self, one: Candidate, *, multiplied: bool) -> tuple[Group, ...]:
        around, used = self._around, one.used
        types = around.types((one.target, *used))
        rising = around.rising(*used) if len(used) == 2 and used[0].kind == used[1].kind else None
        fitting = types_fit(types, rising, one.target is not self._target)
        if not multiplied:
            return fitting
        below = denominator(one.expression)
        return (product_fit(one.fit, types, tuple([name in below for name in one.names])), *fitting)


class _Inputs(NamedTuple):
    """What the traits say of the places of some inputs, whatever their target is; `homes` are in text order."""

    places: Sequence[int]
    first: int
    last: int
    homes: tuple[int, ...]
    spare: int
    like: int
    words: tuple[Group, ...]


class _Gap(NamedTuple):
    """What the traits use of the words between two figures: the classes of all, of the first two, of the last two."""

    length: int
    every: int
    head: int
    tail: int
    listing: bool
    paragraph: bool


@lru_cache(maxsize=20_000)
def _gap(words: tuple[str, ...]) -> _Gap:
    bits = [*map(_bits, words)]
    every, head, tail = (reduce(or_, some, 0) for some in (bits, bits[:2], bits[-2:]))
    return _Gap(len(words), every, head, tail, _LISTED.issuperset(words), PARAGRAPH in words)


class _Around:
    """The traits that the candidates of all targets of a scope share."""

    def __init__(self, scope: Scope) -> None:
        self._gaps, self._homes, self._quantities = [*map(_gap, scope.gaps)], scope.homes, scope.quantities
        self._words = [*accumulate(gap.length for gap in self._gaps)]
        self.kinds = [one.kind for one in scope.quantities]
        self.paragraphs = [*accumulate(gap.paragraph for gap in self._gaps)]
        self._sizes = Counter(scope.homes)
        self._types: dict[int, QuantityType] = {}
        self._kept: list[Quantity] = []
        self._inputs: dict[tuple[object, ...], _Inputs] = {}
        self._rising: dict[tuple[int, int], bool] = {}
        self.way = cache(self._way)

    def types(self, every: Sequence[Quantity]) -> tuple[QuantityType, ...]:
        """The types of some quantities."""
        types = self._types
        try:
            return tuple([types[id(one)] for one in every])
        except KeyError:
            return tuple([types.get(id(one)) or self._type(one) for one in every])

    def _type(self, one: Quantity) -> QuantityType:
        text = one.figure.text
        worded = one.kind == "count" and not any(sign.isdigit() for sign in text)
        elliptic = one is not self._quantities[one.index]
        flags = worded | 2 * bool(_SIZE.fullmatch(text)) | 4 * elliptic
        found = self._types[id(one)] = quantity_type(one.kind, one.unit, one.pers, flags)
        self._kept.append(one)  # so that no other has its id
        return found

    def rising(self, one: Quantity, two: Quantity) -> bool:
        """Whether the later of two quantities is the larger; both have a code."""
        key = id(one), id(two)
        if key not in self._rising:
            early, late = (one, two) if one.index <= two.index else (two, one)
            self._rising[key] = sized(early, late) < sized(late, early)
        return self._rising[key]

    def inputs(self, used: Sequence[Quantity]) -> _Inputs:
        """The places of some inputs, and the words at them."""
        kind, places = used[0].kind, [part.index for part in used]
        key = (kind, *places)
        found = self._inputs.get(key)
        if found is None:
            found = self._inputs[key] = self._inputs_at(sorted(places), kind)
        return found

    def _inputs_at(self, places: Sequence[int], kind: QuantityKind) -> _Inputs:
        first, last, every = places[0], places[-1], {*places}
        homes = tuple([self._homes[place] for place in places])
        alike = self.kinds[max(0, first - 3) : last + 4].count(kind)
        words = [_said("first after", self._gaps[first].tail)]
        if len(places) == 2:
            words += self._two(first, last)
        elif len(places) > 2:
            words.append(self._items(places[1:]))
        return _Inputs(
            places=places,
            first=first,
            last=last,
            homes=homes,
            spare=sum([self._sizes[home] for home in {*homes}]) - len(every),
            like=alike - [self.kinds[place] for place in every].count(kind),
            words=tuple(words),
        )

    def _between(self, low: int, high: int) -> tuple[int, int]:
        """How many words there are between two figures, and their classes."""
        return self._words[high] - self._words[low], reduce(
            or_, [gap.every for gap in self._gaps[low + 1 : high + 1]], 0
        )

    def _two(self, one: int, two: int) -> Iterator[Group]:
        """The words around two inputs."""
        count, between = self._between(one, two)
        yield _APART[bisect((1, 4, 9), count)]
        yield _said("between", between)
        yield _said("second after", self._gaps[two].tail)
        yield _said("first before", self._gaps[one + 1].head)
        yield _said("second before", self._gaps[two + 1].head)

    def _items(self, places: Sequence[int]) -> Group:
        """The words before the second and the further inputs."""
        gaps = [self._gaps[place] for place in places]
        return _item_words(reduce(or_, [gap.tail for gap in gaps]), all(gap.listing for gap in gaps))

    def _way(self, low: int, high: int) -> Group:
        """The words between the inputs and the target."""
        count, between = self._between(low, high)
        return _crossing(bisect((3, 8, 15), count - 1), between & _CROSSED)


_APART: tuple[Group, ...] = tuple((f"apart {place}",) for place in range(4))


@lru_cache(maxsize=20_000)
def _said(place: str, bits: int) -> Group:
    """The classes of the words at a place."""
    return tuple(f"{place} {name}" for name in _names_of(bits))


@lru_cache(maxsize=5000)
def _item_words(bits: int, plain: bool) -> Group:
    return (*(f"items {name}" for name in _names_of(bits)), *(("plain list",) if plain else ()))


@lru_cache(maxsize=5000)
def _crossing(length: int, bits: int) -> Group:
    return (f"way {length}", *(f"crossed {name}" for name in _names_of(bits)))


@lru_cache(maxsize=2)
def _around(scope: Scope) -> _Around:
    return _Around(scope)


@lru_cache(maxsize=20_000)
def _placing(  # noqa: PLR0917 - private, called once
    order: str,
    skipped: int,
    away: int,
    later: bool,
    both: bool,
    paragraph: bool,
    unused: int,
    spare: int,
    like: int,
    inputs: int,
) -> Group:
    """Traits of the places of inputs; `spare` is below 0 if all are in the sentence of the target."""
    found = [f"order {order}", f"skipped {skipped}", f"away {away}{' later' if later else ''}"]
    found += ["both here and away"] if both else []
    found += ["paragraph"] if paragraph else []
    found += [f"unused {unused}"]
    found += [f"spare {spare}"] if spare >= 0 else []
    return (*found, f"like {like}", f"inputs {inputs}")


_MULTIPLIED = frozenset({"product", "quotient", "convert"})
_SIZE = re.compile(r"\d{1,4}(?:\.\d{1,2})?[BM]")
_LISTED = frozenset({",", "and", "+", "plus", "&", "/"})
_CROSSED = _bits_of((
    "stop", "semi", "but", "and", "comma", "pronoun", "with", "so", "equal", "paren", "dash", "colon", "total", "more",
))  # fmt: skip  # a list of names


def _place(scope: Scope, target: Quantity) -> str:
    if scope.last - scope.first == 1:
        return "only"
    return "first" if target.index == scope.first else "last" if target.index == scope.last - 1 else "middle"
