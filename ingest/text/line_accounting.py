"""Counts lines: each non-blank one is skipped for a reason, kept in a node, or else skipped as not understood."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter

from graph.models.document_models import LineCount, Skip
from graph.models.node_models import Node
from graph.problems import Problem
from ingest.text.decoding import MOST, DecodedText

UNREAD = "not understood"
BETWEEN_ENTRIES, BETWEEN_TABLES = "text between the entries", "text between the tables"
INTRODUCTION = "introduction"
LEFT_TEXT = frozenset({UNREAD, BETWEEN_ENTRIES, BETWEEN_TABLES, INTRODUCTION})
"""Reasons for which text outside entries is left out."""


def account(
    text: DecodedText, nodes: Iterable[Node], skips: Iterable[Skip]
) -> tuple[LineCount, tuple[Skip, ...], tuple[Problem, ...]]:
    """The counts of lines, the joined skips, and a problem for each unread run."""
    reasons = _reasons(len(text.lines), nodes, skips)
    filled = [number for number, line in enumerate(text.lines, 1) if line.strip()]
    kept = sum(not reasons[number] for number in filled)
    joined = tuple(_joined((number, reasons[number]) for number in filled))
    problems = tuple(_unread(text, joined))
    return LineCount(total=len(filled), kept=kept, skipped=len(filled) - kept), joined, problems


def _reasons(count: int, nodes: Iterable[Node], skips: Iterable[Skip]) -> list[str]:
    """By line from 1: why it is left out; empty in a node."""
    found = [UNREAD] * (count + 1)
    for node in nodes:
        first, last = max(1, node.provenance.first_line), min(count, node.provenance.last_line)
        found[first : last + 1] = [""] * max(0, last + 1 - first)
    for skip in skips:
        first, last = max(1, skip.first_line), min(count, skip.last_line)
        found[first : last + 1] = [skip.reason] * max(0, last + 1 - first)
    return found


def _joined(lines: Iterable[tuple[int, str]]) -> Iterator[Skip]:
    """Runs of lines with one reason; that of nodes is empty."""
    for reason, run in groupby(lines, itemgetter(1)):
        if reason:
            numbers = [number for number, _ in run]
            yield Skip(first_line=numbers[0], last_line=numbers[-1], reason=reason)


def _unread(text: DecodedText, skips: Iterable[Skip]) -> Iterator[Problem]:
    runs = [skip for skip in skips if skip.reason == UNREAD]
    for skip in runs[:MOST]:
        more = skip.last_line - skip.first_line
        extent = f" (to line {skip.last_line})" if more else ""
        yield text.problem(skip.first_line, "not-understood", f"nothing here belongs to the format{extent}; left out")
    if len(runs) > MOST:
        yield text.problem(runs[MOST].first_line, "not-understood", f"{len(runs) - MOST} more passages left out")
