"""Which figures may fill the roles of a relation, alone and together."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from operator import attrgetter

from compute.figures.figure_models import Figure, combined
from compute.figures.number_words import ALIKE, NODES
from compute.figures.relation_models import Lengths, Relation, Role, Value, kinds
from compute.figures.text_structure import Sentence

_READ = re.compile(r"\b(?:input|prompt|in|reads?|sen[dt]s?|long)\b", re.I)
_WRITTEN = re.compile(
    r"\b(?:output|completion|out|writ\w+|back|returns?|generat\w+|answers?|repl\w+|respon\w+)\b", re.I
)
_STATED = attrgetter("dimensions", "sort", "noun", "label", "value")
_TAKEN = re.compile(r" (?:off|discount|saved|less|cheaper)\b")


@dataclass(frozen=True, eq=False)
class Quantity:
    """A figure in the sentence numbered `place`."""

    figure: Figure
    sentence: Sentence
    place: int

    @cached_property
    def kinds(self) -> frozenset[str]:
        """What the figure may be in a relation."""
        figure, sentence = self.figure, self.sentence
        return kinds(figure, sentence.around(figure), sentence.before(figure, 40), sentence.words)

    @cached_property
    def value(self) -> Fraction:
        """The figure in base units."""
        return self.figure.value

    def measured(self, lengths: Lengths) -> Value:
        """The figure in base units, for a length of month and year."""
        figure, number = self.figure, self.value
        if figure.unit == "bit" or (figure.unit == "byte" and figure.low <= 8 and not figure.per):
            return Value(number, (("byte", 1), ("parameter", -1)))
        for name, plain, actual in (("month", 730, lengths[0]), ("year", 8760, lengths[1])):
            if figure.period == name:
                number = number * plain / actual
            elif figure.unit == name or figure.unit.endswith(f"*{name}"):
                number = number * actual / plain
        return Value(number, figure.dimensions)

    @cached_property
    def timed(self) -> bool:
        """Whether it depends on the length of a month or a year."""
        unit = self.figure.period or self.figure.unit
        return unit in {"month", "year", "quarter"} or self.figure.unit.endswith("month")

    @cached_property
    def near(self) -> str:
        """The words of its own clause."""
        return self.sentence.near(self.figure)

    @property
    def start(self) -> int:
        """The offset of the figure in its text."""
        return self.figure.start

    @property
    def at(self) -> int:
        """The offset of the figure in its sentence."""
        return self.figure.start - self.sentence.start

    @property
    def stop(self) -> int:
        """Where the figure ends in its sentence."""
        return self.figure.end - self.sentence.start


def equal(one: Figure, other: Figure) -> bool:
    """Whether two figures state the same."""
    return _STATED(one) == _STATED(other)


def preferred(
    role: Role, found: list[Quantity], groups: Sequence[Sequence[Quantity]], target: Quantity
) -> list[Quantity]:
    """The candidates with the words that a role prefers, if any of the groups has one."""
    prefer = role.prefer
    if prefer is None or not any(
        prefer.search(one.near) and may(role, one, target) for group in groups for one in group
    ):
        return found
    return [one for one in found if prefer.search(one.near)]


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
    """Whether a quantity may fill a role for a target."""
    if one is target or one.figure.ranged:
        return False
    if "same" in role.kinds:
        if not _same(one.figure, target.figure):
            return False
    elif not role.kinds & one.kinds:
        return False
    if role.label and one.figure.label != role.label:
        cue = {"input": _READ, "output": _WRITTEN}.get(role.label)
        if one.figure.label or cue is None or not cue.search(one.near):
            return False
    return role.cue is None or role.cue.search(one.near) is not None


def _same(one: Figure, target: Figure) -> bool:
    """Whether two figures are of one kind; money may leave out what it is per."""
    if one.sort != target.sort or not _same_thing(one, target):
        return False
    if one.dimensions == target.dimensions:
        return True
    bare = one.unit == target.unit and not one.per and not one.of
    timed = not target.per and combined(one.dimensions, target.dimensions, -1) == (("hour", -1),)
    return target.sort == "money" and (bare or timed)


def _same_thing(one: Figure, other: Figure) -> bool:
    return one.noun == other.noun or not one.noun or not other.noun


def consistent(relation: Relation, target: Quantity, roles: Mapping[str, Quantity]) -> bool:  # noqa: C901, PLR0911, PLR0912  # one case after the other
    """Whether figures fit together: direction, noun, and the order of values that the relation needs."""
    labels = _labels(*roles.values(), target)
    across = "across" in relation.flags or any(role.label for role in relation.roles)
    if len(labels) > 1 and not across:
        return False
    alike = [role.name for role in relation.roles if role.name in roles and role.kinds & {"amount", "same"}]
    if any(not _same_thing(roles[one].figure, roles[other].figure) for one, other in combinations(alike, 2)):
        return False
    if not _of_units(roles) or not _multiplied(relation, target, roles):
        return False
    if relation.name == "rescaled":
        one, rate = target.figure, roles["rate"].figure  # the same rate for another time
        if not one.period or not rate.period or one.period == rate.period or one.of != rate.of:
            return False
    if "whole" in roles and _TAKEN.match(roles["whole"].sentence.after(roles["whole"].figure, 12)):
        return False
    counted = [one.figure.noun for name, one in roles.items() if name in {"users", "items", "units", "nodes"}]
    if len(counted) > len({*counted}) and counted[0]:
        return False
    if relation.name == "rent" and not roles.keys() & {"time", "units", "nodes"}:
        return False
    if relation.name == "width" and (target.figure.unit, roles["bits"].figure.unit) != ("byte", "bit"):
        return False
    each = {"gross-profit": "revenue", "token-cost": "rate"}.get(relation.name)
    if each and "units" in roles and not roles[each].figure.of:
        return False
    if "capital" in roles and ("units" in roles) != bool(roles["capital"].figure.of):
        return False
    if "pairs" in relation.flags:
        places = [roles[name].start for name in ("first", "price", "second", "fee")]
        if any(len(_labels(roles[one], roles[other])) > 1 for one, other in (("first", "price"), ("second", "fee"))):
            return False
        return places == sorted(places) or places[0] < places[2] < places[1] < places[3]
    first, sign, second = relation.condition.split() if relation.condition else ("", "", "")
    if first in roles and second in roles:
        more = roles[first].value - roles[second].value
        return more > 0 if sign == ">" else more < 0
    if "first" in relation.flags:
        share, first_price, second_price = (roles[name] for name in ("share", "first", "second"))
        if share.figure.label and first_price.figure.label:
            return share.figure.label == first_price.figure.label
        return abs(first_price.start - share.start) < abs(second_price.start - share.start)
    return True


def _labels(*quantities: Quantity) -> set[str]:
    return {one.figure.label for one in quantities} - {""}


def _of_units(roles: Mapping[str, Quantity]) -> bool:
    """Whether a rate is per what is counted: $18 per node-hour and nodes, not GPUs."""
    for each in ("rate", "each"):
        thing = roles[each].figure.of if each in roles else ""
        if thing in {"", "each", "token"}:
            continue
        counted = {roles[name].figure.noun for name in ("units", "items", "nodes") if name in roles} - {""}
        if counted and not any(thing == one or {thing, one} <= ALIKE for one in counted):
            return False
        if "GPU" in counted and thing in NODES:
            return False
    alone = "units" in roles and "nodes" not in roles and "gpus_each" in roles["units"].kinds
    return not alone or roles.get("rate", roles["units"]).figure.of == "GPU"


def _multiplied(relation: Relation, target: Quantity, roles: Mapping[str, Quantity]) -> bool:
    """Whether a rate per thing is multiplied by a count, unless the result is per thing too."""
    counts = {"items", "units", "nodes", "users"} & {role.name for role in relation.roles}
    if not counts or (target.figure.of and target.figure.of != "GPU"):
        return True
    bound = counts & set(roles)
    for name in bound:
        thing = roles[name].figure.of
        others = [roles[other].figure.noun for other in bound if other != name]
        if thing == "each" and not others:
            return False
        known = thing in {"", "each", "token", *others} or (thing in ALIKE and ALIKE & set(others))
        if not known and "gpus_each" not in roles[name].kinds:
            return False
    rates = [roles[name] for name in ("tokens", "each", "first", "second") if name in roles]
    rated = any(one.figure.of or "each" in one.near.partition("¤")[2][:6] for one in rates)
    return bool(bound) or not rated or relation.name == "unit-cost"
