"""Figures that follow from parameters stated earlier in the same text, in another sentence or paragraph.

traffic is $0.09/GB … 75 TB a month cost over $6,700          quantity * rate
$2.50 input and $10 output … 40K prompt, 2K answer: $0.12     prompt * input + answer * output
$4 input … a batch is half off: $2 input                      price * (1 - discount)
a device draws 76% of its rating … 24% too much               1 - share
PUE averages 1.4 … an overhead of 40%                         pue - 1
90 kWh versus 3,000 for the old oven … 3% of the old one's    part / whole
a 20:1 pupil-to-teacher ratio … 300 pupils, 15 teachers       first / second

The readings are reported only if they hold: other parameters may apply.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from itertools import combinations, pairwise

from compute.mining.mining_models import Figure, Reading
from compute.mining.number_formats import fits, parameters
from compute.mining.readings import Named, given, known, reading
from compute.mining.text_windows import Window, singular
from compute.units.units import UnitError, unit

_MOST = 4
"""How many parameters of one kind are tried, the nearest first."""


def parameters_of_node(window: Window) -> Iterator[Reading]:
    """Readings of a sentence with parameters that the text states earlier."""
    if window.earlier:
        yield from _at_rates(window)
        yield from _token_bills(window)
        yield from _rebased(window)
        yield from _undercut(window)
        yield from _fractions(window)
        yield from _complements(window)
        yield from _overheads(window)
        yield from _shares_of_two(window)
    yield from _named_ratios(window)


def _near(window: Window, stated: Figure) -> str:
    """The words around a figure."""
    mask = window.passage.mask
    before, after = mask[max(window.start, stated.start - 40) : stated.start], mask[stated.end : stated.end + 32]
    return f"{before} ¦ {after[: max(0, window.end - stated.end)]}"


def _unlike(found: Iterable[Figure]) -> list[Figure]:
    """The figures of different size, the last of each, the nearest first."""
    kept: dict[Decimal, Figure] = {}
    for one in found:
        kept.pop(one.low, None)
        kept[one.low] = one
    return [*reversed(kept.values())][:_MOST]


def _note(*used: Figure) -> str:
    return f"with {', '.join(one.text.strip() for one in used)}, earlier in the text"


# ---- rates


def _at_rates(window: Window) -> Iterator[Reading]:
    """A quantity at a rate that the text states earlier."""
    amounts = [one for one in window.of("money") if one.per in {"", "day", "month", "year"} and not one.ranged]
    quantities = [one for one in window.of("unit", "count") if not one.ranged]
    if not amounts or not quantities:
        return
    here = {_for_each(window, one) for one in window.of("money")}
    billed = bool(_pairs(window))
    for stated in amounts:
        for quantity in (one for one in quantities if not (billed and one.unit == "token")):
            for rate in _unlike(_rates(window, stated, quantity, here)):
                united = quantity.sort == "unit" and bool(rate.per)
                inputs = given(
                    Named("quantity", quantity, unit=quantity.unit if united else ""),
                    Named("rate", rate, unit=f"{rate.unit}/{rate.per}" if united else rate.unit),
                )
                yield reading(window, "at rate", inputs, "quantity * rate", stated, unit=stated.unit, confidence="0.75",
                              note=_note(rate), cautious=True)  # fmt: skip


_EACH = re.compile(r"\s?(?:/\s?|per |an? |each )([a-z]+)\b", re.I)
_PERIODS = frozenset({"day", "week", "month", "quarter", "year"})


def _for_each(window: Window, one: Figure) -> str:
    """What an amount is for each of, in the singular; empty for a total or a period."""
    if one.per:
        return "" if one.per in _PERIODS else one.per
    match = _EACH.match(window.passage.mask, one.end)
    return singular(match[1]) if match and match[1].lower() not in _PERIODS else ""


def _rates(window: Window, stated: Figure, quantity: Figure, here: set[str]) -> Iterator[Figure]:
    noun = window.word_after(quantity)
    for one in window.earlier if noun else ():
        if one.sort != "money" or one.unit != stated.unit or one.ranged or one.label == "output":
            continue
        per = _for_each(window, one)
        if per and per not in here and per != "h":
            if one.per and quantity.sort == "unit":
                if known(quantity.unit) and _alike(per, quantity.unit) and known(f"{one.unit}/{per}"):
                    yield one
            elif per == noun or singular(per) == noun:
                yield one


def _alike(one: str, two: str) -> bool:
    try:
        return unit(one).dimension == unit(two).dimension
    except UnitError:
        return False


_GIVEN = re.compile(r"^[ -]*(?:tokens? |of )?(?:response|output|completion|reply|answer|summary)", re.I)
_BILLED = re.compile(r"\b(?:prompt|tokens?|request|call|response|completion)\b", re.I)
_COST = re.compile(r"cost|bill|pay|charge|comes? to|\bfor\b", re.I)


def _token_bills(window: Window) -> Iterator[Reading]:
    """Tokens at the prices for a million that the text states: a prompt, or a prompt and the answer."""
    if not _BILLED.search(window.prose) or not _COST.search(window.prose):
        return
    counts = [one for one in window.figures if one.unit in {"", "token"} and one.sort in {"count", "unit"}]
    counts = [one for one in counts if one.low >= 100 and not one.ranged]
    answers = [one for one in counts if _GIVEN.match(window.passage.mask[one.end : one.end + 24])]
    prices = _pairs(window)
    for stated in window.of("money"):
        asked = [one for one in counts if one not in answers and one.end <= stated.start]
        if not stated.label and not stated.per and not stated.ranged and asked and prices:
            yield from _bill(window, stated, asked, [one for one in answers if one.end <= stated.start])


def _pairs(window: Window) -> list[tuple[Figure, Figure]]:
    """The prices of input and output that the text states earlier, the nearest first."""
    listed = [
        one for one in window.earlier if one.sort == "money" and one.label in {"input", "output"} and not one.ranged
    ]
    found = [(a, b) for a, b in pairwise(listed) if (a.label, b.label) == ("input", "output")]
    return found[::-1][:_MOST]


def _bill(window: Window, stated: Figure, asked: list[Figure], answers: list[Figure]) -> Iterator[Reading]:
    for low, high in _pairs(window):
        for prompt in [*reversed(asked)][:_MOST]:
            value = prompt.low * low.low
            named = [Named("prompt", prompt, unit=""), Named("input", low, unit=low.unit)]
            expression = "prompt * input / 1000000"
            if answers:
                value += answers[-1].low * high.low
                named += [Named("answer", answers[-1], unit=""), Named("output", high, unit=high.unit)]
                expression = "(prompt * input + answer * output) / 1000000"
            if abs(value / 10**6 - stated.low) <= stated.half:
                note = _note(low, *([high] if answers else []))
                yield reading(window, "token bill", given(*named), expression, stated, unit=stated.unit,
                              confidence="0.75", note=note, cautious=True)  # fmt: skip
                return


# ---- prices with a label


_CLAUSE = 80
_OFF = re.compile(
    r"¦\s*(?:off|discount|cheaper|less|lower|reduction|saving|below)|(?:discount|cut|reduc\w+|sav\w+) of[^¦]{0,12}¦",
    re.I,
)


def _rebased(window: Window) -> Iterator[Reading]:
    """Prices that a factor of the sentence makes of earlier ones: `half off: $0.20 input`, `doubled the rate to $3`."""
    factors = [one for one in window.of("x") if one.unit == "word" and not one.ranged]
    factors += [one for one in window.of("%") if not one.ranged and _OFF.search(_near(window, one))]
    if len(factors) != 1:
        return
    factor = factors[0]
    way = "listed * (1 - share_off)" if factor.sort == "%" else "listed * multiple"
    scale = 1 - factor.low / 100 if factor.sort == "%" else factor.low
    for stated in window.of("money"):
        if stated.label and not stated.ranged and 0 <= stated.start - factor.end < _CLAUSE:
            before = [one for one in window.earlier if one.sort == "money" and one.label == stated.label]
            for price in _unlike(one for one in before if one.unit == stated.unit and not one.ranged):
                if abs(price.low * scale - stated.low) <= stated.half:
                    inputs = given(
                        Named("listed", price, unit=price.unit),
                        Named("share_off" if factor.sort == "%" else "multiple", factor),
                    )
                    yield reading(window, "rebased", inputs, way, stated, unit=stated.unit, confidence="0.75",
                                  note=_note(price), cautious=True)  # fmt: skip
                    break


_CUT = re.compile(r"undercut\w*|cheaper|less|lower|cut\b|reduc\w+|below|drop|fell|fall", re.I)


def _undercut(window: Window) -> Iterator[Reading]:
    """By what share a price with a label is below an earlier one with the same label."""
    prices = [one for one in window.of("money") if one.label and not one.ranged and one.low]
    if not prices or len({one.label for one in prices}) != len(prices):
        return
    for stated in (one for one in window.of("%") if not one.ranged and _CUT.search(_near(window, one))):
        for after in prices:
            before = [
                one for one in window.earlier if one.sort == "money" and one.label == after.label and not one.ranged
            ]
            for price in _unlike(one for one in before if one.unit == after.unit and one.low > after.low):
                if fits((1 - after.low / price.low) * 100, stated):
                    inputs = given(Named("before", price, unit=price.unit), Named("after", after, unit=after.unit))
                    yield reading(window, "undercut", inputs, "1 - after / before", stated, confidence="0.7",
                                  note=_note(price), cautious=True)  # fmt: skip
                    return


_OF_PRICE = re.compile(r"^ (?:of )?(?:the |its |their )?(?:[a-z]+ )?(?:cost|price|rate)s?\b", re.I)


def _fractions(window: Window) -> Iterator[Reading]:
    """A fraction of a price, from the last two pairs of prices: `$2/$10 … $1/$5 … at half the price`."""
    for stated in (one for one in window.of("x") if one.unit == "word" and one.low < 1 and not one.ranged):
        if not _OF_PRICE.match(window.passage.mask[stated.end : stated.end + 32]):
            continue
        listed = [
            one for one in (*window.earlier, *window.figures) if one.end <= stated.start and one.label and one.low
        ]
        pairs = [(a, b) for a, b in pairwise(listed) if (a.label, b.label) == ("input", "output")]
        for (low, high), (base, top) in combinations(pairs[::-1][:_MOST], 2):
            if low.low / base.low == high.low / top.low and fits(low.low / base.low, stated):
                inputs = given(Named("part", low, unit=low.unit), Named("whole", base, unit=base.unit))
                yield reading(window, "fraction of price", inputs, "part / whole", stated, unit="x", confidence="0.75",
                              note=_note(low, base), cautious=True)  # fmt: skip
                break


# ---- shares


_REST = re.compile(
    r"\b(?:idle|unused|headroom|over-?(?:build|built|provision|size|pay|buil|stat|estimat)\w*|remain\w*|the rest"
    r"|left over|wasted?|unsold|empty|vacant|spare|too (?:much|many|high))\b",
    re.I,
)


def _complements(window: Window) -> Iterator[Reading]:
    """What a share stated earlier leaves: `draws 76% of its rating … you buy 24% too much`."""
    for stated in (one for one in window.of("%") if not one.ranged and _REST.search(_near(window, one))):
        for share in _unlike(one for one in window.earlier if one.sort == "%" and not one.ranged):
            if share.low + stated.low == 100:
                inputs = given(Named("share", share))
                yield reading(
                    window, "rest", inputs, "1 - share", stated, confidence="0.7", note=_note(share), cautious=True
                )
                break


_OVERHEAD = re.compile(r"\boverhead\b", re.I)
_PUE = re.compile(r"\bPUE\b|power usage effectiveness", re.I)


def _overheads(window: Window) -> Iterator[Reading]:
    """The overhead of a power usage effectiveness that is stated earlier."""
    if not _OVERHEAD.search(window.prose) or not _PUE.search(window.passage.mask, 0, window.end):
        return
    values = [one for one in window.earlier[::-1] if one.sort == "count" and not one.unit and 1 < one.low < 4]
    for stated in (one for one in window.of("%") if not one.ranged and _OVERHEAD.search(_near(window, one))):
        for value in values:
            if "." in value.text and (value.low - 1) * 100 == stated.low:
                inputs = given(Named("pue_stated", value))
                yield reading(window, "overhead", inputs, "pue_stated - 1", stated, note=_note(value), confidence="0.8",
                              cautious=True)  # fmt: skip
                break


_AGAINST = re.compile(r"\b(?:versus|vs\.?|against|compared (?:to|with)|as opposed to)\b", re.I)
_OF = re.compile(r"^ (?:of|as much as) (?P<whole>[^,.;:()—]{3,60})")


def _shares_of_two(window: Window) -> Iterator[Reading]:
    """The share of two figures that the text compared earlier, called by the same word."""
    mask = window.passage.mask
    for stated in (one for one in window.of("%") if not one.ranged):
        whole = _OF.match(mask[stated.end : min(window.end, stated.end + 64)])
        for part, total in zip(window.earlier[::-1][1:], window.earlier[::-1], strict=False) if whole else ():
            same = part.low < total.low and (not total.unit or total.unit == part.unit)
            if (
                same
                and whole
                and _AGAINST.search(mask, part.end, total.start)
                and not _stop(mask[part.end : total.start])
            ):
                words = set(_long(mask[total.end : total.end + 48].partition(".")[0])) & set(_long(whole["whole"]))
                if words and fits(part.low / total.low * 100, stated):
                    inputs = given(Named("part", part, unit=""), Named("whole", total, unit=""))
                    yield reading(window, "share", inputs, "part / whole", stated, confidence="0.75",
                                  note=_note(part, total), cautious=True)  # fmt: skip
                    break


def _stop(text: str) -> bool:
    """Whether a sentence ends in a text."""
    return "." in text.replace("vs.", "")


def _long(text: str) -> list[str]:
    """The words of a text that may name something, without a plural."""
    return [word.lower().rstrip("s") for word in re.findall(r"[A-Za-z]{5,}", text)]


# ---- ratios of two named things


_NAMED_RATIO = re.compile(
    r"(?P<hedge>[~<>≈]\s?|about |roughly )?\b(?P<number>\d{1,4}(?:\.\d{1,2})?)\s?(?::|to)\s?1 "
    r"(?:(?P<a>[a-z]{3,})[- ]to[- ](?P<b>[a-z]{3,})|ratio)\b"
    r"|\b(?P<c>[a-z]{3,})[- ]to[- ](?P<d>[a-z]{3,}) ratio (?:is|of|was|at) (?:about |roughly |~)?"
    r"(?P<other>\d{1,4}(?:\.\d{1,2})?)(?: to |\s?:\s?)1\b",
    re.I,
)
_HEDGES = {"~": "about", "≈": "about", "<": "at most", ">": "at least"}


def _named_ratios(window: Window) -> Iterator[Reading]:
    """A ratio of two things from their numbers, and the numbers from such a ratio."""
    stated = list(_ratios(window, window.start, window.end))
    names = next(((a, b) for _, a, b in stated if a), None)
    for ratio, *own in stated:
        a, b = own if own[0] else names or ("", "")
        for first, second in _both(window, a, b) if a else ():
            if fits(first.low / second.low, ratio):
                inputs = given(Named("number_a", first, unit=""), Named("number_b", second, unit=""))
                yield reading(window, "ratio", inputs, "number_a / number_b", ratio, confidence="0.8", cautious=True)
                break
    if not stated and "1" in window.passage.mask[max(0, window.start - _BACK) : window.start]:
        yield from _by_ratio(window)


_BACK = 500


def _ratios(window: Window, start: int, end: int) -> Iterator[tuple[Figure, str, str]]:
    for match in _NAMED_RATIO.finditer(window.passage.mask, start, end):
        text = match["number"] or match["other"]
        value, places = Decimal(text), len(text.partition(".")[2])
        hedge = _HEDGES.get((match["hedge"] or "").strip()[:1], "about" if match["hedge"] else "")
        figure = Figure(
            match.start(), match.end(), match[0], value, value, Decimal(5) / 10 ** (places + 1), "x", hedge=hedge
        )
        yield figure, (match["a"] or match["c"] or "").lower(), (match["b"] or match["d"] or "").lower()


def _both(window: Window, a: str, b: str) -> Iterator[tuple[Figure, Figure]]:
    """Numbers of two named things that are near each other, those of the sentence first."""
    found = [*window.earlier[-8:], *window.figures]
    firsts, seconds = ([one for one in found if _called(window, one, word)] for word in (a, b))
    pairs = [(one, two) for one in firsts for two in seconds if one is not two and two.low]
    yield from sorted(pairs, key=lambda pair: (abs(pair[0].start - pair[1].start), -pair[0].start))[:6]


def _called(window: Window, one: Figure, word: str) -> bool:
    if one.ranged or one.sort not in {"count", "unit"}:
        return False
    after = window.passage.mask[one.end : one.end + 24].lower()
    if word == "parameter" and parameters(one) and re.match(r"(?: [\w.-]+)? model\b", after):
        return True
    return one.unit.rstrip("s") == word or bool(re.match(rf"[ -](?:[a-z]+ )?{re.escape(word)}(?:s|es|ren)?\b", after))


def _by_ratio(window: Window) -> Iterator[Reading]:
    """A number that a ratio stated earlier gives from another: `20:1 … 3.5T tokens for 175B parameters`."""
    named = [one for one in _ratios(window, max(0, window.start - _BACK), window.start) if one[1]]
    for ratio, a, b in named:
        firsts, seconds = ([one for one in window.figures if _called(window, one, word)] for word in (a, b))
        for first in firsts:
            second = min(seconds, key=lambda one: abs(one.start - first.start), default=None)
            nearest = second and min(firsts, key=lambda one: abs(one.start - second.start)) is first
            if second and nearest and fits(second.low * ratio.low, first):
                stated, used = (first, second) if first.start < second.start else (second, first)
                one = f" * 1 {stated.full_unit}" if stated.unit and known(stated.full_unit) else ""
                way = f"number * multiple{one}" if stated is first else f"number / multiple{one}"
                inputs = given(Named("number", used, unit=""), Named("multiple", ratio))
                yield reading(window, "by ratio", inputs, way, stated, note=_note(ratio), confidence="0.75",
                              cautious=True)  # fmt: skip
