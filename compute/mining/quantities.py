"""The figures of a sentence as typed quantities, with the words between them.

24 seats at $15 per seat per month        24 {seat} · 15 {USD, per seat, per month}
words                                     () · (seats, at) · ()
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from compute.mining.clock_reader import clock_times
from compute.mining.direction_words import shared
from compute.mining.duration_reader import durations
from compute.mining.figure_reader import figures
from compute.mining.fraction_phrases import amounts, shares
from compute.mining.mining_models import Figure, Passage
from compute.mining.noun_reader import (
    PERIODS,
    SCALED,
    STOP,
    TIMES,
    distributed,
    noun_of,
    pers_of,
    regular,
    scaled,
    stem,
)
from compute.mining.number_words import COINS, word_set
from compute.mining.spelled_numbers import phrases, scientific, spelled
from compute.mining.table_figures import table_figures
from compute.mining.text_windows import uncited

QuantityKind = Literal["money", "unit", "time", "count", "share", "points", "ratio"]

_SORTS: dict[str, QuantityKind] = {"money": "money", "%": "share", "pp": "points", "x": "ratio", "count": "count"}
_TOKEN = re.compile(r"[A-Za-zÀ-ÿµ]+[²³]?(?:['’-][A-Za-zÀ-ÿ]+)*|\d+|[^\sA-Za-zÀ-ÿ\d]")
MOST = 24
"""The figures above which a sentence is a list of data."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A figure with what it counts: `unit` is a currency, a unit or a noun; `pers` is what it is for each of."""

    figure: Figure
    index: int
    kind: QuantityKind
    unit: str
    pers: tuple[str, ...] = ()
    factor: Decimal = Decimal(1)

    def moved(self, places: int) -> Quantity:
        """The same some places further on."""
        return Quantity(self.figure, self.index + places, self.kind, self.unit, self.pers, self.factor)

    @property
    def base(self) -> Decimal:
        """The value in the base unit: bytes, watts; a share of 1."""
        return self.figure.low * self.factor

    @property
    def named(self) -> bool:
        """Whether it says what it measures."""
        return bool(self.unit)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, with its quantities and the words before, between and after them, in lower case."""

    start: int
    end: int
    quantities: tuple[Quantity, ...]
    gaps: tuple[tuple[str, ...], ...]
    text: str
    opens: bool = False
    """Whether a paragraph begins with it."""
    lead: str = ""
    """The words before it in its paragraph."""
    table: bool = False
    """Whether it is a table, whose figures only the sentence after it may use."""

    @property
    def words(self) -> list[str]:
        """The words before, between and after its quantities, in order."""
        return [word for gap in self.gaps for word in gap]


@lru_cache(maxsize=4)
def sentences(passage: Passage) -> tuple[Sentence, ...]:
    """The sentences of a passage that have a figure, in order."""
    return tuple(_sentences(passage))


def _sentences(passage: Passage) -> Iterator[Sentence]:
    mask = uncited(passage.mask)
    read = [*figures(mask), *spelled(mask), *scientific(mask), *phrases(mask), *amounts(mask), *shares(mask)]
    every = [*durations(_without_overlaps([*read, *clock_times(mask)]), mask)]
    starts = [figure.start for figure in every]
    opens = True
    for start, end in zip(passage.borders, passage.borders[1:], strict=False):
        opens = opens or "\n\n" in passage.text[max(0, start - 2) : start + 2]
        near = every[bisect_left(starts, start) : bisect_left(starts, end)]
        inside = [
            figure
            for figure in near
            if figure.end <= end
            and not _PREPRINT.fullmatch(figure.text)
            and not (
                figure.text.lower() in {"twice", "thrice"}
                and _VERBS.search(mask, max(0, figure.start - 12), figure.start)
            )
        ]
        if 0 < len(inside) <= MOST and "|" not in mask[start:end]:
            lead = mask[max(0, start - 200) : start].rpartition("\n\n")[2]
            yield replace(_sentence(mask, start, end, inside, opens), lead=lead)
            opens = False
        elif "|" in mask[start:end] and (cells := table_figures(mask, start, end, inside)):
            plain = mask[:start] + re.sub(r"[|\n]|:?-{2,}:?", _spaces, mask[start:end])
            yield replace(_sentence(plain, start, end, cells, opens), table=True)


def _spaces(match: re.Match[str]) -> str:
    return ";" if match[0] == "\n" else " " * len(match[0])


_VERBS = re.compile(r"(?:halv|doubl|tripl)\w+ $", re.I)


_PREPRINT = re.compile(r"\d{4}\.\d{4,5}")


def _ranges(found: list[Figure], gaps: Sequence[tuple[str, ...]]) -> list[Figure]:
    """The figures; `two to four thousand` is a range, and so neither end is a figure to compute with."""
    made = list(found)
    for index, (one, two) in enumerate(pairwise(found)):
        plain = gaps[index + 1] in {("to",), ("or",), ("-", "to"), ("-", "or")} and one.sort in {
            "count",
            "unit",
            two.sort,
        }
        if (
            plain
            and one.low < two.low
            and gaps[index][-1:] != ("from",)
            and not any(sign.isdigit() for sign in one.text)
        ):
            made[index], made[index + 1] = replace(one, high=two.high), replace(two, low=one.low)
    return made


def _without_overlaps(found: Sequence[Figure]) -> list[Figure]:
    kept: list[Figure] = []
    for figure in sorted(found, key=lambda one: (one.start, -one.end)):
        if not kept or figure.start >= kept[-1].end:
            kept.append(figure)
        elif figure.start == kept[-1].start and (
            figure.end > kept[-1].end or (figure.sort == "x" and figure.end == kept[-1].end)
        ):
            kept[-1] = figure
    return kept


def words(text: str) -> tuple[str, ...]:
    """The words and signs of a text, in lower case."""
    return tuple(one.lower() for one in _TOKEN.findall(text) if one not in "*_\x00")


def _sentence(mask: str, start: int, end: int, found: Sequence[Figure], opens: bool) -> Sentence:
    edges = [start, *(figure.end for figure in found)]
    begins = [*(figure.start for figure in found), end]
    gaps = [words(mask[first:last]) for first, last in zip(edges, begins, strict=True)]
    found, gaps = _per_hundred(_ranges(list(found), gaps), gaps)
    nouns = {noun_of(gap)[0] for gap in gaps[1:]}
    pers = distributed(gaps, [noun_of(gap)[0] for gap in gaps[1:]])
    made = [
        _quantity(_powered(figure, gaps[index + 1]), index, gaps[index + 1], nouns, gaps[index], pers[index])
        for index, figure in enumerate(found)
    ]
    made = [_of_a_line(one, gaps[one.index + 1]) for one in made]
    made = [_for_each_subject(_percentage(one, gaps[one.index]), gaps[one.index]) for one in made]
    made = [_of_payments(one, gaps[one.index]) for one in made]
    if not re.search(r"%|percent|share|rate|poll|basis", mask[start:end]):
        made = [
            replace(one, kind="count", unit="point", factor=Decimal(1)) if one.kind == "points" else one for one in made
        ]
    return Sentence(start, end, tuple(_scaled(made, gaps)), tuple(gaps), mask[start:end], opens)


_ROUND = {"100": "hundred", "1,000": "thousand", "1000": "thousand", "100,000": "hundred-thousand"}


def _per_hundred(found: list[Figure], gaps: list[tuple[str, ...]]) -> tuple[list[Figure], list[tuple[str, ...]]]:
    """The figures without a round number that others are per: 8 litres per 100 km, 12 cases per 100,000 people."""
    for index in range(len(found) - 1, 0, -1):
        name = _ROUND.get(found[index].text)
        if name is None or gaps[index][-1:] not in {("/",), ("per",)} or len(gaps[index]) > _FAR:
            continue
        sign = gaps[index][-1]
        after = (sign, *gaps[index + 1]) if noun_of(gaps[index + 1])[0] else gaps[index + 1]
        gaps = [*gaps[:index], (*gaps[index], name, *after), *gaps[index + 2 :]]
        found = [*found[:index], *found[index + 1 :]]
    return found, gaps


_FAR = 4
_OF_HUNDRED = {("percentage", "of"), ("percentage", "was"), ("percentage", "is")}


def _percentage(one: Quantity, left: tuple[str, ...]) -> Quantity:
    """A bare number after `percentage of` as a share; a part of one after `ratio was` as a ratio."""
    if one.kind == "count" and not one.unit and one.figure.low < 1 and "ratio" in left[-5:]:
        return replace(one, kind="ratio", figure=replace(one.figure, sort="x"))
    if one.kind != "count" or one.unit or left[-2:] not in _OF_HUNDRED:
        return one
    return replace(one, kind="share", factor=Decimal("0.01"), figure=replace(one.figure, sort="%"))


_SUBJECT = re.compile(
    r"(?:^|[,;:.] )(?:(?P<per>per) (?P<power>hundred |thousand |million )?|(?:so |and |then )?(?:an?|one|each) )"
    r"(?P<square>square |cubic )?(?P<noun>[a-zà-ÿ]+)(?: of [a-z]+)?"
    r"(?(per)(?: [a-z]+)?,? (?:that is|that['’]s|it is|it['’]s|this is|we paid|we pay|this came to|that came to"
    r"|it costs?)"
    r"| (?:is|was|costs?|comes to|came to|works out at|weighs|holds|takes|took|gives|gave|yields|yielded|buys|fetches"
    r"|fetched|earns|needs|needed|uses|used|contains|contained|requires|required|produces|produced"
    r"|sells for|goes for))(?: (?:about|roughly|around|just|only|nearly))?$"
)
"""What the words before an amount say that it is for one of: `a square metre is`, `per thousand requests, that's`."""


_PAID = {
    "monthly": "month",
    "weekly": "week",
    "daily": "day",
    "yearly": "year",
    "annual": "year",
    "quarterly": "quarter",
}
_PAYMENTS = frozenset({"payment", "payments", "instalment", "instalments", "installments", "repayments", "rent", "fee"})


def _of_payments(one: Quantity, left: tuple[str, ...]) -> Quantity:
    """An amount with the period that the words before it name: monthly payments of $200."""
    said = left[-3:]
    if one.kind != "money" or one.pers or said[-1:] != ("of",) or len(said) < 3 or said[1] not in _PAYMENTS:
        return one
    return replace(one, pers=(_PAID[said[0]],)) if said[0] in _PAID else one


_SUBJECTS = frozenset({"per", "a", "an", "one", "each"})


def _for_each_subject(one: Quantity, left: tuple[str, ...]) -> Quantity:
    """An amount that is for each of the subject of its clause."""
    if one.pers or one.kind not in {"money", "unit", "count", "time"} or _SUBJECTS.isdisjoint(left):
        return one
    found = _SUBJECT.search(" ".join(left).replace(" ,", ","))
    if not found or found["noun"] in STOP:
        return one
    noun = PERIODS.get(stem(found["noun"]), stem(found["noun"]))
    measured = noun in SCALED or noun in TIMES or noun in COINS or noun in _CARRIERS
    if not (found["per"] or measured or one.kind == "money"):
        return one
    if found["square"]:
        noun += "²" if found["square"].startswith("s") else "³"
    return replace(one, pers=(*([found["power"].strip()] if found["power"] else []), noun))


_CARRIERS = frozenset({"dollar", "euro", "kWh", "MWh"})


def _powered(figure: Figure, gap: tuple[str, ...]) -> Figure:
    """A verb such as `halved` with how often: `halved twice` is a quarter."""
    again = {("twice",): 2, ("two", "times"): 2, ("three", "times"): 3, ("thrice",): 3}
    power = next((number for phrase, number in again.items() if gap[: len(phrase)] == phrase), 1)
    value = figure.low**power
    return replace(figure, low=value, high=value, half=value / 20) if power > 1 and figure.sort == "x" else figure


_LISTING = word_set("""
    to and or then , vs versus → than against / by through of down up in out then – - x ×
