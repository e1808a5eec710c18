"""Labels figures as input, output or cached, and completes units from figures near them: $3 per million in, $15 out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from compute.figures.figure_models import HOUR, TOKEN, Figure
from compute.figures.number_words import ATOMS, by_word

_LABELS = by_word("""
input: input in prompt context fresh uncached
output: output out back completion generated answer response reply
cache_read: cached cache from
""")
_ADJECTIVE = re.compile(
    r"\b(?P<word>input|output|prompt|completion|context|cached|uncached|fresh|generated|answer|response)\b", re.I
)
_BEHIND = re.compile(
    r"(?i)^(?: of)?(?: tokens)? ?(?:\(?(?:for |go(?:es|ing)? |com(?:es?|ing) |sent |written |on the way |of )?"
    r"(?P<word>input|output|in|out|back|prompts?|completions?|cached(?: input)?|cache reads?)\b)"
    r"(?!\s\d| (?:the|a|an|our|each|every|one|total|all|this|that|favou?r|use|production|practice|(?-i:[A-Z])\w*)\b)"
)
_AHEAD = re.compile(
    r"(?i)\b(?P<word>input|output|prompts?|completions?|cached (?:input|tokens)|cache (?:reads?|hits?)"
    r"|from (?:the )?cache)(?: tokens?| price| rate| cost)?(?:['’]?s)?"
    r"(?: (?:is|are|at|costs?|of|for|fall(?:s|ing)? to|drops? to))?[: ]{1,2}(?:about |only |just )?$"
)
_TO = re.compile(r"\s?(?:to|→|->|input(?: tokens)?,? and|in and) (?:about |now )?")
_REPLY = re.compile(r" (?:tokens? )?(?:response|reply|answer|output|completion|prompt)s?\b")
_OF_THEM = re.compile(r" (?:of (?:them|these|those|which|that)|(?:are|is|were) (?:cached|read|fresh))\b")
_MOVED = re.compile(r" (?:down |up |back )?to (?:just |only )?")
_OTHERS = re.compile(r"\b(?:other|remaining|rest,|another|of which|pay for|billed for)\s$")
_EACH = re.compile(
    r"(?i)\b(?:each|every)(?: [A-Za-z-]+){1,3}? (?:costs?|bills|pays|brings in|charges|rents|consumes|earns|spends|is"
    r"|sells)\b(?: [a-z]+){0,2} $"
)
_EVERY = re.compile(r"[^.;,:\d()]{0,45}?\b(?:every|each|per) (?P<time>second|hour|day|week|month|quarter|year)\b")
_JOINED = re.compile(
    r"\s?(?:to|and|or|versus|vs\.?|against|→|->|/|,|,? instead of|,? rather than|input(?: tokens)?,? and"
    r"|in,? and|,? down to|,? now)(?: (?:the )?(?:input|output|cached|another|for|now|about|just|only))*\s?$"
)
_ABOVE = re.compile(r" (?:above|over|beyond|past|up to|below|under) \d")
_RATE = ("per", "dimensions", "factor", "period")


def labelled(found: list[Figure], text: str) -> Iterator[Figure]:
    """Figures with their labels, and with units that they share with a figure near them."""
    labels = [one.label or _label(text, one, found[index - 1].end if index else 0) for index, one in enumerate(found)]
    for index, label in enumerate(labels):
        one, last = found[index], found[index - 1] if index else None
        following = found[index + 1] if index + 1 < len(found) else None
        if not one.period and one.sort in {"money", "count", "unit"} and one.dimensions != HOUR:
            one = _timed(text, one)
        above = ""
        former = _former(text, one, label, last, following)
        heir = _inherited(text, one, label, last, following)
        if former is not None:
            one = _rated(one, former, "sort", "unit", "noun", of=former.of or one.of)
        elif heir is not None:
            moved = following and text[one.end : following.start].strip() in {"to", "→", "->"}
            one = _rated(one, heir, "of", label=label or (labels[index + 1] if moved else ""))
            above = labels[index - 1] if _ABOVE.match(text, one.end) else ""
        found[index] = one
        beside = (
            name
            for name, a, b in (("input", one, following), ("output", last, one))  # $3/$15 are input and output
            if a and b and a.sort == b.sort == "money" and text[a.end : b.start].strip() == "/"
        )
        way = one.label or label or above or next(beside, "")
        yield replace(one, label=way) if way else one


def _former(text: str, one: Figure, label: str, last: Figure | None, following: Figure | None) -> Figure | None:  # noqa: PLR0911  # one case after the other
    """The figure whose unit a bare number shares: from 3,200 to 20,800 tokens."""
    if one.sort != "count":
        return None
    near = one.start - last.end if last else 0
    if last and last.dimensions == TOKEN and near < 40 and _REPLY.match(text, one.start + len(one.text.split()[0])):
        return last
    if one.noun or one.dimensions or one.of or "PUE" in text[max(0, one.start - 20) : one.start]:
        return None
    measured = following and following.sort in {"unit", "count"} and following.dimensions not in {(), HOUR}
    if following and measured and _TO.fullmatch(text[one.end : following.start]):
        return following
    if last and (last.noun or last.dimensions) and _MOVED.fullmatch(text[last.end : one.start]):
        return last
    if not last or last.sort != "unit" or last.dimensions != TOKEN:
        return None
    others = _OF_THEM.match(text, one.end) or _OTHERS.search(text[max(0, one.start - 24) : one.start])
    return last if (near < 60 and label) or (near < 160 and not label and others) else None


def _timed(text: str, one: Figure) -> Figure:
    """A figure with the period named after it: $18,000 from the bill every month."""
    lead = text[max(0, one.start - 60) : one.start]
    if one.sort == "money" and not one.of and not one.per.endswith("tok") and _EACH.search(lead):
        one = replace(one, of="each")
    match = _EVERY.match(text, one.end)
    if match is None or one.per.endswith("tok") or "each" in one.of:
        return one
    return one.per_time(ATOMS[match["time"]][0], one.end)


def _inherited(text: str, one: Figure, label: str, last: Figure | None, following: Figure | None) -> Figure | None:
    """The amount next to one whose rate it shares: from $8 to $2 per million tokens."""
    if one.sort != "money" or one.per or one.of:
        return None
    if following and following.unit == one.unit and following.per and _JOINED.match(text[one.end : following.start]):
        return following
    paired = last and last.per.endswith("tok") and last.unit == one.unit
    return last if paired and last and ((label and last.label) or _ABOVE.match(text, one.end)) else None


def _rated(one: Figure, other: Figure, *names: str, **changes: str) -> Figure:
    """A figure with the rate of another, and what else the two share."""
    return replace(one, **{name: getattr(other, name) for name in (*names, *_RATE)} | changes)


def _label(text: str, one: Figure, last: int) -> str:
    if one.sort not in {"money", "unit", "count", "%"}:
        return ""
    if one.sort == "%":
        way = re.match(r"[^,.;\d]{0,34}?\b(input|output|cached)\b", text[one.end : one.end + 50])
        return {"input": "input", "output": "output"}.get(way[1], "") if way else ""
    behind, ahead = text[one.end : one.end + 24], text[max(last, one.start - 34) : one.start]
    found = _ADJECTIVE.search(one.text) or _BEHIND.match(behind) or _AHEAD.search(ahead)
    word = found["word"].lower().split()[0].removesuffix("s") if found else ""
    return _LABELS.get(word, "")
