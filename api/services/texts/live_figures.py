"""Figures in texts that follow a claim, named by a mark.

    <!-- brain:sonnet-discount -->97.5%<!-- /brain -->        readable on GitHub and in Obsidian
    97.5% [claim:: sonnet-discount]                            an inline field of Dataview

A marked figure is brought up to date only if the claim has had it; any other was edited by hand and stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal
from typing import Literal, NamedTuple

from api.services.evaluation import ClaimEvaluator
from api.services.texts.claim_matcher import converted
from compute.figures.figure_models import Figure
from compute.figures.figure_reader import figures
from compute.figures.number_words import BLANK, english_numbers
from compute.figures.statement_writer import unit_of
from compute.units.number_format import number, said
from compute.units.unit_table import CURRENCIES
from graph.models.verdict_models import Verdict
from graph.store.store_errors import UnknownClaimError
from graph.text.code_blocks import verbatim_masked
from graph.text.similar_names import did_you_mean
from graph.values import Value
from ingest.markdown.front_matter import front_block

State = Literal["current", "outdated", "edited", "unknown", "no value", "unclosed"]

_ID = r"[a-z0-9][a-z0-9.-]*"
_OPENING = rf"<!--[ \t]*brain:[ \t]*(?P<id>{_ID})[ \t]*-->"
_CLOSING = r"<!--[ \t]*/brain[ \t]*-->"
_COMMENT = re.compile(rf"{_OPENING}(?P<figure>(?:(?!<!--)[^\n]){{0,200}}?){_CLOSING}")
_HALF = re.compile(rf"{_OPENING}|{_CLOSING}")
_STYLED = re.compile(r"[*_~=\s]*")
_WORDS = re.compile(r"[^\W\d_]")
_RAW = re.compile(r"<(pre|code|script|style|textarea)\b[^<>]*>.*?(?:</\1\s*+>|\Z)", re.I | re.S)
"""Elements of HTML whose text is code."""
_FIELD = re.compile(rf"[\[(]claim::[ \t]*(?P<id>{_ID})[ \t]*[\])]")
_REACH = 80  # how many characters before its field a figure may begin
_MOST_RUNS = 1000


class LiveFigure(Value):
    """A figure that follows a claim: `text` at `start:end` of the file, `now` as the brain has it.

    `state`: `outdated` (an earlier figure of the claim, or none yet), `edited` (one that the claim never had),
    `unknown` (no such claim).
    """

    document: str
    line: int
    column: int
    end_column: int
    start: int
    end: int
    claim: str
    text: str
    now: str
    state: State
    note: str = ""


class _Mark(NamedTuple):
    """A figure with its claim; `kept` says why it is not replaced or what it lacks, `half` that a mark is alone."""

    claim: str
    start: int
    end: int
    kept: str = ""
    half: bool = False


_WORDED = "{}, and there are other words between the marks; leave only the figure"
_LOST = f"there is no figure in the {_REACH} characters before the field"


class LiveFigures:
    """Reads the live figures of texts; `on` is the day of their values."""

    def __init__(self, evaluator: ClaimEvaluator, on: date) -> None:
        self._store, self._evaluator, self._on = evaluator.store, evaluator, on
        self._verdicts: dict[str, Verdict | str] = {}

    def find(self, document: str, text: str) -> tuple[LiveFigure, ...]:
        """The live figures of a text, in order; those in code are not live."""
        mask = _prose(text)
        marks = sorted((*_comments(text, mask), *_fields(mask)), key=lambda mark: mark.start)
        return tuple(self._live(document, text, mark) for mark in marks)

    def _live(self, document: str, text: str, mark: _Mark) -> LiveFigure:
        raw = text[mark.start : mark.end]
        line_start = max(text.rfind("\n", 0, mark.start), text.rfind("\r", 0, mark.start)) + 1
        line = len(re.findall(r"\r\n?|\n", text[: mark.start])) + 1
        now, state, note = ("", "unclosed", mark.kept) if mark.half else self._judged(mark.claim, raw)
        if mark.kept and state == "outdated":
            state, note = "edited", mark.kept.replace("{}", note)
        return LiveFigure(
            document=document, line=line, column=mark.start - line_start + 1, end_column=mark.end - line_start + 1,
            start=mark.start, end=mark.end, claim=mark.claim, text=raw, now=now, state=state, note=note,
        )  # fmt: skip

    def _judged(self, claim: str, raw: str) -> tuple[str, State, str]:
        """The figure of today as text, the state of the one in the file, and why."""
        verdict, raw = self._verdict(claim), raw.strip()
        if isinstance(verdict, str):
            return "", "unknown", verdict
        if verdict.value is None:
            return "", "no value", f"{claim} has no value on {self._on}: {verdict.reason}"
        figure, value, unit = _only(raw), verdict.value, verdict.unit
        now = _like(raw, value, unit) if figure else said(value, unit)
        if not raw:
            return now, "outdated", "there is no figure yet"
        if figure is not None and _is(figure, value, unit):
            return now, "current", ""
        if figure is not None and any(_is(figure, past, unit) for past in self._past(claim, verdict)):
            return now, "outdated", f"{raw} was right earlier"
        said_now = said(value, unit)
        return now, "edited", f"the file says {raw}, the brain {said_now}; delete the figure to have it written again"

    def _verdict(self, claim: str) -> Verdict | str:
        if claim not in self._verdicts:
            try:
                self._verdicts[claim] = self._evaluator.explain(claim, self._on)
            except UnknownClaimError:
                close = did_you_mean(claim, [one.id for one in self._store.claims.all()])
                self._verdicts[claim] = f"there is no claim {claim}" + (f"; {close}" if close else "")
        return self._verdicts[claim]

    def _past(self, name: str, verdict: Verdict) -> Iterator[Decimal]:
        """Every earlier figure of a claim: on its own day, expected, in the ledger."""
        if verdict.then.value is not None:
            yield verdict.then.value
        expected = _only(self._store.claims.get(name).expect.bound)
        value = converted(expected.low, unit_of(expected), verdict.unit) if expected else None
        if value is not None:
            yield value
        for _, row in self._store.ledger.history(name, _MOST_RUNS):
            if row.value is not None and row.unit == verdict.unit:
                yield row.value


def updated(text: str, figures: Sequence[LiveFigure]) -> str:
    """The text with every outdated one of its figures replaced, and nothing else."""
    for one in reversed(figures):
        if one.state == "outdated":
            text = text[: one.start] + one.now + text[one.end :]
    return text


def _comments(text: str, mask: str) -> Iterator[_Mark]:
    paired = set[int]()
    for match in _COMMENT.finditer(text):
        closing = match.end("figure")
        paired |= {match.start(), closing}
        if mask[match.start()] != BLANK:
            yield _between(match["id"], match["figure"], match.start("figure"))
    for half in _HALF.finditer(text):
        if half.start() not in paired and mask[half.start()] != BLANK:
            lone = "the mark has no <!-- /brain -->" if half["id"] else "there is no mark before it"
            yield _Mark(half["id"] or "", half.start(), half.end(), f"{lone} on its line", half=True)


def _between(claim: str, raw: str, start: int) -> _Mark:
    """The text between two marks: only the figure if it is in bold, or marked if worded."""
    written = raw.strip()
    if not written:
        return _Mark(claim, start, start + len(raw))
    begin = start + len(raw) - len(raw.lstrip())
    whole, figure = _Mark(claim, begin, begin + len(written)), _only(written)
    if figure is None:
        return whole
    before, after = written[: figure.start], written[figure.end :]
    if _STYLED.fullmatch(before) and _STYLED.fullmatch(after):
        return _Mark(claim, begin + figure.start, begin + figure.end)
    worded = _WORDS.search(before) or re.match(r"[*_~,;:]*\s+\w", after)
    return whole._replace(kept=_WORDED) if worded else whole


def _fields(mask: str) -> Iterator[_Mark]:
    for match in _FIELD.finditer(mask):
        begin = max(match.start() - _REACH, mask.rfind("\n", 0, match.start()) + 1)
        found = [one for one in figures(mask) if begin <= one.start and one.end <= match.start()]
        found = [one for one in found if not _unread(mask, one.end, match.start())]
        if found:
            yield _Mark(match["id"], *_complete(mask, found[-1]))
        else:
            yield _Mark(match["id"], match.start(), match.start(), _LOST)


def _complete(text: str, figure: Figure) -> tuple[int, int]:
    """The span of a figure's number, with digits not read as part of it: of `0,95` the 0."""
    start, end = figure.start, figure.end
    joint = _THOUSAND if _GROUP.match(text, start) else _JOINT
    before = joint.search(text, max(0, start - _REACH), start) if text[start].isdigit() else None
    after = _DIGITS_AFTER.match(text, end)
    return before.start() if before else start, after.end() if after else end


