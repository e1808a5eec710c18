"""How long something takes, and how old somebody is, in prose: 2 h 35 min, a fortnight, her 40th birthday, aged 61."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from compute.mining.claim_scopes import HOURS
from compute.mining.figure_reader import hedged
from compute.mining.mining_models import Passage
from compute.mining.number_words import NUMBERS
from compute.mining.quantities import sentences
from compute.mining.spelled_numbers import ONES, TENS, numeral_value


@dataclass(frozen=True, slots=True)
class AgePoint:
    """How old somebody is at some point, at `start:end` of a text, in years."""

    start: int
    end: int
    text: str
    years: int


@dataclass(frozen=True, slots=True)
class Length:
    """How long something takes, at `start:end` of a text, as an `amount` of a `unit`: second to year, or night.

    `hedge` is as in figures; an `age` is a length since a birth.
    """

    start: int
    end: int
    text: str
    amount: Decimal
    unit: str
    hedge: str = ""
    age: bool = False


def lengths_of(passage: Passage) -> list[Length]:
    """The lengths of a passage, in text order; those that are for each of something are none."""
    mask = passage.mask
    found = [
        Length(one.figure.start, one.figure.end, one.figure.text, one.figure.low, one.unit, one.figure.hedge)
        for sentence in sentences(passage)
        for one in sentence.quantities
        if not one.figure.ranged and (one.kind == "time" or one.unit == "night")
        if (one.unit in HOURS or one.unit == "night") and one.figure.low < _MOST
        if not _OLD.match(mask, one.figure.end)
    ]
    found = [_of_all(one, mask) for one in found]
    taken = [(one.start, one.end) for one in found]
    others = [one for one in _further(mask) if not any(start < one.end and one.start < end for start, end in taken)]
    return sorted([*found, *others], key=lambda one: one.start)


def _of_all(one: Length, mask: str) -> Length:
    """A length of each of several things as that of all: two terms of four years are eight years."""
    many = _SEVERAL.search(mask, max(0, one.start - 40), one.start)
    if many is None:
        return one
    amount = one.amount * numeral_value(many["many"])
    return Length(many.start(), one.end, mask[many.start() : one.end], amount, one.unit, one.hedge)


_MOST = 1_000_000
_OLD = re.compile(r"(?:[- ]years?)?[- ](?:old|of age)\b|[- ]year[- ]old")
_NUMERAL = rf"(?:(?:{'|'.join(TENS)})(?:-(?:{'|'.join(ONES[:9])}))?|{'|'.join(['one', *NUMBERS])}|\d{{1,3}})"
_SEVERAL = re.compile(rf"\b(?P<many>{_NUMERAL}) (?:(?!an? )[a-z]+ ){{1,2}}of (?:exactly )?$", re.I)
_FURTHER = re.compile(
    rf"\b(?P<hours>\d{{1,2}})h(?P<minutes>[0-5]\d)\b"
    rf"|\b(?P<word>{_NUMERAL}) (?:more|further|full|whole|solid|long) (?P<unit>hours|minutes|days|weeks|years|months)\b"
    r"|\b(?P<ordinal>\d{1,3})(?:st|nd|rd|th) (?:birthday|anniversary|jubilee|year)\b"
    r"|\b(?P<named>fortnight|golden (?:wedding|jubilee)|silver (?:wedding|jubilee)|(?<!a )decade)\b",
    re.I,
)
_NAMED = {"fortnight": (14, "day"), "golden": (50, "year"), "silver": (25, "year"), "decade": (10, "year")}


def _further(mask: str) -> Iterator[Length]:
    """Lengths that are no figures: 1h25, six more hours, her 40th birthday, a fortnight."""
    for match in _FURTHER.finditer(mask):
        (start, end), text, hedge = match.span(), match[0], hedged(mask, match.start())
        if match["hours"]:
            long = Decimal(int(match["hours"]) * 60 + int(match["minutes"]))
            yield Length(start, end, text, long, "minute", hedge)
        elif match["ordinal"]:
            years = int(match["ordinal"]) - text.lower().endswith("year")  # in its 35th year: after 34
            yield Length(start, end, text, Decimal(years), "year", hedge, age="birthday" in text.lower())
        elif match["named"]:
            amount, unit = _NAMED[match["named"].lower().split()[0]]
            yield Length(start, end, text, Decimal(amount), unit, hedge)
        else:
            unit = match["unit"].lower().removesuffix("s")
            yield Length(
                start, end, text, Decimal(numeral_value(match["word"])), "h" if unit == "hour" else unit, hedge
            )


_NO_AGE = r"(?! ?(?:%|per ?cent|[ap]\.?m|o['’]clock))"
_AFTER_AGE = r"(?=[,;.:)]|$| (?:when|at|in|and|now|then|years old|on|the|by|but|he|she|to|with|that|this|today)\b)"
_AGE = re.compile(
    r"\b(?:aged(?: just)?|(?:at|to|until|reached) (?:the )?(?:ripe )?(?:old )?(?:age|ages) of|turned|turns|turning)"
    rf" (?P<stated>{_NUMERAL})\b{_NO_AGE}"
    rf"|\b(?:was|is|am|are|were|at|be|now|only|just|being|['’]m|['’]s) (?P<said>{_NUMERAL})(?![.:]\d)(?: years old)?"
    rf"{_AFTER_AGE}{_NO_AGE}"
    rf"|\b(?P<old>{_NUMERAL})[- ]years?[- ](?:old|of age)\b"
    rf"|(?<=[A-Za-z]), (?P<apposed>{_NUMERAL})(?=,)",
    re.I,
)
_OLDEST = 120


@lru_cache(maxsize=16)
def age_points(mask: str) -> tuple[AgePoint, ...]:
    """The ages of a masked text: aged 61, at 63, turned 70, a 34-year-old, Ms Dube, 47,."""
    found = []
    for match in _AGE.finditer(mask):
        name = match.lastgroup or ""
        years = numeral_value(match[name])
        if 0 < years < _OLDEST:
            found.append(AgePoint(*match.span(name), match[name], years))
    return tuple(found)
