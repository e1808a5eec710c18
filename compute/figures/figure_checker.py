"""Checks the figures of texts: prices against the catalogues, figures by named relations, totals, equations, tables.

passage ─▶ sentences, tables ─▶ prices ─┐
                            ─▶ relations ┴─▶ statements, at most one verdict for each figure
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date

from compute.figures.figure_models import Passage, Statement
from compute.figures.price_checker import PriceChecker
from compute.figures.relation_solver import RelationSolver, Verdict
from compute.figures.statement_writer import relation_statement
from compute.figures.sum_checker import sums
from compute.figures.text_structure import Document, Sentence, read
from compute.prices.price_book import CatalogBook

_RANKS = {"holds": 0, "stale": 1, "refuted": 2, "unpriced": 3, "needs-assumption": 4}


class FigureChecker:
    """Checks passages with one book; `on` is the day of the prices where a text names none."""

    def __init__(self, book: CatalogBook, on: date) -> None:
        self._on = on
        self._prices = PriceChecker(book, on)

    def check(self, passage: Passage) -> tuple[Statement, ...]:
        """The statements of a passage, in text order."""
        document = read(passage)
        day = min(passage.on or self._on, self._on)
        found = list(self._prices.statements(passage, document))
        solver = RelationSolver(document)
        verdicts = [*solver.verdicts(), *sums(solver), *_cells(document, passage.mask)]
        found += [relation_statement(one, passage, day) for one in verdicts]
        return tuple(sorted(_once(found), key=lambda one: one.figure_start))


def _cells(document: Document, mask: str) -> Iterator[Verdict]:
    """What holds within a cell, or by a relation that the words name in a row; tables never accuse."""
    rows = [row for table in document.tables for row in table.rows]
    cells = [(cell,) for row in rows for cell in row]
    for spans, most in ((cells, 2), (rows, 0)):
        sentences = list[Sentence]()
        for number, span in enumerate(spans):
            start, end = span[0].start, span[-1].end
            figures = tuple(one for cell in span for one in cell.figures)
            if len(figures) > 1:
                sentences.append(Sentence(start, end, mask[start:end].replace("|", ","), figures, number))
        found = RelationSolver(Document(tuple(sentences), ())).verdicts()
        yield from (one for one in found if one.holds and one.binding.relation.rank <= most)


def _once(found: Iterable[Statement]) -> Iterable[Statement]:
    """The best statement of each figure: what holds in one way is accused in no other."""
    best: dict[int, Statement] = {}
    for one in found:
        known = best.get(one.figure_start)
        if known is None or _RANKS[one.verdict] < _RANKS[known.verdict]:
            best[one.figure_start] = one
    return best.values()
