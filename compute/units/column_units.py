"""Units as written in table headers and cells: `$/M tokens` is `USD/Mtok`, `$/GPU-hr` is `USD/GPU/h`.

unit  = part { ("/" | "per") part }
part  = [ scale ] [ word { ("-" | " " | "*") word } ]      `$/M` alone is per million tokens
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from compute.units.unit_table import CURRENCY_SIGNS

_SCALES = {"k": "k", "thousand": "k", "1000": "k", "m": "M", "mm": "M", "million": "M", "b": "G", "billion": "G"}
_SCALE = re.compile(r"(?:1\s?)?(?P<scale>k|mm?|b|thousand|million|billion)\b|(?P<thousand>1,?000)\b", re.IGNORECASE)
_KINDS_OF_TOKENS = frozenset({"input", "output", "cached", "prompt", "completion", "blended"})
_SPELLINGS = {
    "h": "h hr hrs hour hours",
    "year": "yr yrs years",
    "minute": "min mins",
    "day": "d",
    "GPU": "gpu gpus",
    "kWh": "kwh",
    "MWh": "mwh",
    "token": "tok toks tokens",
    "ktok": "ktok",
    "Mtok": "mtok mtoken mtokens",
    "x": "×",
    "request": "requests",
}
_WORDS = {word: unit for unit, words in _SPELLINGS.items() for word in words.split()}
_PER = re.compile(r"(?<!\s)\s*+(?:/|\bper\b)\s*")
_COUNTED = re.compile(
    r"(?P<mark>[$€£¥]?\s*(?:/|\bper\b))\s*(?P<what>[^()\[\],/]+(?:/[^()\[\],/]+)*?)\s*(?:[()\[\],].*)?"
)


def unit_text(written: str) -> str:
    """A unit in the terms of `compute.units.units`; unknown words are unchanged."""
    for sign, code in CURRENCY_SIGNS.items():
        written = written.replace(sign, code)
    first, *counted = _PER.split(" ".join(written.split()))
    return "".join(["*".join(_words(first)), *(f"/{word}" for part in counted for word in _counted(part))])


def _counted(part: str) -> Iterator[str]:
    """What a price is paid for: `M tokens`, `1K requests`, `GPU-hr`, and `M` alone."""
    scale = _SCALE.match(part)
    if scale is None:
        yield from _words(part) or [part]
        return
    words = [word for word in _words(part[scale.end() :]) if word.casefold() not in _KINDS_OF_TOKENS]
    name = _SCALES[(scale["scale"] or "1000").casefold()]
    yield name + ("tok" if not words or words == ["token"] else "*".join(words))


def _words(part: str) -> list[str]:
    found = [word for word in re.split(r"[\s*·-]+", part) if word and word != "faster"]
    return [
        _WORDS.get(word, _WORDS.get(word.casefold(), word)) if len(word) > 1 else _WORDS.get(word, word)
        for word in found
    ]


def counted_in(header: str) -> tuple[str, bool] | None:
    """What the figures under a header without a readable unit are per: `/GPU/h` of `Cost per GPU-hour`; True if sure.

    A slash between words may also mean "or"; only `per` and a slash after a currency are certain.
    """
    for found in reversed(list(re.finditer(r"(?:[$€£¥]|(?<![\s$€£¥]))\s*+(?:/|\bper\b)", header))):
        match = _COUNTED.fullmatch(header, found.start())
        if match:
            return unit_text("/" + match["what"]), match["mark"].strip() != "/"
    return None
