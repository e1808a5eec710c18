"""Equations, sums, differences, shares and stacked discounts.

294,912 / 124,734,720 = 0.236%             unchanged
$20, $30 and $50, $100 in total            a + b + c
6.68 MW, at 1.09 4.36 MW — a 2.32 MW gap   abs(a - b)
28% of 47 billion is 13 billion            share * whole
90% off and another 50% off: 95%           1 - (1 - a) * (1 - b)
7B parameters at 2 bytes, 14 GB            parameters * width
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal

from compute.mining.mining_models import Figure, Reading
from compute.mining.noun_reader import PER_PERIOD
from compute.mining.number_words import SCALED
from compute.mining.readings import Named, comparable, given, known, reading
from compute.mining.text_windows import Window

_OPERATORS = {"+": "+", "plus": "+", "-": "-", "−": "-", "–": "-", "minus": "-", "×": "*", "x": "*", "*": "*", "·": "*",
              "times": "*", "/": "/", "÷": "/", "divided by": "/"}  # fmt: skip
_NOUN = r"(?: (?!and\b|to\b)[A-Za-z][\w-]*(?: per [a-z]+| of [a-z]+)?){0,3}"
_OPERATOR = r"\+|plus|-|−|–|minus|×|x|\*|·|times|/|÷|divided by"
_TERM = r"⟨[MUCPX]\d+⟩"
_EQUALS = r"(?:=|≈|equals?|is equal to)"
_EQUATION = re.compile(
    rf"{_TERM}(?:{_NOUN} ?(?:{_OPERATOR}) ?{_TERM}){{1,8}}{_NOUN} ?{_EQUALS} ?(?:~ ?)?⟨[MUCPX](?P<r>\d+)⟩", re.I
)
_OFF = r"(?:off|discount\w*|saving\w*|savings|reduc\w*|cheaper|less|cut\w*|lower)"
_STACK = re.compile(
    r"\b(?:combin\w+|stack\w*|together|compound\w*|on top|both|plus|further|another|additional)\b", re.I
)
_MAKES = r"(?:to|by|delivers?|gives?|makes?|is|yields?|for|of|=|:|total\w*)"
_TOTAL = (
    r"(?:for a total of|totall?ing|totals?|in total|altogether|a total of|sums? to|adds? up to"
    r"|together (?:is|are|make|come to|cost))"
)
_BETWEEN = r"(?:[^⟨⟩]|⟨[C]\d+⟩){0,60}?"
_GAP = r"(?:delta|difference|gap|saving|savings|reduction|increase|less|more|spread)"
_ALONE = r"(?:an?|the|that is|i\.e\.)?"
_DIFFERENCES = (
    rf"{{a:MU}}{_BETWEEN}{{b:MU}}~12[—–,;:(-]{{1,2}} ?{_ALONE} ?{{r:MU}}~3\b{_GAP}\b",
    rf"{{a:MU}}{_BETWEEN}{{b:MU}}~12[—–,;:(-]{{1,2}} ?(?:saving|a saving of|a difference of|a gap of)~4{{r:MU}}",
)
_IN_TOTAL = (
    r"{a:MUC}(?:~30{b:MUC})?~24(?:\band\b|\+|plus)~24{c:MUC}~12[,;:(—–=] ?~12{r:MUC}"
    r" (?:in total|altogether|combined|total)\b"
)


def sums(window: Window) -> Iterator[Reading]:
    """Readings of sums, shares and similar relations in a sentence."""
    yield from _equations(window)
    yield from _totals(window)
    yield from _differences(window)
    yield from _shares(window)
    yield from _stacked(window)
    yield from _memory(window)


def _equations(window: Window) -> Iterator[Reading]:
    for match in _EQUATION.finditer(window.tagged):
        tags = re.findall(r"⟨[A-Z](\d+)⟩", match[0])
        terms, stated = [window.figures[int(tag)] for tag in tags[:-1]], window.figures[int(match["r"])]
        marks = re.findall(rf"⟩{_NOUN} ?({_OPERATOR}) ?(?=⟨)", match[0], re.I)
        if len(marks) != len(terms) - 1 or window.tagged[: match.start()].rstrip()[-1:] in {*"+-*/×÷−·^(", "="}:
            continue
        names = [Named(f"x{index}", term, unit=_unit_of(term, stated)) for index, term in enumerate(terms, 1)]
        plain = all(not name.unit for name in names)
        expression = names[0].name + "".join(
            f" {_OPERATORS[mark.lower()]} {one.name}" for mark, one in zip(marks, names[1:], strict=True)
        )
        if all(mark in "+-−–" for mark in marks) and not all(comparable(terms[0], term) for term in terms[1:]):
            continue
        after = re.split(r"⟨[A-Z]\d+⟩", match[0])[1:]
        if len({bool(term.per or PER_PERIOD.search(said)) for term, said in zip(terms, after, strict=False)}) > 1 and (
            not {*"+-−–"}.isdisjoint(marks)
        ):
            continue  # over three years: $90k for machines + $15k power a year = $135k
        if _PER_HUNDRED.match(window.passage.mask, stated.end):
            continue  # 48 l / 640 km = 7.5 l/100 km
        per_million = {*marks} <= {*"×*x·"} and any(SCALED.search(term.text) for term in terms if term.sort != "money")
        if per_million and stated.sort == "money" and any(term.sort == "money" for term in terms):
            continue  # 310M tokens × $3 = $930: a price for a million of them
        yield from _equation(
            window,
            given(*names),
            expression,
            replace(stated, sort="count") if plain and stated.sort == "unit" else stated,
        )


_PER_HUNDRED = re.compile(r" ?[a-zA-Z]{1,12} ?(?:/|per) ?(?:100|hundred)\b")


def _unit_of(term: Figure, stated: Figure) -> str | None:
    """The unit that a term has in an equation: that of money, and that of the result."""
    if term.sort == "money":
        return term.unit
    return term.unit if stated.sort == "unit" and comparable(replace(term, per=""), replace(stated, per="")) else ""


def _equation(window: Window, inputs: tuple, expression: str, stated: Figure) -> Iterator[Reading]:  # type: ignore[type-arg]  # of inputs
    unit = {"money": stated.unit, "%": "%", "x": "x", "unit": stated.unit}.get(stated.sort, "")
    yield reading(
        window,
        "equation",
        inputs,
        expression,
        stated,
        unit=unit or "x",
        confidence="0.9",
        cautious=stated.sort == "unit",
        strict=True,
    )


def _totals(window: Window) -> Iterator[Reading]:
    """Three figures or two and their total, if the sentence has no other figure of that type."""
    for match in window.matches(rf"{{a:MUC}}(?:~30{{b:MUC}})?~24{{c:MUC}}~30(?:[,;:(—–] ?|\b){_TOTAL}\W~20{{r:MUC}}"):
        yield from _summed(window, match)
    for match in window.matches(_IN_TOTAL):
        yield from _summed(window, match)


def _summed(window: Window, match: re.Match[str]) -> Iterator[Reading]:
    parts = [window.figure(match, name) for name in "abc" if match[name]]
    stated = window.figure(match, "r")
    same = [figure for figure in window.figures if figure.sort == stated.sort]
    alike = all(comparable(part, stated) and part.per == stated.per for part in parts)
    if not alike or len(same) != len(parts) + 1 or (stated.sort == "count" and len(parts) < 3):
        return
    names = [Named(f"x{index}", part) for index, part in enumerate(parts, 1)]
    unit = stated.full_unit if known(stated.full_unit) else stated.unit
    inputs = given(*(Named(one.name, one.figure, unit=unit if stated.sort != "count" else "") for one in names))
    yield reading(
        window,
        "sum",
        inputs,
        " + ".join(one.name for one in names),
        stated,
        unit=unit,
        confidence="0.85",
        strict=True,
    )


def _differences(window: Window) -> Iterator[Reading]:
    """Two figures and the gap or the saving between them."""
    for pattern in _DIFFERENCES:
        for match in window.matches(pattern):
            a, b, r = (window.figure(match, key) for key in "abr")
            if comparable(a, b) and comparable(a, r) and r.low < max(a.low, b.low) and known(a.unit):
                inputs = given(Named("before", a, unit=a.unit), Named("after", b, unit=b.unit))
                yield reading(window, "difference", inputs, "abs(before - after)", r, unit=r.unit, confidence="0.9")


def _shares(window: Window) -> Iterator[Reading]:
    """A percentage of a figure and the result; or two figures and the share of one in the total."""
    for match in window.matches(
        r"{p:P} of (?:the |its |a |an )?~12{a:MUC}~30(?:=|\b(?:is|are|equals?|makes?|comes to|or|i\.e\.)\b)~12{b:MUC}"
    ):
        p, a, b = (window.figure(match, key) for key in "pab")
        if comparable(a, b) and not p.ranged and a.per == b.per:
            inputs = given(Named("share", p), Named("whole", a, unit=a.unit))
            yield reading(
                window,
                "share",
                inputs,
                "share * whole",
                b,
                unit=b.unit if known(b.unit) and b.unit else "x",
                confidence="0.9",
            )
    for match in window.matches(r"{a:MUC}~60{b:MUC}~50[—–(,-] ?{p:P} of (?:the |its )?(?:total|whole|sum)\b"):
        a, b, p = (window.figure(match, key) for key in "abp")
        if (comparable(a, b) or _counts(a, b)) and not p.ranged and a.low != b.low:
            names = ("whole", "part") if a.low > b.low else ("part", "whole")
            inputs = given(
                *(Named(name, one, plain=not comparable(a, b)) for name, one in zip(names, (a, b), strict=True))
            )
            yield reading(window, "share", inputs, "part / whole", p, confidence="0.85")


def _counts(one: Figure, two: Figure) -> bool:
    """Whether two large counts may be of one thing, named after only one of them."""
    return (
        {one.sort, two.sort} == {"count", "unit"}
        and min(one.low, two.low) >= 1_000_000
        and not (one.ranged or two.ranged)
    )


def _stacked(window: Window) -> Iterator[Reading]:
    """Stacked discounts, and their combined discount."""
    pattern = rf"{{a:P}}~4{_OFF}\b~60{{b:P}}~4{_OFF}\b~60\b{_MAKES}\b~16{{r:P}}"
    for match in window.matches(pattern):
        a, b, r = (window.figure(match, key) for key in "abr")
        if not _STACK.search(window.tagged) or a.ranged or b.ranged or r.ranged or not max(a.low, b.low) < r.low <= 100:
            continue
        inputs = given(Named("discount_a", a), Named("discount_b", b))
        tight = (inputs[0].model_copy(update={"half": Decimal(0)}), inputs[1].model_copy(update={"half": Decimal(0)}))
        yield reading(
            window, "stacked", tight, "1 - (1 - discount_a) * (1 - discount_b)", r, confidence="0.85", cautious=True
        )


_WIDTHS = (
    (re.compile(r"\b(?:FP32|32[- ]bit|4 bytes)", re.I), "4 byte/parameter"),
    (re.compile(r"\b(?:FP16|BF16|bfloat16|16[- ]bit|half precision|2 bytes)", re.I), "2 byte/parameter"),
    (re.compile(r"\b(?:FP8|INT8|8[- ]bit|1 byte)", re.I), "1 byte/parameter"),
    (re.compile(r"\b(?:FP4|INT4|NVFP4|4[- ]bit|0\.5 bytes?)", re.I), "0.5 byte/parameter"),
)


def _memory(window: Window) -> Iterator[Reading]:
    """The weights of a model at a precision; a smaller size is wrong, a larger one may include other data."""
    models = [figure for figure in window.of("count", "unit") if _MODEL.fullmatch(figure.text.strip())]
    if len({figure.low for figure in models}) != 1:
        return
    for size in window.of("unit"):
        behind = _AT.match(window.passage.mask, size.end, window.end)
        width = next((told for pattern, told in _WIDTHS if behind and pattern.search(behind[0])), None)
        if width and size.unit in _BYTES and not size.per and not size.ranged:
            inputs = given(Named("size", models[0], unit="parameter"))
            cautious = size.low > models[0].low * Decimal(width.partition(" ")[0]) / _BYTES[size.unit]
            yield reading(
                window, "memory", inputs, f"size * {width}", size, unit=size.unit, confidence="0.8",
                note="weights alone", cautious=cautious,
            )  # fmt: skip


_MODEL = re.compile(r"[\d.]+ ?(?:B|billion)(?:[- ]param\w*)?")
_AT = re.compile(r"[^.;,⟨]{0,16}\b(?:with|at|in|using)\s[^.;,]{0,16}?(?:FP\d+|BF16|bfloat16|INT\d|\d+[- ]bit)", re.I)
_BYTES = {"GB": Decimal(10) ** 9, "TB": Decimal(10) ** 12, "GiB": Decimal(2) ** 30}
