"""Decides what the named relations say of the figures of a text.

figure ─▶ relations of its kind, named by the words ─▶ roles filled from sentence, paragraph, list ─▶ holds, refuted, or silence

A figure holds if a named relation with a complete binding gives it within its rounding. It is refuted only if the words
name the relation outright, each role has one candidate, all complete bindings give one other value, and neither another
reading nor a word beside it explains the stated one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import islice

from compute.figures.figure_models import Figure
from compute.figures.figure_reader import combined
from compute.figures.number_words import ALIKE, NODES
from compute.figures.relation_models import CONSTANTS, HOUR, LENGTHS, Relation, Role, Value, kinds, value_of
from compute.figures.relation_table import CLAIM, RELATIONS
from compute.figures.text_structure import Document, Sentence

_MOST, _DEEP = 6, 300
"""The most candidates of a role, and the most bindings that are tried for a relation."""
_BACK = 6
"""How many sentences before its own a figure may use."""
_CLEAR = Fraction(3, 100)
"""How far off a refuted figure is at least."""
_FAR = frozenset({"price", "tariff", "rent", "pue", "flops", "speed", "power", "params", "intensity", "kv_each"})
"""Kinds of parameters that a text states once and uses paragraphs later."""


@dataclass(frozen=True, eq=False)
class Quantity:
    """A figure in its sentence, with what it may be."""

    figure: Figure
    sentence: Sentence
    place: int

    @cached_property
    def kinds(self) -> frozenset[str]:
        """What the figure may be in a relation."""
        return kinds(self.figure, self.sentence.around(self.figure), self.sentence.before(self.figure, 40),
            self.sentence.words)  # fmt: skip

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
        return all(each.figure.start < self.target.figure.start for each in self.roles.values() if each.place ==
            self.target.place)  # fmt: skip

    @property
    def formula(self) -> str:
        """The formula with the roles that are bound."""
        return self.relation.text(frozenset(self.roles))


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a binding says of its target."""

    binding: Binding
    holds: bool