_JOINT = re.compile(r"(?:\d[\d.,'’]*)?\d[.,'’]$")
_THOUSAND = re.compile(r"(?:\d[\d.,'’]*)?\d[.,'’ \u00a0\u202f]$")
_GROUP = re.compile(r"\d{3}(?!\d)")
_DIGITS_AFTER = re.compile(r"[.,'’]\d[\d.,'’]*(?:\s?%)?")


def _unread(mask: str, start: int, end: int) -> bool:
    """Whether another field or a number of two readings is between a figure and a field."""
    between = english_numbers(mask)[start:end]
    return "::" in between or between.count(BLANK) > mask.count(BLANK, start, end)


def _prose(text: str) -> str:
    """The text with code and front matter masked, offsets unchanged."""
    plain = text.replace("\r", " ")
    lines = plain.split("\n")
    head = sum(len(line) + 1 for line in lines[: front_block(lines)[0]])
    mask = BLANK * min(head, len(text)) + verbatim_masked(plain)[head:]
    return _RAW.sub(lambda raw: BLANK * len(raw[0]), mask)


def _only(text: str) -> Figure | None:
    """The figure of a text that has exactly one figure and no other significant text."""
    found = figures(text)
    return found[0] if len(found) == 1 and _complete(text, found[0]) == (found[0].start, found[0].end) else None


