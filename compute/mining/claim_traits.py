"""What speaks for a candidate: the words around its target and inputs, their places, and how their units fit.

A trait is a name such as `fall|near|down`: the relation, the place, the class of a word. No trait depends on whether
the relation computes.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterator, Sequence
from functools import lru_cache

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
from compute.mining.claim_scopes import PARAGRAPH, Candidate, Scope, sized
from compute.mining.expressions import denominator
from compute.mining.quantities import Quantity

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


def _classed(words: Sequence[str]) -> tuple[str, ...]:
    return _classed_of(tuple(words))


@lru_cache(maxsize=20_000)
def _classed_of(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted({name for word in words for name in classes(word)}))


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
        self._target = target
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
        self._pairs: dict[tuple[object, ...], tuple[str, ...]] = {}

    def pair(self, one: Candidate) -> tuple[str, ...]:
        """The traits of the inputs of a candidate; relations with the same inputs share them."""
        if not one.used:
            return ()
        tree = one.expression if one.rule == "quotient" else ""
        key = (one.target is self._target, one.fit, one.rule in _MULTIPLIED, tree, *map(id, one.used))
        if key not in self._pairs:
            self._pairs[key] = (*self._placed(one), *self._fitting(one))
        return self._pairs[key]

    def _placed(self, one: Candidate) -> Iterator[str]:
        scope, target = self._scope, self._target
        places = sorted(part.index for part in one.used)
        first, last = places[0], places[-1]
        order = "after" if target.index > last else "before" if target.index < first else "amid"
        yield f"order {order}"
        every = sorted([*places, target.index])
        skipped = every[-1] - every[0] + 1 - len(every)
        yield f"skipped {min(skipped, 3)}"
        homes = [scope.home(part) for part in one.used]
        home = scope.home(target)
        away = max(abs(home - other) for other in homes)
        yield f"away {min(away, 3)}{'' if min(homes) <= home else ' later'}"
        if away and home in homes:
            yield "both here and away"
        if any(PARAGRAPH in scope.gaps[index] for index in range(every[0] + 1, every[-1] + 1)):
            yield "paragraph"
        unused = scope.last - scope.first - 1 - sum(other == home for other in homes)
        yield f"unused {min(unused, 4)}"
        if away:
            spare = sum(scope.homes[index] in homes and index not in every for index in range(len(scope.homes)))
            yield f"spare {min(spare, 3)}"
        like = sum(
            other.kind == one.used[0].kind and other.index not in every and first - 3 <= other.index <= last + 3
            for other in scope.quantities
        )
        yield f"like {min(like, 3)}"
        yield f"inputs {min(len(one.used), 4)}"
        yield from self._words(places, order)

    def _words(self, places: list[int], order: str) -> Iterator[str]:
        scope = self._scope
        yield from (f"first after {name}" for name in _classed(scope.gaps[places[0]][-2:]))
        if len(places) == 2:
            yield from self._two(*places)
        elif len(places) > 2:
            yield from (
                f"items {name}" for name in {n for index in places[1:] for n in _classed(scope.gaps[index][-2:])}
            )
            if all(set(scope.gaps[index]) <= _LISTED for index in places[1:]):
                yield "plain list"
        if order != "amid":
            target = self._target.index
            low, high = (places[-1], target) if order == "after" else (target, places[0])
            gap = [word for part in scope.gaps[low + 1 : high + 1] for word in part]
            yield f"way {bisect([3, 8, 15], len(gap) - 1)}"
            yield from (f"crossed {name}" for name in _classed(gap) if name in _CROSSED)

    def _two(self, one: int, two: int) -> Iterator[str]:
        """The words around two inputs."""
        gaps = self._scope.gaps
        between = [word for gap in gaps[one + 1 : two + 1] for word in gap]
        yield f"apart {bisect([1, 4, 9], len(between))}"
        for place, words in (
            ("between", between),
            ("second after", gaps[two][-2:]),
            ("first before", gaps[one + 1][:2]),
            ("second before", gaps[two + 1][:2]),
        ):
            yield from (f"{place} {name}" for name in _classed(words))

    def _fitting(self, one: Candidate) -> Iterator[str]:
        target, used = one.target, one.used
        if one.rule in _MULTIPLIED:
            yield from _multiplied(one)
        if len(used) > 1:
            yield from _kinds(target, used)
        if len(used) == 2 and used[0].kind == used[1].kind:
            early, late = sorted(used, key=lambda part: part.index)
            yield "rising" if sized(early, late) < sized(late, early) else "falling"
        if any(part.kind == "count" and not any(sign.isdigit() for sign in part.figure.text) for part in used):
            yield "worded"
        if any(_SIZE.fullmatch(part.figure.text) for part in used):
            yield "model size"
        if any(part is not self._scope.quantities[part.index] for part in used):
            yield "elliptic"
        if target is not self._target:
            yield "elliptic target"
        yield f"target {target.kind}"


def _kinds(target: Quantity, used: Sequence[Quantity]) -> Iterator[str]:
    """How the units of some inputs and of the target agree."""
    first = used[0]
    if len({part.kind for part in used}) == 1:
        units = {part.unit for part in used}
        if len(units) == 1:
            yield "units none" if "" in units else "units same"
        else:
            yield "units some" if "" in units else "units differ"
        yield "pers same" if len({frozenset(part.pers) for part in used}) == 1 else "pers differ"
        yield f"inputs {first.kind}"
    if target.kind == first.kind:
        bare = not target.unit or not first.unit
        yield "unit of target" if target.unit == first.unit else "unit none" if bare else "unit other"
        yield "per of target" if set(target.pers) == set(first.pers) else "per other"


def _multiplied(one: Candidate) -> Iterator[str]:
    """How the units of a product fit."""
    target, used = one.target, one.used
    every = (*used, target)
    yield f"fit {one.fit}"
    yield f"measured {sum(part.kind in {'unit', 'money', 'time'} for part in every)}"
    yield f"named {sum(bool(part.unit) for part in used) - len(used)}"
    linked = sum(bool(set(part.pers) & {other.unit for other in every if other is not part}) for part in every)
    yield f"linked {min(linked, 2)}"
    yield from _divided(one)
    if any(part.kind == "share" for part in used):
        yield "with share"
    yield "kinds " + " ".join(part.kind for part in used)


def _divided(one: Candidate) -> Iterator[str]:
    """Which inputs of a quotient are below the line."""
    below = denominator(one.expression)
    for name, part in zip(one.names, one.used, strict=True):
        if name in below:
            yield "below first" if part is one.used[0] else "below last" if part is one.used[-1] else "below middle"
            yield f"below {part.kind}"
            if part.unit:
                yield "below per" if part.unit in one.target.pers else "below other"
        elif part.unit and part.unit == one.target.unit:
            yield "above unit"


_MULTIPLIED = frozenset({"product", "quotient", "convert"})
_SIZE = re.compile(r"\d{1,4}(?:\.\d{1,2})?[BM]")
_LISTED = frozenset({",", "and", "+", "plus", "&", "/"})
_CROSSED = frozenset(
    {"stop", "semi", "but", "and", "comma", "pronoun", "with", "so", "equal", "paren", "dash", "colon", "total", "more"}
)


def _place(scope: Scope, target: Quantity) -> str:
    if scope.last - scope.first == 1:
        return "only"
    return "first" if target.index == scope.first else "last" if target.index == scope.last - 1 else "middle"