class RelationSolver:
    """Judges the figures of one document."""

    def __init__(self, document: Document) -> None:
        self.sentences = [[Quantity(one, sentence, place) for one in sentence.figures] for place, sentence in
            enumerate(document.sentences)]  # fmt: skip
        self._settled: dict[int, frozenset[int]] = {}

    def inputs(self, start: int) -> frozenset[int]:
        """The offsets of the figures from which a figure that holds was computed."""
        return self._settled.get(start, frozenset())

    def verdicts(self) -> Iterator[Verdict]:
        """The verdicts on all figures of the sentences, in text order."""
        for place, quantities in enumerate(self.sentences):
            if len(quantities) + sum(map(len, self.before(place))) > 1 or any("availability" in one.kinds for one in
                quantities):  # fmt: skip
                yield from sorted(self._sentence(quantities), key=lambda one: one.binding.target.figure.start)

    def before(self, place: int) -> list[list[Quantity]]:
        """The quantities of the sentences before one in its block, the nearest sentence first."""
        own = self.sentences[place][0].sentence.block if self.sentences[place] else -1
        found = []
        for other in reversed(self.sentences[max(0, place - _BACK) : place]):
            if not other or other[0].sentence.block != own:
                break
            found.append(other)
        return found

    def _sentence(self, quantities: Sequence[Quantity]) -> Iterator[Verdict]:
        held: dict[frozenset[int], Binding] = {}
        for _ in range(2):  # what was found first may complete what could not be told before
            found: dict[frozenset[int], Binding] = {}
            done = {start for key in held for start in key} - {one.figure.start for one in quantities if
                one.figure.start not in self._settled}  # fmt: skip
            for one in quantities:
                if one.figure.start in done or one.figure.start in self._settled or not _is_target(one):
                    continue
                binding = next((each for each in self._fitting(one) if self._complete(each) and not
                    self._denied_input(each)), None)  # fmt: skip
                key = binding.used | {one.figure.start} if binding else frozenset()
                if binding and key not in held and (key not in found or _order(binding) < _order(found[key])):
                    found[key] = binding
            held |= found
            self._settled |= {one.target.figure.start: one.used for one in found.values()}
        explained = {start for key in held for start in key}
        yield from (Verdict(one, holds=True) for one in held.values())
        inputs = {used for one in held.values() for used in one.used}
        for one in quantities:
            start = one.figure.start
            if _is_target(one) and start not in explained and start not in inputs:
                binding = self._accusation(one)
                if binding is not None:
                    yield Verdict(binding, holds=False)

    # ---- holds

    def _fitting(self, target: Quantity) -> Iterator[Binding]:
        """The bindings of named relations that give a figure, the best first."""
        loose = self._loose(target)
        known = frozenset[str]().union(*(one.kinds for one in loose), *(one.kinds for one in self._far(target)))
        found = [
            one
            for relation in _of_kinds(target.kinds)
            if relation.needs(known) and _named(relation, target)
            for one in self._bindings(relation, target, loose, fitting=True)
            if fits(one)
        ]
        if found and min(one.relation.rank for one in found) > min((one.relation.rank for one in
            self._strict(target)), default=2):  # fmt: skip
            return iter(())  # the words name another relation, with all its roles
        return iter(sorted(found, key=_order))

    def _known(self, target: Quantity) -> frozenset[str]:
        return frozenset[str]().union(*(one.kinds for one in self._loose(target)))

    def _loose(self, target: Quantity) -> list[Quantity]:
        near = [one for one in self.sentences[target.place] if one is not target]
        near.sort(key=lambda one: abs(one.figure.start - target.figure.start))
        return near + [one for group in self.before(target.place) for one in group]

    def _far(self, target: Quantity) -> list[Quantity]:
        block = target.sentence.block
        past = [one for group in self.sentences[max(0, target.place - 12) : target.place] for one in group if
            one.sentence.block != block]  # fmt: skip
        return [one for one in reversed(past) if one.kinds & _FAR][:8]

    def _complete(self, one: Binding) -> bool:
        """Whether a binding leaves out no figure that its relation could use, in the sentences of its figures and between."""
        used = self._closure(one.used) | {each for target, inputs in self._settled.items() for each in (target,
            *inputs)}  # fmt: skip
        sums = _sums([each.figure for each in one.roles.values()])
        first = min(each.place for each in (*one.roles.values(), one.target))
        if any(each.sentence.item for each in one.roles.values()):
            first = 0
        return not any(other.figure.start not in used and other is not one.target and _could_use(one, other,
            early=other.place < first) and not _elsewhere(other, one) and Fraction(other.figure.low) *
            other.figure.factor not in sums for other in self._between(one))  # fmt: skip

    def _between(self, one: Binding) -> Iterator[Quantity]:
        """The figures of the block up to a binding's last figure."""
        block = one.target.sentence.block
        last = max(one.target.figure.start, *(each.figure.start for each in one.roles.values()))
        for group in self.sentences[max(0, one.target.place - _BACK) : one.target.place + 1]:
            if group and group[0].sentence.block == block:
                yield from (other for other in group if other.figure.start < last)

    def _denied_input(self, one: Binding) -> bool:
        """Whether a loosely named relation uses a figure of the sentence that a named one denies."""
        return one.relation.rank > 0 and any(
            each.place == one.target.place and each.figure.start not in self._settled
            and any(other.relation.rank == 0 and not fits(other) for other in self._strict(each))
            for each in one.roles.values()
        )  # fmt: skip

    def _closure(self, used: Iterable[int]) -> set[int]:
        """Figures with those that they were computed from."""
        known, waiting = set[int](), list(used)
        while waiting:
            start = waiting.pop()
            if start not in known:
                known.add(start)
                waiting += self._settled.get(start, ())
        return known

    # ---- refuted

    def _accusation(self, target: Quantity) -> Binding | None:
        near = self.sentences[max(0, target.place - 1) : target.place + 2]
        if not accusable(target) or any(group and group[0].sentence.block == target.sentence.block and
            _WRONG.search(group[0].sentence.words) for group in near):  # fmt: skip
            return None
        strict = self._strict(target)
        strict = [one for one in strict if not one.relaxed] or strict
        strict = [one for one in strict if not any(one.used < other.used and one.relation.rank >=
            other.relation.rank for other in strict)]  # fmt: skip
        rank = min((one.relation.rank for one in strict), default=0)
        strict = [one for one in strict if one.relation.rank == rank]
        if not strict or any(_close(one.computed, strict[0].computed) is False for one in strict):
            return None
        best = min(strict, key=lambda one: (-len(one.used), _order(one)))
        if not _clearly_off(best) or best.used in self._settled.values() or self._excused(target, best):
            return None
        return best

    def _strict(self, target: Quantity) -> list[Binding]:
        return list(islice((one for relation in _of_kinds(target.kinds) if not relation.confirms for one in
            self._outright(relation, target)), 40))  # fmt: skip

    def _outright(self, relation: Relation, target: Quantity) -> Iterator[Binding]:
        """The complete bindings of a relation that is named outright, from the nearest sentences with its roles."""
        if not relation.needs(self._known(target)) or not _named(relation, target, outright=True):
            return
        pools = self._pools(relation, target)
        if pools is None:
            return
        found = list(self._bindings(relation, target, [*{id(each): each for pool in pools for each in pool}.values()]))
        every = {one.figure.start for role, pool in zip(relation.roles, pools, strict=True) if not role.optional for
            one in pool}  # fmt: skip
        every |= {start for one in found for start in one.used}
        for one in found:
            if relation.rank and ("bare" in target.kinds or len({each.figure.label for each in one.roles.values()})
                > 1):  # fmt: skip
                continue
            if one.lengths == LENGTHS[0] and not one.adopted and _claimed(one) and every <= self._closure(one.used) and self._nothing_left(one) and self._complete(one) and not _loosely(one,
                self._loose(target)):  # fmt: skip
                yield one

    def _pools(self, relation: Relation, target: Quantity) -> list[list[Quantity]] | None:
        """The candidates of each role from the nearest sentence that has any; None if a role has none.

        A role that may be missing is looked for only as far back as the others reach.
        """
        groups = [*_clauses(target, self.sentences[target.place]), *self.before(target.place)]
        found: dict[str, list[Quantity]] = {}
        taken = set[int]()
        deepest = 0
        for role in sorted(relation.roles, key=lambda role: (role.optional, role.cue is None and not role.label)):
            within = groups[: deepest + 1] if role.optional else groups
            depth, pool = next(((depth, pool) for depth, group in enumerate(within) if (pool := _preferred(role,
                [one for one in group if id(one) not in taken and _may(role, one, target)], within, target))), (0,
                []))  # fmt: skip
            if not pool and not role.optional:
                return None
            if any(one.figure.hedge or one.figure.ranged or ("bare" in one.kinds and relation.rank) for one in pool):
                return None
            pool = [one for place, one in enumerate(pool) if not any(_equal(one.figure, other.figure) for other in
                pool[:place])]  # fmt: skip
            deepest = max(deepest, depth, 1)
            taken |= {id(pool[0])} if len(pool) == 1 else set()
            found[role.name] = pool
        return [found[role.name] for role in relation.roles]

    def _nothing_left(self, one: Binding) -> bool:
        """Whether the sentence has no figure beside those of a binding, and of others that are settled or in another clause."""
        used = self._closure(one.used)
        settled = {start for target, inputs in self._settled.items() for start in (target, *inputs)}
        for other in self.sentences[one.target.place]:
            start = other.figure.start
            if start in used or start in settled or other is one.target or _elsewhere(other,
                one) or _constant(other, one):  # fmt: skip
                continue
            between = one.target.sentence.words[one.target.figure.end - one.target.sentence.start : start -
                one.target.sentence.start]  # fmt: skip
            if start > one.target.figure.start and ", " in between and not other.kinds & (_roles(one.relation) |
                {"share", "factor", "hours", "things", "units", "money_any", "bare"}):  # fmt: skip
                continue
            return False
        first = min(each.place for each in one.roles.values())
        return not any(other.figure.start not in used and other.figure.start not in settled and other.kinds &
            (_roles(one.relation) | _MODIFIERS | _bare(one.relation)) and not _equals(other, one) for group in
            self.sentences[first : one.target.place] for other in group)  # fmt: skip

    def _excused(self, target: Quantity, best: Binding) -> bool:
        """Whether another reading gives the stated figure, or a word beside it says that something is missing."""
        if _UNNAMED.search(target.sentence.words) and not best.relation.words.search(_UNNAMED.search(target.sentence.words)[0]):  # type: ignore[index]  # found a line before  # fmt: skip
            return True
        if self._stated_before(target) or _binary(target, best):
            return True
        scope = [*self._loose(target), *self._far(target)]
        for relation in _of_kinds(target.kinds):
            if relation is not best.relation and not (relation.generic and
                best.relation.generic) and not _named(relation, target):  # fmt: skip
                continue
            if relation.rank > best.relation.rank:
                continue
            for one in self._bindings(relation, target, scope, fitting=True):
                if fits(one) and (len(one.used) >= len(best.used) or not one.used <= self._closure(best.used)):
                    return True
        return False

    def _stated_before(self, target: Quantity) -> bool:
        """Whether the figure repeats one that the text stated before."""
        value = Fraction(target.figure.low) * target.figure.factor
        return any(other.figure.dimensions == target.figure.dimensions and Fraction(other.figure.low) *
            other.figure.factor == value and other.figure.sort == target.figure.sort for group in
            self.sentences[max(0, target.place - 30) : target.place + 1] for other in group if other.figure.start <
            target.figure.start)  # fmt: skip

    # ---- bindings

    def _bindings(self, relation: Relation, target: Quantity, scope: Sequence[Quantity], *, fitting: bool =
        False) -> Iterator[Binding]:  # fmt: skip
        """The bindings of a relation with figures of a scope; with `fitting` those that may give the stated figure."""
        choices = []
        for role in relation.roles:
            pool: list[Quantity | None] = [*_preferred(role, [one for one in scope if _may(role, one, target)],
                [scope], target)][:_MOST]  # fmt: skip
            if not pool and not role.optional and role.kinds & _FAR:
                pool = [one for one in self._far(target) if _may(role, one, target)][:2]
            if role.optional:
                pool.append(None)
            elif not pool:
                return
            choices.append(pool)
        for chosen in islice(_distinct(choices), _DEEP):
            roles = {role.name: one for role, one in zip(relation.roles, chosen, strict=True) if one is not None}
            if fitting and not _may_fit(relation, target, roles):
                continue
            if any(one.figure.start in self._closure({other.figure.start}) for one in roles.values() for other in
                roles.values() if one is not other):  # fmt: skip
                continue  # each figure once
            if (len(roles) > 1 or relation.alone) and _consistent(relation, target, roles):
                yield from _computed(relation, target, roles)


