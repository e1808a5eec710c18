"""Finds contradictions: clauses in two places with the same words around a different number.

    clause ─▶ its one figure of a type, its words ─▶ clauses that share nearly all words, weighed by how rare they are

Names, years and other numbers must be the same on both sides, and so must the side of a bound (below, at, above). A
match is only a suspicion: both texts may be right about different things, so the confidence is low.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import combinations
from math import log

from compute.mining.mining_models import Figure, MinedInput, Passage, Statement
from compute.mining.readings import Named, given
from compute.mining.statement_judge import quoted, told
from compute.mining.text_windows import LETTERS, Window, uncited, windows

_CLAUSE = re.compile(r"[;:]\s|,\s(?!\d)|\.\s|\s[—–]\s|—|\(|\)|\s(?:while|whereas|but)\s")
_WORD = re.compile(r"[A-Za-z][A-Za-z'’]+|[A-Z]")
_NAME = re.compile(r"\b(?:[A-Z]{2,}[a-z]*\d*|[A-Z][a-z]*[A-Z0-9][\w.-]*|[A-Za-z]*\d[\w.-]*)\b")
_STOP = frozenset(
    re.findall(
        r"[a-z]+",
        """a an the of to in on at by for with from and or as is are was were be been it its this
        that these those than then can could may might will would has have had do does did not no up
        down about around roughly approximately typically usually often only just also more less
        most least over under above below between per each every any all some such when where which
        who whose what how why into out if so s""",
    )
)
_SIDES = (("low", re.compile(r"(?:below|under|less than|fewer than|up to|at most|<|≤)\s*$", re.I)),
          ("high", re.compile(r"(?:above|over|more than|at least|exceed\w*|>|≥)\s*$", re.I)))  # fmt: skip
MOST_LIKE = 40
"""The number of clauses from which a shared word is too common for the similarity search."""
ENOUGH, LOOSER = 0.72, 0.45
"""The required weight of the common words, as a share of the shorter clause and of both clauses."""
WHOLE, LOOSEST = 0.95, 0.35
"""The same if the longer clause contains the shorter one."""
CONFIDENCE = Decimal("0.4")


_CHANGES = re.compile(r"(?:change|history|release|news|whatsnew|migrat)[\w-]*\.\w+$|changelog", re.I)
"""Names of documents that list changes: their entries speak of different versions."""
_LOGGED = re.compile(
    r"^(?:#{1,6}\s|\[?\d{4}-\d\d-\d\d|\[?\d{1,2}:\d\d:\d\d|v?\d+\.\d+\.\d+\b|[$>]\s|(?:INFO|WARN\w*|ERROR|DEBUG)\b)"
    r"|\w\(\)|\b\w+_\w+\b|[{}]|\b(?:INFO|WARNING|ERROR|DEBUG)\b"
)
"""Headings, lines of a log or of a shell, and code are no statements."""


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause with one figure: the words around it, the names in it, and the side of a bound."""

    passage: Passage
    window: Window
    figure: Figure
    words: frozenset[str]
    names: frozenset[str]
    side: str


def contradictions(passages: Iterable[Passage]) -> tuple[Statement, ...]:
    """Pairs of statements of different nodes that cannot both be right, reported at both places."""
    clauses = [clause for passage in passages if not _CHANGES.search(passage.document) for clause in _clauses(passage)]
    weights = _weights(clauses)
    found: dict[str, Statement] = {}
    for one, two in _alike(clauses, weights):
        for here, there in ((one, two), (two, one)):
            statement = _statement(here, there)
            found.setdefault(statement.id, statement)
    return tuple(found.values())


def _clauses(passage: Passage) -> Iterator[Clause]:
    plain = replace(passage, mask=uncited(passage.mask))
    for window in windows(plain):
        if "|" in window.tagged or _LOGGED.search(window.prose.strip()):
            continue
        for figure in window.figures:
            clause = _clause(plain, window, figure)
            if clause is not None:
                yield clause


def _clause(passage: Passage, window: Window, figure: Figure) -> Clause | None:
    """The clause of a figure; None if it has too few words, or another figure of that type."""
    if figure.sort not in LETTERS or figure.sort == "count" or (figure.sort == "x" and figure.unit == "word"):
        return None
    start, end = _bounds(passage.mask, window, figure)
    others = [other for other in window.figures if other is not figure and start <= other.start < end]
    if any(other.sort == figure.sort for other in others):
        return None
    text = passage.mask[start : figure.start] + " " + passage.mask[figure.end : end]
    words = frozenset(_stem(word) for word in _WORD.findall(text) if word.lower() not in _STOP)
    names = frozenset(name.lower() for name in _NAME.findall(text)) | {other.text.strip() for other in others}
    side = next((name for name, pattern in _SIDES if pattern.search(passage.mask[start : figure.start])), figure.hedge)
    side = {"at most": "low", "at least": "high", "about": ""}.get(side, side)
    return Clause(passage, window, figure, words, names, side) if len(words) >= 3 else None


