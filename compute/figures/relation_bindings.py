"""Relations bound to figures, and what they compute."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations, permutations

from compute.figures.figure_models import HOUR, Figure, combined
from compute.figures.figure_units import singular
from compute.figures.number_words import ATOMS, NODES, word_set
from compute.figures.relation_models import CONSTANTS, LENGTHS, Lengths, Relation, Value
from compute.figures.relation_roles import Quantity, consistent
from compute.figures.relation_table import RELATIONS

CLEAR = Fraction(3, 100)  # the least difference of a refuted figure
_VAGUE = frozenset({"same", "amount", "things", "bare", "hours", "money_any"})
"""Kinds too vague to say that a figure is missing."""
_COUNTED = frozenset({"over-time", "rent", "bill", "item-bill", "energy", "power"})
"""Relations that a count of machines changes, though not each kind of count has a role."""
_BREAK = re.compile(r";|\.\s|:\s|\s[—–]\s|,?\s(?:while|whereas|but|although|though|because)\s|\(|\)")
_LABELLED = {
    "input": re.compile(r"\b(?:inputs?|prompts?|read)\b", re.I),
    "output": re.compile(r"\b(?:outputs?|completions?|generat\w+|answers?)\b", re.I),
    "cache_read": re.compile(r"\bcach", re.I),
}
MODIFIERS = frozenset({"pue", "discount", "keeps", "utilisation", "hit", "duty"})
COUNTS = frozenset({"units", "gpus", "gpus_each", "nodes"})
_PAIRS = word_set("before/after large/small revenue/cost own/rented price/cost part/whole profit/revenue active/whole")
"""Roles that are compared, so that one may leave out the unit of the other."""
_PERIOD_WORDS = {
    "year": re.compile(
        r"(?i)\b(?:annual\w*|ARR|run[- ]rate|yearly|(?:a|per|each|every|all) year|year[- ]round"
        r"|(?:over|in|during|for) (?:a|the|one) (?:full |whole )?year)\b"
    ),
    "month": re.compile(r"\b(?:monthly|MRR|(?:a|per|each|every|the) month)\b", re.I),
    "day": re.compile(r"\b(?:daily|(?:a|per|each|every) day)\b", re.I),
    "quarter": re.compile(r"\b(?:quarterly|(?:a|per|each|the) quarter)\b", re.I),
    "week": re.compile(r"\b(?:weekly|(?:a|per|each) week)\b", re.I),
}


@dataclass(frozen=True, eq=False)
class Binding:
    """A relation with a quantity for each role; `computed` is in the unit of the target."""

    relation: Relation
    target: Quantity
    roles: Mapping[str, Quantity]
    computed: Fraction
    lengths: Lengths
    relaxed: str = ""
    adopted: bool = False

    @cached_property
    def inputs(self) -> tuple[Quantity, ...]:
        """The quantities that it is computed from."""
        return tuple(self.roles.values())

    @cached_property
    def inside(self) -> tuple[Quantity, ...]:
        """The inputs in the sentence of the target."""
        return tuple(one for one in self.inputs if one.place == self.target.place)

    @cached_property
    def used(self) -> frozenset[int]:
        """The offsets of its inputs."""
        return frozenset(one.start for one in self.inputs)

    @property
    def last(self) -> bool:
        """Whether the target comes after all its inputs of the sentence."""
        return all(one.start < self.target.start for one in self.inside)

    @property
    def formula(self) -> str:
        """The formula with the roles that are bound."""
        return self.relation.program(frozenset(self.roles))[1]

    @cached_property
    def order(self) -> tuple[object, ...]:
        """Sort key: named by words close by, more figures, nearer ones, the plain reading."""
        relation, target = self.relation, self.target
        return (
            "confirms" in relation.flags,
            bool(self.relaxed),
            LENGTHS.index(self.lengths),
            not (relation.outright or relation.words).search(target.sentence.words),
            relation.near is None and not self.last,
            sum(abs(one.place - target.place) for one in self.inputs),
            -len(self.roles),
            -target.start,
            RELATIONS.index(relation),
        )

    @cached_property
    def fits(self) -> bool:
        """Whether it gives the stated figure within its rounding."""
        figure = self.target.figure
        low, half, coarse = (abs(Fraction(one)) for one in (figure.low, figure.half, figure.coarse))
        off = abs(self.computed - Fraction(figure.low))
        reach = max(half, coarse) if coarse <= low / 50 else half
        if figure.hedge == "about":
            reach = max(reach, coarse, low / 25)
        bound = Fraction(1, 50) if self.relation.rank else Fraction(1, 10)
        if figure.hedge == "at most" and self.computed <= low:
            return self.computed >= low * (1 - bound)
        if figure.hedge == "at least" and self.computed >= low:
            return self.computed <= low * (1 + bound)
        if figure.sort == "count" and figure.noun and self.computed > 0 and "need" in self.target.sentence.words:
            return -(-self.computed // 1) == low or off <= reach
        most = {"%": low, "pp": low, "money": low / 50}.get(figure.sort, low / 20)
        return off <= min(reach, most) + low / 10**9

    @property
    def coincides(self) -> bool:
        """Whether a loosely named relation may fit by chance: from afar, with bare numbers or ones."""
        figure = self.target.figure
        alike = (each.figure for each in self.inputs if each.figure.dimensions == figure.dimensions)
        if len(self.inputs) > 1 and any(each.low == figure.low and not each.period for each in alike):
            return True
        if not self.relation.rank and "confirms" not in self.relation.flags:
            return False
        apart = [self.target.place - each.place for each in self.inputs]
        if "bare" in self.target.kinds or (any("bare" in each.kinds for each in self.inputs) and any(apart)):
            return True
        small = figure.spelled and figure.low <= 2 and any(apart)
        return max(apart) > 2 or small or (max(apart) > 1 and len(set(apart)) > 1 and figure.sort == "x")

    @property
    def clearly_off(self) -> bool:
        """Whether it is off by over 3% and all rounding, or by half of a hedged figure; a single digit is exact."""
        figure = self.target.figure
        low = abs(Fraction(figure.low))
        off = abs(self.computed - Fraction(figure.low)) / max(abs(self.computed), low / 10**6)
        vague = figure.hedge or (figure.sort == "x" and figure.spelled and figure.low <= 2)
        own = Fraction(1, 2 if figure.hedge else 4) if vague else Fraction(max(figure.half, figure.coarse)) / low
        return off > max(CLEAR, own + sum(_slack(each.figure) for each in self.inputs))

    @property
    def binary(self) -> bool:
        """Whether powers of 1,024 explain a number of bytes, or of tokens in a context."""
        figure = self.target.figure
        names = {name for name, _ in figure.dimensions}
        if not names & {"byte", "token"}:
            return False
        ratio = self.computed / Fraction(figure.low)
        sizes = [Fraction(1024, 1000) ** power for power in range(1, 5 if figure.dimensions[0][0] == "byte" else 3)]
        return any(abs(ratio * way - 1) < Fraction(1, 100) for size in sizes for way in (size, 1 / size))

    @property
    def assumes(self) -> bool:
        """Whether the figure may hold more than the text says: other memory, idle hours, a server's fans, 8 GPUs."""
        figure, words = self.target.figure, self.target.sentence.words
        more = Fraction(figure.low) / self.computed if self.computed else Fraction(0)
        if self.relation.name == "weights":
            only = self.roles["bits"].figure.low > 4 and re.search("weights|parameters", words)
            return 1 < more < Fraction(5, 4) and not only
        if self.relation.name == "power" and self.roles["units"].figure.noun == "GPU":
            return 1 < more < 2 and not NODES.isdisjoint(map(singular, words.split()))
        each = any(one.figure.of not in {"", "token", figure.of} for one in self.inputs)
        counted = each or any(role.name == "units" for role in self.relation.roles)
        alone = counted and self.roles.keys().isdisjoint({"units", "nodes", "items"})
        if alone and round(more) not in {0, 1, 10} and more < 100 and abs(more - round(more)) < Fraction(1, 50):
            return True
        used = self.relation.title == "payback" and figure.unit != "h"
        return used and any(one.figure.period == "h" for one in self.inputs)

    @cached_property
    def sums(self) -> set[Fraction]:
        """The inputs, sums of two alike and remainders, which a text may state too."""
        values = [(one.figure.dimensions, one.value) for one in self.inputs]
        pairs = combinations(values, 2)
        found = {value for _, value in values} | {one + other for (kind, one), (like, other) in pairs if kind == like}
        return found | {1 - value for kind, value in values if not kind and 0 < value < 1}

    def repeats(self, other: Quantity) -> bool:
        """Whether a figure is an input again, a sum of two, or a number of the formula: the two of K and V."""
        number = (other.figure.low == 6 and "six" in self.formula) or (other.figure.low == 2 and "two" in self.formula)
        return number or other.value in self.sums

    def could_use(self, other: Quantity, *, early: bool = False) -> bool:
        """Whether it omits a figure that its relation could use; in `early` sentences only a count of GPUs."""
        relation, roles = self.relation, self.relation.roles
        if early:
            gpus = other.kinds & {"gpus", "gpus_each"} and "units" not in self.roles
            return bool(gpus) and relation.name in {"rescaled", "over-time", "rent"}
        labels = {each.figure.label for each in (*self.inputs, self.target)} - {""}
        named = any(_LABELLED[label].search(self.target.near) for label in labels)
        if other.figure.label and other.figure.label not in labels and named:
            return False
        if "capital" in self.roles and other.kinds & COUNTS:
            return False
        target = self.target.figure
        alike = (other.figure.sort, other.figure.dimensions) == (target.sort, target.dimensions)
        if alike and "same" in relation.kinds:
            return relation.name == "gross-profit"
        bound = {kind for role in roles if role.name in self.roles for kind in role.kinds} - _VAGUE
        free = [one for one in roles if one.optional and one.name not in self.roles and one.kinds & other.kinds]
        if free and not other.kinds & bound:
            return any(consistent(relation, self.target, {**self.roles, role.name: other}) for role in free)
        counts = COUNTS if relation.name in _COUNTED else frozenset[str]()
        return bool(other.kinds & (relation.kinds - _VAGUE | MODIFIERS | counts))

    def elsewhere(self, other: Quantity) -> bool:
        """Whether a figure is in a clause that has no part of the binding."""
        if other.place != self.target.place:
            return False
        words, target = self.target.sentence.words, self.target.at
        own = [target, *(each.at for each in self.inside)]
        opened = words.rfind("(", 0, other.at)
        if opened > words.rfind(")", 0, other.at):
            closed = words.find(")", other.stop)
            if closed > 0 and not any(opened < start < closed for start in own):
                return True
        marks = (mark.start() for mark in _BREAK.finditer(words, min(other.at, target), max(other.at, target)))
        return any(all((start < mark) == (target < mark) for start in own) for mark in marks)


