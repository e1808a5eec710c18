"""Prices in Markdown tables: what a cell is the price of follows from its row, its column and the words above.

| Model  | Input ($/Mtok) | Cached | Output |      models in rows, kinds of price in columns
|        | GPT-4o | GPT-4o mini |                 kinds of price in rows, models in columns
| Lambda | H100 | $3.99/hr |                       providers and GPUs in cells of the row
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from compute.mining.date_text import periods
from compute.mining.mining_models import Figure, Passage
from compute.mining.model_mentions import Lexicon, Mention
from compute.mining.price_facts import ANY, PriceFact
from compute.mining.price_figures import PER_TOKEN
from compute.mining.price_rents import TIERS
from compute.mining.price_subjects import Subjects, gpus, providers, resellers
from compute.mining.price_times import Time
from compute.mining.table_grid import Grid, Row, grids

_MONEY = re.compile(r"\$|\bUSD\b|\bprice|\bcosts?\b|\brates?\b", re.I)
_HOUR = re.compile(
    r"/\s?(?:GPU[ /-])?(?:hour|hr|h)\b|\bhourly\b|per (?:GPU[ -])?hour|GPU[- ]hour|on[- ]demand|\bspot\b|reserved", re.I
)
_PARTS = (
    ("cache_write", re.compile(r"cach\w+[^|]{0,12}writ|writ\w+[^|]{0,12}cach", re.I)),
    ("cache_read", re.compile(r"\bcach", re.I)),
    ("output", re.compile(r"\boutput|\bcompletion|\bout\b", re.I)),
    ("input", re.compile(r"\binput|\bprompt|\bin\b", re.I)),
)  # fmt: skip
_BOTH = re.compile(r"\bin(?:put)?\s?(?:/|and|&)\s?out(?:put)?", re.I)
_TIERS = {
    "batch": re.compile(r"\bbatch", re.I), "flex": re.compile(r"\bflex\b", re.I),
    "priority": re.compile(r"\bpriority\b", re.I),
}  # fmt: skip
_CONTEXT = re.compile(r"(?P<long>>|above|over|beyond)\s?(?P<size>\d{2,4})[kK]\b")
_OTHER = re.compile(
    r"fine-?tun|audio|image|training|embedding|per (?:request|image|page|query|seat|user|month)|/mo\b|discount|saving"
    r"|change|total|%",
    re.I,
)
ABOVE = 400
"""How many signs before a table are read as its caption."""


def table_prices(passage: Passage, lexicon: Lexicon, subjects: Subjects) -> Iterator[PriceFact]:
    """The prices in the tables of a passage."""
    for grid in grids(passage):
        caption = _caption(passage, grid)
        if _MONEY.search(" ".join((caption, *grid.header, *(cell for row in grid.rows for cell in row.cells)))):
            table = _Table(grid, caption, lexicon, subjects)
            for row in grid.rows:
                yield from table.facts(row)


def _caption(passage: Passage, grid: Grid) -> str:
    """The last paragraph before a table."""
    begin = grid.rows[0].start
    head = passage.mask.rfind("\n\n", 0, begin)
    before = passage.mask[max(0, head - ABOVE) : max(0, head)]
    return before.rpartition("\n\n")[2]


class _Table:
    """One table with its caption."""

    def __init__(self, grid: Grid, caption: str, lexicon: Lexicon, subjects: Subjects) -> None:
        self._grid, self._caption, self._lexicon, self._subjects = grid, caption, lexicon, subjects
        self._head = tuple(re.sub(r"[⟨⟩]", " ", cell) for cell in grid.header)

    def facts(self, row: Row) -> Iterator[PriceFact]:
        """The facts of a row: one for each cell with a price, two for a cell with a pair."""
        priced = {index for index, found in enumerate(row.figures) if self._priced(index, row)}
        label = " · ".join(cell for index, cell in enumerate(row.cells) if index not in priced)
        for index in sorted(priced):
            header = self._head[index] if index < len(self._head) else ""
            found = [figure for figure in row.figures[index] if figure.sort in {"money", "count"}]
            if _OTHER.search(f"{header} {label}") or not found:
                continue
            yield from self._cell(row, label, header, row.cells[index], found)

    def _priced(self, index: int, row: Row) -> bool:
        """Whether a cell is a price: money, or a bare number in a column of prices."""
        cell = row.cells[index]
        header = self._head[index] if index < len(self._head) else ""
        if not row.figures[index]:
            return False
        if any(figure.sort == "money" for figure in row.figures[index]):
            return True
        bare = bool(re.fullmatch(r"[~≈]?\d+(?:\.\d+)?", cell))
        words = f"{self._caption} {' '.join(self._head)}"
        return (
            bare
            and index > 0
            and bool(_MONEY.search(words))
            and any(part.search(header) or _HOUR.search(header) for _, part in _PARTS)
        )

    def _cell(self, row: Row, label: str, header: str, cell: str, found: list[Figure]) -> Iterator[PriceFact]:
        words = f"{label} · {header}"
        mention = self._model(label) or self._model(header)
        if mention is not None and self._tokens(words, cell):
            components = self._components(header, label, len(found), cell)
            for figure, component in zip(found, components, strict=False):
                if not figure.ranged:
                    yield self._token(row, figure, mention, component, words, cell)
        elif len(found) == 1 and (_HOUR.search(f"{cell} {header} {self._caption}")):
            fact = self._rent(row, words, cell, found[0])
            if fact is not None:
                yield fact

    def _model(self, text: str) -> Mention | None:
        found = list(self._lexicon.mentions(text))
        return found[0] if len({one.item for one in found}) == 1 else None

    def _tokens(self, words: str, cell: str) -> bool:
        """Whether a cell is a price per token."""
        if _HOUR.search(f"{words} {cell}") and not PER_TOKEN.search(f"{words} {cell}"):
            return False
        near = f"{words} {cell} {self._caption} {' '.join(self._head)}"
        return bool(PER_TOKEN.search(near)) or any(part.search(words) for _, part in _PARTS)

    def _components(self, header: str, label: str, many: int, cell: str) -> list[tuple[str, ...]]:
        if many == 2 and "/" in cell:
            return [("input",), ("output",)]
        for text in (header, label):
            if _BOTH.search(text):
                return [("input", "output")]
            named = next((name for name, part in _PARTS if part.search(text)), "")
            if named:
                return [(named,)]
        return [("input", "output")]

    def _token(  # noqa: PLR0917 - private, called once
        self, row: Row, figure: Figure, mention: Mention, components: tuple[str, ...], words: str, cell: str
    ) -> PriceFact:
        tier = next((name for name, part in _TIERS.items() if part.search(words)), "")
        border = _CONTEXT.search(f"{words} {cell}")
        context = int(border["size"]) * 1000 + 1 if border else ANY if re.search(r"\blong\b", words, re.I) else 0
        unit = "USD/ktok" if re.search(r"\b(?:1K|1,?000|thousand|ktok)\b", f"{words} {cell}", re.I) else "USD/Mtok"
        return PriceFact(
            start=row.start, end=row.end, figure=figure, items=(mention.item,), components=components, unit=unit,
            time=self._time(words), processing=tier, context=context, family=mention.item if mention.family else "",
            confidence=Decimal("0.6") if mention.family else Decimal("0.85"),
            doubt="the price may be that of another provider" if resellers(words) else "",
            cautious=len(components) > 1 or bool(re.search(r"\(\d+K\)", words)),
        )  # fmt: skip

    def _rent(self, row: Row, words: str, cell: str, figure: Figure) -> PriceFact | None:
        named, machines = providers(words), gpus(words)
        if len({one.key for one in machines}) != 1 or machines[0].key not in self._subjects.gpus:
            return None
        offers = self._subjects.gpus[machines[0].key]
        keys = {one.key for one in named} or {"market"}
        if len(keys) != 1 or not keys & set(offers):
            return None
        key = keys.pop()
        components = next((names for names, part in TIERS if part.search(cell)), None) or next(
            (names for names, part in TIERS if part.search(words)), ("on_demand", "reserved_1y", "committed", "spot")
        )
        eight = re.search(r"\b8x|\bx8\b|\beight\b|p5\.48xlarge|8g\b|ND H100", words) and "GPU" not in cell
        many = 8 if eight else 1
        items = tuple(dict.fromkeys(price.item for price in offers[key]))
        return PriceFact(
            start=row.start, end=row.end, figure=figure, items=items, components=components,
            unit="USD/h" if many > 1 else "USD/GPU/h", many=many, time=self._time(words), confidence=Decimal("0.8"),
            cautious=key == "market",
        )  # fmt: skip

    def _time(self, words: str) -> Time:
        found = periods(words) or periods(self._caption)
        return Time(found[-1]) if found else Time()
