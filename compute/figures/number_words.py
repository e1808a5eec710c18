"""Words for numbers, scales, currencies, units and counted things, as data."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

SCALES: Mapping[str, Decimal] = {
    **dict.fromkeys(("k", "thousand"), Decimal(10) ** 3),
    **dict.fromkeys(("m", "mn", "mm", "million"), Decimal(10) ** 6),
    **dict.fromkeys(("b", "bn", "billion"), Decimal(10) ** 9),
    **dict.fromkeys(("t", "tn", "trn", "trillion"), Decimal(10) ** 12),
    "quadrillion": Decimal(10) ** 15,
    "dozen": Decimal(12),
    "hundred": Decimal(100),
}
_SMALL = "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
NUMBERS: Mapping[str, Decimal] = {
    **{word: Decimal(value) for value, word in enumerate(_SMALL.split(), 2)},
    "seventeen": Decimal(17),
    "eighteen": Decimal(18),
    "nineteen": Decimal(19),
    "twenty": Decimal(20),
    "thirty": Decimal(30),
    "forty": Decimal(40),
    "fifty": Decimal(50),
    "sixty": Decimal(60),
    "hundred": Decimal(100),
}
TENS: Mapping[str, Decimal] = {"seventy": Decimal(70), "eighty": Decimal(80), "ninety": Decimal(90)}
FRACTIONS: Mapping[str, Decimal] = {
    word: Decimal(1) / part
    for part, word in {
        2: "half",
        3: "third",
        4: "quarter",
        5: "fifth",
        6: "sixth",
        7: "seventh",
        8: "eighth",
        9: "ninth",
        10: "tenth",
        12: "twelfth",
        16: "sixteenth",
        20: "twentieth",
        100: "hundredth",
        1000: "thousandth",
    }.items()
}
MULTIPLES: Mapping[str, Decimal] = {
    "twice": Decimal(2),
    "double": Decimal(2),
    "doubles": Decimal(2),
    "doubled": Decimal(2),
    "doubling": Decimal(2),
    "triple": Decimal(3),
    "triples": Decimal(3),
    "tripled": Decimal(3),
    "tripling": Decimal(3),
    "thrice": Decimal(3),
    "quadruple": Decimal(4),
    "quadruples": Decimal(4),
    "quadrupled": Decimal(4),
    "quadrupling": Decimal(4),
    "half": Decimal("0.5"),
    "halves": Decimal("0.5"),
    "halved": Decimal("0.5"),
    "halving": Decimal("0.5"),
}
SIGNS: Mapping[str, str] = {"$": "USD", "US$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR"}
COINS: Mapping[str, str] = {
    "dollar": "USD",
    "buck": "USD",
    "usd": "USD",
    "euro": "EUR",
    "eur": "EUR",
    "gbp": "GBP",
    "chf": "CHF",
    "franc": "CHF",
    "yen": "JPY",
    "cent": "cent",
    "¢": "cent",
    "€": "EUR",
    "pence": "pence",
}
_K, _M, _G, _T, _P, _E = (10**power for power in (3, 6, 9, 12, 15, 18))
_TIME = {
    "us": Fraction(1, 3600 * _M),
    "ms": Fraction(1, 3600 * _K),
    "second": Fraction(1, 3600),
    "minute": Fraction(1, 60),
    "h": Fraction(1),
    "day": Fraction(24),
    "week": Fraction(168),
    "month": Fraction(730),
    "quarter": Fraction(2190),
    "year": Fraction(8760),
}
Atom = tuple[str, str, Fraction]
"""A unit: its name in formulas, its base units joined by `*` and `/`, and its size in them."""
ATOMS: dict[str, Atom] = {name: (name, "hour", size) for name, size in _TIME.items()}
for _words, _name in (
    ("second seconds sec secs s", "second"),
    ("minute minutes min mins", "minute"),
    ("hour hours hr hrs h", "h"),
    ("millisecond milliseconds ms", "ms"),
    ("microsecond microseconds µs us", "us"),
    ("day days", "day"),
    ("week weeks", "week"),
    ("month months mo", "month"),
    ("year years yr yrs", "year"),
):
    ATOMS |= dict.fromkeys(_words.split(), ATOMS[_name])
for _prefix, _word, _size in (("", "", 1), ("k", "kilo", _K), ("M", "mega", _M), ("G", "giga", _G), ("T", "tera", _T)):
    ATOMS |= dict.fromkeys((f"{_prefix}W", f"{_word}watt", f"{_word}watts"), (f"{_prefix}W", "watt", Fraction(_size)))
    _energy = (f"{_prefix}Wh", "watt*hour", Fraction(_size))
    ATOMS |= dict.fromkeys(
        (f"{_prefix}Wh", f"{_word}watt-hour", f"{_word}watt-hours", f"{_word}watt hour", f"{_word}watt hours"), _energy
    )
ATOMS |= {"KW": ATOMS["kW"], "KWh": ATOMS["kWh"], "kwh": ATOMS["kWh"], "MWH": ATOMS["MWh"], "kWH": ATOMS["kWh"]}
for _prefix, _word, _size in (
    ("k", "kilo", _K),
    ("M", "mega", _M),
    ("G", "giga", _G),
    ("T", "tera", _T),
    ("P", "peta", _P),
):
    ATOMS |= dict.fromkeys((f"{_prefix}B", f"{_word}byte", f"{_word}bytes"), (f"{_prefix}B", "byte", Fraction(_size)))
    ATOMS |= dict.fromkeys(
        (f"{_prefix}bit", f"{_prefix}b", f"{_word}bit", f"{_word}bits"), (f"{_prefix}bit", "byte", Fraction(_size, 8))
    )
    ATOMS |= {f"{_prefix}bps": (f"{_prefix}bit/s", "byte/hour", Fraction(_size * 450))}
for _place, _prefix in enumerate("KMGTP", 1):
    ATOMS |= {f"{_prefix}iB": (f"{_prefix}iB", "byte", Fraction(1024**_place))}
ATOMS |= {"KB": ATOMS["kB"], "byte": ("byte", "byte", Fraction(1)), "bytes": ("byte", "byte", Fraction(1))}
ATOMS |= {
    "gig": ATOMS["GB"],
    "gigs": ATOMS["GB"],
    "bit": ("bit", "byte", Fraction(1, 8)),
    "bits": ("bit", "byte", Fraction(1, 8)),
}
for _prefix, _word, _size in (
    ("", "", 1),
    ("M", "mega", _M),
    ("G", "giga", _G),
    ("T", "tera", _T),
    ("P", "peta", _P),
    ("E", "exa", _E),
    ("Z", "zetta", _E * _K),
    ("Y", "yotta", _E * _M),
):
    ATOMS |= dict.fromkeys(
        (f"{_prefix}FLOP", f"{_prefix}FLOPs", f"{_word}flop", f"{_word}flops"),
        (f"{_prefix}FLOP", "FLOP", Fraction(_size)),
    )
    ATOMS |= dict.fromkeys(
        (f"{_prefix}FLOPS", f"{_prefix}FLOP/s", f"{_prefix}FLOPs/s", f"{_word}flop/s", f"{_word}flops/s"),
        (f"{_prefix}FLOPS", "FLOP/hour", Fraction(_size * 3600)),
    )
ATOMS |= dict.fromkeys(("token", "tokens", "tok", "toks"), ("token", "token", Fraction(1)))
ATOMS |= dict.fromkeys(("Mtok", "MTok", "Mtokens"), ("Mtok", "token", Fraction(_M))) | {
    "ktok": ("ktok", "token", Fraction(_K))
}
ATOMS |= {"Gtok": ("Gtok", "token", Fraction(_G))}
ATOMS |= dict.fromkeys(
    ("parameter", "parameters", "param", "params", "weights"), ("parameter", "parameter", Fraction(1))
)
ATOMS |= dict.fromkeys(("g", "gram", "grams", "gCO2", "gCO2e"), ("g", "gram", Fraction(1)))
ATOMS |= dict.fromkeys(("kg", "kgCO2", "kgCO2e", "kilogram", "kilograms", "kilos"), ("kg", "gram", Fraction(_K)))
ATOMS |= dict.fromkeys(("t", "tonne", "tonnes", "ton", "tons", "tCO2", "tCO2e", "MT"), ("tonne", "gram", Fraction(_M)))
PERIODS: Mapping[str, str] = {
    "hourly": "h",
    "daily": "day",
    "weekly": "week",
    "monthly": "month",
    "quarterly": "quarter",
    "annually": "year",
    "yearly": "year",
    "annual": "year",
}
"""Words that say per which time."""
CHIP = re.compile(
    r"(?:[ABHV]\d{2,3}(?:[- ]?(?:SXM\d?|PCIe|NVL))?|GB\d{3}|L40S?|L4|T4|MI\d{3}[AX]?|TPU(?:[ -]?v\d\w?)?"
    r"|RTX[ -]?\d{4}|Gaudi ?\d?|Trainium\d?|Inferentia\d?)(?:e|s)?"
)
"""The name of a chip, also in the plural."""
GPUS = frozenset("""gpu gpus accelerator accelerators card cards chip chips tpu tpus board boards""".split())  # noqa: SIM905  # a list of words
"""Words for what is rented by the GPU-hour."""
NODES = frozenset("""node server machine box instance host replica rack pod vm switch""".split())  # noqa: SIM905  # a list of words
"""Things that hold GPUs or are rented as a whole."""
ALIKE = NODES - {"rack", "pod", "switch", "replica"}
"""Words for one machine."""
IRREGULAR: Mapping[str, str] = {
    "queries": "query",
    "replies": "reply",
    "switches": "switch",
    "boxes": "box",
    "people": "person",
    "indices": "index",
    "copies": "copy",
    "companies": "company",
    "batches": "batch",
    "classes": "class",
    "inferences": "inference",
    "series": "",
    "latencies": "latency",
    "matches": "match",
    "searches": "search",
    "entries": "entry",
}
EACH = frozenset(
    """request call query prompt message conversation chat ticket document page image user seat customer subscriber
    developer employee agent session node server gpu card chip accelerator machine box instance host rack
    replica response reply answer completion""".split()  # noqa: SIM905  # a list of words
)
"""Things after `a` that a rate is per: $0.02 a request."""
# ---- numbers with a decimal comma, rewritten as English ones of the same length, so that one reader reads both
BLANK = "\x00"
"""What hides a number that can be read in two ways, as masks hide what is not prose."""
_BEGIN, _END = r"(?<![\w.,])", r"(?![.,]?\d)"
_SIGN = r"(?P<sign>(?:US\$|[€£$¥])\s?)"
_UNIT = r"\s?(?:%|[€£$]|(?:EUR|USD|GBP|CHF|PLN|DKK|SEK|NOK|kr|zł)\b|(?i:euros?|dollars?|prozent|franken)\b)"
_POINTED = r"[1-9]\d{0,2}(?:\.\d{3})+"
_WHOLE = rf"(?:{_POINTED}|[1-9]\d{{0,2}}(?:[ \u00a0\u202f]\d{{3}})+|0|[1-9]\d{{0,14}})"
_COMMA = re.compile(rf"{_BEGIN}{_SIGN}?{_WHOLE},\d{{1,2}}{_END}(?(sign)|(?=(?:\s?[–-]\s?{_WHOLE},\d{{1,2}})?{_UNIT}))")
"""A decimal comma beyond doubt: 25,0 %, € 2,50, 1.234,56 EUR, 5,5–6,5 %."""
_POINT = re.compile(
    rf"[$€£]\s?(?:\d{{1,3}}(?:,\d{{3}})+|\d{{1,15}})\.\d{{1,2}}{_END}"
    rf"|(?<![\d.,])\d{{1,15}}\.\d{{1,2}}{_UNIT}"
    r"|(?<![\d.,])\d{1,3}(?:,\d{3}){2}(?![\d,])|(?<![\d.,])\d{1,3},\d{3}\.\d"
)
"""A decimal point beyond doubt, or several commas between thousands: $2.50, 97.5%, 1,250,000."""
_OTHER = re.compile(
    rf"{_BEGIN}(?<!\[)(?:(?P<clear>{_WHOLE},\d{{1,2}}|0,\d{{3,9}}|[1-9]\d{{0,14}},\d{{4,9}}|{_POINTED})"
    rf"|[1-9]\d{{0,2}},\d{{3}}){_END}(?!\])"
)
"""Other numbers of a text with decimal commas; all are `clear` but 1,250."""
_EUROS = re.compile(rf"{_BEGIN}(?:€\s?{_POINTED}{_END}|{_POINTED}{_END}(?=\s?€))")
"""Thousands, or three decimals: 8.000 €."""
_POINTS_MORE = 2
"""How many decimal points to a comma make the comma a slip of an English text."""
_ENGLISH = str.maketrans(".,\u00a0\u202f", ",.,,")


@lru_cache(maxsize=16)
def english_numbers(text: str) -> str:
    """A text in which decimal commas are points, and points between thousands commas; its length is the same."""
    commas = len(_COMMA.findall(text))
    if not commas:
        return _EUROS.sub(_blank, text) if "€" in text and not _POINT.search(text) else text
    points = len(_POINT.findall(text))
    text = _COMMA.sub(_swapped, text)
    if points > _POINTS_MORE * commas:
        return text
    return _OTHER.sub(_blank if points else _read, text)


def _read(match: re.Match[str]) -> str:
    return _swapped(match) if match["clear"] else _blank(match)


def _swapped(match: re.Match[str]) -> str:
    """A number in English; blank if a space in it may be one between two numbers."""
    number = match[0].translate(_ENGLISH)
    return _blank(match) if re.search(r"\d \d", number) else number


def _blank(match: re.Match[str]) -> str:
    return BLANK * len(match[0])
