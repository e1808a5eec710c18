"""The time of each figure in a sentence with one or several periods.

was $5 in June 2024 and is $2.50 now            June 2024 / today
until April 2026, X cost $2; it now costs $1    before / today
came down from $10 to $2 in June 2025           before / June 2025
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from compute.mining.date_text import Period, periods

_EDGE = re.compile(r";|\.\s|,?\s(?:and|but|while|whereas|where|then|after which|versus|vs\.?|to)\s|,\s|—")
_NOW = re.compile(r"\b(?:now|today|today's|currently|current|nowadays|at present|is still|these days)\b", re.I)
_LATER = re.compile(r"\b(?:after that|afterwards|thereafter|since then|from then on)\b", re.I)
_BEFORE = re.compile(
    r"\b(?:had been|used to|former(?:ly)?|previous(?:ly)?|original(?:ly)?|old|initial(?:ly)?|at first|earlier"
    r"|before that|once(?! (?:the|a|an|it|you|your|prompts?|more)\b)"
    r"|down from|up from|prior|pre-\w+|ago|last year|in the past|back then|instead of the)\b",
    re.I,
)
_PAST = re.compile(
    r"\b(?:was|were|asked"
    r"|(?<!\bis )(?<!\bare )(?<!\bbe )(?<!\bget )(?<!\bgets )charged"
    r"|cost (?:just |only |about )?(?=\$)|listed at|ran|at the time|at (?:its )?launch"
    r"|launch(?:ed)?|debuted|shipped|came out|arrived|landed|priced output|priced input"
    r"|down from|dropped|fell|cut)(?!\w)",
    re.I,
)


_HOURS = re.compile(r"\b(\d\d:\d\d)\s?(?:-|–|to)\s?(\d\d:\d\d)\b")
_OUTSIDE = re.compile(r"\b(?:outside|except|apart from|other than|save|before|until)\b[^;$]*$", re.I)


def hours_of(text: str, tiers: frozenset[str]) -> str:
    """The tier of certain hours, such as 01:00-04:00 UTC, that a text before a price names; empty if it names none."""
    for match in _HOURS.finditer(text):
        named = [one for one in tiers if one.startswith(f"{match[1]}-{match[2]}")]
        if named and not _OUTSIDE.search(text[: match.start()]):
            return named[0]
    return ""


@dataclass(frozen=True, slots=True)
class Time:
    """When a price applied: in `period` if one is stated; `past` says that it may be over, `now` that it is not."""

    period: Period | None = None
    past: bool = False
    now: bool = False


class Times:
    """The times stated in a sentence; offsets are those of the sentence."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.stated = periods(text)
        inside = [(one.start, one.end) for one in self.stated]
        self._edges = [
            match.start()
            for match in _EDGE.finditer(text)
            if not any(start <= match.start() < end for start, end in inside)
        ]

    def at(self, start: int, end: int) -> Time:
        """The time of a figure at `start:end`."""
        low = max((edge for edge in self._edges if edge < start), default=0)
        high = min((edge for edge in self._edges if edge >= end), default=len(self._text))
        own = self._text[low:high]
        before = bool(_BEFORE.search(own))
        near = [one for one in self.stated if one.start < high and one.end > low]
        if near:
            period = min(near, key=lambda one: min(abs(one.start - end), abs(start - one.end)))
            return Time(period, past=before or bool(_PAST.search(own)))
        if _NOW.search(own):
            return Time(now=True)
        return self._carried(start, own, past=before)

    def _carried(self, start: int, own: str, *, past: bool) -> Time:
        """The time of a clause that states none: that of the clause before it, else the only one after it."""
        earlier = [one for one in self.stated if one.end <= start]
        if earlier and _LATER.search(own):
            return Time(Period(earlier[-1].last, None))
        if past:
            return Time(past=True)
        if earlier:
            return Time(earlier[-1], past=bool(_PAST.search(own)))
        later = [one for one in self.stated if one.start >= start]
        if len(later) == 1 and not _NOW.search(self._text[: later[0].start]):
            return Time(later[0], past=bool(_PAST.search(own)))
        return Time(past=bool(_PAST.search(own)))