def _slack(figure: Figure) -> Fraction:
    """The rounding of an input as a share; counts, prices and single digits are exact."""
    digits = figure.low.normalize().as_tuple().digits
    if figure.sort in {"money", "count"} or len(digits) < 2 or figure.unit in {"bit", "GPUh"} or not figure.low:
        return Fraction(0)
    return Fraction(figure.half) / abs(Fraction(figure.low))


def computed(relation: Relation, target: Quantity, roles: Mapping[str, Quantity]) -> Iterator[Binding]:
    """The bindings of roles with each possible length of month and year, until one fits."""
    timed = re.search("month|year", relation.formula) or any(one.timed for one in (*roles.values(), target))
    for lengths in LENGTHS:
        made = _bound(relation, target, roles, lengths)
        if made is None:
            return
        yield made
        if made.fits or not (timed or made.relaxed):
            return


def _bound(relation: Relation, target: Quantity, roles: Mapping[str, Quantity], lengths: Lengths) -> Binding | None:
    """The binding of roles; None if it gives another unit than the target's."""
    figure = target.figure
    values = {name: one.measured(lengths) for name, one in roles.items()}
    adopted = _adopt(values, roles)
    for role in relation.roles:
        if role.name in roles and role.kinds >= {"keeps", "discount"} and "keeps" in roles[role.name].kinds:
            values[role.name] = CONSTANTS["one"] - values[role.name]  # paying 10% is 90% off
    times = {"month": Value(lengths[0], HOUR), "year": Value(lengths[1], HOUR)}
    found = relation.value({**CONSTANTS, **times, **values})
    if found is None:
        return None
    stated = target.measured(lengths)
    number = found.number / (stated.number / Fraction(figure.low) if figure.low else 1)
    if found.dimensions == stated.dimensions:
        return Binding(relation, target, roles, number, lengths, "", adopted)
    if figure.sort in {"%", "x", "pp"} or adopted:
        return None
    apart = combined(found.dimensions, stated.dimensions, -1)
    if apart == HOUR and figure.period:  # a total stated per month
        return Binding(relation, target, roles, number / _hours(figure.period, lengths), lengths, "per")
    if apart == (("hour", -1),):  # a rate stated as an amount
        own = {one.figure.period for one in roles.values()} - {""}
        named = {name for name, cue in _PERIOD_WORDS.items() if cue.search(target.sentence.words)}
        periods = named - own or own - {"h"}
        if len(periods) == 1:
            (name,) = periods
            return Binding(relation, target, roles, number * _hours(name, lengths), lengths, name)
    return None


def _adopt(values: dict[str, Value], roles: Mapping[str, Quantity]) -> bool:
    """Give an amount the unit of its pair ($2.90 per GPU-hour against $1.74); whether any was."""
    before = dict(values)
    for here, there in permutations(roles, 2):
        mine, theirs = roles[here].figure, roles[there].figure
        money = mine.sort == theirs.sort == "money" and mine.unit == theirs.unit
        paired = not _PAIRS.isdisjoint({f"{here}/{there}", f"{there}/{here}"})
        if paired and money and theirs.per and not mine.per and not mine.of:
            size = values[there].number / Fraction(theirs.low)
            values[here] = Value(values[here].number * size, values[there].dimensions)
    return values != before


def _hours(period: str, lengths: Lengths) -> Fraction:
    long = {"month": lengths[0], "year": lengths[1], "quarter": lengths[0] * 3}
    return long.get(period) or ATOMS[period][2]
