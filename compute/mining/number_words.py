"""Words for figures: spelled-out numbers and fractions, scales, currencies, and the units of the formula language."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache

SCALES: Mapping[str, Decimal] = {
    "k": Decimal(10) ** 3, "m": Decimal(10) ** 6, "b": Decimal(10) ** 9, "t": Decimal(10) ** 12,
    "bn": Decimal(10) ** 9, "mn": Decimal(10) ** 6, "tn": Decimal(10) ** 12,
    "thousand": Decimal(10) ** 3, "million": Decimal(10) ** 6, "billion": Decimal(10) ** 9,
    "trillion": Decimal(10) ** 12, "trn": Decimal(10) ** 12, "dozen": Decimal(12),
}  # fmt: skip  # one line per group is more readable
SCALED = re.compile(r"\d ?(?:[kKM]|thousand|million)\b", re.I)
"""Digits in thousands or millions: 310M, 40 thousand."""
CURRENCIES: Mapping[str, str] = {
    "$": "USD", "US$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "USD": "USD",
    "₹": "INR", "R": "ZAR", "EUR": "EUR", "GBP": "GBP", "CHF": "CHF", "JPY": "JPY", "CAD": "CAD", "AUD": "AUD",
    "SEK": "SEK", "NOK": "NOK", "DKK": "DKK", "PLN": "PLN", "INR": "INR", "CNY": "CNY",
}  # fmt: skip  # one line per group is more readable
"""Signs and codes of currencies; ¥ is read as yen."""


COINS: Mapping[str, str] = {
    "€": "EUR", "dollar": "USD", "buck": "USD", "usd": "USD", "euro": "EUR", "eur": "EUR", "gbp": "GBP",
    "quid": "GBP", "chf": "CHF", "franc": "CHF", "yen": "JPY", "jpy": "JPY", "yuan": "CNY", "renminbi": "CNY",
    "rand": "ZAR", "rupee": "INR", "lei": "RON", "peso": "MXN", "zloty": "PLN", "cent": "cent", "pence": "pence",
    "kronor": "SEK", "krona": "SEK", "kroner": "NOK", "krone": "NOK", "reai": "BRL", "baht": "THB", "forint": "HUF",
    "koruna": "CZK", "koruny": "CZK", "ruble": "RUB", "rouble": "RUB", "lira": "TRY", "shekel": "ILS",
}  # fmt: skip  # one line per group is more readable
"""Words of money after a number, without their s; a franc is read as Swiss, a peso as Mexican, kroner as Norwegian."""
DOLLARS: Mapping[str, str] = {
    "us": "USD", "american": "USD", "australian": "AUD", "canadian": "CAD", "singapore": "SGD", "hong kong": "HKD",
    "new zealand": "NZD",
}  # fmt: skip  # one line per group is more readable
"""Whose dollars they are, by the word before."""
COIN_PATTERN = "|".join(
    [*(word if len(word) == 3 else f"{word}s?" for word in COINS if word != "€"), rf"(?:{'|'.join(DOLLARS)}) dollars?"]
)


def coin_of(words: str) -> str:
    """The currency of a word of money, or `cent` or `pence`: `euros`, `Canadian dollars`."""
    land, _, word = words.lower().rpartition(" ")
    return DOLLARS[land] if land else COINS.get(word.removesuffix("s"), "")


_NUMERAL_STARTS = re.compile(
    r"[adefhnoqstADEFHNOQSTſ](?<!\w.)"
    r"(?=(?i:n?[ -]|nother|t an? |or(?: an? |ty)|ne|w[eio]|h[ir]|ou|i[fgmnvx]|e[nv]|le|al|ri|reb|u[ainp]))"
)
"""Where a numeral in words may begin; it begins with a set of letters, so that a search for it is quick."""


@lru_cache(maxsize=4)
def numeral_starts(text: str) -> tuple[int, ...]:
    """The offsets in a text at which a numeral in words may begin: one to twenty, hundred, half, a third, double."""
    return tuple(match.start() for match in _NUMERAL_STARTS.finditer(text))


def numerals(pattern: re.Pattern[str], text: str, others: Sequence[int] = ()) -> Iterator[re.Match[str]]:
    """The matches of `pattern.finditer(text)`, found faster, for a pattern that begins with a numeral in words.

    `others` are further offsets at which the pattern may begin.
    """
    end = 0
    for start in sorted({*numeral_starts(text), *others}) if others else numeral_starts(text):
        if start >= end and (match := pattern.match(text, start)):
            end = match.end()
            yield match


def word_set(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


_SMALL = "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
NUMBERS: Mapping[str, Decimal] = {
    **{word: Decimal(value) for value, word in enumerate(re.findall("[a-z]+", _SMALL), 2)},
    "seventeen": Decimal(17), "eighteen": Decimal(18), "nineteen": Decimal(19), "twenty": Decimal(20),
    "thirty": Decimal(30), "forty": Decimal(40), "fifty": Decimal(50), "sixty": Decimal(60), "hundred": Decimal(100),
}  # fmt: skip
FRACTIONS: Mapping[str, Decimal] = {
    "half": Decimal(1) / 2, "third": Decimal(1) / 3, "quarter": Decimal(1) / 4, "fifth": Decimal(1) / 5,
    "sixth": Decimal(1) / 6, "seventh": Decimal(1) / 7,
    "ninth": Decimal(1) / 9, "eighth": Decimal(1) / 8, "tenth": Decimal(1) / 10,
    "twelfth": Decimal(1) / 12, "sixteenth": Decimal(1) / 16, "twentieth": Decimal(1) / 20,
    "hundredth": Decimal(1) / 100, "thousandth": Decimal(1) / 1000,
}  # fmt: skip

UNITS: Mapping[str, str] = {
    "w": "W", "watt": "W", "kw": "kW", "kilowatt": "kW", "mw": "MW", "megawatt": "MW", "gw": "GW",
    "kilowatt-hour": "kWh", "kilowatt hour": "kWh", "megawatt-hour": "MWh", "gigawatt-hour": "GWh",
    "kwh": "kWh", "mwh": "MWh", "gwh": "GWh", "twh": "TWh", "wh": "Wh",
    "byte": "byte", "bit": "bit", "kb": "kB", "mb": "MB", "gb": "GB", "tb": "TB", "pb": "PB", "eb": "EB",
    "kbit": "kbit", "mbit": "Mbit", "gbit": "Gbit", "tbit": "Tbit", "kbps": "kbit/s", "mbps": "Mbit/s",
    "gbps": "Gbit/s",
    "gigabit": "Gbit", "megabit": "Mbit", "kib": "KiB", "mib": "MiB", "gib": "GiB", "tib": "TiB", "terabyte": "TB",
    "gig": "GB", "gigabyte": "GB", "megabyte": "MB",
    "flops": "FLOPS", "tflops": "TFLOPS", "tflop/s": "TFLOPS", "pflops": "PFLOPS", "gflops": "GFLOPS",
    "petaflops": "PFLOPS", "teraflops": "TFLOPS",
    "token": "token", "tok": "token", "parameter": "parameter", "param": "parameter", "request": "request",
    "gpu": "GPU", "ms": "ms", "millisecond": "ms", "second": "second", "sec": "second", "minute": "minute",
    "min": "minute", "hour": "h", "hr": "h", "h": "h", "day": "day", "week": "week", "month": "month", "year": "year",
    "yr": "year", "mo": "month",
}  # fmt: skip  # one line per group is more readable
"""Words and their units; `month` stays a word, because a formula must state its length."""

PERIODS: Mapping[str, tuple[str, ...]] = {
    "h": ("1 h",), "day": ("1 day",), "week": ("1 week",), "month": ("1 month_730h", "1 month_720h"),
    "year": ("1 year",),
}  # fmt: skip
"""Each period in formulas; the first of several that fits is used, and the note says which."""

WORKED: Mapping[tuple[str, str], Sequence[int]] = {
    ("h", "day"): (7, 8),
    ("h", "week"): (35, 40),
    ("h", "month"): (160, 168, 170, 176),
    ("h", "year"): (1800, 1920, 2000, 2080),
    ("day", "week"): (5, 6),
    ("day", "month"): (20, 21, 22),
    ("day", "year"): (220, 240, 250, 260),
    ("week", "year"): (46, 48, 50),
}
"""How much of one period is worked in another: a rate of $400 a day may be $2,000 a week."""

ADVERBS: Mapping[str, str] = {
    "hourly": "h", "daily": "day", "weekly": "week", "monthly": "month", "annually": "year", "yearly": "year",
    "annual": "year",
}  # fmt: skip

_CLOSE = ("just", "a little", "slightly", "barely", "a touch", "a shade", "a fraction", "a bit", "a hair", "a tad")
_SIDES = ("under", "over", "below", "above", "less than", "more than", "short of")
ABOUT = (
    "about", "around", "roughly", "approximately", "approx", "nearly", "almost", "some", "circa", "~", "≈",
    "close to", "near to", "nearing", "something like", "in the region of", "on the order of",
    *(f"{close} {side}" for close in _CLOSE for side in _SIDES),
)  # fmt: skip
"""Words before a figure that is near; *just under 50 minutes* is no limit, unlike *under 50 minutes*."""
MOST = ("up to", "at most", "under", "below", "less than", "fewer than", "as little as", "no more than", "<", "≤")
LEAST = ("over", "at least", "more than", "above", "exceeding", "exceeds", "exceeded", "upwards of", ">", "≥")

DOWN = (
    r"reduc\w*|cut(?:s|ting)?|drop\w*|decreas\w*|declin\w*|discount\w*|saving\w*|cheaper|lower\w*|less|fewer"
    r"|smaller|off"
    r"|compression|compress\w*|collapse|fall(?:s|ing)?|fell|shrink\w*|shrank|slower|plunge\w*|slash\w*"
)
UP = (
    r"increas\w*|ris(?:e|es|ing)|rose|gain\w*|grow\w*|grew|jump\w*|improv\w*|higher|more|faster|speed-?up|larger|bigger"
    r"|greater|pricier|costlier|premium|markup|surcharge|uplift|boost\w*"
)
EITHER = r"spread|gap|difference|differential|ratio|multiple|multiplier|range|mismatch|swing|factor|change"
