"""Relations bound to the figures of a text: which figure may fill which role, and what a binding computes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property

from compute.figures.figure_models import HOUR, Figure, combined
from compute.figures.number_words import ALIKE, ATOMS, NODES
from compute.figures.relation_models import CONSTANTS, LENGTHS, Relation, Role, Value, kinds, value_of
from compute.figures.relation_table import RELATIONS
from compute.figures.text_structure import Sentence

_CLEAR = Fraction(3, 100)
"""How far off a refuted figure is at least."""


@dataclass(frozen=True, eq=False)
class Quantity:
    """A figure in its sentence, with what it may be."""

    figure: Figure
    sentence: Sentence
    place: int

    @cached_property
    def kinds(self) -> frozenset[str]:
        """What the figure may be in a relation."""
        return kinds(
            self.figure, self.sentence.around(self.figure), self.sentence.before(self.figure, 40), self.sentence.words
        )

    @cached_property
    def size(self) -> float:
        """The figure in base units, as a float."""
        return float(self.figure.low) * float(self.figure.factor)

    @cached_property
    def near(self) -> str:
        """The words that belong to it."""
        return self.sentence.near(self.figure)


@dataclass(frozen=True, eq=False)
class Binding:
    """A relation with a quantity for each role, and what it computes, in the unit of the target."""

    relation: Relation
    target: Quantity
    roles: Mapping[str, Quantity]
    computed: Fraction
    lengths: tuple[Fraction, Fraction]
    relaxed: str = ""
    adopted: bool = False

    @cached_property
    def used(self) -> frozenset[int]:
        """The offsets of the figures that it uses."""
        return frozenset(one.figure.start for one in self.roles.values())

    @property
    def last(self) -> bool:
        """Whether the target comes after all its inputs of the sentence."""
        return all(
            each.figure.start < self.target.figure.start
            for each in self.roles.values()
            if each.place == self.target.place
        )

    @property
    def formula(self) -> str:
        """The formula with the roles that are bound."""
        return self.relation.text(frozenset(self.roles))


def equal(one: Figure, other: Figure) -> bool:
    """Whether two figures state the same."""
    return (
        (one.dimensions, one.sort, one.noun, one.label) == (other.dimensions, other.sort, other.noun, other.label)
        and one.low * Decimal(1) == other.low
        and one.factor == other.factor
    )


def preferred(
    role: Role, found: list[Quantity], groups: Sequence[Sequence[Quantity]], target: Quantity
) -> list[Quantity]:
    """The candidates with the words that a role prefers, where any of the groups has such a one."""
    prefer = role.prefer
    if prefer is None or not any(
        prefer.search(one.near) and may(role, one, target) for group in groups for one in group
    ):
        return found
    return [one for one in found if prefer.search(one.near)]


def may_fit(relation: Relation, target: Quantity, roles: Mapping[str, Quantity]) -> bool:
    """Whether roles give about the stated figure, or do so over a period: a quick test before the exact one."""
    if any("keeps" in one.kinds for one in roles.values()) or any(
        one in roles and other in roles and roles[one].figure.dimensions != roles[other].figure.dimensions
        for one, other in _PAIRS
    ):
        return True
    found = relation.roughly({name: one.size for name, one in roles.items()})
    if not found or not target.size:
        return False
    ratio = abs(found / target.size)
    return _LEAST < ratio < _LARGEST or any(
        _LEAST < ratio * hours < _LARGEST or _LEAST < ratio / hours < _LARGEST for hours in _PERIOD_HOURS
    )


_LEAST, _LARGEST = 0.8, 1.25
_PERIOD_HOURS = (24.0, 168.0, 730.0, 2190.0, 8760.0)


def distinct(
    choices: Sequence[Sequence[Quantity | None]], taken: tuple[Quantity | None, ...] = ()
) -> Iterator[tuple[Quantity | None, ...]]:
    """The ways to choose one of each, no figure twice."""
    if len(taken) == len(choices):
        yield taken
        return
    for one in choices[len(taken)]:
        if one is None or not any(one is other for other in taken):
            yield from distinct(choices, (*taken, one))


def may(role: Role, one: Quantity, target: Quantity) -> bool:
    """Whether a quantity may fill a role beside a target."""
    if one is target or one.figure.ranged:
        return False
    if "same" in role.kinds:
        bare = (
            one.figure.sort == target.figure.sort == "money"
            and one.figure.unit == target.figure.unit
            and not one.figure.per
            and not one.figure.of
        )
        timed = (
            target.figure.sort == "money"
            and not target.figure.per
            and combined(one.figure.dimensions, target.figure.dimensions, -1) == (("hour", -1),)
        )
        if (
            one.figure.sort != target.figure.sort
            or (one.figure.dimensions != target.figure.dimensions and not bare and not timed)
            or not _same_thing(one.figure, target.figure)
        ):
            return False
    elif not role.kinds & one.kinds:
        return False
    if (
        role.label
        and one.figure.label != role.label
        and not (role.label == "input" and not one.figure.label and _READ.search(one.near))
        and not (role.label == "output" and not one.figure.label and _WRITTEN.search(one.near))
    ):
        return False
    return role.cue is None or role.cue.search(one.near) is not None


_READ = re.compile(r"\b(?:input|prompt|in|reads?|sen[dt]s?|long)\b", re.I)
_WRITTEN = re.compile(
    r"\b(?:output|completion|out|writ\w+|back|returns?|generat\w+|answers?|repl\w+|respon\w+)\b", re.I
)


def _same_thing(one: Figure, other: Figure) -> bool:
    return one.noun == other.noun or not one.noun or not other.noun


def consistent(relation: Relation, target: Quantity, roles: Mapping[str, Quantity]) -> bool:  # noqa: C901, PLR0911, PLR0912  # one case after the other
    """Whether figures of one direction and one noun are together, in the order of values that the relation needs."""
    labels = {one.figure.label for one in roles.values()} | {target.figure.label}
    if (
        not any(role.label for role in relation.roles)
        and len(labels - {""}) > 1
        and relation.title not in _ACROSS
        and relation.ordered != "pairs"
    ):
        return False
    alike = [
        roles[role.name].figure for role in relation.roles if role.name in roles and role.kinds & {"amount", "same"}
    ]
    if any(not _same_thing(one, other) for one in alike for other in alike):
        return False
    if not _of_units(roles) or not _multiplied(relation, target, roles):
        return False
    if relation.name == "rescaled" and (
        target.figure.period == roles["rate"].figure.period
        or not target.figure.period
        or not roles["rate"].figure.period
        or roles["rate"].figure.of != target.figure.of
    ):
        return False
    if "whole" in roles and re.match(
        r" (?:off|discount|saved|less|cheaper)\b", roles["whole"].sentence.after(roles["whole"].figure, 12)
    ):
        return False
    counted = [one.figure.noun for name, one in roles.items() if name in {"users", "items", "units", "nodes"}]
    if len(counted) > len({*counted}) and counted[0]:
        return False
    if relation.name == "gross-profit" and "units" in roles and not roles["revenue"].figure.of:
        return False
    if relation.name == "rent" and not roles.keys() & {"time", "units", "nodes"}:
        return False
    if relation.name == "width" and (target.figure.unit, roles["bits"].figure.unit) != ("byte", "bit"):
        return False
    if relation.name == "unit-cost" and roles["total"].figure.period and "hours" in roles["units"].kinds:
        return False
    if relation.name == "weights" and target.figure.unit == "byte" and target.figure.low < 1000:
        return False
    if relation.name == "weights" and "bits" in target.kinds:
        return False
    if relation.name == "token-cost" and "units" in roles and not roles["rate"].figure.of:
        return False
    if "capital" in roles and ("units" in roles) != bool(roles["capital"].figure.of):
        return False
    if relation.ordered == "pairs":
        places = [roles[name].figure.start for name in ("first", "price", "second", "fee")]
        if any(
            {roles[one].figure.label, roles[other].figure.label} - {""}
            > {roles[one].figure.label or roles[other].figure.label}
            for one, other in (("first", "price"), ("second", "fee"))
        ):
            return False
        return places == sorted(places) or places[0] < places[2] < places[1] < places[3]
    if relation.ordered and len(relation.ordered) > 2 and ":" not in relation.ordered:
        first, sign, second = _ORDERED.fullmatch(relation.ordered).groups()  # type: ignore[union-attr]  # of this package's table
        one, other = (Fraction(roles[name].figure.low) * roles[name].figure.factor for name in (first, second))
        return one > other if sign == ">" else one < other
    if relation.ordered == "share:first":
        if roles["share"].figure.label and roles["first"].figure.label:
            return roles["share"].figure.label == roles["first"].figure.label
        return _follows(roles["share"], roles["first"], roles["second"])
    return True


def _of_units(roles: Mapping[str, Quantity]) -> bool:
    """Whether what a rate is of each is counted by the units: $18 per node-hour, and nodes; not the GPUs of a node."""
    for each in ("rate", "each"):
        thing = roles[each].figure.of if each in roles else ""
        if thing in {"", "each", "token"}:
            continue
        counted = {roles[name].figure.noun for name in ("units", "items", "nodes") if name in roles} - {""}
        if counted and not any(thing == one or {thing, one} <= ALIKE for one in counted):
            return False
        if "GPU" in counted and thing in NODES:
            return False
    return not (
        "units" in roles
        and "gpus_each" in roles["units"].kinds
        and "nodes" not in roles
        and roles.get("rate", roles["units"]).figure.of != "GPU"
    )


def _multiplied(relation: Relation, target: Quantity, roles: Mapping[str, Quantity]) -> bool:
    """Whether what is so much for each is multiplied by how many there are, unless the result is for each, too."""
    counts = {"items", "units", "nodes", "users"} & {role.name for role in relation.roles}
    if not counts or (target.figure.of and target.figure.of != "GPU"):
        return True
    bound = counts & set(roles)
    for name in bound:
        thing = roles[name].figure.of
        others = [roles[other].figure.noun for other in bound if other != name]
        if thing == "each" and not others:
            return False
        if (
            thing
            and thing not in {"each", "token"}
            and thing not in others
            and not (thing in ALIKE and ALIKE & set(others))
            and "gpus_each" not in roles[name].kinds
        ):
            return False
    each = [
        name
        for name in ("tokens", "each", "first", "second")
        if name in roles and (roles[name].figure.of or "each" in roles[name].near.partition("¤")[2][:6])
    ]
    return bool(bound) or not each or relation.name in {"unit-cost"}


_ORDERED = re.compile(r"(\w+)([<>])(\w+)")
_ACROSS = frozenset(
    {"change by a factor", "change by a share", "blended price", "saving of A against B", "token volume"}
)
"""Relations that compare input with output, or mix both."""


def _follows(share: Quantity, first: Quantity, second: Quantity) -> bool:
    """Whether a share belongs to the first of two prices: it is the nearer one."""
    at = share.figure.start
    return abs(first.figure.start - at) < abs(second.figure.start - at)


def computed(relation: Relation, target: Quantity, roles: Mapping[str, Quantity]) -> Iterator[Binding]:
    """The bindings of roles, with each length of a month and a year that the figures leave open."""
    figure = target.figure
    told = (
        {one.figure.period or one.figure.unit for one in (*roles.values(), target)} & {"month", "year", "quarter"}
        or _periods(target)
        or {name for name in ("month", "year") if name in relation.formula}
    )
    months = any(one.figure.unit.endswith("month") for one in roles.values())
    for lengths in LENGTHS if told or months else LENGTHS[:1]:
        values = {name: value_of(one.figure, lengths) for name, one in roles.items()}
        adopted = _adopt(values, roles)
        for role in relation.roles:
            if (
                role.name in roles
                and "keeps" in role.kinds
                and "discount" in role.kinds
                and "keeps" in roles[role.name].kinds
            ):
                values[role.name] = CONSTANTS["one"] - values[role.name]  # 10% of the list price are 90% off
        extra = (
            {"month": Value(lengths[0], HOUR), "year": Value(lengths[1], HOUR)}
            if "month" in relation.formula or "year" in relation.formula
            else {}
        )
        found = relation.value({**CONSTANTS, **extra, **values})
        if found is None:
            return
        stated = value_of(figure, lengths)
        size = stated.number / Fraction(figure.low) if figure.low else Fraction(1)
        if found.dimensions == stated.dimensions:
            yield Binding(relation, target, roles, found.number / size, lengths, "", adopted)
            continue
        if figure.sort in {"%", "x", "pp"} or adopted:
            continue
        apart = combined(found.dimensions, stated.dimensions, -1)
        if apart == HOUR and figure.period:  # a total, stated as so much a month
            hours = _hours(figure.period, lengths)
            yield Binding(relation, target, roles, found.number / hours / size, lengths, "per")
        elif apart == (("hour", -1),):  # so much a month, stated as an amount
            own = {one.figure.period for one in roles.values() if one.figure.period}
            periods = _periods(target) - own or own - {"h"}
            for name in periods if len(periods) == 1 else ():
                hours = _hours(name, lengths)
                yield Binding(relation, target, roles, found.number * hours / size, lengths, name)


def _adopt(values: dict[str, Value], roles: Mapping[str, Quantity]) -> bool:
    """Give an amount the unit of the other: $2.90 per GPU-hour against $1.74; whether any was."""
    before = dict(values)
    for one, other in _PAIRS:
        if one in roles and other in roles:
            for here, there in ((one, other), (other, one)):
                mine, theirs = roles[here].figure, roles[there].figure
                if (
                    mine.sort == theirs.sort == "money"
                    and not mine.per
                    and not mine.of
                    and mine.unit == theirs.unit
                    and theirs.per
                ):
                    values[here] = Value(
                        values[here].number
                        * theirs.factor
                        * (values[there].number / (Fraction(theirs.low) * theirs.factor)),
                        values[there].dimensions,
                    )
    return values != before


_PAIRS = (
    ("before", "after"),
    ("large", "small"),
    ("revenue", "cost"),
    ("own", "rented"),
    ("price", "cost"),
    ("part", "whole"),
    ("profit", "revenue"),
    ("active", "whole"),
)


def _periods(target: Quantity) -> set[str]:
    """The period that the words of a sentence name for its amount: an annual charge, monthly cost."""
    return {name for name, pattern in _PERIOD_WORDS.items() if pattern.search(target.sentence.words)}


_PERIOD_WORDS = {
    "year": re.compile(
        r"\b(?:annual\w*|ARR|run[- ]rate|yearly|(?:a|per|each|every) year"
        r"|(?:over|in|during|for) (?:a|the|one) (?:full |whole )?year)\b",
        re.I,
    ),
    "month": re.compile(r"\b(?:monthly|MRR|(?:a|per|each|every|the) month)\b", re.I),
    "day": re.compile(r"\b(?:daily|(?:a|per|each|every) day)\b", re.I),
    "quarter": re.compile(r"\b(?:quarterly|(?:a|per|each|the) quarter)\b", re.I),
    "week": re.compile(r"\b(?:weekly|(?:a|per|each) week)\b", re.I),
}


def _hours(period: str, lengths: tuple[Fraction, Fraction]) -> Fraction:
    """How many hours a period has, with the lengths of a month and a year."""
    long = {"month": lengths[0], "year": lengths[1], "quarter": lengths[0] * 3}
    return long.get(period) or ATOMS[period][2]


def fits(one: Binding) -> bool:
    """Whether a binding gives the stated figure within its rounding."""
    figure, off = one.target.figure, abs(one.computed - Fraction(one.target.figure.low))
    low = abs(Fraction(figure.low))
    reach = Fraction(figure.half)
    coarse = Fraction(figure.coarse)
    if coarse <= low * Fraction(2, 100):
        reach = max(reach, coarse)
    if figure.hedge == "about":
        reach = max(reach, coarse, low * Fraction(4, 100))
    bound = Fraction(1, 10) if not one.relation.rank else Fraction(1, 50)
    if figure.hedge == "at most" and one.computed <= low:
        return one.computed >= low * (1 - bound)
    if figure.hedge == "at least" and one.computed >= low:
        return one.computed <= low * (1 + bound)
    if figure.sort == "count" and figure.noun and one.computed > 0 and "need" in one.target.sentence.words:
        return -(-one.computed // 1) == low or off <= reach
    most = Fraction(1) if figure.sort in {"%", "pp"} else Fraction(1, 50) if figure.sort == "money" else Fraction(1, 20)
    return off <= min(reach, low * most) + low / 10**9


def coincides(one: Binding) -> bool:
    """Whether a loosely named relation may give a figure by chance: from afar, of numbers without a unit, of ones."""
    figure, inputs = one.target.figure, [*one.roles.values()]
    if len(inputs) > 1 and any(
        each.figure.low == figure.low and each.figure.dimensions == figure.dimensions and not each.figure.period
        for each in inputs
    ):
        return True
    if not one.relation.rank:
        return False
    apart = [one.target.place - each.place for each in inputs]
    if "bare" in one.target.kinds or (any("bare" in each.kinds for each in inputs) and any(apart)):
        return True
    return (
        max(apart) > 2
        or (figure.spelled and figure.low <= 2 and any(apart))
        or (max(apart) > 1 and len(set(apart)) > 1 and figure.sort == "x")
    )


def close(one: Fraction, other: Fraction) -> bool:
    """Whether two results are the same within 0.2%."""
    return abs(one - other) <= abs(other) * Fraction(2, 1000)


def clearly_off(one: Binding) -> bool:
    """Whether the difference is over 3% and over all rounding; what is written as one digit is meant as written."""
    figure = one.target.figure
    low = Fraction(figure.low)
    off = abs(one.computed - low) / max(abs(one.computed), abs(low) / 10**6)
    slack = sum((_slack(each.figure) for each in one.roles.values()), Fraction(0))
    own = (
        Fraction(max(figure.half, figure.coarse)) / abs(low)
        if figure.sort != "x" or not figure.spelled or figure.low > 2
        else Fraction(1, 4)
    )
    return off > max(_CLEAR, slack + own)


def _slack(figure: Figure) -> Fraction:
    """The rounding of an input as a share of it; counts, prices and single digits are exact."""
    digits = figure.low.normalize().as_tuple().digits
    if figure.sort in {"money", "count"} or len(digits) < 2 or figure.unit in {"bit", "GPUh"} or "pue" in figure.text:
        return Fraction(0)
    return Fraction(figure.half) / abs(Fraction(figure.low)) if figure.low else Fraction(0)


def order(one: Binding) -> tuple[object, ...]:
    """Sort key of bindings: named by the words right there, more figures, nearer ones, the plain reading."""
    distance = sum(abs(each.place - one.target.place) for each in one.roles.values())
    outright = one.relation.outright or one.relation.words
    return (
        one.relation.confirms,
        bool(one.relaxed),
        LENGTHS.index(one.lengths),
        not outright.search(one.target.sentence.words),
        one.relation.near is None and not one.last,
        distance,
        -len(one.roles),
        -one.target.figure.start,
        RELATIONS.index(one.relation),
    )


def matters(other: Quantity, bases: set[str]) -> bool:
    """Whether a figure could belong to a computation: a count, a share, a factor, a time, or of like dimensions."""
    figure = other.figure
    dims = {name for name, _ in figure.dimensions}
    return not dims or dims == {"hour"} or bool(dims & bases)


_LABELLED = {
    "input": re.compile(r"\b(?:inputs?|prompts?|read)\b", re.I),
    "output": re.compile(r"\b(?:outputs?|completions?|generat\w+|answers?)\b", re.I),
    "cache_read": re.compile(r"\bcach", re.I),
}
MODIFIERS = frozenset({"pue", "discount", "keeps", "utilisation", "hit", "duty"})
COUNTS = frozenset({"units", "gpus", "gpus_each", "nodes"})


def role_kinds(relation: Relation) -> frozenset[str]:
    """All kinds of figures in the roles of a relation."""
    return frozenset(kind for role in relation.roles for kind in role.kinds)


def equals(other: Quantity, one: Binding) -> bool:
    """Whether a figure repeats one of a binding, or the sum of two."""
    return any(equal(other.figure, each.figure) for each in one.roles.values()) or Fraction(
        other.figure.low
    ) * other.figure.factor in sums_of([each.figure for each in one.roles.values()])


def constant(other: Quantity, one: Binding) -> bool:
    """Whether a figure is a number of the formula itself: six FLOP for each parameter and token, the two of K and V."""
    return (other.figure.low == 6 and "six" in one.formula) or (other.figure.low == 2 and "two" in one.formula)


def could_use(one: Binding, other: Quantity, *, early: bool = False) -> bool:
    """Whether a relation could have used a figure that it leaves out; in `early` sentences only a count of GPUs."""
    if early:
        return (
            bool(other.kinds & {"gpus", "gpus_each"})
            and one.relation.name in {"rescaled", "over-time", "rent"}
            and "units" not in one.roles
        )
    wanted = {kind for role in one.relation.roles for kind in role.kinds} - {
        "same",
        "amount",
        "things",
        "bare",
        "hours",
        "money_any",
    }
    labels = {each.figure.label for each in (*one.roles.values(), one.target)} - {""}
    if (
        other.figure.label
        and labels
        and other.figure.label not in labels
        and any(_LABELLED[label].search(one.target.near) for label in labels if label in _LABELLED)
    ):
        return False
    if "capital" in one.roles and other.kinds & COUNTS:
        return False
    target = one.target.figure
    if any("same" in role.kinds for role in one.relation.roles) and (other.figure.sort, other.figure.dimensions) == (
        target.sort,
        target.dimensions,
    ):
        return one.relation.name == "gross-profit"
    bound = {kind for role in one.relation.roles if role.name in one.roles for kind in role.kinds} - {
        "same",
        "amount",
        "things",
        "bare",
        "hours",
        "money_any",
    }
    free = [
        role for role in one.relation.roles if role.optional and role.name not in one.roles and role.kinds & other.kinds
    ]
    if free and not other.kinds & bound:
        return any(consistent(one.relation, one.target, {**one.roles, role.name: other}) for role in free)
    counts = (
        COUNTS
        if one.relation.claimed and one.relation.name in {"over-time", "rent", "bill", "item-bill", "energy", "power"}
        else frozenset[str]()
    )
    return bool(other.kinds & (wanted | MODIFIERS | counts))


def sums_of(figures: Sequence[Figure]) -> set[Fraction]:
    """The sums of two inputs of one kind, which a text may state beside them."""
    values = [(one.dimensions, Fraction(one.low) * one.factor) for one in figures]
    found = {one + other for place, (kind, one) in enumerate(values) for like, other in values[:place] if like == kind}
    return found | {value for _, value in values} | {1 - value for kind, value in values if not kind and 0 < value < 1}


def elsewhere(other: Quantity, one: Binding) -> bool:
    """Whether a figure is in another clause, on whose side none of the binding is."""
    words, base = one.target.sentence.words, one.target.sentence.start
    if other.place != one.target.place:
        return False
    own = [each.figure.start for each in (*one.roles.values(), one.target) if each.place == one.target.place]
    opened = words.rfind("(", 0, other.figure.start - base)
    if opened > words.rfind(")", 0, other.figure.start - base):
        closed = words.find(")", other.figure.end - base)
        if closed > 0 and not any(opened + base < start < closed + base for start in own):
            return True
    low, high = sorted((other.figure.start, one.target.figure.start))
    for mark in _BREAK.finditer(words, low - base, high - base):
        at = mark.start() + base
        if all((start < at) == (one.target.figure.start < at) for start in own):
            return True
    return False


_BREAK = re.compile(r";|\.\s|:\s|\s[—–]\s|,?\s(?:while|whereas|but|although|though|because)\s|\(|\)")


def binary(target: Quantity, one: Binding) -> bool:
    """Whether powers of two in place of powers of ten explain a number of bytes, or of tokens in a context."""
    if not any(name in {"byte", "token"} for name, _ in target.figure.dimensions):
        return False
    ratio = one.computed / Fraction(target.figure.low)
    powers = (1, 2, 3, 4) if target.figure.dimensions[0][0] == "byte" else (1, 2)
    near = Fraction(1, 100)
    return any(
        abs(ratio * size - 1) < near or abs(ratio / size - 1) < near
        for size in (Fraction(1024**power, 1000**power) for power in powers)
    )


def follows(one: Binding) -> bool:
    """Whether a figure stands behind all figures that it is computed from, in their sentence."""
    return all(
        each.place == one.target.place and each.figure.start < one.target.figure.start for each in one.roles.values()
    )
