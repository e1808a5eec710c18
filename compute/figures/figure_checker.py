"""Checks the figures of texts: prices, named relations, totals, equations, tables, and differences between texts."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from fractions import Fraction
from functools import cached_property
from itertools import permutations
from typing import NamedTuple

from compute.figures.figure_models import Figure, Passage, Statement
from compute.figures.figure_reader import figures
from compute.figures.number_words import SCALES
from compute.figures.price_checker import PriceChecker
from compute.figures.relation_bindings import CLEAR, Binding
from compute.figures.relation_claims import UNNAMED, accusable
from compute.figures.relation_models import LENGTHS, Relation, Value
from compute.figures.relation_roles import Quantity
from compute.figures.relation_solver import RelationSolver, Verdict
from compute.figures.statement_writer import given, quoted, relation_statement, statement, unit_of
from compute.figures.text_structure import Document, Sentence, read
from compute.prices.price_book import CatalogBook
from compute.units.number_format import said

_RANKS = {"holds": 0, "stale": 1, "refuted": 2, "unpriced": 3, "needs-assumption": 4}
_TOTAL = re.compile(
    r"(?i)\b(?:together|in all|altogether|all told|total(?:s|led|ling|ing)?|sum(?:s|ming)?|combined|overall|makes? up"
    r"|adds? up to|add(?:s|ed|ing)? to)\b"
)
_PARTIAL = re.compile(
    r"(?i)\b(?:including|of which|among|such as|e\.g|for example|plus|other|others|rest|remain\w*|besides|excluding"
    r"|less|minus|more|saved?|saving|average|mean|each|per|up from|down from|compared)\b|(?<!\d)[-−](?=[$€£]\d)"
)
_SHARES = re.compile(r"discount|reduc|\boff\b|cheaper|less|sav|stack|cut", re.I)
_BEHIND = re.compile(r"(?: [a-z]+){0,2} (?:in total|in all|altogether|together|combined|all told|overall)\b")
_EQUALS = re.compile(r"[=≈]\s*[(~$]*$")
_SIGN = re.compile(r"[\s\w%/²-]{0,24}?\s*(?P<sign>[×x*·+÷−–]|\s/|\s-)\s*\(?\s*")
_OPERATORS = {"×": "*", "x": "*", "*": "*", "·": "*", "÷": "/", "/": "/", "+": "+", "−": "-", "–": "-", "-": "-"}
_MORE_BEFORE = re.compile(r"[(×*+/÷−^√]\s*$|\w\s*[×*+]\s*\w*\s*$")
_MORE_BEHIND = re.compile(r"\s*[×x*+/÷^]\s*\d")


class FigureChecker:
    """Checks passages with one price book; `on` dates the prices where a text names no day."""

    def __init__(self, book: CatalogBook, on: date) -> None:
        self._book, self._on = book, on

    @cached_property
    def _prices(self) -> PriceChecker:
        return PriceChecker(self._book, self._on)  # made at the first use: a checker is sent to other processes

    def check(self, passage: Passage) -> tuple[Statement, ...]:
        """The statements of a passage, in text order."""
        document = read(passage)
        day = min(passage.on or self._on, self._on)
        found = list(self._prices.statements(passage, document))
        solver = RelationSolver(document)
        verdicts = [*solver.verdicts(), *sums(solver), *_cells(document, passage.mask)]
        found += [relation_statement(one, passage, day) for one in verdicts]
        best: dict[int, Statement] = {}
        for one in found:  # a figure that holds one way is not refuted in another
            known = best.get(one.figure_start, one)
            best[one.figure_start] = min(known, one, key=lambda each: _RANKS[each.verdict])
        alike, own = Counter[str](), [best[start] for start in sorted(best)]
        for place, one in enumerate(own):
            alike[one.id] += 1
            if alike[one.id] > 1:
                own[place] = one.model_copy(update={"id": f"{one.id}-{alike[one.id]}"})
        return tuple(own)


def _cells(document: Document, mask: str) -> Iterator[Verdict]:
    """Figures that hold in a cell or a row; tables are never refuted."""
    rows = [row for table in document.tables for row in table.rows]
    cells = [(cell,) for row in rows for cell in row]
    for spans, most in ((cells, 2), (rows, 0)):
        sentences = list[Sentence]()
        for number, span in enumerate(spans):
            start, end = span[0].start, span[-1].end
            inside = tuple(one for cell in span for one in cell.figures)
            if len(inside) > 1:
                sentences.append(Sentence(start, end, mask[start:end].replace("|", ","), inside, number))
        found = RelationSolver(Document(tuple(sentences), ())).verdicts()
        yield from (one for one in found if one.holds and one.binding.relation.rank <= most)


def sums(solver: RelationSolver) -> Iterator[Verdict]:
    """The verdicts on totals and equations of a document."""
    for quantities in solver.sentences:
        if len(quantities) > 2:
            yield from _equations(quantities)
        for one in quantities:
            if not one.figure.ranged and not one.figure.spelled:
                yield from _total(one, quantities, solver)


def _total(target: Quantity, quantities: Sequence[Quantity], solver: RelationSolver) -> Iterator[Verdict]:
    figure, words = target.figure, target.sentence.words
    if figure.sort == "x" or target.kinds & {"bare", "pue"} or (figure.sort == "%" and _SHARES.search(words)):
        return
    if not (_TOTAL.search(target.sentence.before(figure)) or _BEHIND.match(words[target.stop : target.stop + 24])):
        return
    parts = _parts(target, quantities, solver)
    if len(parts) < 2:
        groups = [*reversed(solver.before(target.place)), quantities]
        parts = [one for group in groups for one in _parts(target, group, solver)]
    if not 2 <= len(parts) <= 12:
        return
    total = sum((one.value for one in parts), Fraction(0))
    total /= figure.factor if figure.dimensions == parts[0].figure.dimensions else 1
    low = Fraction(figure.low)
    shares = [one.figure for one in parts if one.figure.sort == "%"]
    reach = Fraction(figure.half) + sum(Fraction(one.half) * one.factor / figure.factor for one in shares)
    off = abs(total - low)
    holds = off <= reach and off <= low / 50
    if holds or (off > low * CLEAR and _is_plain(target, parts, solver)):
        roles = _named(parts)
        yield Verdict(
            Binding(_relation("total of listed items", " + ".join(roles)), target, roles, total, LENGTHS[0]), holds
        )


def _parts(target: Quantity, quantities: Sequence[Quantity], solver: RelationSolver) -> list[Quantity]:
    """The amounts before a total that it may add up: no prices, no inputs of others."""
    whole = target.figure
    alike = [one.start for one in quantities if one.figure.dimensions == whole.dimensions]
    inputs = frozenset[int]().union(*map(solver.inputs, alike))
    free = [one for one in quantities if one.start < target.start and one.start not in inputs]
    return [one for one in free if _is_part(one.figure, whole) and not one.kinds & {"money_at", "bare"}]


def _is_part(part: Figure, whole: Figure) -> bool:
    """Whether a figure is of the kind of a total; parts of a monthly total may leave out the month."""
    if part.sort != whole.sort or part.of != whole.of or part.ranged or part.low == whole.low:
        return False
    if whole.sort == "count" and part.noun and whole.noun and part.noun != whole.noun:
        return False
    bare = whole.sort == "money" and part.unit == whole.unit and not part.per and not part.of
    return bare or part.dimensions == whole.dimensions


def _is_plain(target: Quantity, parts: Sequence[Quantity], solver: RelationSolver) -> bool:
    """Whether a total is of exactly the listed parts, none hedged or nested."""
    words, first = target.sentence.words, parts[0]
    places = sorted({one.place for one in parts})
    used = {target.start, *(one.start for one in parts)}
    used |= {start for one in parts for start in solver.inputs(one.start)}
    every = (one for group in solver.sentences[places[0] : target.place + 1] for one in group if one.start not in used)
    if any(one.figure.dimensions == first.figure.dimensions and "money_at" not in one.kinds for one in every):
        return False  # the list has another amount
    own, last = words[: target.at], max((one.stop for one in parts if one.place == target.place), default=0)
    if UNNAMED.search(words[last:]) or any(last <= one.at < target.at for one in solver.sentences[target.place]):
        return False  # with staff, after tax, with a discount of 10%
    listed = [own, *{one.sentence.words for one in parts if one.place != target.place}]
    if not accusable(target) or any(_PARTIAL.search(text) for text in listed) or any(one.figure.hedge for one in parts):
        return False
    if places == [target.place]:
        return bool(_TOTAL.search(words[parts[-1].stop :]) or re.search(r"\b(?:total|sum)", words[: first.at], re.I))
    items = len(places) == 1 or all(one.sentence.item for one in parts)
    whole = items and places == list(range(places[0], target.place)) and len(target.sentence.figures) < 3
    return whole and _TOTAL.search(own) is not None


def _equations(quantities: Sequence[Quantity]) -> Iterator[Verdict]:
    """Verdicts on figures joined by signs before an equals sign."""
    words = quantities[0].sentence.words
    for place, target in enumerate(quantities[2:], 2):
        chain, signs = [quantities[place - 1]], list[str]()
        gap = words[chain[0].stop : target.at]
        if not _EQUALS.search(gap):
            continue
        for one in reversed(quantities[: place - 1]):
            sign = _SIGN.fullmatch(words[one.stop : chain[0].at])
            if sign is None:
                break
            chain.insert(0, one)
            signs.insert(0, sign["sign"].strip())
        more = _MORE_BEFORE.search(words[: chain[0].at]) or _MORE_BEHIND.match(words[target.stop :])
        if len(chain) > 1 and not more and not re.search(r"[()]", words[chain[0].at : target.at]):
            yield from _equated(target, chain, signs, exact="≈" not in gap)


def _equated(target: Quantity, chain: Sequence[Quantity], signs: Sequence[str], *, exact: bool) -> Iterator[Verdict]:
    figure, low, roles, results = target.figure, Fraction(target.figure.low), _named(chain), set[Fraction]()
    formula = "x1" + "".join(f" {_OPERATORS[sign]} x{number}" for number, sign in enumerate(signs, 2))
    relation = _relation("written equation", formula)
    for plain in (True, False):
        values = {
            name: one.figure.low if plain and one.figure.sort != "%" else one.value for name, one in roles.items()
        }
        found = relation.value({name: Value(Fraction(one)) for name, one in values.items()})
        if found is not None:
            results.add(found.number / (1 if plain and figure.sort != "%" else figure.factor))
    best = min(results, key=lambda one: abs(one - low), default=low)
    off = abs(best - low)
    holds = bool(results) and off <= max(figure.half, figure.coarse)
    single = target.sentence.words.count("=") == 1 and not any(one.figure.hedge for one in (*chain, target))
    if holds or (exact and single and off > low * CLEAR and _is_same_scale(target, chain) and accusable(target)):
        yield Verdict(Binding(relation, target, roles, best, LENGTHS[0]), holds)


def _is_same_scale(target: Quantity, chain: Sequence[Quantity]) -> bool:
    scaled = (one.figure for one in (*chain, target) if one.figure.dimensions and one.figure.sort == "unit")
    units = {one.unit for one in scaled} - {"h", "token", "GPUh", "parameter"}
    rates = [one.figure.per for one in chain]  # MW times $0.08 is no money: per what, the text leaves out
    known = all(unit in " ".join([target.figure.unit, *rates]) for unit in units)
    return known and len(units) <= 1 and not any(one.endswith("tok") for one in rates)


def _named(parts: Sequence[Quantity]) -> dict[str, Quantity]:
    return {f"x{number}": one for number, one in enumerate(parts, 1)}


def _relation(title: str, formula: str) -> Relation:
    return Relation(title, title, frozenset(), (), formula, _TOTAL)


# ---- several texts


class Difference(NamedTuple):
    """A unit in which texts differ: each node with its figures, as written."""

    unit: str
    figures: tuple[tuple[str, tuple[str, ...]], ...]


def differences(texts: Iterable[Passage]) -> tuple[Difference, ...]:
    """The units in which two texts state different figures."""
    return tuple(
        Difference(unit, tuple((text.node, _written(found)) for text, found in stated.items()))
        for unit, stated in sorted(_by_unit(texts).items())
        if len({frozenset((one.low, one.high) for one in found) for found in stated.values()}) > 1
    )


def contradictions(texts: Iterable[Passage]) -> Iterator[Statement]:
    """Statements on two texts whose only figures in a unit exclude each other."""
    for stated in _by_unit(texts).values():
        only = [(text, found[0]) for text, found in stated.items() if len(_written(found)) == 1]
        for (here, one), (there, other) in permutations(only, 2):
            if one.high < other.low or other.high < one.low:
                yield _contradiction(here, one, there, other)


def _by_unit(texts: Iterable[Passage]) -> dict[str, dict[Passage, list[Figure]]]:
    """Figures of each text by unit, without those in words."""
    found: dict[str, dict[Passage, list[Figure]]] = defaultdict(dict)
    for text in texts:
        for one in figures(text.mask):
            unit = unit_of(one) or one.noun
            words = set(re.findall("[a-z]+", one.text.lower())) - {*SCALES, "to", "and"}
            qualified = one.sort in {"count", "unit"} and len(words) > 1  # a word that is no scale
            if unit and not one.spelled and not qualified:
                found[unit].setdefault(text, []).append(one)
    return found


def _written(found: Iterable[Figure]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(" ".join(one.text.split()) for one in found))


def _contradiction(here: Passage, one: Figure, there: Passage, other: Figure) -> Statement:
    unit = unit_of(one)
    says = said(other.low, unit) + (f" to {said(other.high, unit)}" if other.ranged else "")
    words = quoted(there.text, *_sentence(there, other))[0][:200]
    return statement(
        here,
        one,
        _sentence(here, one),
        kind="cross-document",
        inputs=(given("here", one, unit), given("there", other, unit_of(other))),
        expression="there",
        computed=other.low,
        unit=unit,
        finding="differs",
        note=f"two texts differ: {there.node} says {says}: “{words}”",
    )


def _sentence(text: Passage, figure: Figure) -> tuple[int, int]:
    start = max(border for border in text.borders if border <= figure.start)
    return start, min(border for border in text.borders if border >= figure.end)
