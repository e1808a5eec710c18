"""Times between years and dates, and the memory that a model's weights need.

from 2015 to 2023, eight years · on 3 March … on 24 March, three weeks        the later minus the earlier
a 7B model at 16 bits needs 14 GB                                             parameters * bytes
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from decimal import Decimal

from compute.mining.claim_scopes import Candidate, Scope
from compute.mining.date_text import MONTH_PATTERN, MONTHS
from compute.mining.expressions import Op
from compute.mining.quantities import Quantity

_YEAR = re.compile(r"(?<![\w.,$€£/-])(1[6-9]\d\d|20\d\d)(?![\w/]|[.,]\d|-\d)")
_DATE = re.compile(
    rf"\b(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<month>{MONTH_PATTERN})|(?P<month2>{MONTH_PATTERN}) (?P<day2>\d{{1,2}})(?:st|nd|rd|th)?)\b(?:,? (?P<year>\d{{4}}))?"
    rf"|\b(?P<iso>\d{{4}}-\d\d-\d\d)\b",
    re.I,
)
_SPAN = re.compile(
    r"\b(?:from|between|since|until|till|founded|born|built|opened|started|began|begun|took|lasted|later|earlier|turned|old|ended|finished|completed|after|before|left|reached|arrived|came|transit|ran|aged|died|lived|spans?|elapsed)\b|[–—→]",
    re.I,
)
_DAYS = {"day": (Decimal(1),), "week": (Decimal(7),), "month": (Decimal("30.4375"),), "year": (Decimal("365.25"),)}


def spans(scope: Scope) -> Iterator[Candidate]:
    """The times between the only two dates or years of a sentence."""
    targets = [one for one in scope.targets if (one.kind == "time" and one.unit in _DAYS and not one.pers)]
    if not targets and "turned" not in scope.sentence.text:
        return
    text = " ".join(_DATE.sub("", scope.sentence.text).split())
    dates = [_day(match) for match in _DATE.finditer(scope.sentence.text)]
    years = [Decimal(year) for year in _YEAR.findall(text)]
    if len(dates) == 2 and dates[0] and dates[1] and not years and _SPAN.search(scope.sentence.text):
        for target in targets[:1]:
            yield from _between(
                target, abs((dates[1] - dates[0]).days), dates[0].year != dates[1].year, sure=len(targets) == 1
            )
    elif not dates and len(years) == 2 and years[0] != years[1] and _SPAN.search(scope.sentence.text):
        for target in [
            one
            for one in (targets or scope.targets)
            if one.unit == "year" or scope.left(one)[-1:] in {("turned",), ("aged",)}
        ][:1]:
            yield _years(target, max(years), min(years))


def _day(match: re.Match[str]) -> date | None:
    try:
        if match["iso"]:
            return date.fromisoformat(match["iso"])
        month = next(
            number
            for number, name in enumerate(MONTHS, 1)
            if name.startswith((match["month"] or match["month2"]).lower()[:3])
        )
        return date(int(match["year"] or 2023), month, int(match["day"] or match["day2"]))
    except ValueError:
        return None


def _years(target: Quantity, last: Decimal, first: Decimal) -> Candidate:
    """The years between two; one more or less counts as the same, because the months are not stated."""
    near = abs(target.figure.low - (last - first)) == 1
    tree = target.figure.low if near else Op("-", last, first)
    return Candidate("span", target, (), (), tree, 3.0, united=False, exact=True)


def _between(target: Quantity, days: int, apart: bool, *, sure: bool) -> Iterator[Candidate]:
    """The days between two dates; a week or a month more or less counts as the same."""
    length = _DAYS[target.unit][0]
    gap = Decimal(days) / length
    room = Decimal(1) if target.unit == "day" else Decimal("0.25") if target.unit == "week" else Decimal("0.6")
    number = target.figure.low if abs(target.figure.low - gap) <= room else round(gap, 1)
    if not apart and days > 366:
        return
    yield Candidate("span", target, (), (), number, 3.0, united=False, exact=True, sure=sure)


_WIDTH = re.compile(
    r"\b(?P<bits>32|16|8|4|two|four|eight|sixteen)[- ]bits?\b|\b(?:(?:BF|FP|INT|NF|NVFP)(?P<form>32|16|8|4)|bfloat(?P<brain>16))\b|\b(?P<bytes>two|one|four|2|1|4|0\.5|half a) bytes?\b|\bhalf[- ]precision\b",
    re.I,
)
_SIZES = {"two": 2, "four": 4, "eight": 8, "sixteen": 16, "one": 1, "half a": 0.5}
_SIZE = re.compile(
    r"(?<![\w.])(?P<size>\d{1,4}(?:\.\d{1,2})?)[ -]?(?:B|billion)\b(?=[- ]?(?:param\w*|model|weights|LLM)|['’]s|[^.;]{0,60}\b(?:model|weights|param))|\b(?P<large>\d{1,4}(?:\.\d)?) billion parameters"
)
_WEIGHTS = re.compile(r"\b(?:weights|memory|needs?|takes?|requires?|fits?|occup\w+|VRAM|GPU|shrink\w*|weighs?)\b", re.I)
_BYTES = {"GB": Decimal(1), "TB": Decimal(1000), "GiB": Decimal("1.073741824"), "MB": Decimal("0.001")}


def weights(scope: Scope) -> Iterator[Candidate]:
    """The memory of a model's weights, from its parameters and their width."""
    text = scope.sentence.text
    found, sizes = list(_WIDTH.finditer(text)), {match["size"] or match["large"] for match in _SIZE.finditer(text)}
    targets = [one for one in scope.targets if one.figure.unit in _BYTES and not one.pers and not one.figure.ranged]
    if (
        len(sizes) != 1
        or len({match[0].lower() for match in found}) != 1
        or len(targets) != 1
        or not _WEIGHTS.search(text)
    ):
        return
    width = _width(found[0])
    size = Decimal(sizes.pop())
    target = targets[0]
    scale = _BYTES[target.figure.unit]
    tree = Op("*", size, width) if scale == 1 else Op("/", Op("*", size, width), scale)
    smaller = target.figure.low < size * width / scale
    alone = bool(re.search(r"\bweights\b|\balone\b", text, re.I))
    yield Candidate(
        "weights",
        target,
        (),
        (),
        tree,
        3.2 if alone or smaller else 2.0,
        united=False,
        sure=alone or smaller,
        note="weights alone",
    )


def _width(match: re.Match[str]) -> Decimal:
    if match["bytes"]:
        word = match["bytes"].lower()
        return Decimal(str(_SIZES.get(word, word)))
    word = (match["bits"] or match["form"] or match["brain"] or "16").lower()
    return Decimal(str(_SIZES.get(word, word))) / 8
