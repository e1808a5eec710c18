"""Figures with the words that say what they are of, for a network that reads two texts beside each other."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from compute.mining.contradiction_agreement import agree
from compute.mining.contradiction_derived import Value
from compute.mining.contradiction_measures import Measure, figures_of
from compute.mining.contradiction_rows import row_texts
from compute.mining.contradiction_values import values
from compute.mining.encoder_tokens import FigureSpan, span_of
from compute.mining.mining_models import Figure, Passage
from compute.mining.quantities import sentences

BEFORE, AFTER, SHORT = 260, 160, 420
"""How much is read before and after a sentence."""
_NAME, _NUMBER = re.compile(r"\b[A-Z][a-z]+ $"), re.compile(r"\d\d?")
_COUNTED = re.compile(r"\s?(?:[%°:/.,]?\d|%|°|[\w-]+s\b|(?:people|men|women|children)\b)")
"""Around a number that is a part of a name, Apollo 11, and behind one that counts something."""
APART = 100
"""How many times another a figure may be: beyond, one of the two was not read as it was meant."""
_PAGE = re.compile(r"(?:\bpp?\.\s?|\[)$")
_CITED = re.compile(r"\]|[,;]?\s(?:and\s)?pp?\.")
"""Around the numbers of pages and notes: p. 58; 55, p. 58; [58]."""


@dataclass(frozen=True, slots=True)
class Stating:
    """A figure that a text states: what it comes to, and the words around it with the place of each figure there."""

    measure: Measure
    values: tuple[Value, ...]
    text: str
    figure: FigureSpan
    others: tuple[FigureSpan, ...]


def statings(passage: Passage, read: Iterable[Measure] | None = None) -> Iterator[Stating]:
    """The figures of a passage in sentences, then those in rows, each with its window; `read` if they are known."""
    together = {sentence.start: sentence.quantities for sentence in sentences(passage)}
    spans = sorted({span_of(one) for several in together.values() for one in several})
    for measure in figures_of(passage) if read is None else read:
        if measure.quantity is None or ":" in measure.place:
            continue
        figure, beside = measure.figure, together.get(measure.start, ())
        if _PAGE.search(passage.mask[max(0, figure.start - 6) : figure.start]) or _CITED.match(
            passage.mask, figure.end
        ):
            continue
        text = passage.mask[measure.start : measure.end]
        found = tuple(values(measure.quantity, text, measure.start, beside))
        if found:
            start, end = _window(passage, measure.start, measure.end)
            near = spans[bisect_left(spans, (start,)) : bisect_left(spans, (end,))]
            inside = tuple(_moved(one, -start) for one in near if one.end <= end)
            own = _moved(span_of(measure.quantity), -start)
            yield Stating(measure, found, passage.mask[start:end].replace("\x00", " "), own, inside)
    yield from _in_rows(passage)


def _counts_nothing(mask: str, figure: Figure) -> bool:
    """Whether a number is that of a page or a note, or a part of a name."""
    before = mask[max(0, figure.start - 24) : figure.start]
    if _PAGE.search(before) or _CITED.match(mask, figure.end):
        return True
    named = _NAME.search(before) and _NUMBER.fullmatch(figure.text)
    return bool(named) and not _COUNTED.match(mask, figure.end)


def _moved(one: FigureSpan, by: int) -> FigureSpan:
    return FigureSpan(one.start + by, one.end + by, one.kind)


def _window(passage: Passage, start: int, end: int) -> tuple[int, int]:
    """The sentence with those before it in its paragraph, and the next one if there is room."""
    borders, mask = passage.borders, passage.mask
    first = bisect_right(borders, start) - 1
    low = start
    while first > 0 and start - borders[first - 1] <= BEFORE and "\n\n" not in mask[borders[first - 1] : low].rstrip():
        first -= 1
        low = borders[first]
        if "\n\n" in mask[max(0, low - 2) : low]:
            break
    last = bisect_left(borders, end)
    following = borders[min(len(borders) - 1, last + 1)]
    short = following - end <= AFTER and following - low <= SHORT
    if short and "\n\n" not in mask[max(end - 2, 0) : following].strip():
        end = following
    return low, end


def _in_rows(passage: Passage) -> Iterator[Stating]:
    for row in row_texts(passage):
        inner = Passage(passage.node, row.text, row.text, (0, len(row.text)), passage.document)
        read = [one for one in figures_of(inner) if one.quantity is not None and ":" not in one.place]
        spans = tuple(span_of(one.quantity) for one in read if one.quantity is not None)
        by = row.start - row.at
        for one in read:
            quantity, start = one.quantity, one.figure.start + by
            found = tuple(values(quantity, row.text, 0)) if quantity and row.start <= start < row.end else ()
            if quantity and found and not _counts_nothing(row.text, one.figure):
                end = min(one.figure.end + by, row.end)
                figure = replace(one.figure, start=start, end=end, text=passage.text[start:end])
                placed = replace(
                    one,
                    passage=passage,
                    start=row.row[0],
                    end=row.row[1],
                    figure=figure,
                    place=f"{row.row[0]}:{row.at}",
                )
                yield Stating(placed, found, row.text, span_of(quantity), spans)


def differing(one: Stating, two: Stating) -> tuple[Measure, Measure] | None:
    """Two figures in one unit that cannot both be right of one thing; None if they have no unit in common, or agree."""
    found = None
    for here in one.values:
        for there in two.values:
            if here.dimension == there.dimension:
                pair = _as_measure(one.measure, here), _as_measure(two.measure, there)
                if agree(*pair):
                    return None
                if max(here.high, there.high) <= APART * min(here.low, there.low):
                    found = found or pair
    return found


def _as_measure(measure: Measure, value: Value) -> Measure:
    dimension, low, high, half, written = value
    side = "" if _LIMIT.search(measure.sentence) else measure.side
    return replace(measure, dimension=dimension, low=low, high=high, slack=half, side=side, written=written)


_LIMIT = re.compile(
    r"\b(?:may|can|must|permit\w*|allow\w*|limit\w*|capp?(?:ed|s)?|maxim\w+|max|ceiling|supports?|accepts?|handles?"
    r"|holds?|works? with|window|exceed|throttl\w+|promis\w+|guarant\w+|latest|as soon as|once|pays?)\b",
    re.I,
)
"""Words with which a bound is itself what is stated: a limit, or where something begins."""
