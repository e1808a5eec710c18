"""Decides what the named relations say of the figures of a text.

A figure holds if a named relation with a complete binding gives it within its rounding. It is refuted only if the
words name the relation outright, each role has one candidate, all complete bindings give one other value, and nothing
excuses it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import islice, takewhile
from operator import attrgetter

from compute.figures.relation_bindings import COUNTS, MODIFIERS, Binding, computed
from compute.figures.relation_claims import UNNAMED, WRONG, accusable, claims, is_of_inputs
from compute.figures.relation_models import LENGTHS, Relation
from compute.figures.relation_roles import PART, Quantity, consistent, distinct, may, preferred
from compute.figures.relation_table import RELATIONS
from compute.figures.text_structure import Document

_MOST, _DEEP = 6, 300
"""The most candidates of a role, and the most bindings tried for a relation."""
_BACK = 6  # the sentences before its own that a figure may use
_FAR = frozenset({"price", "tariff", "rent", "pue", "flops", "speed", "power", "params", "intensity", "kv_each"})
"""Kinds of parameters that a text states once and uses paragraphs later."""
_APART = Fraction(2, 1000)
_SORT = attrgetter("dimensions", "sort")
_STATED = attrgetter("dimensions", "sort", "noun", "label", "value")
_FARTHEST = 1_100  # the largest mistake is thousands for units; what is farther off is another thing
_SCENARIOS = re.compile(
    r"(?i)\b(?:otherwise|alternatively|either|respectively|scenarios?|depending|in one case|the other way|at best"
    r"|at worst|optimistic\w*|pessimistic\w*|hypothetic\w*)\b"
)
_IF = re.compile(r"\b(?:if|unless|whether)\b", re.I)
_PART_OF = re.compile(r"\b(?:first|last|next|another|extra|every|remaining)\s$", re.I)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a binding says of its target."""

    binding: Binding
    holds: bool


