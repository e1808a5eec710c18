"""Multiples and shares of one figure by another: output by input, factors that compound, PUE and its overhead.

$2.50 input, $10 output (4× multiplier)          output / input
4× … 4× … 2×. The product is 32×                 x1 * x2 * x3
a PUE of 1.2 is 20% overhead                     pue - 1
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from itertools import pairwise

from compute.mining.direction_words import shared
from compute.mining.mining_models import Figure, Reading
from compute.mining.readings import Named, comparable, given, reading
from compute.mining.text_windows import Window


def multiples(window: Window) -> Iterator[Reading]:
    """Readings of multiples in a sentence."""
    yield from _components(window)
    yield from _products(window)
    yield from _retained(window)
    yield from _overhead(window)
    yield from _stated_once(window)
    yield from _paired(window)


def _components(window: Window) -> Iterator[Reading]:
    """Prices of input and output, and the multiple between them."""
    for match in window.matches(r"{a:M}~40{b:M}~40\(?(?:an? )?{r:X}~12(?:multiplier|multiple|ratio)\b"):
        a, b, r = (window.figure(match, key) for key in "abr")
        if {a.label, b.label} == {"input", "output"} and not r.ranged and a.low and b.low:
            names = (a.label, b.label)
            inputs = given(Named(names[0], a, unit=a.unit), Named(names[1], b, unit=b.unit))
            yield reading(window, "multiple", inputs, "output / input", r, confidence="0.95")
    for match in window.matches(
        r"(?-i:⟨m)(?P<a>\d+)⟩~16[—–,(-] ?(?:an? )?{r:X}~3(?:range|spread|difference|span|gap)\b"
    ):
        a, r = window.figure(match, "a"), window.figure(match, "r")
        if a.low > 0 and not r.ranged:
            low, high = (
                replace(a, low=end, high=end, half=a.half if end == a.high else end / 200) for end in (a.low, a.high)
            )
            yield reading(
                window,
                "range",
                given(Named("low", low, unit=a.unit), Named("high", high, unit=a.unit)),
                "high / low",
                r,
            )
    for match in window.matches(r"{r:X}~20\bon (?P<on>input|output)"):
        r = window.figure(match, "r")
        both = [
            figure for figure in window.of("money") if figure.label == match["on"].lower() and figure.end <= r.start
        ]
        if len(both) == 2 and comparable(*both) and not r.ranged and min(both[0].low, both[1].low) > 0:
            high, low = sorted(both, key=lambda figure: figure.low, reverse=True)
            inputs = given(Named("high", high, unit=high.unit), Named("low", low, unit=low.unit))
            yield reading(window, "by component", inputs, "high / low", r, confidence="0.85")


_OUTPUT = re.compile(
    r"\boutput(?: tokens?)?\b[^⟨;.]{0,30}\b(?:costs?|priced|prices?|runs?|is|are)\b[^⟨;.]{0,24}"
    r"⟨[xX](?P<r>\d+)⟩[^⟨;.]{0,24}\binput\b",
    re.I,
)
_CLOSE, _AROUND = 60, 2_000
"""How many characters may be between the prices of input and output of one model, and from them to the sentence."""


def _stated_once(window: Window) -> Iterator[Reading]:
    """How much more output costs than input, against the pairs of prices that the text states around it."""
    for match in _OUTPUT.finditer(window.tagged):
        if len(_own(window, match)) > 1:
            continue  # the prices of the sentence are meant, and not those of others
        near = [one for one in window.every if abs(one.start - window.start) < _AROUND]
        prices = [one for one in near if one.sort == "money" and one.label and one.low and not one.ranged]
        found: dict[tuple[Decimal, Decimal], tuple[Figure, Figure]] = {}
        for low, high in pairwise(prices):
            if (
                high.start - low.end < _CLOSE
                and (low.label, high.label) == ("input", "output")
                and low.unit == high.unit
            ):
                found.setdefault((low.low, high.low), (low, high))
        pairs = [*found.values()][:4]
        if len(pairs) < 2:
            continue
        names = [(f"input_{place}", f"output_{place}") for place in range(1, len(pairs) + 1)]
        named = [
            Named(name, one, unit=one.unit)
            for both, pair in zip(names, pairs, strict=True)
            for name, one in zip(both, pair, strict=True)
        ]
        ways = [f"{high} / {low}" for low, high in names]
        note = "the prices that the text states"
        yield reading(
            window,
            "stated prices",
            given(*named),
            ways,
            window.figure(match, "r"),
            confidence="0.6",
            note=note,
            strict=True,
        )


def _own(window: Window, match: re.Match[str]) -> list[Figure]:
    """The prices of a sentence before a multiple: $2.50 in and $10 out, so output is four times input."""
    multiple = window.figure(match, "r")
    return [one for one in window.of("money") if one.end <= multiple.start and not one.ranged]


def _paired(window: Window) -> Iterator[Reading]:
    """How much more output costs than input, against the only two prices of its sentence."""
    for match in _OUTPUT.finditer(window.tagged):
        prices = _own(window, match)
        if len(prices) == 2 and prices[0].unit == prices[1].unit and all(one.low for one in prices):
            low, high = prices
            if (low.label or "input", high.label or "output") == ("input", "output"):
                inputs = given(Named("input", low, unit=low.unit), Named("output", high, unit=high.unit))
                yield reading(
                    window, "stated prices", inputs, "output / input", window.figure(match, "r"), confidence="0.6",
                    strict=True, cautious=True,
                )  # fmt: skip  # the call on three lines is more readable


def _products(window: Window) -> Iterator[Reading]:
    """`The product is a 32× reduction`, after the factors; `the output multiple is 4×`, after a pair of prices."""
    for match in window.matches(r"\bproduct (?:is|comes to|makes)~12{r:X}"):
        factors = [
            figure for figure in window.before if figure.sort == "x" and figure.unit != "word" and not figure.ranged
        ]
        if 2 <= len(factors) <= 5:
            names = [Named(f"x{index}", factor) for index, factor in enumerate(factors, 1)]
            expression = " * ".join(one.name for one in names)
            yield reading(
                window, "product", given(*names), expression, window.figure(match, "r"), confidence="0.7", cautious=True
            )
    for match in window.matches(r"\boutput multiple is ~6{r:X}(?:~16, {q:X})?"):
        pairs = [pair for pair in pairwise(window.before) if [one.label for one in pair] == ["input", "output"]]
        for key in ("r", "q"):
            for low, high in pairs if match[key] else ():
                inputs = given(Named("input", low, unit=low.unit), Named("output", high, unit=high.unit))
                yield reading(
                    window,
                    "multiple",
                    inputs,
                    "output / input",
                    window.figure(match, key),
                    confidence="0.7",
                    cautious=True,
                )


def _retained(window: Window) -> Iterator[Reading]:
    """`96% scaling efficiency, falling only from 166 to 159`."""
    for match in window.matches(r"{p:P}~16\b(?:efficiency|retention|retained)\b~60\bfrom {a}~16\bto ~6{b}"):
        p, a, b = window.figure(match, "p"), *shared(window.figure(match, "a"), window.figure(match, "b"))
        if comparable(a, b) and not p.ranged and a.low > b.low:
            inputs = given(Named("before", a, plain=True), Named("after", b, plain=True))
            yield reading(window, "retained", inputs, "after / before", p, confidence="0.85", cautious=True)


def _overhead(window: Window) -> Iterator[Reading]:
    for match in window.matches(r"\bPUE (?:of|is|at) ~6{c:C}~90overhead~12{p:P}"):
        c, p = window.figure(match, "c"), window.figure(match, "p")
        if 1 <= c.low < 4 and not p.ranged:
            yield reading(window, "overhead", given(Named("pue_stated", c)), "pue_stated - 1", p, confidence="0.9")