def _equal(one: Figure, other: Figure) -> bool:
    return (one.dimensions, one.sort, one.noun, one.label) == (other.dimensions, other.sort, other.noun,
        other.label) and one.low * Decimal(1) == other.low and one.factor == other.factor  # fmt: skip


def _preferred(role: Role, found: list[Quantity], groups: Sequence[Sequence[Quantity]], target:
    Quantity) -> list[Quantity]:  # fmt: skip
    """The candidates with the words that a role prefers, where any of the groups has such a one."""
    prefer = role.prefer
    if prefer is None or not any(prefer.search(one.near) and _may(role, one, target) for group in groups for one in
        group):  # fmt: skip
        return found
    return [one for one in found if prefer.search(one.near)]


def _clauses(target: Quantity, quantities: Sequence[Quantity]) -> list[list[Quantity]]:
    """The figures of the target's part of its sentence, between semicolons, and those of the rest."""
    words, base = target.sentence.words, target.sentence.start
    at = target.figure.start - base
    begin = max((mark.end() for mark in _PART.finditer(words, 0, at)), default=0)
    end = next((mark.start() for mark in _PART.finditer(words, at)), len(words))
    own = [one for one in quantities if one is not target and begin <= one.figure.start - base < end]
    return [own, [one for one in quantities if one is not target and one not in own]]


