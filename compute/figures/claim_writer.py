"""Writes checked statements as claims in YAML, drafts for a claim file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction

from compute.figures.figure_models import Statement
from compute.figures.figure_reader import quantities as figures
from compute.figures.statement_writer import written
from compute.figures.text_days import periods

_ABOUT = Decimal("0.05")  # the tolerance of a hedged figure, as a share of it
_IN_ID, _IN_FILE = Context(prec=3), Context(prec=12)
"""The digits of a computed number in an id, and in a claim."""
_PARTS, _SAME = 100, 10**20
"""The largest denominator of a fraction, and 1 over how far a number may be from it."""
_TITLE_WORDS = 4
_LOOSE = re.compile(
    r"(?i)(?:\b(?:typically|usually|commonly|generally|often|mostly|on average|averag\w+|can|may|might|could|nearly"
    r"|almost|just (?:under|over)|close to|near|about|around|roughly|approximately|some|circa)\b|[~≈])"
)
_PLAIN = re.compile(r"[A-Za-z0-9(][^\n\r\t]*")
_ITEM = re.compile(r"\A\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?(?=\D)")
"""The marker of a list item and its box, unless a number follows, which it may number."""


def claim(one: Statement, name: str, today: date) -> str:
    """A claim file of one checkable statement, with its id of `claim_ids`; `today` dates one without a day."""
    note = f"found in the text, {one.verdict}" + (f": {one.note}" if one.note else "")
    fields = {"asserted_by": "source", "stance": "reports", "as_of": f"{one.as_of or today}"}
    if one.kind == "price" and any(day.last and day.last < today for day in periods(one.quote)):
        fields["tense"] = "dated"
    return f"claims:\n{claim_entry(one, name, fields, note=note)}"


def claim_ids(statements: Iterable[Statement], today: date) -> dict[str, str]:
    """The ids of claims by those of their statements that can be checked, as numbered in one file."""
    ids, found = dict[str, str](), dict[str, str]()
    for one in statements:
        if one.verdict not in {"holds", "stale", "refuted"}:
            continue
        stem = name = readable_id(one)
        text, number = claim(one, "", today), 1
        while found.get(name, text) != text:
            number += 1
            name = f"{stem}-{number}"
        ids[one.id], found[name] = name, text
    return ids


def readable_id(one: Statement) -> str:
    """An id from the node's title and the figure: `prompt-caching-plus-batch-95-percent`."""
    words = re.findall(r"[a-z0-9]+", one.node.rpartition("/")[2].lower())[:_TITLE_WORDS]
    unit = {"%": "percent", "x": "times", "pp": "points"}.get(one.unit, one.unit.lower())
    short = _IN_ID.plus(one.stated) if _long(one.stated) else one.stated
    figure = re.sub(r"[^a-z0-9]+", "-", f"{short.normalize():f}-{unit}".lower()).strip("-")
    return "-".join((*words, figure)) or "mined"


def _formula(text: str) -> str:
    """A YAML scalar, in quotes where it could be read otherwise."""
    plain = _PLAIN.fullmatch(text) and ": " not in text and " #" not in text and not text.endswith(":")
    return text if plain else json.dumps(text, ensure_ascii=False)


def claim_entry(
    one: Statement, name: str, fields: Mapping[str, str], comments: Sequence[str] = (), *, note: str = "",
    expect: str = "",
) -> str:  # fmt: skip
    """A statement as an entry of a claim file; `expect` replaces the stated figure."""
    sentence = json.dumps(" ".join(_ITEM.sub("", one.quote, count=1).split()), ensure_ascii=False)
    lines = [f"id: {name}", f"node: {_formula(one.node)}", f"quote: {sentence}", f"says: {sentence}"]
    lines += [f"{field}: {value}" for field, value in fields.items()]
    if one.inputs:
        lines += ["given:", *(f"  {given.name}: {_formula(given.formula)}" for given in one.inputs)]
    lines += [f"value: {_formula(one.expression)}", f"expect: {expect or _expected(one)}"]
    if note:
        lines.append(f"note: {json.dumps(note, ensure_ascii=False)}")
    above = "".join(f"  # {' '.join(comment.split())}\n" for comment in comments)
    return above + "".join(f"{'  - ' if index == 0 else '    '}{line}\n" for index, line in enumerate(lines))


def _expected(one: Statement) -> str:
    """The expectation, as hedged by the words around the figure."""
    at = one.figure_start - one.start
    figure = next((each for each in figures(one.quote) if each.start <= at < each.end), None)
    before = re.split(r"[;:(]\s|\.\s|,\s(?=\w+\s\w+\s)", one.quote[max(0, at - 60) : max(0, at)])[-1]
    scale = one.stated / figure.low if figure and figure.low else Decimal(1)
    if figure is not None and figure.ranged:
        return f"{{between: [{_amount(figure.low * scale, one.unit)}, {_amount(figure.high * scale, one.unit)}]}}"
    bound = _amount(one.stated, one.unit)
    if one.bound != "is":
        return f"{{{one.bound.replace(' ', '_')}: {bound}}}"
    within = one.within
    if (figure is not None and figure.hedge == "about") or _LOOSE.search(before):
        within = max(within, (figure.coarse if figure else within) * scale, abs(one.stated) * _ABOUT)
    missed = abs(one.stated - one.computed) if one.computed is not None and one.verdict == "holds" else Decimal(0)
    more = max(missed, within, abs(one.stated - _IN_FILE.plus(one.stated)))
    if more > within or _long(within):
        within = more.quantize(Decimal(1).scaleb(more.adjusted() - 1), ROUND_CEILING)  # two digits, not smaller
    if one.verdict == "refuted" and one.computed is not None:  # no tolerance lets it hold
        within = next((each for each in (within, one.within) if each < abs(one.stated - one.computed)), Decimal(0))
    if within == 0:
        return f"{{is: {bound}}}"
    tolerance = f"{within.normalize():f}pp" if one.unit in {"%", "pp"} else _amount(within.normalize(), one.unit)
    return f"{{is: {bound}, within: {tolerance}}}"


def _amount(value: Decimal, unit: str) -> str:
    near = Fraction(value).limit_denominator(_PARTS)  # 1/3 for 0.333…
    if unit in {"x", ""} and _long(value) and abs(near - Fraction(value)) <= abs(Fraction(value)) / _SAME:
        return f"{near.numerator}/{near.denominator}"
    return written(f"{_IN_FILE.plus(value) if _long(value) else value:f}", unit)


def _long(value: Decimal) -> bool:
    """Whether a number has so many digits that it was computed."""
    return len(value.normalize().as_tuple().digits) > _IN_FILE.prec
