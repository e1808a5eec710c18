"""Mining: converts each passage to statements, in text order.

passage ─▶ sentences with figures ─▶ rules ─▶ readings ─▶ judge ─▶ statements, one per stated figure and rule
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from datetime import date
from decimal import Decimal

from compute.mining.change_relations import changes
from compute.mining.clock_points import spoken_times
from compute.mining.earlier_changes import behind, chain
from compute.mining.mining_models import Passage, Reading, Statement
from compute.mining.multiple_relations import multiples
from compute.mining.node_relations import parameters_of_node
from compute.mining.number_formats import format_rows, formats
from compute.mining.pair_relations import paired
from compute.mining.part_relations import parts
from compute.mining.power_relations import power
from compute.mining.price_facts import PriceFact
from compute.mining.price_statements import PriceMiner
from compute.mining.rate_relations import rates
from compute.mining.readings import Rule
from compute.mining.solver import Solved, solved
from compute.mining.stated_figures import is_explained
from compute.mining.statement_judge import JudgeInputs, judged
from compute.mining.sum_relations import sums
from compute.mining.table_cells import questioned
from compute.mining.table_evidence import LAW
from compute.mining.table_grid import grids
from compute.mining.table_laws import laws
from compute.mining.table_relations import cells, tables
from compute.mining.text_windows import Window, windows
from compute.mining.time_relations import times
from compute.mining.timeline_relations import excused, lasting
from compute.mining.training_relations import training
from compute.prices.price_book import CatalogBook

RULES: tuple[Rule, ...] = (
    changes, behind, chain, multiples, sums, rates, times, power, formats, parameters_of_node, parts, paired,
    training,
)  # fmt: skip  # one line per group is more readable
"""The rules for sentences; of two readings of one figure by one rule, the more confident is reported."""


SPANS = frozenset({"span", "elapsed"})
"""The relations of the solver that a timeline states more exactly."""


DOUBTED = frozenset({"fraction", "uptime", "GPU-hours", "stacked", "sum"})
"""The rules that only add what holds; a miss of theirs is a refutation only if the solver finds it as well."""


TABLE_RULES = frozenset({"columns", "total row", LAW})
"""The rules for cells that follow from others of their table."""


class Miner:
    """Mines passages against one book for one day."""

    def __init__(self, book: CatalogBook, on: date) -> None:
        self._book = book
        self._on = on
        self._bench = JudgeInputs(book, on, tariffs(book))
        self._pricing = PriceMiner(book, self._bench)

    def mine(self, passage: Passage) -> tuple[Statement, ...]:
        """The statements of a passage, in text order."""
        sentences = [window for window in windows(passage) if "|" not in window.tagged]
        found = [*self._arithmetic(passage, sentences), *self._prices(passage, sentences)]
        relations = self._without_prices(passage, sentences, _without_times(passage, solved(passage)))
        settled = {one.candidate.target.figure.start for one in relations if one.statement is not None or one.saved}
        others = [
            one
            for one in _unlike(found)
            if one.kind != "arithmetic"
            or one.verdict != "refuted"
            or not (one.figure_start in settled or _is_input(one, relations))
        ]
        held = {one.figure_start for one in others if one.verdict == "holds"}
        once = {one.figure_start for one in others if one.verdict == "stale"}
        accused = {one.start for one in others if one.kind == "arithmetic" and one.verdict == "refuted"}
        day = min(passage.on or self._on, self._on)
        told = {_figures(passage, one) for one in others if one.verdict == "holds"}
        mine = [
            one.statement.model_copy(update={"as_of": day})
            for one in relations
            if one.statement is not None and one.statement.figure_start not in held
            if one.statement.verdict != "refuted" or one.statement.start not in accused
            if one.statement.verdict != "refuted" or one.statement.figure_start not in once
            if _figures(passage, one.statement) not in told
            if not is_explained(passage, one.statement)
        ]
        summed = {one.figure_start for one in (*others, *mine) if one.kind == "arithmetic" and one.verdict == "holds"}
        every = [
            one
            for one in (*others, *mine)
            if not self._pricing.excused(passage, one)
            if one.kind != "price" or one.verdict != "refuted" or not one.inputs or one.figure_start not in summed
        ]  # what other figures of the text add up to is no wrong bill
        return tuple(sorted(every, key=lambda statement: statement.start))

    def _without_prices(self, passage: Passage, sentences: list[Window], found: Sequence[Solved]) -> Sequence[Solved]:
        """The relations but for those that make the list price of one model of the list prices of others."""
        if not any(one.statement is not None and _of_money(one) for one in found):
            return found
        listed = self._pricing.listed(passage, sentences)
        return [one for one in found if not _of_others(one, listed)]

    def _arithmetic(self, passage: Passage, sentences: list[Window]) -> Iterator[tuple[Reading, Statement]]:
        laid = tuple(grids(passage))
        spans = [*sentences, *cells(passage, laid)]
        readings = [reading for window in spans for rule in RULES for reading in rule(window)]
        timed = [one.reading for one in lasting(passage)]
        day, told = min(passage.on or self._on, self._on), set[tuple[int, frozenset[str]]]()
        for reading in (*readings, *tables(laid), *laws(laid, sentences), *format_rows(laid), *timed):
            statement = judged(reading, passage, replace(self._bench, on=day))
            if statement is None or (reading.rule == LAW and _figures(passage, statement) in told):
                continue
            told.add(_figures(passage, statement))
            if reading.rule in TABLE_RULES:
                statement = questioned(statement, passage)
            elif is_explained(passage, statement):
                continue
            if statement.verdict != "refuted" or reading.rule not in DOUBTED:
                yield reading, statement.model_copy(update={"as_of": day})

    def _prices(self, passage: Passage, sentences: list[Window]) -> Iterator[tuple[Reading | PriceFact, Statement]]:
        yield from self._pricing.prices(passage, sentences)


def _without_times(passage: Passage, relations: Sequence[Solved]) -> list[Solved]:
    """The relations without those of times that a timeline states more exactly, or saves from an accusation."""
    if not relations:
        return []
    every = lasting(passage)
    timed = {place for one in every for start, end in one.spans for place in range(start, end)}
    fits = {place for one in every if one.reading.cautious for start, end in one.spans for place in range(start, end)}
    saved, spoken = excused(passage), spoken_times(passage.mask)
    return [
        one
        for one in relations
        if one.candidate.rule not in SPANS or not (one.candidate.target.figure.start in timed or _accused(one, saved))
        if not (_accused(one, fits) or any(start in spoken for start in one.key))
    ]


def _accused(one: Solved, starts: Set[int]) -> bool:
    told = one.statement
    return told is not None and told.verdict == "refuted" and one.candidate.target.figure.start in starts


def _is_input(one: Statement, relations: Sequence[Solved]) -> bool:
    """Whether a relation that holds takes a figure with those of a rule: two cuts of 50%, from $8 to $2."""
    texts = {each.text for each in one.inputs}
    return any(
        other.statement is not None
        and other.statement.verdict == "holds"
        and one.figure_start in other.inputs
        and texts <= {part.figure.text.strip() for part in (other.candidate.target, *other.candidate.used)}
        for other in relations
    )


def _of_money(one: Solved) -> bool:
    """Whether a relation makes one amount of money of others."""
    return all(each.figure.sort == "money" for each in (one.candidate.target, *one.candidate.used))


def _of_others(one: Solved, listed: Mapping[int, frozenset[str]]) -> bool:
    """Whether a list price is computed of list prices only, and some are of other models, or of another direction."""
    target, every = one.candidate.target.figure, [each.figure for each in one.candidate.used]
    if every and all(each.per == target.per == "Mtok" and each.label for each in every):
        return bool(target.label) and any(each.label != target.label for each in every)
    own = listed.get(one.candidate.target.figure.start)
    used = [listed.get(start) for start in one.inputs]
    return own is not None and all(used) and any(each is not None and each.isdisjoint(own) for each in used)


def _figures(passage: Passage, one: Statement) -> tuple[int, frozenset[str]]:
    """The sentence of a statement with the texts of all its figures, whichever of them it computes."""
    stated = passage.text[one.figure_start : one.figure_end].strip()
    return one.start, frozenset({stated, *(each.text for each in one.inputs)})


def _unlike(found: Iterable[tuple[Reading | PriceFact, Statement]]) -> list[Statement]:
    """One statement per stated figure and way to compute it."""
    groups: dict[tuple[int, str], list[tuple[Reading | PriceFact, Statement]]] = defaultdict(list)
    for reading, statement in found:
        groups[statement.figure_start, statement.kind].append((reading, statement))
    return [statement for group in groups.values() for statement in _chosen(group)]


def _chosen(group: list[tuple[Reading | PriceFact, Statement]]) -> Iterable[Statement]:
    """The statements reported for one figure: all that hold, and the refutation of the most confident rule."""
    best = max(group, key=lambda one: (one[1].verdict == "holds", one[1].confidence))
    told: dict[tuple[object, ...], Statement] = {}
    for reading, statement in sorted(group, key=lambda one: -one[1].confidence):
        if _rule(reading) == _rule(best[0]) or (statement.verdict == best[1].verdict == "holds"):
            told.setdefault((statement.expression, *(one.formula for one in statement.inputs)), statement)
    return told.values()


def _rule(made: Reading | PriceFact) -> str:
    return made.rule if isinstance(made, Reading) else "list price"


def tariffs(book: CatalogBook) -> tuple[Decimal, Decimal] | None:
    """The lowest and the highest price of electricity in a book, in USD/kWh."""
    known = [
        price.value
        for item in book.items()
        for price in book.prices(item)
        if price.component == "energy" and price.unit == "USD/kWh"
    ]
    return (min(known), max(known)) if known else None