_PART = re.compile(r";|,? (?:while|whereas) ")


def _may_fit(relation: Relation, target: Quantity, roles: Mapping[str, Quantity]) -> bool:
    """Whether roles give about the stated figure, or do so over a period: a quick test before the exact one."""
    if any("keeps" in one.kinds for one in roles.values()) or any(one in roles and other in roles and
        roles[one].figure.dimensions != roles[other].figure.dimensions for one, other in _PAIRS):  # fmt: skip
        return True
    found = relation.roughly({name: one.size for name, one in roles.items()})
    if not found or not target.size:
        return False
    ratio = abs(found / target.size)
    return _LEAST < ratio < _LARGEST or any(_LEAST < ratio * hours < _LARGEST or _LEAST < ratio / hours < _LARGEST
        for hours in _PERIOD_HOURS)  # fmt: skip


_LEAST, _LARGEST = 0.8, 1.25
_PERIOD_HOURS = (24.0, 168.0, 730.0, 2190.0, 8760.0)


def _distinct(choices: Sequence[Sequence[Quantity | None]], taken: tuple[Quantity | None, ...] =
    ()) -> Iterator[tuple[Quantity | None, ...]]:  # fmt: skip
    if len(taken) == len(choices):
        yield taken
        return
    for one in choices[len(taken)]:
        if one is None or not any(one is other for other in taken):
            yield from _distinct(choices, (*taken, one))


@lru_cache(maxsize=2048)
def _of_kinds(found: frozenset[str]) -> tuple[Relation, ...]:
    found |= {"money"} if "money_at" in found else set()
    return tuple(one for one in RELATIONS if one.results & found)


def _named(relation: Relation, target: Quantity, *, outright: bool = False) -> bool:
    pattern = relation.outright if outright and relation.outright else relation.words
    if not _found(pattern, target.sentence.words):
        return False
    if relation.near is None:
        return True
    return relation.near.search(f"{target.sentence.before(target.figure, 45)} {target.figure.text} {target.sentence.after(target.figure, 30)}") is not None  # fmt: skip


@lru_cache(maxsize=8192)
def _found(pattern: re.Pattern[str], words: str) -> bool:
    """Whether a sentence has some words; it is asked for each of its figures."""
    return pattern.search(words) is not None


def _is_target(one: Quantity) -> bool:
    figure = one.figure
    return not figure.ranged and bool(figure.low) and not (figure.spelled and figure.sort in {"count", "unit"})


def _may(role: Role, one: Quantity, target: Quantity) -> bool:
    """Whether a quantity may fill a role beside a target."""
    if one is target or one.figure.ranged:
        return False
    if "same" in role.kinds:
        bare = one.figure.sort == target.figure.sort == "money" and one.figure.unit == target.figure.unit and not one.figure.per and not one.figure.of  # fmt: skip
        timed = target.figure.sort == "money" and not target.figure.per and combined(one.figure.dimensions,
            target.figure.dimensions, -1) == (("hour", -1),)  # fmt: skip
        if one.figure.sort != target.figure.sort or (one.figure.dimensions != target.figure.dimensions and not bare
            and not timed) or not _same_thing(one.figure, target.figure):  # fmt: skip
            return False
    elif not role.kinds & one.kinds:
        return False
    if role.label and one.figure.label != role.label and not (role.label == "input" and not one.figure.label and
        _READ.search(one.near)) and not (role.label == "output" and not one.figure.label and
        _WRITTEN.search(one.near)):  # fmt: skip
        return False
    return role.cue is None or role.cue.search(one.near) is not None


_READ = re.compile(r"\b(?:input|prompt|in|reads?|sen[dt]s?|long)\b", re.I)
_WRITTEN = re.compile(r"\b(?:output|completion|out|writ\w+|back|returns?|generat\w+|answers?|repl\w+|respon\w+)\b",
    re.I)  # fmt: skip


def _same_thing(one: Figure, other: Figure) -> bool:
    return one.noun == other.noun or not one.noun or not other.noun