def _bounds(mask: str, window: Window, figure: Figure) -> tuple[int, int]:
    borders = [match.end() for match in _CLAUSE.finditer(mask, window.start, window.end)]
    start = max((border for border in borders if border <= figure.start), default=window.start)
    starts = [match.start() for match in _CLAUSE.finditer(mask, figure.end, window.end)]
    return start, min(starts, default=window.end)


def _stem(word: str) -> str:
    word = word.lower()
    for ending in ("ization", "isation", "ations", "ation", "ings", "ing", "ied", "ies", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word


def _weights(clauses: list[Clause]) -> Mapping[str, float]:
    counts = Counter(word for clause in clauses for word in clause.words)
    return {word: 1 + log(len(clauses) / count) for word, count in counts.items()}


def _alike(clauses: list[Clause], weights: Mapping[str, float]) -> Iterator[tuple[Clause, Clause]]:
    shelves: dict[tuple[str, str, str], list[int]] = defaultdict(list)
    for index, clause in enumerate(clauses):
        for word in clause.words:
            shelves[word, clause.figure.sort, clause.figure.whole_unit].append(index)
    seen: set[tuple[int, int]] = set()
    for found in shelves.values():
        if len(found) <= MOST_LIKE:
            seen.update(combinations(found, 2))
    for first, second in sorted(seen):
        one, two = clauses[first], clauses[second]
        if one.passage.node != two.passage.node and _contradict(one, two, weights):
            yield one, two


def _contradict(one: Clause, two: Clause, weights: Mapping[str, float]) -> bool:
    if one.names != two.names or one.figure.label != two.figure.label or _overlap(one.figure, two.figure):
        return False
    if one.side != two.side and "" not in {one.side, two.side}:
        return False
    shared = one.words & two.words
    if len(shared) < 3:
        return False
    common, every = _sum(shared, weights), _sum(one.words | two.words, weights)
    smaller = min(_sum(one.words, weights), _sum(two.words, weights))
    inside, alike = common / smaller, common / every
    return (inside >= ENOUGH and alike >= LOOSER) or (inside >= WHOLE and alike >= LOOSEST)


def _sum(words: Iterable[str], weights: Mapping[str, float]) -> float:
    return sum(weights[word] for word in words)


def _overlap(one: Figure, two: Figure) -> bool:
    """Whether two figures may be equal: within their rounding, and within 10% if one of them is hedged."""
    slack = max(one.high, two.high) / 10 if one.hedge or two.hedge else Decimal(0)
    return one.low - one.half - slack <= two.high + two.half and two.low - two.half - slack <= one.high + one.half


def _statement(here: Clause, there: Clause) -> Statement:
    quote, start = quoted(here.passage.text, here.window.start, here.window.end)
    unit = {"%": "%", "x": "x", "pp": "pp"}.get(here.figure.sort, here.figure.whole_unit)
    there_says = (there.passage.node, _quote(there))
    return stated((here.passage.node, quote, start), (here.figure, there.figure), unit, there_says)


def _quote(clause: Clause) -> str:
    return " ".join(quoted(clause.passage.text, clause.window.start, clause.window.end)[0].split())[:200]


def stated(place: tuple[str, str, int], pair: tuple[Figure, Figure], unit: str, other: tuple[str, str]) -> Statement:
    """The statement that a node contradicts another: its place (node, quotation, offset), and the other figure."""
    (node, quote, start), (here, there) = place, pair
    inputs: tuple[MinedInput, ...] = given(Named("here", here), Named("there", there))
    digest = hashlib.sha256(f"{node}\n{quote}\n{here.text}\n{other[0]}\n{there.text}".encode()).hexdigest()
    says = told(there.low, unit) + (f" to {told(there.high, unit)}" if there.ranged else "")
    return Statement(
        id=f"{node}#{digest[:8]}",
        node=node,
        quote=quote,
        kind="cross-document",
        inputs=inputs,
        expression="there",
        stated=here.low,
        computed=there.low,
        unit=unit,
        verdict="refuted",
        confidence=CONFIDENCE,
        note=f"two texts differ: {other[0]} says {says}: “{other[1]}”",
        start=start,
        figure_start=here.start,
        figure_end=here.end,
        within=here.half,
    )
