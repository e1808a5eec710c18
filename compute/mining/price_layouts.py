"""Prices in lines without sentences, whose unit is named once: rows of values, keys, and headings with values below.

model,input_usd_per_1m,output_usd_per_1m             a head with the unit and the order of the values
acorn-4,8,32
acorn-4:                                             keys with the unit, below the name
  usd_per_mtok_in: 8
# $ per million (in · out)                           a heading with the unit, then a name with its values
## Acorn 4
8 · 32
acorn-4 – input 8, cached 2, output 32 (USD / 1M)    a line with labels and the unit

A line that says anything else is not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from decimal import Decimal

from compute.mining.mining_models import Figure, Passage
from compute.mining.model_mentions import Lexicon, Mention
from compute.mining.price_facts import PriceFact
from compute.mining.price_tokens import unsure

_UNIT = re.compile(
    r"(?:\$|\busd\b|\bdollars?\b)\s?(?:/|per\b|a\b)\s?(?:1\s?)?(?:M\b|million\b|mtok\b)(?:\s?tok(?:en)?s?\b)?", re.I
)
_PART = re.compile(
    r"\b(?:(?P<write>cache[d ]{1,2}writes?|write)|(?P<cached>cache[d ]{0,2}(?:reads?|hits?|inputs?)?|hit)"
    r"|(?P<input>inputs?|prompts?|in)|(?P<output>outputs?|completions?|out))\b",
    re.I,
)
_COMPONENTS = {
    "write": ("cache_write", "cache_write_1h"), "cached": ("cache_read",), "input": ("input",), "output": ("output",),
}  # fmt: skip  # a table
_NUMBER = re.compile(r"(?<![\w.$€£-])(?:\d{1,3}(?:\.\d{1,4})?|\.\d{1,4})(?![\w%]|\.\d)")
_PLAIN = re.compile(r"(?:base|prices?|costs?|rates?|models?|tokens?|and|per|usd|mtok|million|list)\b", re.I)
"""Words of a line of values beside labels and unit."""
_FARTHEST, _LONGEST, _BEHIND = 1500, 160, 200
"""How many signs after a head its unit applies, how long a line of values or a head is, and how far after a line its
text may say that the prices are none of a list."""


@dataclass(slots=True)
class _Head:
    """The unit and the order of values as the last head states them, and the model that the last name states."""

    at: int = -_FARTHEST
    order: list[tuple[str, ...]] = field(default_factory=list)
    model: Mention | None = None


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
    mask = passage.mask.replace("_", " ")
    if not _UNIT.search(mask):
        return
    head, start = _Head(), 0
    for line in mask.splitlines(keepends=True):
        if line.strip() and "|" not in line and len(line) <= _LONGEST:
            for fact in _of_line(head, line, start, lexicon):
                around = mask[max(0, start - _FARTHEST) : fact.end + _BEHIND]
                yield replace(fact, cautious=unsure(around))
        elif line.strip():
            head.model = None
        start += len(line)


def _of_line(head: _Head, line: str, start: int, lexicon: Lexicon) -> Iterator[PriceFact]:
    """The prices of a line; a head or a name is kept for the lines after it."""
    mentions = [*lexicon.mentions(line)]
    unit = _UNIT.search(line)
    rest = _without(line, [(one.start, one.end) for one in mentions] + ([unit.span()] if unit else []))
    numbers, labels = [*_NUMBER.finditer(rest)], [*_PART.finditer(rest)]
    if unit and not numbers:
        head.at, head.order = start, [_COMPONENTS[one.lastgroup or ""] for one in labels]
        head.model = mentions[0] if len(mentions) == 1 else None
        return
    bare = not re.search(r"[^\W\d_]", _PLAIN.sub("", _without(rest, [one.span() for one in labels])))
    if len(mentions) == 1 and (bare or not numbers):
        head.model = mentions[0]
    elif mentions or not bare:
        head.model = None
    named = unit is not None or start - head.at < _FARTHEST
    if not (named and bare and head.model and numbers):
        return
    for number, components in _assigned(numbers, labels, [] if unit else head.order):
        yield _fact(head, number, components, (start, line))


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
    value = Decimal(number[0])
    half = Decimal(5).scaleb(int(value.as_tuple().exponent) - 1)
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