def _consistent(relation: Relation, target: Quantity, roles: Mapping[str, Quantity]) -> bool:
    """Whether figures of one direction and one noun are together, in the order of values that the relation needs."""
    labels = {one.figure.label for one in roles.values()} | {target.figure.label}
    if not any(role.label for role in relation.roles) and len(labels -
        {""}) > 1 and relation.title not in _ACROSS and relation.ordered != "pairs":  # fmt: skip
        return False
    alike = [roles[role.name].figure for role in relation.roles if role.name in roles and role.kinds & {"amount",
        "same"}]  # fmt: skip
    if any(not _same_thing(one, other) for one in alike for other in alike):
        return False
    if not _of_units(roles) or not _multiplied(relation, target, roles):
        return False
    if relation.name == "rescaled" and (target.figure.period == roles["rate"].figure.period or not
        target.figure.period or not roles["rate"].figure.period or roles["rate"].figure.of != target.figure.of):  # fmt: skip
        return False
    if relation.name == "weights" and "bits" in target.kinds:
        return False
    if relation.name == "token-cost" and "units" in roles and not roles["rate"].figure.of:
        return False
    if "capital" in roles and ("units" in roles) != bool(roles["capital"].figure.of):
        return False
    if relation.ordered == "pairs":
        places = [roles[name].figure.start for name in ("first", "price", "second", "fee")]
        if any({roles[one].figure.label, roles[other].figure.label} - {""} > {roles[one].figure.label or
            roles[other].figure.label} for one, other in (("first", "price"), ("second", "fee"))):  # fmt: skip
            return False
        return places == sorted(places) or places[0] < places[2] < places[1] < places[3]
    if relation.ordered and len(relation.ordered) > 2 and ":" not in relation.ordered:
        first, sign, second = _ORDERED.fullmatch(relation.ordered).groups()  # type: ignore[union-attr]  # of this package's table  # fmt: skip
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
    return not ("units" in roles and "gpus_each" in roles["units"].kinds and "nodes" not in roles and
        roles.get("rate", roles["units"]).figure.of != "GPU")  # fmt: skip


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
        if thing and thing not in {"each", "token"} and thing not in others and not (thing in ALIKE and ALIKE &
            set(others)) and "gpus_each" not in roles[name].kinds:  # fmt: skip
            return False
    each = [name for name in ("tokens", "each", "first", "second") if name in roles and (roles[name].figure.of or
        "each" in roles[name].near.partition("¤")[2][:6])]  # fmt: skip
    return bool(bound) or not each or relation.name in {"unit-cost"}


_ORDERED = re.compile(r"(\w+)([<>])(\w+)")
_ACROSS = frozenset({"change by a factor", "change by a share", "blended price", "saving of A against B"})
"""Relations that compare input with output, or mix both."""


def _follows(share: Quantity, first: Quantity, second: Quantity) -> bool:
    """Whether a share belongs to the first of two prices: it is the nearer one."""
    at = share.figure.start
    return abs(first.figure.start - at) < abs(second.figure.start - at)


def _computed(relation: Relation, target: Quantity, roles: Mapping[str, Quantity]) -> Iterator[Binding]:
    figure = target.figure
    told = {one.figure.period or one.figure.unit for one in (*roles.values(), target)} & {"month", "year",
        "quarter"} or _periods(target) or {name for name in ("month", "year") if name in relation.formula}  # fmt: skip
    months = any(one.figure.unit.endswith("month") for one in roles.values())
    for lengths in LENGTHS if told or months else LENGTHS[:1]:
        values = {name: value_of(one.figure, lengths) for name, one in roles.items()}
        adopted = _adopt(values, roles)
        for role in relation.roles:
            if role.name in roles and "keeps" in role.kinds and "discount" in role.kinds and "keeps" in roles[role.name].kinds:  # fmt: skip
                values[role.name] = CONSTANTS["one"] - values[role.name]  # 10% of the list price are 90% off
        extra = {"month": Value(lengths[0], HOUR), "year": Value(lengths[1],
            HOUR)} if "month" in relation.formula or "year" in relation.formula else {}  # fmt: skip
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
            period = value_of(Figure(0, 0, "", Decimal(1), Decimal(1), Decimal(0), "unit", _UNITS.get(figure.period,
                figure.period), factor=_HOURS[figure.period], dimensions=HOUR), lengths)  # fmt: skip
            yield Binding(relation, target, roles, found.number / period.number / size, lengths, "per")
        elif apart == (("hour", -1),):  # so much a month, stated as an amount
            own = {one.figure.period for one in roles.values() if one.figure.period}
            periods = _periods(target) - own or own - {"h"}
            for name in periods if len(periods) == 1 else ():
                hours = {"month": lengths[0], "year": lengths[1], "quarter": lengths[0] * 3}.get(name) or _HOURS[name]
                yield Binding(relation, target, roles, found.number * hours / size, lengths, name)


def _adopt(values: dict[str, Value], roles: Mapping[str, Quantity]) -> bool:
    """Give an amount what the one that it is compared with is per: $2.90 per GPU-hour against $1.74; whether any was."""
    before = dict(values)
    for one, other in _PAIRS:
        if one in roles and other in roles:
            for here, there in ((one, other), (other, one)):
                mine, theirs = roles[here].figure, roles[there].figure
                if mine.sort == "count" and not mine.noun and not mine.dimensions and theirs.sort == "unit" and here in {"part",
                    "active"} and _OF_THESE.search(roles[here].near):  # fmt: skip
                    values[here] = before[here] = Value(values[here].number * theirs.factor, theirs.dimensions)
                if mine.sort == theirs.sort == "money" and not mine.per and not mine.of and mine.unit == theirs.unit and theirs.per:  # fmt: skip
                    values[here] = Value(values[here].number * theirs.factor * (values[there].number /
                        (Fraction(theirs.low) * theirs.factor)), values[there].dimensions)  # fmt: skip
    return values != before


