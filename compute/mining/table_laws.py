"""Laws of tables: a formula that gives one cell of each row from others of it, in all rows but one.

| Run   | Cards | Hours | Cost   |     1 × 3 × 1.64 = 4.92, and so on: at $1.64, which the text states, the last
| Test  | 1     | 3     | $4.92  |     cell should be $22.96
| Sweep | 4     | 22    | $144.32|
| Last  | 2     | 7     | $11.48 |

A law is believed if so many rows would hardly follow it by chance. The evidence for it, in nats, is the sum over its
rows of −log of the probability that a random figure fits, less the log of the number of laws that were tried
(minimum description length, Rissanen 1978). Rows and columns may change places, and a balance may follow from the row
before: what was left, and what came and went.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import combinations, islice, permutations
from math import log
from operator import attrgetter
from typing import NamedTuple

from compute.mining.mining_models import Figure, Reading
from compute.mining.readings import Named, given
from compute.mining.table_balances import balances
from compute.mining.table_cells import plain, reading
from compute.mining.table_evidence import LAW, MOST_FIELDS, MOST_RECORDS, SURE, Known, chance, stated_near
from compute.mining.table_grid import Grid, Row
from compute.mining.text_windows import Window
from graph.search.tokenizer import stems

ENOUGH = 5.0
"""The evidence from which the cells of a law hold."""
NAMED = 3.0
"""The evidence that the names of the fields are for a law: most columns called *a per b* are that."""
FAR = Decimal("0.03")
"""How far from a law a wrong cell is at least, as a share."""
_SCALES = tuple(
    Decimal(one) for one in (1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10**9, 12, 24, 7, 52, 60, 3600, 365, 8760)
)
_NO_RECORD = re.compile(
    r"\b(?:totals?|sum|all|mean|median|average|avg|overall|change|chg|diff\w*|delta|growth|trend|share|target|limit"
    r"|discount\w*|incl\w*|excl\w*|minimum|maximum|min|max|free|est\w*|approx\w*|forecast|plan\w*|budget)\b|%|Δ|\bYoY\b",
    re.I,
)
"""Names of records that follow from the others, or by another rule."""
_PER = re.compile(r"(?P<what>.*?)\s*(?:\bper\b|\beach\b|/)\s*(?P<each>.+)", re.I)
_SUM = re.compile(r"\b(?:total|sum|overall|all|together)\b", re.I)
_RESULT = re.compile(
    r"total|cost|amount|income|revenue|sales|turnover|spend|bill|paid|fee|value|yield|profit|margin|rate|ratio|kwh"
    r"|hours|points|speed|average|sum|result|saving|memory|size|[=%]",
    re.I,
)


@dataclass(frozen=True, slots=True)
class _Field:
    """A column of a table, or a row of it: its name, and the one figure of each record."""

    name: str
    figures: tuple[Figure | None, ...]


@dataclass(frozen=True, slots=True)
class _Form:
    """A formula over some inputs, times a constant."""

    text: str
    value: Callable[[Sequence[Decimal]], Decimal | None]
    inputs: int


@dataclass(frozen=True, slots=True)
class _Table:
    """A table seen one way: its fields, the rows in which the cells of each record stand, and what may be results."""

    fields: tuple[_Field, ...]
    rows: tuple[tuple[Row, ...], ...]
    """For each record the row of the cell of each field."""
    forms: tuple[_Form, ...]


def _ratio(values: Sequence[Decimal]) -> Decimal | None:
    return values[0] / values[1] if values[1] else None


_PRODUCTS = (
    _Form("left * right", lambda values: values[0] * values[1], 2),
    _Form("left / right", _ratio, 2),
    _Form("left * right * third", lambda values: values[0] * values[1] * values[2], 3),
)
_RATIOS = (_PRODUCTS[1],)
_SUMS = (
    _Form("left + right", lambda values: values[0] + values[1], 2),
    _Form("left - right", lambda values: values[0] - values[1], 2),
    _Form("left + right + third", lambda values: values[0] + values[1] + values[2], 3),
    _Form("left - right - third", lambda values: values[0] - values[1] - values[2], 3),
)
_SHARED = _Form("1 / left", lambda values: 1 / values[0] if values[0] else None, 1)
"""What the text states for all records, by each of some field: 12 million records, in 40 seconds."""
_TIMES = _Form("left", lambda values: values[0], 1)
"""An amount for several periods, from that of one: 30 days, and per day."""
_POINTS = (
    _Form("2 * left + right", lambda values: 2 * values[0] + values[1], 2),
    _Form("3 * left + right", lambda values: 3 * values[0] + values[1], 2),
)
"""The points of wins and draws."""
_NAMES = ("left", "right", "third")


@dataclass(frozen=True, slots=True)
class _Way:
    """A formula with its fields; `scale` if the names of the fields say that it is this, and by which constant."""

    form: _Form
    inputs: tuple[int, ...]
    result: int
    scale: Decimal | None = None


class _Constant(NamedTuple):
    """A constant, the figure of the text that states it, its cost in nats, and whether it was fitted to the records."""

    value: Decimal
    source: Figure | None = None
    cost: float = 0.0
    fitted: bool = False


@dataclass(frozen=True, slots=True)
class _Law:
    """A law with its evidence, the records that follow it, and those that break it."""

    way: _Way
    constant: _Constant
    good: frozenset[int]
    wrong: frozenset[int]
    evidence: float

    @property
    def rank(self) -> tuple[bool, float, int]:
        """Sort key: what names say comes first, then the law with the most evidence, of the last field."""
        return self.way.scale is None, -self.evidence, -self.way.result

    @property
    def fields(self) -> frozenset[int]:
        return frozenset((*self.way.inputs, self.way.result))


def laws(laid: Sequence[Grid], sentences: Sequence[Window]) -> Iterator[Reading]:
    """The cells that follow from a law of their table, and those that break it."""
    for grid in laid:
        stated = stated_near(grid, sentences)
        tables = (_by_rows(grid), _by_columns(grid), _by_rows(grid, totals=True))
        found = [(law, table) for table in tables if table is not None for law in _believed(table, stated)]
        told: set[int] = set()
        for law, table in sorted(found, key=lambda one: one[0].rank):
            for one in _readings(table, law):
                if one.stated.start not in told:
                    told.add(one.stated.start)
                    yield one
        yield from balances(grid, stated)


def _by_rows(grid: Grid, *, totals: bool = False) -> _Table | None:
    """A table with a record in each row; with `totals` also the last one if it is their sum, of which ratios hold."""
    rows = [row for row in grid.rows if row.cells and not _NO_RECORD.search(row.cells[0])]
    if totals:
        last = grid.rows[-1]
        rows = [*rows, last] if last not in rows and _SUM.search(last.cells[0]) else []
    fields = [
        _Field(grid.header[index], tuple(Grid(grid.header, tuple(rows)).column(index)))
        for index in range(1, len(grid.header))
    ]
    return _table(fields, [tuple(row for _ in fields) for row in rows], totals=totals)


def _by_columns(grid: Grid) -> _Table | None:
    """A table with a record in each column: years, variants, months."""
    names = enumerate(grid.header)
    columns = [index for index, name in names if index and not _NO_RECORD.search(name) and not _PER.fullmatch(name)]
    taken = {index: grid.column(index) for index in columns}
    rows = [place for place, row in enumerate(grid.rows) if row.cells]
    fields = [_Field(grid.rows[place].cells[0], tuple(taken[index][place] for index in columns)) for place in rows]
    return _table(fields, [tuple(grid.rows[place] for place in rows) for _ in columns])


def _table(fields: list[_Field], rows: list[tuple[Row, ...]], *, totals: bool = False) -> _Table | None:
    full = [place for place, field in enumerate(fields) if sum(map(bool, field.figures)) > 1]
    if not 1 < len(full) <= MOST_FIELDS or not 2 <= len(rows) <= MOST_RECORDS:
        return None
    return _Table(
        tuple(fields[place] for place in full),
        tuple(tuple(record[place] for place in full) for record in rows),
        _RATIOS if totals else (*_PRODUCTS, *_SUMS),
    )


# ---- evidence


def _believed(table: _Table, stated: Sequence[Known]) -> Iterator[_Law]:
    """The laws of a table; of several over the same fields the one with the most evidence."""
    taken: set[frozenset[int]] = set()
    for law in sorted(_laws(table, stated), key=attrgetter("rank")):
        if not any(law.fields <= one or one <= law.fields for one in taken):
            taken.add(law.fields)
            yield law


def _laws(table: _Table, stated: Sequence[Known]) -> Iterator[_Law]:
    results = [place for place, field in enumerate(table.fields) if _may_result(table, place, field)]
    ways = [
        _Way(form, inputs, result)
        for form in table.forms
        for result in results
        for inputs in _choices(form, [place for place in range(len(table.fields)) if place != result])
    ]
    for way in (*_named(table, results), *ways):
        if (law := _tested(table, way, len(ways), stated)) is not None:
            yield law


def _named(table: _Table, results: Sequence[int]) -> Iterator[_Way]:
    """The ways that the names of fields say: bursts per 100 km, of bursts and of a length in km."""
    for result in results:
        yield from _named_otherwise(table, result)
        match = _PER.fullmatch(table.fields[result].name)
        for each, field in enumerate(table.fields) if match else ():
            if match is None or each == result or not _alike(match["each"], field.name):
                continue
            number = _NUMBER.search(match["each"])
            times = Decimal(number[0].replace(",", "")) if number else Decimal(1)
            yield _Way(_SHARED, (each,), result, times)
            for first, other in enumerate(table.fields):
                if first not in {each, result} and _alike(match["what"], other.name):
                    scale = _unit_of(other.name) / _unit_of(match["each"], _unit_of(match["what"]))
                    yield _Way(_PRODUCTS[1], (first, each), result, times * scale)


def _named_otherwise(table: _Table, result: int) -> Iterator[_Way]:
    """The ways that other names say: 30 days of what is per day, points of what was won and drawn."""
    name = table.fields[result].name
    periods = _PERIODS.fullmatch(name)
    for place, field in enumerate(table.fields) if periods and table.forms != _RATIOS else ():
        each = _PER.fullmatch(field.name)
        if periods and place != result and each and not each["what"] and _alike(periods["unit"], each["each"]):
            yield _Way(_TIMES, (place,), result, Decimal(periods["number"]))
    won, drew = (
        next((place for place, field in enumerate(table.fields) if words.search(field.name)), None)
        for words in (_WON, _DREW)
    )
    if won is not None and drew is not None and _SCORE.search(name):
        yield from (_Way(form, (won, drew), result, Decimal(1)) for form in _POINTS)


_PERIODS = re.compile(r"\W*(?:per |for )?(?P<number>\d{1,3})[ -](?P<unit>[a-z]+?)s?\W*", re.I)
_WON, _DREW = re.compile(r"\bw(?:on|ins?)?\b", re.I), re.compile(r"\bd(?:rawn|raws?|rew)?\b|\btie[sd]?\b", re.I)
_SCORE = re.compile(r"\bp(?:oin)?ts?\b", re.I)
_NUMBER = re.compile(r"\d[\d,]*")
_UNIT = re.compile(r"\(\W*(?:in )?([^\d\W]+)[^)]*\)\s*$|[,:] (?:in )?([^\d\W]+)\s*$")
_UNITS = {
    "kg": 1000, "g": 1, "t": 1_000_000, "tonnes": 1_000_000, "km": 1000, "m": 1, "h": 3600, "hours": 3600, "min": 60,
    "minutes": 60, "s": 1, "seconds": 1, "sec": 1, "k": 1000, "thousand": 1000, "thousands": 1000, "million": 10**6,
    "millions": 10**6, "m€": 10**6, "bn": 10**9, "mwh": 1000, "kwh": 1, "gb": 1000, "mb": 1, "tb": 10**6,
}  # fmt: skip
"""Units in the names of fields, by the smallest of their kind."""


def _unit_of(name: str, other: Decimal = Decimal(1)) -> Decimal:
    """The size of the unit that a name ends with: of *Waste (kg)*, 1000; `other` where it has none."""
    match = _UNIT.search(name)
    return Decimal(_UNITS.get((match[1] or match[2]).lower(), 1)) if match else other


def _alike(words: str, name: str) -> bool:
    """Whether a part of a name speaks of a field: *second* of *Time (s)*, *lunch* of *Lunches served*."""
    unit = _UNIT.search(name)
    told = {*stems(name), *stems(_FULL.get((unit[1] or unit[2]).lower(), "") if unit else "")}
    return bool({word for word in stems(words) if not word.isdigit()} & told)


_FULL = {"s": "second", "sec": "second", "h": "hour", "min": "minute", "kg": "kilogram", "km": "kilometre"}


def _may_result(table: _Table, place: int, field: _Field) -> bool:
    last = place == len(table.fields) - 1 or bool(_SCORE.search(field.name) or _PERIODS.fullmatch(field.name))
    ratio = any(figure is not None and figure.sort in {"%", "x"} for figure in field.figures)
    return last or ratio or bool(_RESULT.search(field.name) or _PER.search(field.name))


def _choices(form: _Form, places: list[int]) -> Iterable[tuple[int, ...]]:
    if form.text in {"left / right", "left - right", "left - right - third"}:
        ways = permutations(places, form.inputs)
        return (one for one in ways if form.inputs == 2 or one[1] < one[2])
    return combinations(places, form.inputs)


_Row = tuple[int, Decimal, Figure, tuple[Figure, ...]]
"""A record: its place, what the formula gives without a constant, the result, and the inputs."""


def _tested(table: _Table, way: _Way, ways: int, stated: Sequence[Known]) -> _Law | None:
    """A law that enough records follow, with the simplest constant; None if there is none."""
    begun = [*islice(_rows(table, way), _BEGUN)]
    if len(begun) < 2 or len({base for _, base, _, _ in begun}) < 2 or not _alike_in_most(way, begun):
        return None
    rows = begun if len(begun) < _BEGUN else [*_rows(table, way)]
    named = way.scale is not None
    best: _Law | None = None
    for constant in _constants(table, way, rows, stated):
        good = [row for row in rows if _fits(row, constant.value)]
        if len(good) < 2 + constant.fitted - named or len(rows) - len(good) > max(1, len(rows) // 5):
            continue
        different = {plain(row[2]): row for row in good}.values()
        parts = sorted(-log(chance(row[2], _room(row, constant.value))) for row in different)
        prior = NAMED if named else -log(ways)
        evidence = sum(parts[:-1] if constant.fitted else parts) - constant.cost + prior
        if evidence >= ENOUGH and (best is None or evidence > best.evidence):
            wrong = frozenset(row[0] for row in rows if _far(row, constant.value))
            best = _Law(way, constant, frozenset(row[0] for row in good), wrong, evidence)
    return best


_BEGUN = 6
"""How many records are looked at first: most formulas fail there."""
_NEARLY = Decimal("0.1")
"""How far the constants of two records that follow one law hardly are from each other, as a share."""


def _alike_in_most(way: _Way, rows: Sequence[_Row]) -> bool:
    """Whether most of some records have about the same constant: 1 of a sum, any one of a product."""
    found = sorted(abs(plain(stated) / base) for _, base, stated, _ in rows)
    middles = [Decimal(1)] if way.form in _SUMS else found
    return any(2 * sum(abs(one - middle) <= middle * _NEARLY for one in found) >= len(found) for middle in middles)


def _rows(table: _Table, way: _Way) -> Iterator[_Row]:
    for place in range(len(table.rows)):
        stated = table.fields[way.result].figures[place]
        parts = [table.fields[one].figures[place] for one in way.inputs]
        used = tuple(one for one in parts if one is not None)
        if stated is None or not stated.low or len(used) < len(parts) or any(not one.low for one in used):
            continue
        if way.form in _SUMS and len({(one.sort, one.unit, one.per) for one in (stated, *used)}) > 1:
            continue
        base = way.form.value([plain(one) for one in used])
        if base:
            yield place, base, stated, used


def _constants(table: _Table, way: _Way, rows: Sequence[_Row], stated: Sequence[Known]) -> Iterator[_Constant]:
    """The constants that give some record: scales, figures of the text, else what most records have in common."""
    if way.form is _SHARED and way.scale is not None:
        what = {*stems(table.fields[way.result].name)}
        for one in stated:
            if what & {*stems(one.noun)}:
                yield _Constant(plain(one.figure) * way.scale, one.figure, log(2))
        return
    yield _Constant(way.scale or Decimal(1))
    if way.form in _SUMS or way.scale is not None:
        return
    scales: dict[Decimal, Figure | None] = {one: None for scale in _SCALES[1:] for one in (scale, 1 / scale)}
    texts: dict[Decimal, Figure | None] = {plain(one.figure): one.figure for one in stated}
    order = sorted(rows, key=lambda row: abs(plain(row[2]) / row[1]))
    typical = order if len(rows) < _FEW else [order[len(rows) // 2]]
    for known, cost in ((scales, log(2 * len(_SCALES))), (texts, log(2 * len(_SCALES) + len(texts)))):
        for constant, source in known.items():
            if any(_fits(row, constant) for row in typical) and sum(_fits(row, constant) for row in rows) > 1:
                yield _Constant(constant, source, cost)
    if len(rows) >= _FEW:
        yield _Constant(plain(typical[0][2]) / typical[0][1], fitted=True)


_FEW = 4
"""The records from which the one in the middle follows the law, and from which a constant may be fitted to them."""


def _fits(row: _Row, constant: Decimal) -> bool:
    return _off(row, constant) <= _room(row, constant)


def _far(row: _Row, constant: Decimal) -> bool:
    return _off(row, constant) > max(2 * _room(row, constant), abs(row[1] * constant) * FAR)


def _off(row: _Row, constant: Decimal) -> Decimal:
    """How far a result is from a law, whichever sign it is written with: from 5,250 to 4,410, −840."""
    return abs(abs(row[1] * constant) - abs(plain(row[2])))


def _room(row: _Row, constant: Decimal) -> Decimal:
    """Half a step of the result, and what the rounding of its inputs may move it: of decimals, and of large numbers."""
    _, base, stated, used = row
    half = stated.half / 100 if stated.sort == "%" else stated.half
    moved = (abs(base * constant) * one.half / abs(one.low) for one in used if _rounded(one))
    return half + sum(moved, Decimal(0))


def _rounded(one: Figure) -> bool:
    """Whether an input may be rounded."""
    return "." in one.text or abs(one.low) >= _LARGE


_LARGE = 100
"""A number from which an input may be rounded to a whole one."""


# ---- readings


def _readings(table: _Table, law: _Law) -> Iterator[Reading]:
    sure = law.evidence >= SURE and not law.constant.fitted
    for place in sorted(law.good | (law.wrong if sure and len(law.wrong) == 1 else frozenset())):
        stated = table.fields[law.way.result].figures[place]
        used = [table.fields[one].figures[place] for one in law.way.inputs]
        row = table.rows[place][law.way.result]
        if stated is not None and all(used):
            made = _reading(row, law, [one for one in used if one is not None], stated)
            yield replace(made, cautious=place in law.good)  # its inputs may be rounded further than they are written


def _reading(row: Row, law: _Law, used: Sequence[Figure], stated: Figure) -> Reading:
    text, constant = law.way.form.text, law.constant
    parts = list(zip(_NAMES, used, strict=False))
    if constant.source is not None:
        parts.append(("constant", constant.source))
        scale = constant.value / plain(constant.source)
        shared = "constant / left" if scale == 1 else f"{scale:f} * constant / left"
        text = shared if law.way.form is _SHARED else f"{text} * constant"
    elif constant.value != 1:
        size = constant.value if constant.value >= 1 else 1 / constant.value
        text = f"{text} {'*' if constant.value >= 1 else '/'} {round(size, 6).normalize():f}"
    named = [Named(name, one) if one.sort == "%" else Named(name, one, unit="") for name, one in parts]
    note = f"a relation that holds in {len(law.good)} of {len(law.good) + len(law.wrong)} rows of its table"
    unit = "%" if stated.sort == "%" else ""
    inputs = tuple(
        one if _rounded(figure) else one.model_copy(update={"half": Decimal(0)})
        for one, (_, figure) in zip(given(*named), parts, strict=True)
    )
    return reading(row, LAW, inputs, text, stated, unit=unit, note=note, slack=Decimal(0))
