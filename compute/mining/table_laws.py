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
from compute.mining.table_cells import plain, reading
from compute.mining.table_grid import Grid, Row
from compute.mining.text_windows import Window
from graph.search.tokenizer import stems

LAW = "table law"
"""The rule of these readings; one that another rule for tables has already found is not told twice."""
MOST_FIELDS, MOST_RECORDS = 9, 60
"""The size above which a table is data, not an argument."""
ENOUGH, SURE = 5.0, 7.0
"""The evidence from which the cells of a law hold, and from which one that does not follow it is wrong."""
NAMED = 3.0
"""The evidence that the names of the fields are for a law: most columns called *a per b* are that."""
FAR = Decimal("0.03")
"""How far from a law a wrong cell is at least, as a share."""
REACH = 1500
"""How many characters around a table may state a constant of its law."""
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
_LEFT = re.compile(r"\b(?:left|remain\w*|balance|stock|open|closing|backlog|end|after|waiting|unsold|on hand)\b", re.I)
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


@dataclass(frozen=True, slots=True)
class _Law:
    """A law with its evidence; `constant` with the figure of the text that states it, if one does."""

    form: _Form
    inputs: tuple[int, ...]
    result: int
    constant: Decimal
    source: Figure | None
    good: frozenset[int]
    wrong: frozenset[int]
    evidence: float
    fitted: bool = False
    named: bool = False

    @property
    def rank(self) -> tuple[bool, float, int]:
        """Sort key: what names say comes first, then the law with the most evidence, of the last field."""
        return not self.named, -self.evidence, -self.result

    @property
    def fields(self) -> frozenset[int]:
        return frozenset((*self.inputs, self.result))


def laws(laid: Sequence[Grid], sentences: Sequence[Window]) -> Iterator[Reading]:
    """The cells that follow from a law of their table, and those that break it."""
    for grid in laid:
        stated = _stated_near(grid, sentences)
        tables = (_by_rows(grid), _by_columns(grid), _by_rows(grid, totals=True))
        found = [(law, table) for table in tables if table is not None for law in _believed(table, stated)]
        told: set[int] = set()
        for law, table in sorted(found, key=lambda one: one[0].rank):
            for one in _readings(table, law):
                if one.stated.start not in told:
                    told.add(one.stated.start)
                    yield one
        yield from _balances(grid, stated)


class _Known(NamedTuple):
    """A figure of the text, and the word after it."""

    figure: Figure
    noun: str


def _stated_near(grid: Grid, sentences: Sequence[Window]) -> tuple[_Known, ...]:
    """The figures of the text around a table that may be constants of its law."""
    begin, end = grid.rows[0].start - REACH, grid.rows[-1].end + REACH
    near = (
        _Known(figure, window.word_after(figure))
        for window in sentences
        if begin <= window.start and window.end <= end
        for figure in window.figures
        if not figure.ranged and figure.low not in {0, 1}
    )
    return tuple({plain(one.figure): one for one in near}.values())


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


def _believed(table: _Table, stated: Sequence[_Known]) -> Iterator[_Law]:
    """The laws of a table; of several over the same fields the one with the most evidence."""
    taken: set[frozenset[int]] = set()
    for law in sorted(_laws(table, stated), key=attrgetter("rank")):
        if not any(law.fields <= one or one <= law.fields for one in taken):
            taken.add(law.fields)
            yield law


def _laws(table: _Table, stated: Sequence[_Known]) -> Iterator[_Law]:
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


