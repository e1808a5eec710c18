"""Tables: total rows, columns computed from others, a year of power, the minimum GPU-hours of a training run.

| Item  | Cost |        a row called Total is the sum of the rows above it
| A     | $10  |
| Total | $10  |
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from itertools import combinations, permutations

from compute.mining.mining_models import Figure, MinedInput, Passage, Reading
from compute.mining.power_relations import energy
from compute.mining.readings import Named, given, known
from compute.mining.table_cells import cell_reading, fits, is_ratio, plain, reading, telling
from compute.mining.table_columns import CHANGE, FEWEST, WHOLE, columns_of_change, portions, way_of_change
from compute.mining.table_grid import Grid, Row
from compute.mining.text_windows import Window, tagged

_TOTAL = re.compile(r"\b(?:total|sum|tco)\b", re.I)
_SUMMED = re.compile(
    r"\W*(?:(?:all|both)(?: (?:of them|together|two|three|four|five|six|seven|eight|nine|ten|\d+))?|overall|together"
    r"|altogether|in all|to pay|amount due|house|end|everyone|everything)\W*",
    re.I,
)
"""Labels of a last row that may be the sum of its column: it is if no part is larger."""
_MEAN = re.compile(r"\W*(?:(?P<plain>simple|arithmetic|plain) )?(?:mean|average|avg)\W*", re.I)
_RATED = re.compile(r"\b(?:per|each|apiece|hourly|rate|unit (?:price|cost))\b|/", re.I)
"""Labels of rows that are no parts of a sum: a price per reading above the total of all readings."""
_PARTIAL = re.compile(r"sub-?total|of which|thereof", re.I)
_NOTHING = re.compile(r"(?i)included|n/?a|none|[-–—]|free|embedded.*|0|")
_YEARS = re.compile(r"(\d{1,2})[ -]?(?:years?|yr)\b", re.I)
MOST_COLUMNS, MOST_ROWS = 12, 500
"""The size above which a table is data, not an argument; relations between its columns are not searched."""
RELATIONS: tuple[tuple[str, Callable[[Decimal, Decimal], Decimal]], ...] = (
    ("left * right", lambda a, b: a * b),
    ("left / right", lambda a, b: a / b),
    ("left + right", lambda a, b: a + b),
    ("left - right", lambda a, b: a - b),
    ("left / right - 1", lambda a, b: a / b - 1),
    ("1 - left / right", lambda a, b: 1 - a / b),
)


def cells(passage: Passage, laid: Sequence[Grid]) -> Iterator[Window]:
    """Table cells of a passage with several figures, each as a separate sentence."""
    for grid in laid:
        for row in grid.rows:
            for found in row.figures:
                if len(found) > 1:
                    start, end = found[0].start, found[-1].end
                    rest = passage.mask[end:].partition("\n")[0].partition("|")[0]
                    end += len(rest.rstrip())
                    yield Window(passage, start, end, found, tagged(passage.mask, start, end, found))


def tables(laid: Sequence[Grid]) -> Iterator[Reading]:
    """Readings of tables."""
    for grid in laid:
        yield from _totals(grid)
        yield from _balances(grid)
        yield from _columns(grid)
        yield from _headed(grid)
        yield from _itemised(grid)
        yield from _power(grid)
        yield from _training(grid)


# ---- totals


def _totals(grid: Grid) -> Iterator[Reading]:
    row = grid.rows[-1]
    loose, mean = _SUMMED.fullmatch(row.cells[0]), _MEAN.fullmatch(row.cells[0])
    if (
        not (_TOTAL.search(row.cells[0]) or loose or mean)
        or len(grid.rows) < 3
        or any(_PARTIAL.search(above.cells[0]) for above in grid.rows)
    ):
        return
    rated = any(_RATED.search(above.cells[0]) for above in grid.rows[:-1])
    for index in range(1, len(row.cells)):
        stated = row.figures[index][0] if len(row.figures[index]) == 1 else None
        if stated is not None and stated.sort in {"money", "count", "unit", "%"}:
            years = _YEARS.search(row.cells[0]) or _YEARS.search(grid.header[index] if index < len(grid.header) else "")
            parts = [
                _part(above, index, stated, Decimal(years[1]) if years else Decimal(1)) for above in grid.rows[:-1]
            ]
            found = [part for part in parts if part is not None and part.value]
            values = [part.value for part in found if part.value is not None]
            no_sum = _no_shares if stated.sort == "%" else _of_others
            if not mean and no_sum(grid, index, values, stated):
                continue
            if all(part is not None for part in parts) and len(found) >= (1 if years else 2):
                if mean:
                    yield _averaged(row, found, stated, cautious=not mean["plain"])
                elif not loose or (stated.sort != "%" and stated.high >= max(values)):
                    # if shares do not add up to all of it, one of them is wrong, and not the total
                    all_of_it = stated.sort == "%" and stated.low == WHOLE
                    overlap = (bool(loose) and stated.high < sum(values)) or all_of_it
                    signed = _some_cell(grid, index, _MINUS)
                    slack = _slack([one for above in grid.rows[:-1] for one in above.figures[index]], stated)
                    yield _total(row, found, stated, slack, cautious=overlap or rated or signed)


_SIGNED = re.compile(r"\W*[-+−±]\s*\d")
_MINUS = re.compile(r"\W*?[-−–]\s*[£$€]?\d")


def _some_cell(grid: Grid, index: int, pattern: re.Pattern[str]) -> bool:
    """Whether a cell of a column begins with a pattern."""
    return any(index < len(row.cells) and pattern.match(row.cells[index]) for row in grid.rows)


def _no_shares(grid: Grid, index: int, values: Sequence[Decimal], total: Figure) -> bool:
    """Whether the percentages of a column are changes or rates, which have no sum: +15%, -10%; a margin of each."""
    signed = _some_cell(grid, index, _SIGNED)
    changed = index < len(grid.header) and CHANGE.search(grid.header[index])
    return bool(signed or changed or total.high < max(values, default=Decimal(0)))


def _of_others(grid: Grid, index: int, values: Sequence[Decimal], total: Figure) -> bool:
    """Whether a column is of rates, which have no sum: 144, 65 and 35 visits per hour, and 59 over all hours."""
    header = grid.header[index] if index < len(grid.header) else ""
    return bool(_RATED.search(header)) and total.high < max(values, default=Decimal(0))


def _averaged(row: Row, parts: list[MinedInput], stated: Figure, *, cautious: bool) -> Reading:
    """The mean of a column; one that is not called simple may be weighted, and so is not refuted."""
    inputs = tuple(part.model_copy(update={"name": f"x{index}"}) for index, part in enumerate(parts, 1))
    expression = f"({' + '.join(one.name for one in inputs)}) / {len(inputs)}"
    unit = "%" if stated.sort == "%" else inputs[0].unit
    return reading(row, "mean row", inputs, expression, stated, unit=unit, cautious=cautious)


def _slack(parts: Sequence[Figure], total: Figure) -> Decimal:
    """How far a total may be off beyond its own rounding, as a share of it.

    Whole numbers that are no coarser than their total add up, but for half a unit of each that a spreadsheet rounds:
    1,500, 2,400 and 3,900 are not 7,900.
    """
    if total.hedge:
        return _HEDGED
    whole = all(_WHOLE_NUMBER.fullmatch(one.text.strip()) and not one.hedge for one in (*parts, total))
    if not whole or not total.low or any(one.coarse > total.coarse for one in parts):
        return _OFF
    return min(_OFF, len(parts) * _ROUNDED / total.low)


_HEDGED, _OFF, _ROUNDED = Decimal("0.10"), Decimal("0.01"), Decimal("0.5")
"""How far a hedged total may be off, and a plain one, as a share; and the rounding of a whole number."""
_WHOLE_NUMBER = re.compile(r"[$€£¥]?\s?\d{1,3}(?:,?\d{3})*")


def _total(row: Row, parts: list[MinedInput], stated: Figure, slack: Decimal, *, cautious: bool) -> Reading:
    """The sum of a column; a cautious one may count what two rows have in common once, and so is not refuted."""
    inputs = tuple(part.model_copy(update={"name": f"x{index}"}) for index, part in enumerate(parts, 1))
    expression = " + ".join(one.name for one in inputs)
    return reading(
        row, "total row", inputs, expression, stated, unit="%" if stated.sort == "%" else inputs[0].unit, slack=slack,
        cautious=cautious,
    )  # fmt: skip  # the call on two lines is more readable


def _part(row: Row, index: int, total: Figure, years: Decimal) -> MinedInput | None:
    """The part of a cell in a total: nothing, one amount, or an amount for each year."""
    cell = row.cells[index] if index < len(row.cells) else ""
    if _NOTHING.fullmatch(cell):
        return MinedInput(name="x", formula="0", text=cell, value=Decimal(0))
    found = [figure for figure in row.figures[index] if figure.sort == total.sort]
    yearly = [figure for figure in found if figure.per == "year"]
    figure = yearly[0] if yearly else found[0] if len(found) == 1 else None
    if figure is None or figure.unit != total.unit or figure.per not in {total.per, "year", "", "GPU"}:
        return None
    times = years if figure.per == "year" != total.per else Decimal(1)
    unit = "%" if figure.sort == "%" else figure.unit if known(figure.unit) else ""
    middle, reach = (figure.low + figure.high) / 2 * times, (figure.high - figure.low) / 2 * times
    half = reach + (figure.half * times if figure.hedge or reach else Decimal(0))
    return MinedInput(
        name="x",
        formula=f"{middle:f}{'' if unit in {'', '%'} else ' '}{unit}",
        text=cell,
        value=middle,
        unit=unit,
        half=half,
    )


# ---- columns


def _parts_of(grid: Grid) -> list[Row]:
    """The rows of a table without its total."""
    rows = [row for row in grid.rows if row.cells and not _TOTAL.search(row.cells[0])]
    return rows[:-1] if len(rows) > 2 and rows[-1] is grid.rows[-1] and _SUMMED.fullmatch(rows[-1].cells[0]) else rows


_AT = re.compile(r"\s*(?:[a-z]+ ){0,3}(?:at|@|×|x|of)\s*", re.I)


def _itemised(grid: Grid) -> Iterator[Reading]:
    """Rows whose label states a number and a price, before the amount: `Flour, 120 kg at €0.90 | 108`."""
    found = []
    for row in grid.rows:
        label, *others = row.figures
        amounts = [one for cell in others for one in cell]
        if len(label) != 2 or len(amounts) != 1 or any(one.ranged for one in (*label, *amounts)):
            continue
        number, price = label
        text = row.cells[0]
        first, second = text.find(number.text.strip()), text.find(price.text.strip())
        if price.sort == "money" and 0 <= first < second and _AT.fullmatch(text, first + len(number.text), second):
            found.append((row, (number, price, amounts[0])))
    good = sum(fits(number.low * price.low, stated) for _, (number, price, stated) in found)
    for row, parts in found if good > 1 and good >= len(found) - 1 else ():
        yield cell_reading(row, "left * right", parts, good)


def _columns(grid: Grid) -> Iterator[Reading]:
    rows = _parts_of(grid)
    if not FEWEST < len(rows) <= MOST_ROWS or len(grid.header) > MOST_COLUMNS:
        return
    columns = {index: Grid(grid.header, tuple(rows)).column(index) for index in range(1, len(grid.header))}
    yield from portions(grid, rows, {index: column for index, column in columns.items() if any(column)})
    changes = columns_of_change(grid) if len(grid.rows) <= MOST_ROWS else {}
    for found, good in changes.values():
        for row, cell, way in found:
            yield cell_reading(row, way, cell, good)
    for three in combinations((index for index in columns if index not in changes), 3):
        related = next(_relations(rows, columns, three), None)
        for row, parts, expression, good in related or ():
            yield cell_reading(row, expression, parts, good)


_Cells = tuple[Row, tuple[Figure, Figure, Figure], str, int]


def _relations(
    rows: list[Row], columns: dict[int, list[Figure | None]], three: tuple[int, ...]
) -> Iterator[list[_Cells]]:
    """Relations between three columns that hold in most rows; first those for a ratio or for the last column."""
    ways = sorted(permutations(three), key=lambda way: (-is_ratio(columns[way[2]]), -way[2]))
    for a, b, c in ways:
        whole = [
            (row, (x, y, z))
            for row, x, y, z in zip(rows, columns[a], columns[b], columns[c], strict=True)
            if x and y and z and x.low and y.low
        ]
        for expression, compute in RELATIONS:
            good = sum(telling(x, y) and fits(compute(plain(x), plain(y)), z) for _, (x, y, z) in whole)
            if good >= FEWEST and good * 4 >= len(whole) * 3:
                yield [(row, parts, expression, good) for row, parts in whole]


_RESULT = re.compile(
    r"total|cost|amount|income|revenue|sales|change|chg|delta|Δ|remain|left|balance|rate|share|per\b|/|ratio"
    r"|margin|profit|points|kwh|sum|diff"
    r"|saving|spend|bill|fee|paid|net|value|yield|density|speed|average|avg|growth|%|\bx\b|factor|multiple",
    re.I,
)
_BEFORE, _AFTER = (
    re.compile(r"before|old|from|was|previous|prior|last", re.I),
    re.compile(r"after|new|\bto\b|now|current|this", re.I),
)
_LEFT = re.compile(r"profit|net|margin|balance|remain|surplus|left|difference|result", re.I)
_SPEC = (
    re.compile(r"param", re.I),
    re.compile(r"\bbits?\b|precision|width", re.I),
    re.compile(r"weights|memory|size|GB", re.I),
)
_UPTIME = re.compile(r"availab|uptime|SLA", re.I), re.compile(r"downtime|outage|unavailab", re.I)
_SCALED: tuple[tuple[str, Callable[[Decimal, Decimal], Decimal]], ...] = (
    *RELATIONS,
    ("left * right / 1000", lambda a, b: a * b / 1000),
    ("left * right / 12", lambda a, b: a * b / 12),
    ("left * right / 100", lambda a, b: a * b / 100),
    ("left * right * 1000", lambda a, b: a * b * 1000),
)


_RELATED = 3
"""The fewest cells of a row between which there may be a relation."""


def _headed(grid: Grid) -> Iterator[Reading]:
    """Small tables: a column whose header says that it is a result, computed from two others in all rows but one.

    Rows with fewer cells than a relation has do not count: a lump sum among items with a number and a price.
    """
    rows = _parts_of(grid)
    if len(rows) > FEWEST:
        rows = [row for row in rows if sum(map(bool, row.figures[1:])) >= _RELATED]
    if not 1 <= len(rows) <= FEWEST or len(grid.header) > MOST_COLUMNS:
        return
    columns = {index: Grid(grid.header, tuple(rows)).column(index) for index in range(1, len(grid.header))}
    columns = {index: column for index, column in columns.items() if any(column)}
    yield from _changed(grid, rows, columns)
    yield from portions(grid, rows, columns)
    yield from _models(grid, rows, columns)
    if len(rows) < 2 or not columns:
        return
    last = max(columns)
    ranked = sorted(
        (
            (best[0], result == last, result, best)
            for result in columns
            if (result == last or _RESULT.search(grid.header[result])) and not CHANGE.search(grid.header[result])
            for best in [max(_found(rows, columns, result), key=lambda one: one[0], default=None)]
            if best is not None
        ),
        key=lambda one: one[:3],
        reverse=True,
    )
    taken: set[int] = set()
    for good, is_last, result, (_, expression, whole, used) in ranked:
        enough = good == len(rows) or (good >= len(rows) - 1 and (is_last or len(rows) > 2))
        if enough and not taken & {result, *used}:
            taken |= {result, *used}
            for row, parts in whole:
                yield cell_reading(row, expression, parts, good)


def _found(
    rows: list[Row], columns: dict[int, list[Figure | None]], result: int
) -> Iterator[tuple[int, str, list[tuple[Row, tuple[Figure, Figure, Figure]]], tuple[int, int]]]:
    for a, b in permutations([index for index in columns if index != result], 2):
        whole = [
            (row, (x, y, z))
            for row, x, y, z in zip(rows, columns[a], columns[b], columns[result], strict=True)
            if x and y and z and x.low and y.low
        ]
        for expression, compute in _SCALED if len(whole) == len(rows) else ():
            if _SCALING.match(expression) and any(_of_one_unit(parts) for _, parts in whole):
                continue
            good = sum(telling(x, y) and fits(compute(plain(x), plain(y)), z) for _, (x, y, z) in whole)
            if good:
                yield good, expression, whole, (a, b)


_SCALING = re.compile(r"left [*/] right\b")


def _of_one_unit(parts: Sequence[Figure]) -> bool:
    """Whether figures have all the same unit, so that none is a product of the others, nor a ratio: 1200 ms, 287 ms."""
    first = parts[0]
    return first.sort in {"unit", "money"} and len({(one.sort, one.full_unit) for one in parts}) == 1


def _changed(grid: Grid, rows: list[Row], columns: dict[int, list[Figure | None]]) -> Iterator[Reading]:
    """A column called change, after two columns called before and after, or the only two of one kind."""
    places = [[index for index in columns if words.search(grid.header[index])] for words in (_BEFORE, _AFTER, CHANGE)]
    if len(places[2]) != 1:
        return
    others = [index for index in columns if index < places[2][0] and not is_ratio(columns[index])]
    named = len(places[0]) == len(places[1]) == 1 and places[0] != places[1]
    if not named and len(others) != 2:
        return
    before, after = (
        (columns[places[0][0]], columns[places[1][0]]) if named else (columns[others[0]], columns[others[1]])
    )
    found = [
        (row, (x, y, z))
        for row, x, y, z in zip(rows, before, after, columns[places[2][0]], strict=True)
        if x and y and z and x.low and y.low and x.unit == y.unit and z.sort in {"%", "x"}
    ]
    good = sum(
        fits(abs(y.low / x.low - 1) if z.sort == "%" else max(x.low / y.low, y.low / x.low), z)
        for _, (x, y, z) in found
    )
    for row, (x, y, z) in found if good or (named and len(found) == 1) else ():
        times = "left / right" if x.low > y.low else "right / left"
        yield cell_reading(row, times if z.sort == "x" else way_of_change(x, y, ""), (x, y, z), good)


def _models(grid: Grid, rows: list[Row], columns: dict[int, list[Figure | None]]) -> Iterator[Reading]:
    """The memory of weights from parameters and bits; the downtime from an availability over a stated period."""
    header = {index: grid.header[index] for index in columns}
    spec = [next((index for index, words in header.items() if pattern.search(words)), 0) for pattern in _SPEC]
    up, down = (next((index for index, words in header.items() if pattern.search(words)), 0) for pattern in _UPTIME)
    for place, row in enumerate(rows):
        if all(spec) and len(set(spec)) == 3 and all(columns[index][place] for index in spec):
            size, bits, memory = (columns[index][place] for index in spec)
            if size and bits and memory and memory.unit == "GB" and size.low >= 10**6:
                yield cell_reading(row, "left * right / 8000000000", (size, bits, memory), 1)
        days = re.search(r"(\d{2,3}) days|\b(day|week|year)\b", header.get(down, ""))
        if up and down and days and (share := columns[up][place]) and (time := columns[down][place]):
            hours = Decimal(days[1]) * 24 if days[1] else {"day": 24, "week": 168, "year": 8760}[days[2]]
            scale = {"h": 1, "minute": 60, "second": 3600}.get(time.unit, 0)
            if scale:
                inputs = given(Named("share", share))
                yield reading(
                    row, "columns", inputs, f"(1 - share) * {hours * scale}", time, unit="", slack=Decimal("0.02")
                )


def _balances(grid: Grid) -> Iterator[Reading]:
    """A last row called profit or balance, after two rows: the difference of both."""
    if len(grid.rows) != 3 or not _LEFT.search(grid.rows[2].cells[0]):
        return
    found: list[tuple[Figure, Figure, Figure]] = []
    for index in range(1, len(grid.header)):
        first, second, result = Grid(grid.header, grid.rows).column(index)
        if first and second and result and first.sort == second.sort == result.sort != "%" and first.low > second.low:
            found.append((first, second, result))
    good = sum(fits(x.low - y.low, z) for x, y, z in found)
    for cells in found if good else ():
        yield cell_reading(grid.rows[2], "left - right", cells, good)


# ---- compute economics


def _power(grid: Grid) -> Iterator[Reading]:
    for row in grid.rows:
        found = tuple(figure for cell in row.figures[:2] for figure in cell)
        yield from energy(row, found)


_COLUMNS = (("parameters", r"param"), ("tokens", r"token"), ("hours", r"hours"))
_CHIP = re.compile(r"\b([A-Z]{1,2}\d{2,4})(?:[ -]eq\w*)?[ -](?:GPU[ -])?hours?", re.I)


def _training(grid: Grid) -> Iterator[Reading]:
    """GPU-hours of a training run: fewer than the GPU's peak allows are impossible (Kaplan et al. 2020)."""
    places = {
        name: next((n for n, told in enumerate(grid.header) if re.search(word, told, re.I)), None)
        for name, word in _COLUMNS
    }
    if None in places.values():
        return
    for row in grid.rows:
        figures = [_first(row, place) for place in places.values()]
        chip = _CHIP.search(row.cells[places["hours"] or 0])
        if chip and all(figure is not None and not figure.ranged for figure in figures):
            params, tokens, hours = (figure for figure in figures if figure is not None)
            inputs = given(Named("params", params, unit="parameter"), Named("tokens", tokens, unit="token"))
            peak = f'assume("{chip[1].lower()}_flops")'
            yield reading(
                row,
                "training",
                inputs,
                f"training_flop(params, tokens) / {peak}",
                hours,
                unit="GPUh",
                bound="at most",
                slack=Decimal("0.05"),
                confidence=Decimal("0.8"),
                missing="the share of the GPU's peak that was used (MFU) is not stated",
                note="the minimum GPU-hours, at the GPU's full peak",
            )


def _first(row: Row, place: int | None) -> Figure | None:
    found = row.figures[place] if place is not None and place < len(row.figures) else ()
    return found[0] if found else None
