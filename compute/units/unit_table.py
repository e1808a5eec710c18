"""The units, as data; `compute.units.units` reads them."""

from __future__ import annotations

_CODES = (
    "USD EUR GBP CHF JPY CNY KRW INR CAD AUD NZD SEK NOK DKK PLN CZK HUF BRL MXN SGD HKD TWD ILS AED SAR ZAR "
    "BGN RON ISK TRY IDR MYR PHP THB"
)
CURRENCIES = tuple(_CODES.split())
"""Three-letter codes (ISO 4217), each a dimension of its own: an exchange rate is a dated price."""

MULTIPLES = (("k", "1e3"), ("M", "1e6"))  # counted things may be priced by the thousand and by the million

_SCALES = {"k": "1e3", "M": "1e6", "G": "1e9", "T": "1e12", "P": "1e15", "E": "1e18", "Z": "1e21", "Y": "1e24"}


def _things(names: str) -> tuple[tuple[str, str, str], ...]:
    return tuple((name, "", f"{name}s") for name in names.split())


def _scaled(unit: str, prefixes: str, meaning: str) -> tuple[tuple[str, str, str, str], ...]:
    """A unit with each of some prefixes: kW, MW and GW."""
    return tuple((prefix + unit, meaning.format(_SCALES[prefix]), "", "") for prefix in prefixes.split())


_PRICED = (
    *_things("request message image pixel page word user seat conversation"),
    ("search", "", "searches"),
    ("character", "char", "characters chars"),
)
_COUNTED = (
    ("token", "tok", "tokens toks"),
    ("parameter", "param", "parameters params"),
    *_PRICED,
    *_things("GPU instance server node rack chip vCPU byte FLOP"),
    ("hour", "h hr", "hours hrs"),
    ("watt", "W", "watts"),
    ("gram", "g", "grams"),
    ("litre", "liter", "litres liters"),
)
"""Base units: the name, its other names, and the plurals, which are valid only directly after a number."""

_DERIVED = (
    ("percent", "0.01", "%", ""),
    ("pp", "0.01", "", ""),
    ("bps", "0.0001", "", ""),
    ("times", "1", "", "x"),
    *((f"{one}tok", f"{_SCALES[one]} token", f"{one}token", f"{one}tokens") for one in "kMGT"),
    ("Mchar", "1e6 character", "", "Mchars"),
    *(
        (prefix + thing, f"{factor} {thing}", "", f"{prefix}{thing}s")
        for thing, *_ in _PRICED
        for prefix, factor in MULTIPLES
    ),
    ("minute", "hour / 60", "", "minutes"),
    ("second", "hour / 3600", "sec s", "seconds"),
    ("ms", "hour / 3.6e6", "millisecond", "milliseconds"),
    ("us", "hour / 3.6e9", "microsecond", "microseconds"),
    ("ns", "hour / 3.6e12", "nanosecond", "nanoseconds"),
    ("day", "24 hour", "", "days"),
    ("week", "168 hour", "", "weeks"),
    ("month", "730 hour", "mo", "months"),
    ("month_720h", "720 hour", "", ""),
    ("month_730h", "730 hour", "", ""),
    ("year", "8760 hour", "yr", "years yrs"),
    ("mW", "watt / 1e3", "", ""),
    ("kW", "1e3 watt", "kilowatt", "kilowatts"),
    ("MW", "1e6 watt", "megawatt", "megawatts"),
    ("GW", "1e9 watt", "gigawatt", "gigawatts"),
    ("Wh", "watt * hour", "", ""),
    *_scaled("Wh", "k M G T", "{} watt * hour"),
    ("joule", "watt * hour / 3600", "J", "joules"),
    *_scaled("J", "k M", "{} watt * hour / 3600"),
    ("cent", "USD / 100", "", "cents"),
    ("ct", "EUR / 100", "", ""),
    ("pence", "GBP / 100", "", ""),
    ("bit", "0.125 byte", "", "bits"),
    *_scaled("bit", "k M G T", "{} * 0.125 byte"),
    ("kB", "1e3 byte", "KB", ""),
    *_scaled("B", "M G T P E", "{} byte"),
    *((f"{one}iB", f"{1024**power} byte", "", "") for power, one in enumerate("KMGTP", 1)),
    *_scaled("FLOP", "M G T P E Z Y", "{} FLOP"),
    ("FLOPS", "3600 FLOP / hour", "", ""),
    *_scaled("FLOPS", "M G T P E", "{} * 3600 FLOP / hour"),
    ("GPUh", "GPU * hour", "GPU_h", ""),
    ("mg", "gram / 1e3", "", ""),
    ("kg", "1e3 gram", "", ""),
    ("tonne", "1e6 gram", "", "tonnes"),
)
"""Derived units: the name, the definition, its other names, and the plurals."""

BUILT_IN: tuple[tuple[str, ...], ...] = (*_COUNTED, *_DERIVED)

IN_WORDS = {name for name, *_, plurals in BUILT_IN if name.islower() and f"{name}s" in plurals.split()} | {"GPU"}
"""Units whose names are words, with an s after a number other than one."""

CURRENCY_SIGNS = {"$": "USD", "€": "EUR", "£": "GBP", "¢": "cent"}

_UNITS = "USD/Mtok kWh GB FLOP GPUh TFLOPS GB/s token/s USD/GPU/h USD/kWh USD/GB W h"
SHOWN = tuple(_UNITS.split())  # the units in which computed figures of their dimensions are shown

REFUSED = {
    "B": "B stands for billions directly after a number (70B); for memory write byte or GB",
    "T": "T stands for trillions directly after a number (2T), without a space",
    "k": "k stands for thousands directly after a number (30k), without a space",
    "K": "K stands for thousands directly after a number (30K), without a space",
    "M": "M stands for millions directly after a number (5M), without a space",
    "min": "min is a function; for time write minute",
    "GPU_hour": "write GPU*h or GPUh",
}
"""Words that are often written as units but are not, with what to write instead."""
