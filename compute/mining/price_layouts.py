"""Prices in lines without sentences, whose unit is named once: rows of values, keys, and headings with values below.

model,input_usd_per_1m,output_usd_per_1m             a head with the unit and the order of the values
acorn-4,8,32
acorn-4:                                             keys with the unit, below the name
  usd_per_mtok_in: 8
# $ per million (in · out)                           a heading with the unit, then a name with its values
## Acorn 4
8 · 32
acorn-4 – input 8, cached 2, output 32 (USD / 1M)    a line with labels and the unit
batch   4  16                                        a line for a tier
Input ..... $8                                       a card without a unit, if two of its prices are right

A line that says anything else is not read; code is, where it names the unit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from decimal import Decimal
from itertools import pairwise

from compute.mining.mining_models import Figure, Passage
from compute.mining.model_mentions import Lexicon, Mention
from compute.mining.price_facts import PriceFact
from compute.mining.price_subjects import SELLERS
from compute.mining.price_tokens import unsure

_PARTS = (
    r"(?:(?P<write>cache[d ]{1,2}writes?(?: \d+[mh])?|write)"
    r"|(?P<cached>cache[d ]{0,2}(?:reads?|hits?|inputs?)?(?: input tokens?)?|hit)"
    r"|(?P<input>inputs?|prompts?|in)|(?P<output>outputs?|completions?|out))\b"
)
_PART = re.compile(rf"\b{_PARTS}", re.I)
_TOKENS = (
    r"\s?(?:(?:1\s?)?(?:M\b|million\b|mtok\b)(?:\s?tok(?:en)?s?\b)?|(?P<one>(?:single )?token\b)"
    r"|(?P<kilo>(?:1\s?)?k\b|1,000\b|thousand\b|ktok\b)(?:\s?tok(?:en)?s?\b)?|\W{0,4}(?:1[ ,]?000[ ,]?000|1e6)\b)"
)
_PER_TOKENS = re.compile(rf"[/Pp](?i:(?:(?<=/)|(?<=\bp)er\b){_TOKENS})")
"""What every unit of values has."""
_UNIT = re.compile(
    r"(?P<coin>\$|\busd\b|\b(?:US )?dollars?\b|(?P<cents>\b(?:US )?cents?\b|¢))?"
    rf"(?P<part> \b{re.sub('[?]P<[a-z]+>', '?:', _PARTS)})?\s?(?:/|\bper\b){_TOKENS}",
    re.I,
)
"""The unit of values: dollars or cents for a million tokens, a thousand or one; what it is for, if that is inside."""
_SPREAD = re.compile(r"\((?P<coin>\$) in[,;/]? (?P=coin) out\) (?=per )")
"""A unit that names its coin for each direction."""
_KEY = re.compile(r"\b(?:(?:in|out)put cost per token|cache (?:read|creation) input token cost)\b")
"""Keys of the price list that many programs share (LiteLLM): dollars for one token."""
_TIERS = {"standard": "", **{name: name for name in ("batch", "flex", "priority", "fast")}}
_TIER = re.compile(rf"\b(?P<tier>{'|'.join(_TIERS)})(?: (?:mode|tier|processing|api))?\b", re.I)
_CARD = re.compile(r"^\W*(?:inputs?|prompts?)\b[^\w$\n]*\$\d", re.I | re.M)
"""A line of a card that names no unit."""
NO_UNIT = "no unit is named"
_CURRENCY = re.compile(r"\b(?:currency|unit)\W{1,5}(?:usd\b|\$)", re.I)
_COMPONENTS = {
    "write": ("cache_write", "cache_write_1h"), "cached": ("cache_read",), "input": ("input",), "output": ("output",),
}  # fmt: skip  # a table
_NUMBER = re.compile(r"(?<![\w.$€£-])\$?(?P<value>\d{1,4}(?:\.\d{1,9})?|\.\d{1,9}|\d(?:\.\d+)?e-\d\d?)(?![\w%]|\.\d)")
_MARKER = re.compile(r"^\s*(?:\d{1,2}[.)]|[-*•–+])\s")
_PLAIN = re.compile(
    r"(?:base|prices?|costs?|rates?|models?|tokens?|and|per|usd|mtok|million|list|unit|currency|preview|latest)\b",
    re.I,
)
"""Words of a line of values beside labels and unit."""
_FARTHEST, _LONGEST, _BEHIND = 1500, 240, 200
"""How many signs after a head its unit applies, how long a line of values or a head is, and how far after a line its
text may say that the prices are none of a list."""
_NO_LIST = re.compile(
    rf"\b(?:budget|caps?|limit|max|alert|threshold|quota|target|ceiling|average|eur|euros?)|[€£]|\b(?:{SELLERS})\b",
    re.I,
)
"""Words of limits, other currencies and hosts: values beside them are no list prices of a maker."""
_MILLION = Decimal(1_000_000)
_FENCED = re.compile(r"^ {0,3}```[^\n]*\n(?P<code>.*?)^ {0,3}```", re.S | re.M)


@dataclass(slots=True)
class _Head:
    """The unit and the order of values as the last head states them, and the model that the last name states.

    `scale` is the number of dollars for a million tokens that a value of 1 means; where the unit has no coin, the
    values must be `signed`.
    """

    at: int = -_FARTHEST
    scale: Decimal = Decimal(1)
    currency: bool = False
    signed: bool = False
    order: list[tuple[str, ...]] = field(default_factory=list)
    model: Mention | None = None
    makers: str = ""


_TABLE = re.compile(r"^\[[\w.\- ]+\]$", re.M)
"""The name of a table of settings: [models.acorn-4]."""
_CODE = re.compile(r"`(?:[A-Za-z_]+\s?[:=]\s?)?[\"']?(?P<name>[A-Za-z][\w./-]{2,60})[\"']?`")
"""A name in code, or the value of a setting."""


def with_code_names(passage: Passage, lexicon: Lexicon) -> Passage:
    """A passage in which the names of models are prose where they stand in code: `acorn-4`, `MODEL=acorn-4`."""
    mask = passage.mask
    for match in _CODE.finditer(passage.text) if "`" in passage.text else ():
        start, end = match.span("name")
        found = next(lexicon.mentions(match["name"]), None)
        if found and (found.start, found.end) == (0, end - start) and not mask[start:end].strip("\x00"):
            mask = f"{mask[:start]}{match['name']}{mask[end:]}"
    return passage if mask is passage.mask else replace(passage, mask=mask)


def layout_prices(passage: Passage, lexicon: Lexicon) -> Iterator[PriceFact]:
    """The prices of a passage in lines of values."""
    mask = _TABLE.sub(lambda match: match[0].replace(".", " "), _with_code(passage).replace("_", " "))
    if not (_PER_TOKENS.search(mask) or ("$" in mask and _CARD.search(mask))):
        return
    head, start = _Head(makers=mask if "istral" in mask else ""), 0
    for line in mask.splitlines(keepends=True):
        if line.strip("\x00\n ") and "|" not in line and len(line) <= _LONGEST:
            for begin, part in _segments(line, lexicon, head.makers):
                for fact in _of_line(head, part, start + begin, lexicon):
                    around = mask[max(0, start - _FARTHEST) : fact.end + _BEHIND]
                    yield replace(fact, cautious=unsure(around) or _NO_LIST.search(around) is not None)
        elif line.strip():
            head.model = None
        start += len(line)


def _with_code(passage: Passage) -> str:
    """The mask of a passage, with the code of its fenced blocks."""
    mask = passage.mask
    for match in _FENCED.finditer(passage.text) if "```" in passage.text else ():
        start, end = match.span("code")
        mask = f"{mask[:start]}{passage.text[start:end]}{mask[end:]}"
    return mask


def _segments(line: str, lexicon: Lexicon, makers: str) -> list[tuple[int, str]]:
    """A line in parts, one for each model that it names, with what stands before the first one apart."""
    starts = [one.start for one in lexicon.mentions(line, makers)]
    if len(starts) < 2:
        return [(0, line)]
    cuts = [0, *(line.rfind(" ", 0, one) + 1 for one in starts), len(line)]
    return [(begin, line[begin:end]) for begin, end in pairwise(cuts) if line[begin:end].strip()]


def _of_line(head: _Head, line: str, start: int, lexicon: Lexicon) -> Iterator[PriceFact]:
    """The prices of a line; a head or a name is kept for the lines after it."""
    mentions = [*lexicon.mentions(line, head.makers)]
    unit = _unit(head, line, start)
    rest = _MARKER.sub(lambda match: " " * len(match[0]), line)
    rest = _without(rest, [(one.start, one.end) for one in mentions] + _spans(unit))
    tiers = [*_TIER.finditer(rest)]
    rest = _without(rest, _each(tiers))
    numbers, labels = [*_NUMBER.finditer(rest)], [*_PART.finditer(rest)]
    bare = _bare(rest, labels)
    if unit and not numbers:
        head.at, head.order = start, [_COMPONENTS[one.lastgroup or ""] for one in labels]
        head.model = mentions[0] if len(mentions) == 1 else head.model if bare else None
        return
    if labels and not numbers and bare:
        head.order = [_COMPONENTS[one.lastgroup or ""] for one in labels]
    if len(mentions) == 1 and (bare or not numbers):
        head.model = mentions[0]
    elif mentions or not bare:
        head.model = None
    named = unit is not None or start - head.at < _FARTHEST
    signed = all(one[0].startswith("$") for one in numbers)
    if not (bare and head.model and numbers) or len(tiers) > 1 or (not signed and (head.signed or not named)):
        return
    tier = _TIERS[tiers[0]["tier"].lower()] if tiers else ""
    for number, components in _assigned(numbers, labels, head.order if named else []):
        fact = _fact(head, number, components, (start, line))
        yield replace(fact, processing=tier, doubt="" if named else NO_UNIT)


def _unit(head: _Head, line: str, start: int) -> re.Match[str] | None:
    """The unit that a line names, and what it means for the lines after it."""
    if _CURRENCY.search(line):
        head.currency = True
    if _KEY.search(line):
        head.at, head.scale, head.signed = start, _MILLION, False
        return None
    found = [*_UNIT.finditer(line)]
    spread = _SPREAD.search(line)
    unit = next((one for one in found if one["coin"] or head.currency or spread), next(iter(found), None))
    if unit:
        head.signed = not (unit["coin"] or head.currency or spread)
        size = _MILLION if unit["one"] else Decimal(1000) if unit["kilo"] else Decimal(1)
        head.scale = size / (100 if unit["cents"] else 1)
    return unit


def _bare(rest: str, labels: list[re.Match[str]]) -> bool:
    """Whether a line has no words but labels and those of a unit."""
    return not re.search(r"[^\W\d_]", _PLAIN.sub("", re.sub(r"\d(?:\.\d+)?e-\d", "", _without(rest, _each(labels)))))


def _each(found: list[re.Match[str]]) -> list[tuple[int, int]]:
    return [one.span() for one in found]


def _spans(unit: re.Match[str] | None) -> list[tuple[int, int]]:
    """The parts of a line that state its unit, without what it is for."""
    if unit is None:
        return []
    inside = unit.span("part") if unit["part"] else (unit.end(), unit.end())
    return [(unit.start(), inside[0]), (inside[1], unit.end())]


def _assigned(
    numbers: list[re.Match[str]], labels: list[re.Match[str]], order: list[tuple[str, ...]]
) -> Iterator[tuple[re.Match[str], tuple[str, ...]]]:
    """What each number of a line is the price of: by the label before it, else by the order of the head."""
    if labels and len(labels) == len(numbers):
        if all(label.end() <= number.start() for label, number in zip(labels, numbers, strict=True)):
            for label, number in zip(labels, numbers, strict=True):
                yield number, _COMPONENTS[label.lastgroup or ""]
    elif not labels and len(numbers) == len(order):
        yield from zip(numbers, order, strict=True)


def _fact(head: _Head, number: re.Match[str], components: tuple[str, ...], place: tuple[int, str]) -> PriceFact:
    start, line = place
    written = Decimal(number["value"])
    value, half = written * head.scale, Decimal(5).scaleb(int(written.as_tuple().exponent) - 1) * head.scale
    figure = Figure(start + number.start(), start + number.end(), number[0], value, value, half, "money", "USD", "Mtok")
    assert head.model is not None  # noqa: S101 - a line without a model has no facts
    return PriceFact(
        start=start, end=start + len(line.rstrip()), figure=figure, items=(head.model.item,), components=components,
        unit="USD/Mtok", family=head.model.item if head.model.family else "",
    )  # fmt: skip


def _without(text: str, spans: list[tuple[int, int]]) -> str:
    """A text with blanks for some parts of it."""
    for start, end in spans:
        text = f"{text[:start]}{' ' * (end - start)}{text[end:]}"
    return text
