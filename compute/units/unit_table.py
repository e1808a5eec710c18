"""The units, as data; `compute.units.units` reads them."""

from __future__ import annotations

_CODES = (
    "USD EUR GBP CHF JPY CNY KRW INR CAD AUD NZD SEK NOK DKK PLN CZK HUF BRL MXN SGD HKD TWD ILS AED SAR ZAR "
    "BGN RON ISK TRY IDR MYR PHP THB"
)
CURRENCIES = tuple(_CODES.split())
"""Three-letter codes (ISO 4217), each a dimension of its own: an exchange rate is a dated price."""

COUNTED = (
    ("token", "tok", "tokens toks"),
    ("parameter", "param", "parameters params"),
    ("request", "", "requests"),
    ("search", "", "searches"),
    ("message", "", "messages"),
    ("image", "", "images"),
    ("pixel", "", "pixels"),
    ("page", "", "pages"),
    ("character", "char", "characters chars"),
    ("word", "", "words"),
    ("user", "", "users"),
    ("seat", "", "seats"),
    ("conversation", "", "conversations"),
    ("GPU", "", "GPUs"),
    ("instance", "", "instances"),
    ("server", "", "servers"),
    ("node", "", "nodes"),
    ("rack", "", "racks"),
    ("chip", "", "chips"),
    ("vCPU", "", "vCPUs"),
    ("byte", "", "bytes"),
    ("FLOP", "", "FLOPs"),
    ("hour", "h hr", "hours hrs"),
    ("watt", "W", "watts"),
    ("gram", "g", "grams"),
    ("litre", "liter", "litres liters"),
)
"""Base units: the name, its other names, and the plurals, which are valid only directly after a number."""

THINGS = ("request", "search", "message", "image", "pixel", "page", "character", "word", "user", "conversation", "seat")
"""The counted things that are also priced by the thousand and by the million."""

MULTIPLES = (("k", "1e3"), ("M", "1e6"))

_DERIVED = (
    ("percent", "0.01", "%", ""),
    ("pp", "0.01", "", ""),
    ("bps", "0.0001", "", ""),
    ("times", "1", "", "x"),
    ("ktok", "1e3 token", "ktoken", "ktokens"),
    ("Mtok", "1e6 token", "Mtoken", "Mtokens"),
    ("Gtok", "1e9 token", "Gtoken", "Gtokens"),
    ("Ttok", "1e12 token", "Ttoken", "Ttokens"),
    ("Mchar", "1e6 character", "", "Mchars"),
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
    ("kWh", "1e3 watt * hour", "", ""),
    ("MWh", "1e6 watt * hour", "", ""),
    ("GWh", "1e9 watt * hour", "", ""),
    ("TWh", "1e12 watt * hour", "", ""),
    ("joule", "watt * hour / 3600", "J", "joules"),
    ("kJ", "watt * hour / 3.6", "", ""),
    ("MJ", "1e3 watt * hour / 3.6", "", ""),
    ("cent", "USD / 100", "", "cents"),
    ("ct", "EUR / 100", "", ""),
    ("pence", "GBP / 100", "", ""),
    ("bit", "0.125 byte", "", "bits"),
    ("kbit", "125 byte", "", ""),
    ("Mbit", "125e3 byte", "", ""),
    ("Gbit", "125e6 byte", "", ""),
    ("Tbit", "125e9 byte", "", ""),
    ("kB", "1e3 byte", "KB", ""),
    ("MB", "1e6 byte", "", ""),
    ("GB", "1e9 byte", "", ""),
    ("TB", "1e12 byte", "", ""),
    ("PB", "1e15 byte", "", ""),
    ("EB", "1e18 byte", "", ""),
    ("KiB", "1024 byte", "", ""),
    ("MiB", "1048576 byte", "", ""),
    ("GiB", "1073741824 byte", "", ""),
    ("TiB", "1099511627776 byte", "", ""),
    ("PiB", "1125899906842624 byte", "", ""),
    ("MFLOP", "1e6 FLOP", "", ""),
    ("GFLOP", "1e9 FLOP", "", ""),
    ("TFLOP", "1e12 FLOP", "", ""),
    ("PFLOP", "1e15 FLOP", "", ""),
    ("EFLOP", "1e18 FLOP", "", ""),
    ("ZFLOP", "1e21 FLOP", "", ""),
    ("YFLOP", "1e24 FLOP", "", ""),
    ("FLOPS", "3600 FLOP / hour", "", ""),
    ("MFLOPS", "3600e6 FLOP / hour", "", ""),
    ("GFLOPS", "3600e9 FLOP / hour", "", ""),
    ("TFLOPS", "3600e12 FLOP / hour", "", ""),
    ("PFLOPS", "3600e15 FLOP / hour", "", ""),
    ("EFLOPS", "3600e18 FLOP / hour", "", ""),
    ("GPUh", "GPU * hour", "GPU_h", ""),
    ("mg", "gram / 1e3", "", ""),
    ("kg", "1e3 gram", "", ""),
    ("tonne", "1e6 gram", "", "tonnes"),
)
DERIVED = _DERIVED + tuple(
    (prefix + thing, f"{factor} {thing}", "", f"{prefix}{thing}s") for thing in THINGS for prefix, factor in MULTIPLES
)
"""Derived units: the name, the definition, its other names, and the plurals."""

CURRENCY_SIGNS = {"$": "USD", "€": "EUR", "£": "GBP", "¢": "cent"}
"""Signs that are read as a currency or a part of one."""

SHOWN = (
    "USD/Mtok",
    "kWh",
    "GB",
    "FLOP",
    "GPUh",
    "TFLOPS",
    "GB/s",
    "token/s",
    "USD/GPU/h",
    "USD/kWh",
    "USD/GB",
    "W",
    "h",
)
"""The units in which a computed figure of their dimension is shown."""

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
