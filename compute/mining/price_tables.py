"""Prices in Markdown tables: what a cell is the price of follows from its row, its column and the words above.

| Model  | Input ($/Mtok) | Cached | Output |      models in rows, kinds of price in columns
|        | GPT-4o | GPT-4o mini |                 kinds of price in rows, models in columns
| Lambda | H100 | $3.99/hr |                       providers and GPUs in cells of the row
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from functools import cached_property

from compute.mining.date_text import periods
from compute.mining.mining_models import Figure, Passage
from compute.mining.model_mentions import Lexicon, Mention
from compute.mining.price_amounts import is_of_many, is_sum
from compute.mining.price_facts import ANY, PriceFact
from compute.mining.price_figures import PER_TOKEN
from compute.mining.price_rents import TIERS
from compute.mining.price_subjects import Subjects, gpus, providers, resellers
from compute.mining.price_times import Time
from compute.mining.price_tokens import OWN
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
_KTOK = re.compile(r"\b(?:1K|1,?000|thousand|ktok)\b(?!\s?(?:[MB]\b|[mb]illion|mtok))", re.I)
_RATE = re.compile(r"\brates?\b|\bprices?\b|\bcosts?\b|\$", re.I)
_NOW = re.compile(r"\b(?:now|today|current(?:ly)?)\b", re.I)
_YEAR = re.compile(r"(?:(?<=· )|^)20\d\d\b")
"""A year at the beginning of a cell."""
_CARDS = (
    ("purchase_and_operation_3y", re.compile(r"\bTCO\b|total cost of ownership", re.I), "USD/GPU",
     re.compile(r"\b(?:3|three)[- ]year", re.I)),
    ("network", re.compile(r"\bnetwork", re.I), "USD/GPU", None),
    ("facility", re.compile(r"\bfacilit", re.I), "USD/GPU/year", None),
    ("purchase", re.compile(r"\bpurchas|\bbuy(?:ing)?\b|\bhardware\b|\bcapex\b|street price", re.I), "USD/GPU", None),
)  # fmt: skip
"""Cards by the words of a cell, its row and its column: component, words, unit, and other words that it needs."""
_LEAST_CARD = 500
"""No GPU, network or building for it costs less, in USD."""
_LEGEND = re.compile(
    r"[|\s]{0,4}\n\n(?:\W?(?:all )?(?:prices |rates )?(?:in |are )?)(?:\$|USD|US dollars)[^\n]{0,120}", re.I
)
"""A line right after a table that begins with the unit of its prices."""
_ARROW = re.compile(r"\s(?:→|->)\s")
_BORDER = re.compile(r"\b(?:below|short|under|up to)\b[^→>]*(?:→|->)[^→>]*\b(?:above|long|over|beyond)\b", re.I)
"""A column that states a price below and above a number of tokens."""
ABOVE = 400
"""How many signs before a table are read as its caption."""


def table_prices(passage: Passage, lexicon: Lexicon, subjects: Subjects) -> Iterator[tuple[PriceFact, ...]]:
    """The prices in the tables of a passage; several facts of one cell hold only together."""
    for grid in grids(passage):
        caption = _caption(passage, grid)
        if _MONEY.search(" ".join((caption, *grid.header, *(cell for row in grid.rows for cell in row.cells)))):
            table = _Table(grid, caption, lexicon, subjects)
            for row in grid.rows:
                yield from table.facts(row)


def _caption(passage: Passage, grid: Grid) -> str:
    """The last paragraph before a table, and what is right after it if that begins with the unit."""
    begin = grid.rows[0].start
    head = passage.mask.rfind("\n\n", 0, begin)
    before = passage.mask[max(0, head - ABOVE) : max(0, head)]
    after = _LEGEND.match(passage.mask, grid.rows[-1].end)
    return before.rpartition("\n\n")[2] + (f" {after[0].strip()}" if after else "")


class _Table:
    """One table with its caption."""

    def __init__(self, grid: Grid, caption: str, lexicon: Lexicon, subjects: Subjects) -> None:
        self._grid, self._caption, self._lexicon, self._subjects = grid, caption, lexicon, subjects
        self._own = OWN.search(caption) is not None
        self._head = tuple(re.sub(r"[⟨⟩]", " ", cell) for cell in grid.header)
        self._summed = any(is_sum(cell) for cell in self._head)

    def facts(self, row: Row) -> Iterator[tuple[PriceFact, ...]]:
        """The facts of a row: one for each cell with a price, two for a cell with a pair."""
        priced = {index for index, found in enumerate(row.figures) if self._priced(index, row)}
        label = " · ".join(cell for index, cell in enumerate(row.cells) if index not in priced)
        for index in sorted(priced):
            header = self._head[index] if index < len(self._head) else ""
            found = [figure for figure in row.figures[index] if figure.sort in {"money", "count"}]
            if not found:
                continue
            cards = list(self._cards(row, f"{label} · {header}", row.cells[index], found))
            yield from ((fact,) for fact in cards)
            counted = is_of_many(header) or (self._model(header) is not None and is_of_many(row.cells[0]))
            if not cards and not counted and not _OTHER.search(f"{header} {label}"):
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
        words = f"{self._caption} {' '.join(self._head)} {row.cells[0]}"
        named = f"{header} {row.cells[0] if self._model(header) else ''}"
        rented = _HOUR.search(header) or (_RATE.search(header) and _HOUR.search(self._caption))
        return (
            bare
            and index > 0
            and bool(_MONEY.search(words))
            and bool(rented or any(part.search(named) for _, part in _PARTS))
        )

    def _cell(
        self, row: Row, label: str, header: str, cell: str, found: list[Figure]
    ) -> Iterator[tuple[PriceFact, ...]]:
        words = f"{label} · {header}"
        mention = self._model(label) or self._model(header)
        hourly = [figure for figure in found if figure.per in {"h", "GPU/h"}] if len(found) > 1 else found
        if len(found) == 1 and found[0].ranged and self._tokens(words, cell):
            yield from self._ranged(row, found[0], label, (header, words, cell))
        elif mention is not None and self._tokens(words, cell):
            components = self._components(header, label, len(found), cell)
            if len(found) == 2 and _ARROW.search(cell) and _BORDER.search(header):
                long = replace(self._token(row, found[1], mention, components[0], words, cell), context=ANY)
                yield (long,)
            for figure, component in zip(found, components, strict=False):
                if not figure.ranged:
                    yield (self._token(row, figure, mention, component, words, cell),)
        elif len(hourly) == 1 and (_HOUR.search(f"{cell} {header} {self._caption}")):
            fact = self._rent(row, words, cell, hourly[0])
            if fact is not None:
                yield (fact,)

    def _ranged(
        self, row: Row, figure: Figure, label: str, words: tuple[str, str, str]
    ) -> Iterator[tuple[PriceFact, ...]]:
        """A range of prices per token: each model of the row has a price inside it."""
        header, around, cell = words
        component = self._components(header, label, 1, cell)[0]
        models: dict[int, tuple[Mention, tuple[str, ...]]] = {
            one.start: (one, (one.item,)) for one in self._lexicon.mentions(label)
        }
        for mention, hosted in self._subjects.anywhere(label):
            own = models[mention.start][1] if mention.start in models else ()
            models[mention.start] = (mention, (*own, *hosted))
        facts = [
            replace(self._token(row, figure, one, component, around, cell), items=own, cautious=True, spread=False)
            for one, own in models.values()
        ]
        if facts and len(component) == 1:
            yield tuple(facts) if len(facts) > 1 else (facts[0],)

    def _cards(self, row: Row, words: str, cell: str, found: list[Figure]) -> Iterator[PriceFact]:
        """The prices of a cell that are neither for tokens nor per hour: power, purchase, network, facility."""
        for figure in found:
            if figure.per == "kWh":
                yield from self._card(row, figure, "energy", "USD/kWh", words)
                continue
            kind = next((one for one in _CARDS if one[1].search(f"{words} {cell}")), None)
            if kind is None or figure.low < _LEAST_CARD or (kind[3] and not kind[3].search(f"{words} {cell}")):
                continue
            if (figure.per == "year") == (kind[2] == "USD/GPU/year") and figure.per in {"", "GPU", "year"}:
                yield from self._card(row, figure, kind[0], kind[2], words)

    def _card(self, row: Row, figure: Figure, component: str, unit: str, words: str) -> Iterator[PriceFact]:
        machine = self._machine(words)
        items = tuple(
            dict.fromkeys(
                price.item
                for item, prices in self._subjects.cards.items()
                for price in prices
                if price.component == component and (machine in item or not component.startswith("purchase"))
            )
        )
        if items and (machine or not component.startswith("purchase")):
            yield PriceFact(
                start=row.start, end=row.end, figure=figure, items=items, components=(component,), unit=unit,
                time=self._time(words), confidence=Decimal("0.6"), cautious=True,
            )  # fmt: skip

    def _machine(self, words: str) -> str:
        """The GPU of a cell: that of its row or column, else the only one of the table and its caption, else empty."""
        named = {one.key for one in gpus(words)} or self._machines
        return next(iter(named)) if len(named) == 1 else ""

    @cached_property
    def _machines(self) -> frozenset[str]:
        """The GPUs that the table and its caption name, read once for all of its cells."""
        table = " · ".join((self._caption, *self._head, *(cell for row in self._grid.rows for cell in row.cells)))
        return frozenset(one.key for one in gpus(table))

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
        unit = "USD/ktok" if _KTOK.search(f"{words} {cell}") else "USD/Mtok"
        if not figure.per and PER_TOKEN.search(f"{words} {self._caption}"):
            figure = replace(figure, per=unit.removeprefix("USD/"))
        return PriceFact(
            start=row.start, end=row.end, figure=figure, items=(mention.item,), components=components, unit=unit,
            time=self._time(words), processing=tier, context=context, family=mention.item if mention.family else "",
            confidence=Decimal("0.6") if mention.family else Decimal("0.85"),
            doubt="the price may be that of another provider" if resellers(words) else "",
            cautious=len(components) > 1
            or bool(re.search(r"\(\d+K\)", words) or self._own or OWN.search(words))
            or (self._summed and not figure.per),
        )  # fmt: skip

    def _rent(self, row: Row, words: str, cell: str, figure: Figure) -> PriceFact | None:
        named, machine = providers(words), self._machine(words)
        if machine not in self._subjects.gpus:
            return None
        offers = self._subjects.gpus[machine]
        keys = {one.key for one in named}
        if len(keys) > 1 or (keys and not keys & set(offers)):
            return None
        components = next((names for names, part in TIERS if part.search(cell)), None) or next(
            (names for names, part in TIERS for text in (words, self._caption) if part.search(text)),
            ("on_demand", "reserved_1y", "committed", "spot"),
        )
        eight = re.search(r"\b8x|\bx8\b|\beight\b|p5\.48xlarge|8g\b|ND H100", words) and "GPU" not in cell
        many = 8 if eight else 1
        chosen = [price for key in (keys or offers) for price in offers[key]]
        items = tuple(dict.fromkeys(price.item for price in chosen))
        return PriceFact(
            start=row.start, end=row.end, figure=figure, items=items, components=components,
            unit="USD/h" if many > 1 else "USD/GPU/h", many=many, time=self._time(words), confidence=Decimal("0.8"),
            cautious=not keys, spread=not keys,
        )  # fmt: skip

    def _time(self, words: str) -> Time:
        if _NOW.search(words):
            return Time(now=True)
        found = periods(_YEAR.sub(r"in \g<0>", words)) or periods(self._caption)
        return Time(found[-1]) if found else Time()