_OF_THESE = re.compile(r"¤ of (?:them|these|those|which)|of (?:which|these|them)[^¤]{0,12}¤")
_PAIRS = (("before", "after"), ("large", "small"), ("revenue", "cost"), ("own", "rented"), ("price", "cost"),
    ("part", "whole"), ("profit", "revenue"), ("active", "whole"))  # fmt: skip


def _periods(target: Quantity) -> set[str]:
    """The period that the words of a sentence name for its amount: an annual charge, monthly cost."""
    return {name for name, pattern in _PERIOD_WORDS.items() if pattern.search(target.sentence.words)}


_PERIOD_WORDS = {"year":
    re.compile(r"\b(?:annual\w*|ARR|run[- ]rate|yearly|(?:a|per|each|every) year|(?:over|in|during) (?:a|"
    r"the|one) (?:full |whole )?year)\b", re.I), "month":
    re.compile(r"\b(?:monthly|MRR|(?:a|per|each|every|the) month)\b", re.I), "day":
    re.compile(r"\b(?:daily|(?:a|per|each|every) day)\b", re.I), "quarter":
    re.compile(r"\b(?:quarterly|(?:a|per|each|the) quarter)\b", re.I), "week":
    re.compile(r"\b(?:weekly|(?:a|per|each) week)\b", re.I)}  # fmt: skip