class RelationSolver:
    """Judges the figures of one document."""

    def __init__(self, document: Document) -> None:
        self.sentences = [
            [Quantity(one, sentence, place) for one in sentence.figures]
            for place, sentence in enumerate(document.sentences)
        ]
        self._settled: dict[int, frozenset[int]] = {}
        self._placed = set[int]()

    def inputs(self, start: int) -> frozenset[int]:
        """The offsets of the inputs of a figure that holds."""
        return self._settled.get(start, frozenset())

    def verdicts(self) -> Iterator[Verdict]:
        """The verdicts on all figures of the sentences, in text order."""
        read = [
            one
            for place, one in enumerate(self.sentences)
            if len(one) + sum(map(len, self.before(place))) > 1 or any("availability" in each.kinds for each in one)
        ]
        holding = [Verdict(one, holds=True) for quantities in read for one in self._held(quantities)]
        placed = {start for one in holding for start in (one.binding.target.start, *one.binding.used)}
        rest = [one for quantities in read for one in quantities if one.start not in placed and _is_target(one)]
        wrong = [one for one in map(self._accusation, rest) if one is not None]
        later = {start for one in wrong for start in one.used if start < one.target.start}  # what the text reckons with
        found = [*holding, *(Verdict(one, holds=False) for one in wrong if one.last or one.target.start not in later)]
        yield from sorted(found, key=lambda one: one.binding.target.start)

    def before(self, place: int) -> list[list[Quantity]]:
        """The quantities of the sentences before one in its block, the nearest first."""
        groups, own = reversed(self.sentences[max(0, place - _BACK) : place]), self.sentences[place][0].sentence.block
        return list(takewhile(lambda group: group[0].sentence.block == own, groups))

    def _held(self, quantities: Sequence[Quantity]) -> Iterable[Binding]:
        held: dict[frozenset[int], Binding] = {}
        for _ in range(2):  # the first bindings may complete others
            found: dict[frozenset[int], Binding] = {}
            for one in quantities:
                if one.start in self._settled or not _is_target(one):
                    continue
                fitting = (each for each in self._fitting(one) if self._complete(each) and not self._denied_input(each))
                binding = next(fitting, None)
                key = binding.used | {one.start} if binding else frozenset()
                if binding and key not in held and (key not in found or binding.order < found[key].order):
                    found[key] = binding
            if not found:
                break
            held |= found
            self._settled |= {one.target.start: one.used for one in found.values()}
            self._placed.update(*found)
        return held.values()

    def _fitting(self, target: Quantity) -> list[Binding]:
        """The bindings of named relations that give a figure, the best first."""
        loose = self._loose(target)
        known = frozenset[str]().union(*(one.kinds for one in loose), *(one.kinds for one in self._far(target)))
        found = [
            one
            for relation in _of_kinds(target.kinds)
            if relation.needs(known) and _named(relation, target)
            for one in self._of_part(relation, target, loose)
            if one.fits and not one.coincides
        ]
        rank = min((one.relation.rank for one in found), default=0)
        if rank and rank > min((one.relation.rank for one in self._strict(target)), default=2):
            return []  # the words name another relation, with all its roles
        return sorted(found, key=lambda one: one.order)

    def _of_part(self, relation: Relation, target: Quantity, loose: Sequence[Quantity]) -> Iterator[Binding]:
        """The bindings of a relation, from the target's part of its sentence if it has a figure for each role."""
        own, others = _clauses(target, self.sentences[target.place])
        needed = [role for role in relation.roles if not role.optional]
        if others and (relation.rank or len(needed) == len(relation.roles)):
            chosen = distinct([[one for one in own if may(role, one, target)] for role in needed])
            ways = ({role.name: one for role, one in zip(needed, each, strict=True) if one} for each in chosen)
            if any(next(computed(relation, target, way), None) for way in ways):
                loose = [one for one in loose if one not in others]
        return self._bindings(relation, target, loose)

    def _loose(self, target: Quantity) -> list[Quantity]:
        near = [one for one in self.sentences[target.place] if one is not target]
        near.sort(key=lambda one: abs(one.start - target.start))
        return near + [one for group in self.before(target.place) for one in group]

    def _far(self, target: Quantity) -> list[Quantity]:
        groups = self.sentences[max(0, target.place - 12) : target.place]
        past = [one for group in groups for one in group if one.sentence.block != target.sentence.block]
        return [one for one in reversed(past) if one.kinds & _FAR][:8]

    def _complete(self, one: Binding) -> bool:
        """Whether a binding uses every figure that its relation could use."""
        used = self._closure(one.used) | self._placed
        listed = any(each.sentence.item for each in one.inputs)
        first = 0 if listed else min(each.place for each in (*one.inputs, one.target))
        last = max(one.target.start, *one.used)
        groups = [*self.before(one.target.place), self.sentences[one.target.place]]
        return not any(
            other.start not in used
            and other.start < last
            and other is not one.target
            and one.could_use(other, early=other.place < first)
            and not one.elsewhere(other)
            and other.value not in one.sums
            for group in groups
            for other in group
        )

    def _denied_input(self, one: Binding) -> bool:
        """Whether a loosely named relation uses a figure that a named one denies."""
        most = 1 if one.relation.kinds >= {"share", "same"} else 0
        return (one.relation.rank > 0 or "confirms" in one.relation.flags) and any(
            each.place == one.target.place
            and each.start not in self._settled
            and any(other.relation.rank <= most and not other.fits for other in self._strict(each))
            for each in one.inputs
        )

    def _closure(self, used: Iterable[int]) -> set[int]:
        """Figures with those that they were computed from."""
        known, waiting = set[int](), list(used)
        while waiting:
            start = waiting.pop()
            if start not in known:
                known.add(start)
                waiting += self._settled.get(start, ())
        return known

    def _accusation(self, target: Quantity) -> Binding | None:
        near = [group[0].sentence for group in self.sentences[max(0, target.place - 1) : target.place + 2]]
        wrong = any(one.block == target.sentence.block and WRONG.search(one.words) for one in near)
        if wrong or not accusable(target):
            return None
        strict = self._strict(target)
        strict = [one for one in strict if not one.relaxed] or strict
        rank = min((one.relation.rank for one in strict), default=0)
        strict = [one for one in strict if one.relation.rank == rank]
        strict = [one for one in strict if not any(one.used < other.used for other in strict)]
        best = min(strict, key=lambda one: (-len(one.used), one.order), default=None)
        if best is None or any(abs(one.computed - best.computed) > abs(best.computed) * _APART for one in strict):
            return None
        if not best.clearly_off or best.used in self._settled.values() or not self._proven(best):
            return None
        return None if self._excused(target, best) else best

    def _strict(self, target: Quantity) -> list[Binding]:
        known = frozenset[str]().union(*(one.kinds for one in self._loose(target)))
        named = (one for one in _of_kinds(target.kinds) if "confirms" not in one.flags and one.needs(known))
        return list(islice((one for relation in named for one in self._outright(relation, target)), 40))

    def _outright(self, relation: Relation, target: Quantity) -> Iterator[Binding]:
        """The complete bindings of a relation that is named outright."""
        pools = self._pools(relation, target) if _named(relation, target, outright=True) else None
        if pools is None:
            return
        found = list(self._bindings(relation, target, [*{id(each): each for pool in pools for each in pool}.values()]))
        needed = [pool for role, pool in zip(relation.roles, pools, strict=True) if not role.optional]
        every = {one.start for pool in needed for one in pool} | {start for one in found for start in one.used}
        for one in found:
            far = any(target.place - each.place > 2 for each in one.inputs)
            mixed = len({each.figure.label for each in one.inputs}) > 1
            if relation.rank and (far or mixed or "bare" in target.kinds):
                continue
            plain = one.lengths == LENGTHS[0] and not one.adopted
            if plain and claims(one) and every <= self._closure(one.used) and self._complete(one):
                yield one

    def _pools(self, relation: Relation, target: Quantity) -> list[list[Quantity]] | None:
        """Candidates of each role from the nearest sentence with any; optional roles look no further than others."""
        groups = [*_clauses(target, self.sentences[target.place]), *self.before(target.place)]
        found: dict[str, list[Quantity]] = {}
        taken = set[int]()
        deepest = 0
        for role in sorted(relation.roles, key=lambda role: (role.optional, role.cue is None and not role.label)):
            within = groups[: deepest + 1] if role.optional else groups
            free = ([one for one in group if id(one) not in taken and may(role, one, target)] for group in within)
            pools = ((depth, preferred(role, group, within, target)) for depth, group in enumerate(free))
            depth, pool = next(((depth, pool) for depth, pool in pools if pool), (0, []))
            if not pool and not role.optional:
                return None
            if any(_PART_OF.search(one.sentence.before(one.figure, 20)) for one in pool):
                return None
            if any(one.figure.hedge or one.figure.ranged or ("bare" in one.kinds and relation.rank) for one in pool):
                return None
            once: dict[tuple[object, ...], Quantity] = {}
            for one in pool:
                once.setdefault(_STATED(one.figure), one)
            pool = [*once.values()]
            deepest = max(deepest, depth, 1)
            taken |= {id(pool[0])} if len(pool) == 1 else set()
            found[role.name] = pool
        return [found[role.name] for role in relation.roles]

    def _proven(self, one: Binding) -> bool:
        """Whether the words claim a binding, and no other figure matters."""
        target = one.target
        first = min(target.place, *(each.place for each in one.inputs))
        drawn = self.sentences[first : target.place + 1]
        words = " ".join(f"{group[0].sentence.words} {group[0].sentence.tail}" for group in drawn)
        ratio = abs(one.computed / Fraction(target.figure.low))
        if one.relation.name == "factor" and not (one.last and one.inside == one.inputs):
            return False  # what it is a multiple of may stand elsewhere
        if not 1 / _FARTHEST < ratio < _FARTHEST or _SCENARIOS.search(words) or len(_IF.findall(words)) > 1:
            return False
        if not is_of_inputs(one):
            return False
        placed = self._closure(one.used) | self._placed
        bases = {name for each in (*one.inputs, target) for name, _ in each.figure.dimensions} - {"hour"}
        after = one.relation.kinds | {"share", "factor", "bare"}
        left = [each for group in drawn for each in group if each is not target and each.start not in placed]
        left = [each for each in left if each.start < target.start or each.kinds & after]
        for each in left:  # a count, share, factor, time, or like unit
            dims = {name for name, _ in each.figure.dimensions} - {"hour"}
            if (not dims or dims & bases) and not one.repeats(each) and not one.elsewhere(each):
                return False
        roles = [role for role in one.relation.roles if role.optional and role.name not in one.roles]
        free = {kind for role in roles for kind in role.kinds} & (MODIFIERS | COUNTS)
        earlier = (each for group in self.before(target.place) for each in group)
        return not any(each.kinds & free and each.start not in placed and not one.repeats(each) for each in earlier)

    def _excused(self, target: Quantity, best: Binding) -> bool:
        """Whether another reading fits, or a word says that something is missing."""
        unnamed = UNNAMED.search(target.sentence.words)
        unsaid = unnamed and not best.relation.words.search(unnamed[0])
        if unsaid or best.binary or best.assumes or self._stated_again(target, best.computed):
            return True
        scope = [*self._loose(target), *self._far(target)]
        for relation in _of_kinds(target.kinds):
            named = relation is best.relation or (relation.near is None and relation.rank and best.relation.rank)
            if relation.rank > best.relation.rank or not (named or _named(relation, target)):
                continue
            for one in self._of_part(relation, target, scope):
                if one.fits and (len(one.used) >= len(best.used) or not one.used <= self._closure(best.used)):
                    return True
        return False

    def _stated_again(self, target: Quantity, right: Fraction) -> bool:
        """Whether the text stated the figure before, or corrects it in the next sentences."""
        groups = self.sentences[max(0, target.place - 30) : target.place + 3]
        same = [one for group in groups for one in group if _SORT(one.figure) == _SORT(target.figure)]
        return any(one.value == target.value if one.start < target.start else one.figure.low == right for one in same)

    def _bindings(self, relation: Relation, target: Quantity, scope: Sequence[Quantity]) -> Iterator[Binding]:
        choices: list[list[Quantity | None]] = []
        for role in relation.roles:
            found = preferred(role, [one for one in scope if may(role, one, target)], [scope], target)[:_MOST]
            if not found and not role.optional and role.kinds & _FAR:
                found = [one for one in self._far(target) if may(role, one, target)][:2]
            pool: list[Quantity | None] = [*found]
            if role.optional:
                pool.append(None)
            elif not pool:
                return
            choices.append(pool)
        for chosen in islice(distinct(choices), _DEEP):
            roles = {role.name: one for role, one in zip(relation.roles, chosen, strict=True) if one is not None}
            starts = {one.start for one in roles.values()}
            if any(starts & self._closure({start}) - {start} for start in starts):
                continue  # each figure once
            if (len(roles) > 1 or "alone" in relation.flags) and consistent(relation, target, roles):
                yield from computed(relation, target, roles)


def _clauses(target: Quantity, quantities: Sequence[Quantity]) -> list[list[Quantity]]:
    """The figures of the target's part of its sentence, and the others."""
    groups: list[list[Quantity]] = [[], []]
    for one in quantities:
        if one is not target:
            start, end = sorted((one.at, target.at))
            groups[PART.search(target.sentence.words, start, end) is not None].append(one)
    return groups


@lru_cache(maxsize=2048)
def _of_kinds(found: frozenset[str]) -> tuple[Relation, ...]:
    found |= {"money"} if "money_at" in found else set()
    return tuple(one for one in RELATIONS if one.results & found)


def _named(relation: Relation, target: Quantity, *, outright: bool = False) -> bool:
    pattern = relation.outright if outright and relation.outright else relation.words
    near, words = relation.near, target.sentence.words
    return _found(pattern, words) and (not near or _found(near, target.window))


@lru_cache(maxsize=8192)
def _found(pattern: re.Pattern[str], words: str) -> bool:
    """Whether a sentence, or a part of it, has some words; cached for its other figures."""
    return pattern.search(words) is not None


def _is_target(one: Quantity) -> bool:
    figure = one.figure
    return not figure.ranged and bool(figure.low) and not (figure.spelled and figure.sort in {"count", "unit"})