def _tested(table: _Table, way: _Way, ways: int, stated: Sequence[_Known]) -> _Law | None:
    """A law that enough records follow, with the simplest constant; None if there is none."""
    begun = [*islice(_rows(table, way), _BEGUN)]
    if len(begun) < 2 or len({base for _, base, _, _ in begun}) < 2 or not _alike_in_most(way, begun):
        return None
    rows = begun if len(begun) < _BEGUN else [*_rows(table, way)]
    named = way.scale is not None
    best: _Law | None = None
    for constant, source, cost, fitted in _constants(table, way, rows, stated):
        good = [row for row in rows if _fits(row, constant)]
        wrong = [row for row in rows if row not in good and _far(row, constant)]
        if len(good) < 2 + fitted - named or len(rows) - len(good) > max(1, len(rows) // 5):
            continue
        parts = sorted(
            -log(_chance(row[2], _room(row, constant))) for row in {plain(row[2]): row for row in good}.values()
        )
        evidence = sum(parts[:-1] if fitted else parts) - cost + (NAMED if named else -log(ways))
        if evidence >= ENOUGH and (best is None or evidence > best.evidence):
            places = frozenset(one[0] for one in good), frozenset(one[0] for one in wrong)
            best = _Law(way.form, way.inputs, way.result, constant, source, *places, evidence, fitted, named)
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


_Constant = tuple[Decimal, Figure | None, float, bool]
"""A constant, the figure of the text that states it, its cost in nats, and whether it was fitted to the records."""


def _constants(table: _Table, way: _Way, rows: Sequence[_Row], stated: Sequence[_Known]) -> Iterator[_Constant]:
    """The constants that give some record: scales, figures of the text, else what most records have in common."""
    if way.form is _SHARED and way.scale is not None:
        what = {*stems(table.fields[way.result].name)}
        for one in stated:
            if what & {*stems(one.noun)}:
                yield plain(one.figure) * way.scale, one.figure, log(2), False
        return
    yield way.scale or Decimal(1), None, 0.0, False
    if way.form in _SUMS or way.scale is not None:
        return
    scales: dict[Decimal, Figure | None] = {one: None for scale in _SCALES[1:] for one in (scale, 1 / scale)}
    texts: dict[Decimal, Figure | None] = {plain(one.figure): one.figure for one in stated}
    order = sorted(rows, key=lambda row: abs(plain(row[2]) / row[1]))
    typical = order if len(rows) < _FEW else [order[len(rows) // 2]]
    for known, cost in ((scales, log(2 * len(_SCALES))), (texts, log(2 * len(_SCALES) + len(texts)))):
        for constant, source in known.items():
            if any(_fits(row, constant) for row in typical) and sum(_fits(row, constant) for row in rows) > 1:
                yield constant, source, cost, False
    if len(rows) >= _FEW:
        yield plain(typical[0][2]) / typical[0][1], None, 0.0, True


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


def _chance(figure: Figure, room: Decimal) -> float:
    """The probability that a random number is within `room` of a figure."""
    return float(max(Decimal("1e-5"), min(Decimal(1), 2 * room / abs(plain(figure)))))


# ---- readings


def _readings(table: _Table, law: _Law) -> Iterator[Reading]:
    sure = law.evidence >= SURE and not law.fitted
    for place in sorted(law.good | (law.wrong if sure and len(law.wrong) == 1 else frozenset())):
        stated = table.fields[law.result].figures[place]
        used = [table.fields[one].figures[place] for one in law.inputs]
        row = table.rows[place][law.result]
        if stated is not None and all(used):
            made = _reading(row, law, [one for one in used if one is not None], stated)
            yield replace(made, cautious=place in law.good)  # its inputs may be rounded further than they are written


def _reading(row: Row, law: _Law, used: Sequence[Figure], stated: Figure) -> Reading:
    text = law.form.text
    if law.form is _SHARED and law.source is not None:
        scale = law.constant / plain(law.source)
        text = "constant / left" if scale == 1 else f"{scale:f} * constant / left"
    parts = list(zip(_NAMES, used, strict=False))
    if law.source is not None:
        text, parts = text if law.form is _SHARED else f"{text} * constant", [*parts, ("constant", law.source)]
    elif law.constant != 1:
        whole = law.constant if law.constant >= 1 else 1 / law.constant
        text = f"{text} {'*' if law.constant >= 1 else '/'} {round(whole, 6).normalize():f}"
    named = [Named(name, one) if one.sort == "%" else Named(name, one, unit="") for name, one in parts]
    note = f"a relation that holds in {len(law.good)} of {len(law.good) + len(law.wrong)} rows of its table"
    unit = "%" if stated.sort == "%" else ""
    inputs = tuple(
        one if _rounded(figure) else one.model_copy(update={"half": Decimal(0)})
        for one, (_, figure) in zip(given(*named), parts, strict=True)
    )
    return reading(row, LAW, inputs, text, stated, unit=unit, note=note, slack=Decimal(0))


# ---- balances


def _balances(grid: Grid, stated: Sequence[_Known]) -> Iterator[Reading]:
    """A column of what is left: that of the row before, and what came, less what went."""
    columns = {index: grid.column(index) for index in range(1, len(grid.header))}
    full = {index: column for index, column in columns.items() if all(column)}
    if len(grid.rows) < 3 or len(grid.rows) > MOST_RECORDS or not 2 < len(full) <= MOST_FIELDS:
        return
    for left in (index for index in full if _LEFT.search(grid.header[index])):
        for came, went in permutations([index for index in full if index != left], 2):
            yield from _balance(grid, [full[one] for one in (left, came, went)], stated)


def _balance(grid: Grid, columns: Sequence[list[Figure | None]], stated: Sequence[_Known]) -> Iterator[Reading]:
    left, came, went = ([one for one in column if one is not None] for column in columns)
    steps = [_Step(place, left[place - 1], came[place], went[place], left[place]) for place in range(1, len(left))]
    known = (one.figure for one in stated)
    first = next((one for one in known if one.low + came[0].low - went[0].low == left[0].low), None)
    steps = [*([_Step(0, first, came[0], went[0], left[0])] if first is not None else []), *steps]
    good = [step for step in steps if abs(step.computed - step.left.low) <= step.left.half]
    tried = log(2 * len(stated) + 2) if first is not None else log(2)
    evidence = sum(-log(_chance(step.left, step.left.half)) for step in good) - tried
    if len(good) < max(2, len(steps) - 1) or evidence < SURE:
        return
    for step in steps:
        named = (("before", step.before), ("came", step.came), ("went", step.went))
        inputs = given(*(Named(name, one, unit="") for name, one in named))
        note = f"a balance that holds in {len(good)} of {len(steps)} rows"
        row = grid.rows[step.place]
        yield reading(row, LAW, inputs, "before + came - went", step.left, note=note, slack=Decimal(0))


@dataclass(frozen=True, slots=True)
class _Step:
    """One row of a balance: what was left before, what came, what went, and what is left."""

    place: int
    before: Figure
    came: Figure
    went: Figure
    left: Figure

    @property
    def computed(self) -> Decimal:
        return self.before.low + self.came.low - self.went.low
