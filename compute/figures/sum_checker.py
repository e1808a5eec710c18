"""Totals of listed items and written equations: $80 and $50, together $130 · 64 × 720 × $2.40 = $110,592."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from compute.figures.figure_models import Dimensions, Figure
from compute.figures.relation_bindings import Binding, Quantity
from compute.figures.relation_claims import accusable
from compute.figures.relation_models import Relation, Value
from compute.figures.relation_solver import RelationSolver, Verdict

_TOTAL = re.compile(
    r"\b(?:together|in total|in all|altogether|all told|total(?:s|led|ling|ing)?(?: of| to)?"
    r"|sum(?:s|ming)?(?: of| to)?|combined|adds? up to|overall|for a total|grand total|makes? up"
    r"|add(?:s|ed|ing)? to)\b",
    re.I,
)
_PARTIAL = re.compile(
    r"\b(?:including|of which|among|such as|e\.g|for example|plus|other|others|rest|remain\w*|besides"
    r"|excluding|less|minus|more|saved?|saving|average|mean|each|per|up from|down from|compared)\b",
    re.I,
)
_SHARES = re.compile(r"discount|reduc|\boff\b|cheaper|less|sav|stack|cut", re.I)
_EQUATION = re.compile(r"[×x*+/÷−-]")


@dataclass(frozen=True)
class _Plain(Relation):
    """A relation of this module: its formula is written for the figures that it was found with."""


def sums(solver: RelationSolver) -> Iterator[Verdict]:
    """The verdicts on totals and equations of a document."""
    for quantities in solver.sentences:
        if len(quantities) > 2:
            yield from _equations(quantities)
        for one in quantities:
            if not one.figure.ranged and not one.figure.spelled:
                yield from _total(one, quantities, solver)


def _total(target: Quantity, quantities: Sequence[Quantity], solver: RelationSolver) -> Iterator[Verdict]:
    words, base = target.sentence.words, target.sentence.start
    before = target.sentence.before(target.figure)
    if target.figure.sort == "x" or "bare" in target.kinds or "pue" in target.kinds:
        return
    after = words[target.figure.end - base : target.figure.end - base + 24]
    named = _TOTAL.search(before) or re.match(
        r"(?: [a-z]+){0,2} (?:in total|in all|altogether|together|combined|all told|overall)\b", after
    )
    if not named:
        return
    parts = _parts(target, quantities, solver)
    if len(parts) < 2 and solver.before(target.place):
        groups = [*reversed(solver.before(target.place)), quantities]
        parts = [one for group in groups for one in _parts(target, group, solver)]
    if len(parts) < 2 or len(parts) > 12 or (target.figure.sort == "%" and _SHARES.search(words)):
        return
    total = sum((Fraction(one.figure.low) * one.figure.factor for one in parts), Fraction(0))
    total /= target.figure.factor if target.figure.dimensions == parts[0].figure.dimensions else 1
    binding = _bound("total of listed items", target, parts, total, " + ")
    low = Fraction(target.figure.low)
    reach = Fraction(target.figure.half) + sum(
        (
            Fraction(one.figure.half) * one.figure.factor / target.figure.factor
            for one in parts
            if one.figure.sort == "%"
        ),
        Fraction(0),
    )
    off = abs(total - low)
    if off <= reach and off <= low * Fraction(1, 50):
        yield Verdict(binding, holds=True)
    elif _plain_total(target, parts, solver) and off > low * Fraction(3, 100):
        yield Verdict(binding, holds=False)


def _parts(target: Quantity, quantities: Sequence[Quantity], solver: RelationSolver) -> list[Quantity]:
    """The amounts before a total of the same unit that are no prices and no inputs of another amount."""
    figure = target.figure
    inputs = {
        start
        for one in quantities
        if one.figure.dimensions == figure.dimensions
        for start in solver.inputs(one.figure.start)
    }
    return [
        one
        for one in quantities
        if one.figure.start < figure.start
        and one.figure.dimensions == _plain_dimensions(figure, one.figure)
        and one.figure.sort == figure.sort
        and not one.figure.ranged
        and one.figure.start not in inputs
        and "money_at" not in one.kinds
        and "bare" not in one.kinds
        and one.figure.of == figure.of
        and (one.figure.noun == figure.noun or not one.figure.noun or not figure.noun or figure.sort != "count")
        and one.figure.low != figure.low
    ]


def _plain_dimensions(figure: Figure, part: Figure) -> Dimensions:
    """The dimensions of a total; those of an amount where the parts of a monthly total leave out the month."""
    return (
        part.dimensions
        if figure.sort == "money" and part.unit == figure.unit and not part.per and not part.of
        else figure.dimensions
    )


def _plain_total(target: Quantity, parts: Sequence[Quantity], solver: RelationSolver) -> bool:
    """Whether a total is of exactly the listed parts: nothing hedged, no other item, no part of a part."""
    words = target.sentence.words
    places = sorted({one.place for one in parts})
    every = (one for group in solver.sentences[places[0] : target.place + 1] for one in group)
    used = {start for one in parts for start in solver.inputs(one.figure.start)}
    amounts = (
        one for one in every if one.figure.dimensions == parts[0].figure.dimensions and "money_at" not in one.kinds
    )
    if any(one is not target and one not in parts and one.figure.start not in used for one in amounts):
        return False  # an amount of the list that is no part
    own = words[: target.figure.start - target.sentence.start]
    listed = [own, *{one.place: one.sentence.words for one in parts if one.place != target.place}.values()]
    if not accusable(target) or any(_PARTIAL.search(text) for text in listed) or any(one.figure.hedge for one in parts):
        return False
    if places != [target.place]:
        whole = (
            target.place not in places
            and places == list(range(places[0], target.place))
            and places[-1] == target.place - 1
        )
        return (
            whole
            and _TOTAL.search(own) is not None
            and (len(places) == 1 or all(one.sentence.item for one in parts))
            and len(target.sentence.figures) < 3
        )
    last = parts[-1].figure.end - target.sentence.start
    return (
        _TOTAL.search(words[last:]) is not None
        or re.search(r"\b(?:total|sum)", words[: parts[0].figure.start - target.sentence.start], re.I) is not None
    )


def _bound(title: str, target: Quantity, parts: Sequence[Quantity], computed: Fraction, sign: str) -> Binding:
    names = [f"x{number}" for number in range(1, len(parts) + 1)]
    relation = _Plain("sum", title, frozenset(), (), sign.join(names), _TOTAL)
    return Binding(relation, target, dict(zip(names, parts, strict=True)), computed, _LENGTHS)


_LENGTHS = (Fraction(730), Fraction(8760))


def _equations(quantities: Sequence[Quantity]) -> Iterator[Verdict]:
    """Figures joined by signs before an equals sign: the last one is claimed."""
    words, base = quantities[0].sentence.words, quantities[0].sentence.start
    for place, target in enumerate(quantities[2:], 2):
        gap = words[quantities[place - 1].figure.end - base : target.figure.start - base]
        if not re.search(r"[=≈]\s*[(~$]*$", gap):
            continue
        chain, signs = [quantities[place - 1]], list[str]()
        for one in reversed(quantities[: place - 1]):
            between = words[one.figure.end - base : chain[0].figure.start - base]
            sign = re.fullmatch(r"[\s\w%/²-]{0,24}?\s*(?P<sign>[×x*·+÷−–]|\s/|\s-)\s*\(?\s*", between)
            if sign is None or "=" in between:
                break
            chain.insert(0, one)
            signs.insert(0, sign["sign"].strip())
        lead = words[: chain[0].figure.start - base]
        tail = words[target.figure.end - base :]
        if (
            len(chain) < 2
            or re.search(r"[(×*+/÷−^√]\s*$|\w\s*[×*+]\s*\w*\s*$", lead)
            or re.match(r"\s*[×x*+/÷^]\s*\d", tail)
            or re.search(r"[()]", words[chain[0].figure.start - base : target.figure.start - base])
        ):
            continue
        yield from _equated(target, chain, signs, gap)


def _equated(target: Quantity, chain: Sequence[Quantity], signs: Sequence[str], gap: str) -> Iterator[Verdict]:
    spelled = {"×": "*", "x": "*", "*": "*", "·": "*", "÷": "/", "/": "/", "+": "+", "−": "-", "–": "-", "-": "-"}
    formula = "x1" + "".join(f" {spelled[sign]} x{number}" for number, sign in enumerate(signs, 2))
    names = [f"x{number}" for number in range(1, len(chain) + 1)]
    results = set[Fraction]()
    for plain in (True, False):
        values = {
            name: Value(Fraction(one.figure.low) * (1 if plain and one.figure.sort != "%" else one.figure.factor))
            for name, one in zip(names, chain, strict=True)
        }
        relation = _Plain("equation", "written equation", frozenset(), (), formula, _EQUATION)
        found = relation.value(values)
        if found is not None:
            results.add(found.number / (target.figure.factor if not plain or target.figure.sort == "%" else 1))
    low = Fraction(target.figure.low)
    best = min(results, key=lambda one: abs(one - low), default=None)
    if best is None:
        return
    binding = Binding(relation, target, dict(zip(names, chain, strict=True)), best, _LENGTHS)
    off, reach = abs(best - low), Fraction(max(target.figure.half, target.figure.coarse))
    if off <= reach:
        yield Verdict(binding, holds=True)
    elif (
        _same_scale(target, chain)
        and target.sentence.words.count("=") == 1
        and accusable(target)
        and "≈" not in gap
        and not target.figure.hedge
        and off > low * Fraction(3, 100)
        and not any(one.figure.hedge for one in chain)
    ):
        yield Verdict(binding, holds=False)


def _same_scale(target: Quantity, chain: Sequence[Quantity]) -> bool:
    """Whether no unit has to be converted between the figures of an equation."""
    scaled = [
        one.figure
        for one in (*chain, target)
        if one.figure.dimensions
        and one.figure.sort == "unit"
        and one.figure.unit not in {"h", "token", "GPUh", "parameter"}
    ]
    return len({one.unit for one in scaled}) <= 1 and not any(one.figure.per.endswith("tok") for one in chain)