""")


def _scaled(found: list[Quantity], gaps: Sequence[tuple[str, ...]]) -> Iterator[Quantity]:
    """The quantities; one without a unit takes that of the next in a list: `from 3 to 5 million`, `4 and 6 GB`."""
    after: Quantity | None = None
    made: list[Quantity] = []
    for index in range(len(found) - 1, -1, -1):
        one = found[index]
        gap = gaps[index + 1]
        apart = gap == ("→",) and after is not None and one.figure.low > 500 * after.figure.low  # stock 200k → 6 turns
        listed = not apart and 0 < len(gap) < 4 and set(gap) <= _LISTING and not _worded_after(one, gap, after)
        if after is not None and listed:
            one = _like(one, after, gap)
        made.append(one)
        after = one
    yield from reversed(made)


def _worded_after(one: Quantity, gap: tuple[str, ...], after: Quantity | None) -> bool:
    """Whether a number in words follows one in digits after a comma: `from 100M, three years` is no list."""
    digits = [any(sign.isdigit() for sign in each.figure.text) for each in (one, after) if each is not None]
    return gap == (",",) and digits == [True, False]


_CLOSE = frozenset({("to",), ("and",), ("or",), ("→",)})


def _like(one: Quantity, after: Quantity, gap: tuple[str, ...]) -> Quantity:
    """A quantity with the unit of the next in its list, and what that is per; not over `, or`: `900, or 2 a day`."""
    if one.kind == after.kind == "money":
        left, _ = shared(one.figure, after.figure)
        return replace(one, figure=left)
    if one.kind == "count" and not one.unit and after.kind in {"money", "share"} and not one.pers:
        listed = gap == (",",) and after.kind == "share" and after.figure.text[-1:].isdigit()
        if (gap not in _CLOSE and not listed) or (after.kind == "share" and one.figure.low > 100):
            return one
        left, _ = shared(one.figure, after.figure)
        per = after.figure.per
        left = replace(left, sort=after.figure.sort, unit=after.figure.unit, per=per)
        if after.kind == "money":
            left = like_coins(left, after.figure)
        return replace(one, kind=after.kind, unit=after.unit, factor=after.factor, figure=left, pers=after.pers)
    if one.kind == "count" and not (one.unit or one.pers) and after.kind in {"count", "unit", "time"}:
        if after.kind == "time" and gap == ("in",):
            return one  # lost 26 in two weeks
        left, _ = shared(one.figure, replace(after.figure, sort="count"))
        return replace(
            one,
            kind=after.kind,
            unit=after.unit,
            factor=after.factor,
            figure=replace(left, unit=after.figure.unit),
            pers=() if gap == (",", "or") else after.pers,
        )
    return one


_COINED = re.compile(r"\dp\b|\b(?:cents?|pence)\b", re.I)


def like_coins(bare: Figure, other: Figure) -> Figure:
    """A number that has the unit of another figure, in hundredths if that one is in cents or pence."""
    if not _COINED.search(other.text):
        return bare
    return replace(bare, low=bare.low / 100, high=bare.high / 100, half=bare.half / 100, coarse=bare.coarse / 100)


def in_scale(bare: Figure, other: Figure) -> Figure:
    """A number that has the unit of another figure in the scale of that: beside $36m, 24 is 24 million."""
    figure = like_coins(shared(replace(bare, sort=other.sort), other)[0], other)
    return _in_thousands(figure, other) if other.sort == "money" else figure


_ROUND_THOUSANDS = re.compile(r"\d{2,3},000$")


def _in_thousands(bare: Figure, other: Figure) -> Figure:
    """A number from 1 to 999 in thousands beside round ones of its size: £272,000 of 340."""
    if not _ROUND_THOUSANDS.search(other.text) or not other.low / 10 <= bare.low * 1000 <= other.low * 10:
        return bare
    figure = replace(bare, low=bare.low * 1000, high=bare.high * 1000, half=bare.half * 1000)
    return replace(figure, coarse=bare.coarse * 1000)


def _quantity(  # noqa: PLR0917 - private, called once
    figure: Figure, index: int, gap: tuple[str, ...], nouns: set[str], before: tuple[str, ...], more: str
) -> Quantity:
    kind, unit, factor = _measured(figure)
    if kind == "time" and figure.hedge == "at least" and "over" in before[-2:]:
        figure = replace(figure, hedge="")
    pers = [part for part in figure.per.split("/") if part] if figure.per else []
    at = 0
    if kind in {"count", "unit"} and not unit:
        unit, at = (figure.unit, 0) if figure.unit else noun_of(gap)
    if kind == "count" and (unit == "s" or (PERIODS.get(unit, unit) in TIMES and not figure.unit)):
        kind, unit = "time", PERIODS.get(unit, unit)
        figure = replace(figure, sort="unit", unit=unit)  # 450 blocked minutes
    base, scale = scaled(unit)
    unit, factor = base, factor * scale
    if figure.per and gap[:1] in {("-",), ("and",)} and gap[1:2] and gap[1] in TIMES:
        pers.append(gap[1])
    if kind == "time" and figure.text.endswith("-hour") and gap[:1] in {("days",), ("weeks",)}:
        kind, pers = "unit", [gap[0][:-1]]
    if unit == "GPU" and gap[:2] in {("-", "hours"), ("-", "hour")}:
        unit, at = "GPU-hour", 2
    pers += pers_of(gap[at:], nouns, bool(unit)) + ([more] if more else [])
    pers = pers or (regular(before, gap[at:]) if kind in {"money", "unit", "count", "time"} else [])
    if kind == "money" and not pers and _A_THING.match(" ".join(gap[at : at + 3])):
        pers = [stem(gap[at + 1])]
    if kind == "ratio" and pers and pers[0] in TIMES and "time" in figure.text:
        kind = "count"
    head, *rest = unit.split("/") if "/" in unit else (unit,)
    every = (PERIODS.get(one, one) for one in (*rest, *pers))
    return Quantity(figure, index, kind, head, tuple(dict.fromkeys(every)), factor)


_A_THING = re.compile(r"an? (?!lot\b|bit\b|try\b|year-|day-|go\b|third\b|half\b)[a-z][a-z-]+(?<![sd])(?: [,.;:)—–]|$)")
"""A noun after an amount of money that it is for one of: `€15 a basket`."""


_LINES = frozenset({"line", "link", "links", "connection", "port", "ethernet", "network", "fibre", "fiber", "uplink"})


def _of_a_line(one: Quantity, right: tuple[str, ...]) -> Quantity:
    """The bits of a line as those of a second: a 100-gigabit link."""
    line = one.figure.unit.endswith("bit") and not one.pers and right[:1] and right[0] in _LINES
    return replace(one, pers=("second",)) if line else one


def _measured(figure: Figure) -> tuple[QuantityKind, str, Decimal]:
    if figure.sort == "unit":
        head, _, rest = figure.unit.partition("/")
        if head in TIMES:
            return ("time" if not figure.per else "unit"), figure.unit, Decimal(1)
        base, scale = SCALED.get(head, (head, Decimal(1)))
        return "unit", f"{base}/{rest}" if rest else base, scale
    kind = _SORTS[figure.sort]
    return kind, figure.unit if kind == "money" else "", Decimal("0.01") if kind in {"share", "points"} else Decimal(1)
