"""Number formats by their bits: the bytes of a number, the share of another format, the weights of a model.

an INT8 copy of the float32 index is a quarter of the size     small / large
FP16 takes 2 bytes per parameter                               bits / 8
a 7B model in BF16 needs 14 GB                                 size * 2 byte/parameter
12 bits distinguish 4,096 values                               2 ^ bits

The readings are reported only if they hold: a speed or a price need not follow from the bits.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations

from compute.mining.mining_models import Figure, MinedInput, Reading
from compute.mining.readings import Named, Span, given, loose, reading
from compute.mining.table_grid import Grid
from compute.mining.text_windows import Window

_FORMAT = re.compile(
    r"\b(?:(?:NV|MX)?FP|BF|TF|u?int|b?float|UTF)-?(?P<named>64|32|16|8|4)\b|(?<![\w.])(?P<plain>\d{1,2})[- ]bits?\b",
    re.I,
)
_SIZED = re.compile(
    r"memory|\bsizes?\b|footprint|\bweights?\b|bytes?\b|\bbits? per|storage|\bdisk\b|bandwidth|smaller|larger"
    r"|\bcache|\bRAM\b|compress|traffic",
    re.I,
)
_SPEED = re.compile(r"throughput|speed|fast|TFLOPS|latency|accura|price|cost|cheap|compute|energy", re.I)
_GROWS = re.compile(r"doubl|tripl|quadrupl", re.I)
_FACTOR = re.compile(
    r"\b(?:factor of (?P<number>two|three|four|eight|sixteen|\d{1,2})|(?P<quarter>quarter(?:s|ed|ing)?))\b", re.I
)
_WORDS = {"two": 2, "three": 3, "four": 4, "eight": 8, "sixteen": 16}
_WIDE, _NEAR, _MOST = 64, 240, 3
"""The widest format, how far back a sentence looks for a format, and how many are tried."""


@dataclass(frozen=True, slots=True)
class Format:
    """A number format that a text names, with its place."""

    bits: int
    text: str
    start: int

    def named(self, name: str) -> MinedInput:
        """The bits as an input of an expression."""
        return MinedInput(name=name, formula=str(self.bits), text=self.text, value=Decimal(self.bits))


def formats(window: Window) -> Iterator[Reading]:
    """Readings of number formats in a sentence."""
    start = window.passage.mask.rfind("\n\n", max(0, window.start - _NEAR), window.start)
    start = max(0, window.start - _NEAR) if start < 0 else start
    if not (found := named_formats(window.passage.mask, start, window.end)):
        return
    here = [one for one in found if one.start >= window.start]
    before = [one for one in found if one.start < window.start]
    yield from _smaller(window, here, before)
    yield from _bytes(window, [*before, *here])
    yield from _weights(window, [*before, *here])
    yield from _values(window, [*here, *before])


def named_formats(mask: str, start: int, end: int) -> list[Format]:
    """The formats that a part of a text names."""
    found = ((int(match["named"] or match["plain"]), match) for match in _FORMAT.finditer(mask, start, end))
    return [Format(bits, match[0], match.start()) for bits, match in found if 0 < bits <= _WIDE]


# ---- sizes


def _smaller(window: Window, here: Sequence[Format], before: Sequence[Format]) -> Iterator[Reading]:
    """How many times smaller one format is than another: `FP8 halves the memory of FP16`."""
    mask = window.passage.mask
    if not here or not _SIZED.search(mask, max(0, window.start - _NEAR), window.end):
        return
    pairs = [*combinations(here, 2)] if len({one.bits for one in here}) > 1 else [(a, b) for a in before for b in here]
    for stated in ratios(window):
        if _SPEED.search(mask, stated.end, min(window.end, stated.end + 24)) or _GROWS.match(stated.text):
            continue
        near = sorted(pairs, key=lambda pair: _distance(mask, stated, pair))
        yield from _compared(window, stated, near[:_MOST])


def _distance(mask: str, stated: Figure, pair: tuple[Format, Format]) -> tuple[int, bool, int]:
    """How far a pair of formats is from a ratio: other clauses between, whether it is `from … to`, characters."""
    first, last = sorted(one.start for one in pair)
    between = mask[min(first, stated.start) : max(last, stated.start)]
    ordered = mask[:first].rstrip(" *").endswith("from") and re.search(r"\bto\b|→", mask[first:last])
    return between.count(";"), not ordered, max(abs(one.start - stated.start) for one in pair)


def _compared(span: Span, stated: Figure, pairs: Iterable[tuple[Format, Format]]) -> Iterator[Reading]:
    for one, two in pairs:
        small, large = sorted((one, two), key=lambda form: form.bits)
        share = stated.sort == "%"
        value = Decimal(large.bits) / small.bits
        value = (1 - 1 / value) * 100 if share else value if stated.low >= 1 else 1 / value
        if small.bits < large.bits and fits(value, stated):
            way = "1 - small / large" if share else "large / small" if stated.low >= 1 else "small / large"
            inputs = (large.named("large"), small.named("small"))
            yield reading(span, "format", inputs, way, stated, unit="%" if share else "x", cautious=True)
            return


def ratios(window: Window) -> Iterator[Figure]:
    """The multiples, shares and factors of a sentence, as figures."""
    yield from (one for one in window.of("x", "%") if not one.ranged)
    for match in _FACTOR.finditer(window.passage.mask, window.start, window.end):
        number = (match["number"] or "").lower()
        value = Decimal(_WORDS.get(number) or number) if number else Decimal("0.25")
        if any(one.sort == "x" and one.start < match.end() and match.start() < one.end for one in window.figures):
            continue
        yield Figure(match.start(), match.end(), match[0], value, value, Decimal(0), "x", "word")


def fits(value: Decimal, stated: Figure) -> bool:
    """Whether a value is within the rounding and the tolerance of a stated figure."""
    room = max(stated.half, stated.high * loose(stated))
    below, above = stated.hedge != "at most", stated.hedge != "at least"
    return not (below and value < stated.low - room) and not (above and value > stated.high + room)


# ---- bytes


def _bytes(window: Window, found: Sequence[Format]) -> Iterator[Reading]:
    """The bytes of one number: `FP16 takes 2 bytes per parameter`."""
    for stated in window.of("unit"):
        if stated.unit not in {"byte", "bytes"} or stated.ranged or stated.low > _WIDE / 8:
            continue
        for one in sorted(found, key=lambda form: abs(form.start - stated.start))[:_MOST]:
            if one.bits == stated.low * 8:
                yield reading(
                    window, "bytes", (one.named("bits"),), "bits / 8 * 1 byte", stated, unit="byte", cautious=True
                )
                break


def _weights(window: Window, found: Sequence[Format]) -> Iterator[Reading]:
    """The memory of the weights of a model: its parameters times the bytes of each."""
    stated_bytes = [one for one in (*window.before, *window.figures) if one.unit in {"byte", "bytes"} and one.low < 9]
    sizes = [*reversed(window.earlier[-20:]), *window.figures]
    for stated in window.of("unit"):
        if stated.unit not in {"GB", "TB", "MB"} or stated.per or stated.ranged:
            continue
        near = [one for one in sizes if one.end <= stated.start and parameters(one)]
        near = sorted(near, key=lambda one: stated.start - one.end)[:2]
        widths = sorted({one.bits for one in found} | {int(one.low * 8) for one in stated_bytes})
        for size, bits in ((size, bits) for size in near for bits in widths):
            if _close(size.low * bits / 8 / _BYTES[stated.unit], stated):
                form = next((one.text for one in found if one.bits == bits), f"{bits} bits")
                inputs = given(Named("size", size, unit="parameter"))
                way = f"size * {Decimal(bits) / 8:f} byte/parameter"
                yield reading(window, "weights", inputs, way, stated, unit=stated.unit,
                              note=f"weights alone, {form}", cautious=True)  # fmt: skip
                break


def _close(value: Decimal, stated: Figure) -> bool:
    return abs(value - stated.low) <= max(stated.half, value / 20 if stated.hedge else stated.half)


_BYTES = {"MB": Decimal(10) ** 6, "GB": Decimal(10) ** 9, "TB": Decimal(10) ** 12}


def parameters(one: Figure) -> bool:
    """Whether a figure may be the size of a model."""
    sized = one.text.endswith(("B", "M", "T")) or "illion" in one.text or one.unit == "parameter"
    return (
        one.sort in {"count", "unit"}
        and one.unit in {"", "parameter"}
        and sized
        and one.low >= 10**6
        and not one.ranged
    )


_COUNTED = re.compile(
    r"^[ -](?:[a-z]+ ){0,2}(?:values|symbols|levels|colou?rs|states|combinations|addresses|codes|characters|steps)\b",
    re.I,
)


def _values(window: Window, named: Sequence[Format]) -> Iterator[Reading]:
    """How many values some bits distinguish."""
    counted = [one for one in window.of("count") if one.low > 1 and not one.ranged]
    bits = [(Format(int(one.low), one.text, one.start)) for one in counted if one.low <= _WIDE and _bits(window, one)]
    for stated in counted:
        if not _COUNTED.match(window.passage.mask[stated.end : stated.end + 40]):
            continue
        for one in (*named, *bits):
            if one.start < stated.start and Decimal(2) ** one.bits == stated.low:
                yield reading(window, "values", (one.named("bits"),), "2 ^ bits", stated, cautious=True)
                break


def _bits(window: Window, one: Figure) -> bool:
    return bool(re.match(r"[ -]bits?\b", window.passage.mask[one.end : one.end + 6]))


# ---- tables


_HEADED = re.compile(r"memory|\bsize|footprint|storage|compression", re.I)


def format_rows(laid: Sequence[Grid]) -> Iterator[Reading]:
    """Rows of a table that go from one format to another, with a column of how much smaller it is."""
    for grid in laid:
        for row in grid.rows:
            first, arrow, second = row.cells[0].partition("→")
            pair = [named_formats(part, 0, len(part)) for part in (first, second)]
            for index, found in enumerate(row.figures) if arrow and all(pair) else ():
                header = grid.header[index] if index < len(grid.header) else ""
                if index and len(found) == 1 and found[0].sort in {"x", "%"} and _HEADED.search(header):
                    yield from _compared(row, found[0], [(pair[0][-1], pair[1][0])])
