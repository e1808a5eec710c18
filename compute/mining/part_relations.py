"""Wholes of equal parts, and numbers that follow from one other number.

eight shelves of 12 boxes hold 96 boxes                       count * each
24 slots at 3 m per slot … a 72 m rack                        count * each
a 64-bit bus at 3,200 MT/s moves 25.6 GB/s                    width * rate / 8
each of the 30 pupils shares the room with 29 others          number - 1
in service for 9 years (2011-2020)                            last - first
£60,000 over three years; over six years, £10,000 a year      cost / years

The readings are reported only if they hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from compute.mining.mining_models import Figure, MinedInput, Reading
from compute.mining.number_formats import fits
from compute.mining.number_words import NUMBERS
from compute.mining.readings import Named, given, known, reading
from compute.mining.text_windows import Window, singular
from compute.units.units import UnitError, unit


def parts(window: Window) -> Iterator[Reading]:
    """Readings of wholes of equal parts, and of numbers that follow from one other number."""
    yield from _equal_parts(window)
    yield from _buses(window)
    yield from _others(window)
    yield from _spans(window)
    yield from _spread(window)


# ---- equal parts


_WORD_NUMBERS = "|".join(["both", *sorted(NUMBERS, key=len, reverse=True)])
_COUNTED = re.compile(
    rf"\b(?P<number>{_WORD_NUMBERS}|\d{{1,5}})[ -](?:[\w-]+ ){{0,2}}?(?P<noun>[A-Za-z]{{2,}})s\b",
    re.I,
)
_PER = re.compile(
    r"^[^.;:⟨)]{0,40}?\b(?:per|each|(?:on|in|for) (?:a single|each|one|every)) (?:\w+ )?(?P<noun>[A-Za-z]{3,})\b", re.I
)
_WHOLE = re.compile(r"\b(?:total|totals|totalling|combined|aggregate|altogether|together|in all|overall|both)\b", re.I)


def _equal_parts(window: Window) -> Iterator[Reading]:
    """A number of things, what each has, and what all have; each may be stated earlier if the text says `in total`."""
    measured = [one for one in window.figures if _measured(window, one)]
    summed = bool(_WHOLE.search(window.prose))
    counts = list(_counts(window)) if measured else []
    if not counts:
        return
    taken: set[tuple[str, int]] = set()
    for stated in measured:
        every = [one for one in measured if one is not stated]
        every += [one for one in reversed(window.earlier[-20:]) if _measured(window, one)] if summed else []
        for each in every:
            found = next(
                (one for one in counts if _of_each(window, each, one) and _multiple(window, stated, each, one[0])), None
            )
            if found is not None and (found[3], each.start) not in taken:
                taken.add((found[3], each.start))
                number = MinedInput(name="number", formula=str(found[0]), text=found[3], value=Decimal(found[0]))
                inputs = (number, *given(Named("each", each, unit="" if each.sort == "count" else each.full_unit)))
                note = "" if each.start >= window.start else f"with {each.text.strip()}, earlier in the text"
                yield reading(
                    window, "parts", inputs, "number * each", stated, confidence="0.8", note=note, cautious=True
                )
                break


_WEIGHED = re.compile(r"^(?:[mck]?m|[mk]?g|t|[mc]?l|ha|lb|ft|mi|oz|litr|liter|tonn|acr|mil|metr|meter|pag|word|point)$")
"""Units that are not units of formulas, in the singular, shortened."""


def _measured(window: Window, one: Figure) -> bool:
    if one.ranged or one.low <= 0:
        return False
    if one.sort == "count":
        return bool(_WEIGHED.match(window.word_after(one)))
    return one.sort in {"unit", "money"} and known(one.full_unit)


_Count = tuple[int, str, int, str]


def _counts(window: Window) -> Iterator[_Count]:
    """The numbers of things of a sentence: the number, the noun in the singular, its last offset, the words."""
    mask = window.passage.mask
    for match in _COUNTED.finditer(mask, window.start, window.end):
        number = match["number"].lower()
        value = 2 if number == "both" else int(NUMBERS[number]) if number in NUMBERS else int(number)
        taken = any(
            one.start < match.start("noun") and match.start() < one.end and one.sort != "count"
            for one in window.figures
        )
        noun = singular(match["noun"] + "s")
        if 1 < value < 10**5 and not taken and not _WEIGHED.match(noun):
            yield value, singular(match["noun"] + "s"), match.end(), match[0].strip()


def _of_each(window: Window, each: Figure, count: _Count) -> bool:
    """Whether a figure is of each of some counted things: `16 GB per site`, `five sites of 16 GB`."""
    mask = window.passage.mask
    per = _PER.match(mask[each.end : each.end + 60])
    if per and singular(per["noun"]) == count[1]:
        return True
    return mask[count[2] : each.start].strip().lower() in {"of", "with", "at", "each"} and each.start >= window.start


def _multiple(window: Window, stated: Figure, each: Figure, number: int) -> bool:
    if "count" in {stated.sort, each.sort}:
        alike = stated.sort == each.sort and window.word_after(stated) == window.word_after(each)
        return alike and stated.low != each.low and fits(each.low * number, stated)
    try:
        one, two = unit(stated.full_unit), unit(each.full_unit)
    except UnitError:
        return False
    if one.dimension != two.dimension or stated.low == each.low:
        return False
    return fits(each.low * number * two.factor / one.factor, stated)


# ---- one other number


_BUS = re.compile(r"(?P<width>\d[\d,]{0,6})[- ](?:bit|lane)s?\b|\bx(?P<lanes>4|8|16)\b", re.I)
_PULSE = re.compile(
    r"(?P<rate>\d{1,5}(?:\.\d{1,3})?)\s?(?P<scale>[MGT])(?:T/s|Tps|bps|bit/s|b/s|bit/s/pin|bps/pin)(?:/pin)?\b"
)
_SCALES = {"M": Decimal(10) ** 6, "G": Decimal(10) ** 9, "T": Decimal(10) ** 12}
_BYTES = {"MB/s": Decimal(10) ** 6, "GB/s": Decimal(10) ** 9, "TB/s": Decimal(10) ** 12}


def _buses(window: Window) -> Iterator[Reading]:
    """The bandwidth of a bus from its lines and the rate of each."""
    if not (rates := [*_PULSE.finditer(window.passage.mask, window.start, window.end)]):
        return
    widths = [*_BUS.finditer(window.passage.mask, window.start, window.end)]
    for stated in (one for one in window.of("unit") if one.full_unit in _BYTES and not one.ranged):
        for width, rate in ((width, rate) for width in widths for rate in rates):
            lines, pulse = (
                (width["width"] or width["lanes"]).replace(",", ""),
                Decimal(rate["rate"]) * _SCALES[rate["scale"]],
            )
            if fits(int(lines) * pulse / 8 / _BYTES[stated.full_unit], stated):
                inputs = (_plain("width", lines, width[0]), _plain("pulse", f"{pulse:f}", rate[0]))
                yield reading(
                    window, "bus", inputs, "width * pulse / 8 * 1 byte/s", stated, confidence="0.85", cautious=True
                )
                break


def _plain(name: str, formula: str, text: str) -> MinedInput:
    return MinedInput(name=name, formula=formula, text=text, value=Decimal(formula))


_OTHERS = re.compile(r"^ (?:others?|remaining)\b")


def _others(window: Window) -> Iterator[Reading]:
    """The others of a number of things: one less."""
    counts = [one for one in window.of("count") if not one.ranged]
    for stated in (one for one in counts if _OTHERS.match(window.passage.mask[one.end : one.end + 11])):
        for whole in (one for one in counts if one.low - 1 == stated.low and one.end <= stated.start):
            yield reading(window, "others", given(Named("number", whole)), "number - 1", stated, cautious=True)
            break


_YEARS = re.compile(r"\(\s?(?P<first>(?:19|20)\d\d)\s?(?:[-–—]|to)\s?(?P<last>(?:19|20)\d\d)\s?\)")


def _spans(window: Window) -> Iterator[Reading]:
    """The years of a period in parentheses: `for 9 years (2011-2020)`."""
    for match in _YEARS.finditer(window.passage.mask, window.start, window.end):
        near = [
            one
            for one in window.of("unit")
            if one.unit == "year" and not one.ranged and 0 <= match.start() - one.end < 48
        ]
        first, last = int(match["first"]), int(match["last"])
        if near and near[-1].low in {last - first, last - first + 1}:
            way = f"({last} - {first}) * 1 year" if near[-1].low == last - first else f"({last} - {first} + 1) * 1 year"
            yield reading(window, "years", (), way, near[-1], unit="year", cautious=True)


_LASTING = re.compile(
    rf"\bover (?P<years>{'|'.join(NUMBERS)}|\d{{1,2}}) (?P<period>year|month|week)s?\b[^⟨;.]{{0,24}}⟨M(?P<b>\d+)⟩", re.I
)


def _spread(window: Window) -> Iterator[Reading]:
    """A sum of the sentence over another number of periods: `over six years, only $150k`."""
    sums = [one for one in window.of("money") if not one.per and not one.ranged]
    for match in _LASTING.finditer(window.tagged) if sums else ():
        stated, word = window.figures[int(match["b"])], match["years"].lower()
        number = NUMBERS.get(word) or Decimal(word)
        for cost in (one for one in sums if one.end < stated.start and one.unit == stated.unit):
            if stated.per in {"", match["period"].lower()} and fits(cost.low / number, stated):
                inputs = given(Named("cost", cost, unit=cost.unit))
                yield reading(window, "spread", inputs, f"cost / {number:f}", stated, unit=stated.unit, cautious=True)
                break