_UNITS: Mapping[str, str] = {}
_HOURS: Mapping[str, Fraction] = {"second": Fraction(1, 3600), "ms": Fraction(1, 3600000), "minute": Fraction(1,
    60), "h": Fraction(1), "day": Fraction(24), "week": Fraction(168), "month": Fraction(730), "quarter":
    Fraction(2190), "year": Fraction(8760)}  # fmt: skip


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
    if figure.hedge == "at most" and one.computed <= low:
        return one.computed >= low * Fraction(9, 10)
    if figure.hedge == "at least" and one.computed >= low:
        return one.computed <= low * Fraction(11, 10)
    if figure.sort == "count" and figure.noun and one.computed > 0 and "need" in one.target.sentence.words:
        return -(-one.computed // 1) == low or off <= reach
    most = Fraction(1) if figure.sort in {"%", "pp"} else Fraction(1, 50) if figure.sort == "money" else Fraction(1, 20)
    return off <= min(reach, low * most) + low / 10**9


def _close(one: Fraction, other: Fraction) -> bool:
    return abs(one - other) <= abs(other) * Fraction(2, 1000)


def _clearly_off(one: Binding) -> bool:
    """Whether the difference is over 3% and over all rounding; what is written as one digit is meant as written."""
    figure = one.target.figure
    low = Fraction(figure.low)
    off = abs(one.computed - low) / max(abs(one.computed), abs(low) / 10**6)
    slack = sum((_slack(each.figure) for each in one.roles.values()), Fraction(0))
    own = Fraction(max(figure.half,
        figure.coarse)) / abs(low) if figure.sort != "x" or not figure.spelled or figure.low > 2 else Fraction(1, 4)  # fmt: skip
    return off > max(_CLEAR, slack + own)


def _slack(figure: Figure) -> Fraction:
    """The rounding of an input as a share of it; counts, prices and single digits are exact."""
    digits = figure.low.normalize().as_tuple().digits
    if figure.sort in {"money", "count"} or len(digits) < 2 or figure.unit in {"bit", "GPUh"} or "pue" in figure.text:
        return Fraction(0)
    return Fraction(figure.half) / abs(Fraction(figure.low)) if figure.low else Fraction(0)


def _order(one: Binding) -> tuple[object, ...]:
    """Sort key of bindings: named by the words right there, more figures, nearer ones, the plain reading."""
    distance = sum(abs(each.place - one.target.place) for each in one.roles.values())
    outright = one.relation.outright or one.relation.words
    return (one.relation.confirms, bool(one.relaxed), LENGTHS.index(one.lengths), not
        outright.search(one.target.sentence.words), one.relation.near is None and not one.last, distance,
        -len(one.roles), -one.target.figure.start, RELATIONS.index(one.relation))  # fmt: skip


# ---- words that keep a figure from being accused

_UNNAMED = re.compile(r"\b(?:plus (?!\$?\d)|including|inclusive|incl\b|excluding|excl\b|fees?|tax(?:es)?|VAT|shippi"
    r"ng|support contract|overheads?|surcharges?|on top|net of|free tier"
    r"|credits?|var(?:y|ies|ied)|depend\w*|except|mostly|partly|rounded|rounding|round (?:trip|"
    r"numbers)|tiers?|minimum|other (?:costs?|charges?|items)|and so on|etc|extras?"
    r"|storage|egress|network\w*|staff|licen[cs]es?|on average|not counting|before (?:tax|interes"
    r"t|discounts?|fees)|after (?:tax|discounts?|fees)|smallest|largest|amortized|roughly|approxi"
    r"mately|estimate\w*|ballpark|around|most of|some of"
    r"|part of|peak (?:hours?|load|times?|demand|traffic)|burst|ramp\w*|growth|grow\w*|compound\w"
    r"*|idle|warm-?up|retries|retry|redundan\w*|free|first (?:\d|[a-z]+ (?:million|thousand|hundr"
    r"ed))|stock|shares|consensus|guid\w+|actual\w*|measured|metered|observed|nameplate|in practi"
    r"ce|rarely|spare|headroom|buffer|margin of safety|weekends?|weekdays?|working days|business)" r"\b", re.I)  # fmt: skip
_REJECTED = re.compile(r"\b(?:wrong\w*|errors?|mistak\w*|incorrect\w*|misquot\w*|misread\w*|typos?|supposed\w*|alleg"
    r"ed\w*|myth|contrary|actually|in fact|overstat\w*|understat\w*|exaggerat\w*"
    r"|does not follow|miscalculat\w*|correct(?:ed|ion|ly)?|should (?:be|have|read)|not true|"
    r"false\w*|claims? (?:that|of)|claimed|sloppy|naive\w*|forget\w*|forgot\w*)\b|\bnot \S*$|" r"n['’]t \w+ \S*$",
    re.I)  # fmt: skip
_WRONG = re.compile(r"\b(?:wrong|mistake|error in|incorrect|typo|miscalculat\w*|does not add up|cannot be right|"
    r"overstat\w*|understat\w*)\b", re.I)  # fmt: skip
_PREMISE = re.compile(r"\b(?:from|with|using|than|versus|vs\.?|assum(?:e|es|ing)|given|under|over|below|above|again"
    r"st|instead of|rather than|not|budget of|target of|limit of|cap of"
    r"|if|unless|until|suppose|let|say|between|quota(?: of)?|goal(?: of)?|per|every|each|compared"
    r" (?:to|with)|beyond|within|another|other|next|last|remaining)(?: (?:the|a|an|our|its|their)" r")?\s[*_(~]*$",
    re.I)  # fmt: skip
_CONDITION = re.compile(r"\b(?:if|unless|assuming|suppose|when|once|whether|provided|imagine)\b[^,;:]*$", re.I)


def accusable(target: Quantity) -> bool:
    """Whether a figure is claimed plainly: no hedge, question, premise or quoted error."""
    figure, sentence = target.figure, target.sentence
    if figure.hedge or figure.ranged or (figure.spelled and figure.sort == "x" and figure.low < 2):
        return False
    before = sentence.words[: figure.start - sentence.start]
    if before.count("“") > before.count("”") or before.count('"') % 2 or sentence.words.lstrip().startswith(">"):
        return False  # the words of somebody else
    after = sentence.words[figure.end - sentence.start :]
    if sentence.words.rstrip(' *_)”"').endswith("?") or _CONDITION.search(before):
        return False
    if _PREMISE.search(before[-40:]) or _REJECTED.search(sentence.words.replace(figure.text, "",
        1)) or re.search(r"\bnot \W*$|n['’]t (?:\w+ )?$", before[-20:]):  # fmt: skip
        return False
    return not re.match(r"\s?(?:each|or so|or more|or less|\+|[–-]\d)", after)


def _claimed(one: Binding) -> bool:
    """Whether the words claim the target of a binding: it comes last, or `for`, `from`, a colon lead from it to the inputs."""
    if one.relation.claimed and (_COMPARED.match(one.target.sentence.after(one.target.figure, 30)) or
        _DIFFERENCE.search(one.target.sentence.before(one.target.figure, 40))):  # fmt: skip
        return False
    if one.target.sentence.item and one.relation.claimed and not _LABEL.search(one.target.sentence.before(one.target.figure)):  # fmt: skip
        return False
    if one.last:
        return one.relation.near is not None or not one.relation.claimed or CLAIM.search(_lead(one)) is not None
    behind = one.target.sentence.words[one.target.figure.end - one.target.sentence.start :]
    if one.relation.near is not None:
        return bool(_COMPARES.match(behind))
    return bool(_LEADS.match(behind))


_COMPARED = re.compile(r"\s?(?:a \w+ )?(?:dearer|cheaper|more|less|higher|lower|extra|saved|off|over|under|above|"
    r"below|short|behind|ahead|apart|better|worse|each|spare|left)\b", re.I)  # fmt: skip
_DIFFERENCE = re.compile(r"\b(?:sav(?:es?|ing|ed)|difference|cut|gap|by|extra|additional|another|premium|discount|"
    r"refund|credit|fee|deposit|minimum|surcharge)(?: of| is)?\s\S{0,3}$", re.I)  # fmt: skip
_LABEL = re.compile(r"total|cost|bill|spen[dt]|revenue|energy|power|hours|memory|margin|profit|saving|charge|"
    r"price|carbon|emission|volume|tokens|load|rent|=|comes? to|makes", re.I)  # fmt: skip


def _lead(one: Binding) -> str:
    """The words between the last input of the sentence and the target; after the first sentence, its beginning."""
    words, base = one.target.sentence.words, one.target.sentence.start
    last = max((each.figure.end for each in one.roles.values() if each.place == one.target.place), default=base)
    return words[last - base : one.target.figure.start - base]


_COMPARES = re.compile(r"[^.;,]{0,50}?\b(?:from|than|against|versus|vs|compared|relative to)\b|,? from\b|\s?[(:]|"
    r"[^.;,]{0,40}(?:[(:—–]|, from\b)", re.I)  # fmt: skip


_LEADS = re.compile(r"(?: (?:of )?[a-z]+){0,2}?\s?(?:\(|:|=|—|–|,? for\b(?! (?:the|a|an) (?:month|year|day|week|"
    r"hour)s?,)|,? from\b|,? since\b|,? because\b|,? as\b|,? at\b|,? to (?:run|rent|serve|process"
    r")|,? (?:in )?total|,? on\b|,? in\b|,? over\b|,? with\b|,? per\b|,? an?\b|,? by\b|,? of "
    r"(?:useful|idle|downtime))", re.I)  # fmt: skip


_LABELLED = {"input": re.compile(r"\b(?:inputs?|prompts?|read)\b", re.I), "output":
    re.compile(r"\b(?:outputs?|completions?|generat\w+|answers?)\b", re.I), "cache_read": re.compile(r"\bcach",
    re.I)}  # fmt: skip
_MODIFIERS = frozenset({"pue", "discount", "keeps", "utilisation", "hit", "duty"})
_COUNTS = frozenset({"units", "gpus", "gpus_each", "nodes"})


def _roles(relation: Relation) -> frozenset[str]:
    return frozenset(kind for role in relation.roles for kind in role.kinds)


def _bare(relation: Relation) -> frozenset[str]:
    return frozenset({"bare"}) if _roles(relation) & {"things", "tokens", "units"} else frozenset()


def _equals(other: Quantity, one: Binding) -> bool:
    return any(_equal(other.figure, each.figure) for each in
        one.roles.values()) or Fraction(other.figure.low) * other.figure.factor in _sums([each.figure for each in
        one.roles.values()])  # fmt: skip


def _constant(other: Quantity, one: Binding) -> bool:
    """Whether a figure is a number of the formula itself: six FLOP for each parameter and token, the two of K and V."""
    return (other.figure.low == 6 and "six" in one.formula) or (other.figure.low == 2 and "two" in one.formula)


def _could_use(one: Binding, other: Quantity, *, early: bool = False) -> bool:
    """Whether a relation that leaves a figure out could have used it; in `early` sentences only a count of GPUs matters."""
    if early:
        return bool(other.kinds & {"gpus", "gpus_each"}) and one.relation.name in {"rescaled", "over-time",
            "rent"} and "units" not in one.roles  # fmt: skip
    wanted = {kind for role in one.relation.roles for kind in role.kinds} - {"same", "amount", "things", "bare",
        "hours", "money_any"}  # fmt: skip
    labels = {each.figure.label for each in (*one.roles.values(), one.target)} - {""}
    if other.figure.label and labels and other.figure.label not in labels and any(_LABELLED[label].search(one.target.sentence.words)
        for label in labels if label in _LABELLED):  # fmt: skip
        return False
    if "capital" in one.roles and other.kinds & _COUNTS:
        return False
    target = one.target.figure
    if any("same" in role.kinds for role in one.relation.roles) and (other.figure.sort,
        other.figure.dimensions) == (target.sort, target.dimensions):  # fmt: skip
        return one.relation.name == "gross-profit"
    bound = {kind for role in one.relation.roles if role.name in one.roles for kind in role.kinds} - {"same",
        "amount", "things", "bare", "hours", "money_any"}  # fmt: skip
    free = [role for role in one.relation.roles if role.optional and role.name not in one.roles and role.kinds &
        other.kinds]  # fmt: skip
    if free and not other.kinds & bound:
        return any(_consistent(one.relation, one.target, {**one.roles, role.name: other}) for role in free)
    counts = _COUNTS if one.relation.claimed and one.relation.name in {"over-time", "rent", "bill", "item-bill",
        "energy", "power"} else frozenset[str]()  # fmt: skip
    return bool(other.kinds & (wanted | _MODIFIERS | counts))


def _sums(figures: Sequence[Figure]) -> set[Fraction]:
    """The sums of two inputs of one kind, which a text may state beside them."""
    values = [(one.dimensions, Fraction(one.low) * one.factor) for one in figures]
    found = {one + other for place, (kind, one) in enumerate(values) for like, other in values[:place] if like == kind}
    return found | {value for _, value in values} | {1 - value for kind, value in values if not kind and 0 < value < 1}


def _elsewhere(other: Quantity, one: Binding) -> bool:
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


def _binary(target: Quantity, one: Binding) -> bool:
    """Whether powers of two in place of powers of ten explain a number of bytes, or of tokens in a context."""
    if not any(name in {"byte", "token"} for name, _ in target.figure.dimensions):
        return False
    ratio = one.computed / Fraction(target.figure.low)
    powers = (1, 2, 3, 4) if target.figure.dimensions[0][0] == "byte" else (1, 2)
    near = Fraction(1, 100)
    return any(abs(ratio * size - 1) < near or abs(ratio / size - 1) < near for size in (Fraction(1024**power,
        1000**power) for power in powers))  # fmt: skip


def _loosely(one: Binding, scope: Sequence[Quantity]) -> bool:
    """Whether a rate was compared with an amount although a time, or an hourly rate, makes that unsure."""
    if not one.relaxed:
        return False
    return one.relaxed in {"h", "second", "minute", "ms"} or any("hours" in each.kinds and each.figure.start not in
        one.used for each in scope)  # fmt: skip
