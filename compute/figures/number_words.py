"""Words for numbers, scales, currencies, units and counted things, as data."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache


def word_list(text: str) -> tuple[str, ...]:
    """The words of a text, in order."""
    return tuple(text.split())


def word_set(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


def by_word(table: str) -> dict[str, str]:
    """The meaning of each word, from lines such as `USD: dollar buck usd`."""
    lines = (line.split(":") for line in table.split("\n") if line)
    return {word: meaning.strip() for meaning, words in lines for word in words.split()}


_SCALES = """
1_000: k thousand
1_000_000: m mn mm million
1_000_000_000: b bn billion
1_000_000_000_000: t tn trn trillion
1_000_000_000_000_000: quadrillion
12: dozen
100: hundred
"""
SCALES: Mapping[str, Decimal] = {word: Decimal(size) for word, size in by_word(_SCALES).items()}
TENS = word_list("twenty thirty forty fifty sixty seventy eighty ninety")
_SMALL = word_list(
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen"
    " nineteen"
)
NUMBERS: Mapping[str, Decimal] = {
    **{word: Decimal(value) for value, word in enumerate(_SMALL, 2)},
    **{word: Decimal(value * 10) for value, word in enumerate(TENS, 2)},
    "hundred": Decimal(100),
}
_PARTS = dict(enumerate(word_list("half third quarter fifth sixth seventh eighth ninth tenth"), 2))
_PARTS |= {12: "twelfth", 16: "sixteenth", 20: "twentieth", 100: "hundredth", 1000: "thousandth"}
FRACTIONS: Mapping[str, Decimal] = {word: Decimal(1) / part for part, word in _PARTS.items()}
_MULTIPLES = """
2: twice double doubles doubled doubling
3: triple triples tripled tripling thrice
4: quadruple quadruples quadrupled quadrupling
0.5: half halves halved halving
"""
MULTIPLES: Mapping[str, Decimal] = {word: Decimal(size) for word, size in by_word(_MULTIPLES).items()}
SIGNS: Mapping[str, str] = {"$": "USD", "US$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR"}
COINS: Mapping[str, str] = by_word("""
USD: dollar buck usd $ cent ¢
EUR: euro eur €
GBP: gbp pence
CHF: chf franc
JPY: yen
""")
Atom = tuple[str, str, Fraction]
"""A unit: its name in formulas, its base units joined by `*` and `/`, and its size in them."""
_PREFIXES = {"-": ("", 0), "k": ("kilo", 3), "M": ("mega", 6), "G": ("giga", 9), "T": ("tera", 12), "P": ("peta", 15)}
_PREFIXES |= {"E": ("exa", 18), "Z": ("zetta", 21), "Y": ("yotta", 24)}
_ATOMS = """
- us hour 1/3600000000 us µs microsecond microseconds
- ms hour 1/3600000 ms millisecond milliseconds
- second hour 1/3600 second seconds sec secs s
- minute hour 1/60 minute minutes min mins
- h hour 1 h hour hours hr hrs
- day hour 24 day days
- week hour 168 week weeks
- month hour 730 month months mo
- quarter hour 2190 quarter
- year hour 8760 year years yr yrs
-kMGT *W watt 1 *W ~watt ~watts
-kMGT *Wh watt*hour 1 *Wh ~watt-hour ~watt-hours ~watt_hour ~watt_hours
- kW watt 1000 KW
- kWh watt*hour 1000 KWh kwh kWH
- MWh watt*hour 1000000 MWH
- byte byte 1 byte bytes
- bit byte 1/8 bit bits
kMGTP *B byte 1 *B ~byte ~bytes
kMGTP *bit byte 1/8 *bit *b ~bit ~bits
kMGTP *bit/s byte/hour 450 *bps
- kB byte 1000 KB
- GB byte 1000000000 gig gigs
- KiB byte 1024 KiB
- MiB byte 1048576 MiB
- GiB byte 1073741824 GiB
- TiB byte 1099511627776 TiB
- PiB byte 1125899906842624 PiB
-MGTPEZY *FLOP FLOP 1 *FLOP *FLOPs ~flop ~flops
-MGTPEZY *FLOPS FLOP/hour 3600 *FLOPS *FLOP/s *FLOPs/s ~flop/s ~flops/s
- token token 1 token tokens tok toks
- ktok token 1000 ktok
- Mtok token 1000000 Mtok MTok Mtokens
- Gtok token 1000000000 Gtok
- parameter parameter 1 parameter parameters param params weights
- g gram 1 g gram grams gCO2 gCO2e
- kg gram 1000 kg kgCO2 kgCO2e kilogram kilograms kilos
- tonne gram 1000000 t tonne tonnes ton tons tCO2 tCO2e MT
"""
"""Prefixes, name, base units, size and words, in which `*` and `~` are the prefix as a letter and as a word."""


def _atoms() -> Iterator[tuple[str, Atom]]:
    for line in _ATOMS.strip().split("\n"):
        prefixes, name, base, size, *words = line.split(" ")
        for letter in prefixes:
            long, power = _PREFIXES[letter]
            short = letter.strip("-")
            atom = (name.replace("*", short), base, Fraction(size) * 10**power)
            yield from ((word.replace("*", short).replace("~", long).replace("_", " "), atom) for word in words)


ATOMS: Mapping[str, Atom] = dict(_atoms())
PERIODS = {"hourly": "h", "daily": "day", "weekly": "week", "monthly": "month", "quarterly": "quarter"}
PERIODS |= dict.fromkeys(("yearly", "annually"), "year")
CHIP = re.compile(
    r"(?:[ABHV]\d{2,3}(?:[- ]?(?:SXM\d?|PCIe|NVL))?|GB\d{3}|L40S?|L4|T4|MI\d{3}[AX]?|TPU(?:[ -]?v\d\w?)?"
    r"|RTX[ -]?\d{4}|Gaudi ?\d?|Trainium\d?|Inferentia\d?)(?:e|s)?"
)
GPUS = word_set("gpu gpus accelerator accelerators card cards chip chips tpu tpus board boards")
NODES = word_set("node server machine box instance host replica rack pod vm switch")
"""Things that hold GPUs or are rented as a whole."""
ALIKE = NODES - {"rack", "pod", "switch", "replica"}  # words for one machine
_IRREGULAR = word_list("""
    query queries reply replies switch switches box boxes person people index indices copy copies company companies
    batch batches class classes inference inferences latency latencies match matches search searches entry entries
    """)
IRREGULAR: Mapping[str, str] = {**dict(zip(_IRREGULAR[1::2], _IRREGULAR[::2], strict=True)), "series": ""}
EACH = word_set("""
    request call query prompt message conversation chat ticket document page image user seat customer subscriber
    developer employee agent session node server gpu card chip accelerator machine box instance host rack
    replica response reply answer completion
    """)
"""Things after `a` that a rate is per: $0.02 a request."""
# ---- numbers with a decimal comma, rewritten as English ones of the same length, so that one reader reads both
BLANK = "\x00"  # hides a number that can be read in two ways, as masks hide what is no prose
_BEGIN, _END = r"(?<![\w.,])", r"(?![.,]?\d)"
_SIGN = r"(?P<sign>(?:US\$|[€£$¥])\s?)"
_UNIT = r"\s?(?:%|[€£$]|(?:EUR|USD|GBP|CHF|PLN|DKK|SEK|NOK|kr|zł)\b|(?i:euros?|dollars?|prozent|franken)\b)"
_POINTED = r"[1-9]\d{0,2}(?:\.\d{3})+"
_WHOLE = rf"(?:{_POINTED}|[1-9]\d{{0,2}}(?:[ \u00a0\u202f]\d{{3}})+|0|[1-9]\d{{0,14}})"
_COMMA = re.compile(rf"{_BEGIN}{_SIGN}?{_WHOLE},\d{{1,2}}{_END}(?(sign)|(?=(?:\s?[–-]\s?{_WHOLE},\d{{1,2}})?{_UNIT}))")
"""A decimal comma beyond doubt: 25,0 %, € 2,50, 1.234,56 EUR, 5,5–6,5 %."""
_POINT = re.compile(
    rf"[$€£]\s?(?:\d{{1,3}}(?:,\d{{3}})+|\d{{1,15}})\.\d{{1,2}}{_END}|(?<![\d.,])\d{{1,15}}\.\d{{1,2}}{_UNIT}"
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
_POINTS_MORE = 2  # the decimal points to each comma that make the commas mistakes in an English text
_ENGLISH = str.maketrans(".,\u00a0\u202f", ",.,,")


@lru_cache(maxsize=16)
def english_numbers(text: str) -> str:
    """A text of the same length with decimal points for commas, and commas between thousands for points."""
    commas = len(_COMMA.findall(text))
    if not commas:
        return _EUROS.sub(_blank, text) if "€" in text and not _POINT.search(text) else text
    points = len(_POINT.findall(text))
    text = _COMMA.sub(_swapped, text)
    if points > _POINTS_MORE * commas:
        return text
    return _OTHER.sub(lambda one: _blank(one) if points or not one["clear"] else _swapped(one), text)


def _swapped(match: re.Match[str]) -> str:
    """A number in English; blank if its space may separate two numbers."""
    number = match[0].translate(_ENGLISH)
    return _blank(match) if re.search(r"\d \d", number) else number


def _blank(match: re.Match[str]) -> str:
    return BLANK * len(match[0])
