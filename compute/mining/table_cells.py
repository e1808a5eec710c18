"""Cells of tables as readings: a stated figure, the cells that give it, and whether they do."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from compute.mining.mining_models import Figure, MinedInput, Passage, Reading, Statement
from compute.mining.readings import Named, given
from compute.mining.table_grid import Row


def reading(
    row: Row, rule: str, inputs: tuple[MinedInput, ...], expression: str, stated: Figure, **rest: object
) -> Reading:
    """A reading of a row; `rest` are fields of `Reading` that differ from the usual ones."""
    told: dict[str, object] = {"unit": "", "confidence": Decimal("0.85"), "slack": Decimal("0.02"), **rest}
    return Reading(start=row.start, end=row.end, rule=rule, inputs=inputs, expression=expression, stated=stated, **told)  # type: ignore[arg-type]  # the fields by name


def is_ratio(column: list[Figure | None]) -> bool:
    """Whether a column has percentages or multiples."""
    return any(figure is not None and figure.sort in {"%", "x"} for figure in column)


def cell_reading(row: Row, expression: str, parts: tuple[Figure, Figure, Figure], good: int) -> Reading:
    """The reading of a cell that two others of its row give; `good` is in how many rows the relation holds."""
    first, second, stated = parts
    inputs = given(Named("left", first, unit=""), Named("right", second, unit=""))
    if first.sort == "%":
        inputs = given(Named("left", first), Named("right", second, unit=""))
    exact = tuple(one if "." in one.formula else one.model_copy(update={"half": Decimal(0)}) for one in inputs)
    unit = "%" if stated.sort == "%" else ""
    note = f"a relation between columns that holds in {good} rows"
    return reading(row, "columns", exact, expression, stated, unit=unit, note=note, slack=Decimal(0))


QUESTIONED = Decimal("0.45")
"""The confidence of a cell that breaks the relation of its table where the text names what may change one row."""
_AROUND = 500
"""How many characters before and after a row may name that."""
_EXCEPTION = re.compile(
    r"\b(?:discount\w*|rebate\w*|\d+ ?% off|free|waive\w*|except\w*|excluding|surcharge|minimum"
    r"|half[- ]price|promotion\w*"
    r"|(?:rose|rises?|raised|fell|cut|lowered|increased|changed|went (?:up|down))\b[^.|]{0,40}\bfrom|tiers?|bonus"
    r"|(?:from|on|since|until) (?:the )?(?:\d{1,2}(?:st|nd|rd|th)? )?(?:of )?(?:January|February|March|April|May|June"
    r"|July|August|September|October|November|December)"
    r"|weighted|not shown|counted (?:once|twice)|overlap\w*|separately)\b",
    re.I,
)


_LOWERING = re.compile(r"discount|rebate|off$|free|waive|half[- ]price|promotion", re.I)
"""Words for what makes an amount lower, so that they explain no higher one."""
_HEADING = re.compile(r"^#{1,6} ", re.M)


def questioned(one: Statement, passage: Passage) -> Statement:
    """A refuted cell as a question, if its section names near the table what may change one row: a free month."""
    if one.verdict != "refuted" or one.confidence <= QUESTIONED:
        return one
    before = _HEADING.split(passage.mask[max(0, one.start - _AROUND) : one.start])[-1]
    after = _HEADING.split(passage.mask[one.start : one.start + _AROUND])[0]
    prose = "\n".join(_without_rows(before + after))
    higher = one.computed is not None and one.stated > one.computed
    every = _EXCEPTION.finditer(prose)
    found = next((words for words in every if not (higher and _LOWERING.search(words[0]))), None)
    rows = [one.quote, *(before.splitlines() if " + " in one.expression else ())]
    said = found[0] if found else _of_its_row(rows, after)
    if not said:
        return one
    note = f"{one.note}; the text says “{' '.join(said.split())}”, which may change one row"
    return one.model_copy(update={"confidence": QUESTIONED, "note": note})


def _of_its_row(rows: Sequence[str], after: str) -> str:
    """The words below a table that say how one of some rows is counted: *four of those at Ely count as half*; or ""."""
    labels = {row.strip().strip("|").split("|")[0].strip(" *_") for row in rows if row.lstrip().startswith("|")}
    named = [re.escape(label) for label in labels if len(label) > 1 and label[:1].isalpha()]
    if not named:
        return ""
    label = re.compile(rf"\b(?:{'|'.join(named)})\b")
    sentences = _SENTENCES.split(" ".join(_without_rows(after)))
    found = (_COUNTED.search(sentence) for sentence in sentences if label.search(sentence))
    return next((said[0] for said in found if said), "")


def _without_rows(text: str) -> Iterator[str]:
    """The lines of a text that are no rows of a table."""
    return (line for line in text.splitlines() if not line.lstrip().startswith("|"))


_SENTENCES = re.compile(r"(?<=[.!?])\s")
_COUNTED = re.compile(
    r"\b(?:counts?(?: as)?|counted|includ(?:es?|ed|ing)|without|except|excluding|half|shared?|moved|closed|opened|extra"
    r"|only|part-time|because|since|another)\b",
    re.I,
)
"""Words that say what is counted otherwise."""


def plain(figure: Figure) -> Decimal:
    """The number of a figure, of 40% a share of 0.4."""
    return figure.low / 100 if figure.sort == "%" else figure.low


def telling(first: Figure, second: Figure) -> bool:
    """Whether the two figures distinguish the relations, so that few hold by chance."""
    return first.low not in {0, 1} and second.low not in {0, 1} and first.low != second.low


def fits(value: Decimal, stated: Figure) -> bool:
    """Whether a value is a stated figure within its rounding."""
    half = stated.half / 100 if stated.sort == "%" else stated.half
    return abs(value - plain(stated)) <= half