def _is(figure: Figure, value: Decimal, unit: str) -> bool:
    """Whether a figure in a text is this value, to the rounding of its last digit."""
    written = unit_of(figure)
    stated, half = converted(figure.low, written, unit), converted(figure.half, written, unit)
    if stated is None or half is None:  # its own unit may say less: `2.5`, or `$2.50` for a price per token
        if written and not (written in CURRENCIES and unit.partition("/")[0] == written):
            return False
        stated, half = figure.low, figure.half
    return abs(stated - value) <= abs(half)


def _like(raw: str, value: Decimal, unit: str) -> str:
    """The value in the style of the figure that it replaces: `$2.50` keeps its sign, `95,0 %` its comma."""
    written = raw.strip()
    now = _in_units(written, value, unit)
    if english_numbers(written) == written:
        return now
    comma = re.sub(r"(?<=\d)(?=%)", space[0], now) if (space := _SPACED.search(written)) else now
    comma = comma.translate(_DECIMAL_COMMA)
    read = _only(comma)
    return comma if read is not None and _is(read, value, unit) else now


_SPACED = re.compile(r"(?<=\d)\s(?=%)")
_DECIMAL_COMMA = str.maketrans(".,", ",.")


def _in_units(written: str, value: Decimal, unit: str) -> str:
    if written.startswith("$") and unit.startswith("USD"):
        return f"${number(value, money=True)}" + re.sub(r"^\$\s*[\d.,]+", "", written)
    if re.fullmatch(r"[-−+]?[\d.,]+", written) and unit:
        return number(value, money=unit.startswith("USD"))
    return said(value, unit)
