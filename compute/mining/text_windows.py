"""A window of prose with figures as tags, so that patterns can find relations between figures.

    from $3.00 to $0.15 — a 95% reduction        from ⟨M0⟩ to ⟨M1⟩ — a ⟨P2⟩ reduction

The letter is the type: M money, P percent, D percentage points, X times, U with a unit, C a plain count; ranges in
lower case. Citations such as [5] are blanked.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from compute.mining.figure_reader import figures
from compute.mining.mining_models import Figure, Passage
from compute.mining.number_words import DOWN, EITHER, UP

LETTERS = {"money": "M", "%": "P", "pp": "D", "x": "X", "unit": "U", "count": "C"}
_CITED = re.compile(r"\[\d{1,3}(?:\s?[,–-]\s?\d{1,3})*\]")
_MACRO = re.compile(r"\{(?P<name>[a-z]\w*)(?::(?P<of>\w+))?\}|~(?P<gap>\d+)(?P<open>!)?")
_GROUPS = {"value": "MUCP", "ratio": "PXD"}
_WORDS = {"down": DOWN, "up": UP, "either": EITHER, "way": f"{DOWN}|{UP}|{EITHER}"}
_NEGATED = re.compile(
    r"\b(?:not|never|isn['’]t|aren['’]t|wasn['’]t|doesn['’]t|don['’]t|didn['’]t|won['’]t|cannot|can['’]t|neither|nor"
    r"|no longer|if|unless|would be|wrongly|falsely)\b(?! (?:just|only|merely)\b)",
    re.I,
)
DISPUTED = re.compile(
    r"\b(?:in fact|actually|is wrong|are wrong|incorrect\w*|misstate\w*|overstate\w*|understate\w*|the arithmetic"
    r"|said to|does not follow|do not agree|disagree\w*|contradict\w*|miscalculat\w*|not \d|rather than \d|recomput\w*"
    r"|comput(?:es|ed|ing) (?:to|again)|mistaken|erroneous\w*|correct(?:ed|ly) figure|should (?:be|read|say))\b",
    re.I,
)
"""Words of a text that disputes a figure."""


_AFTER = re.compile(r"[ -]([A-Za-z]+)\b")


def singular(noun: str) -> str:
    """A noun without the ending of its plural, shortened: site and sites, box and boxes."""
    return re.sub(r"(?:es|s|e)$", "", noun.lower()) if len(noun) > 2 else noun.lower()


MOST_FIGURES, LONGEST = 40, 4_000
"""Limits of figures and characters; a longer sentence is not prose but a list, a log or a table."""
MOST_EARLIER, FARTHEST = 60, 4_000
"""How many figures before a sentence are parameters that it may use, and from how many characters before it."""


_WRAPPED = re.compile(r"(?<=[^\s|])\n(?=[^\s|#>*•·+–-])(?!\d{1,2}[.)]\s)")
"""The end of a line inside a paragraph: no blank line, no row of a table and no item of a list follows."""


@lru_cache(maxsize=4)
def unwrapped(mask: str) -> str:
    """A text with spaces where a paragraph goes on in the next line; offsets stay."""
    return _WRAPPED.sub(" ", mask)


@dataclass(frozen=True, slots=True)
class Window:
    """Sentences `start:end` of a passage: figures, the tagged text, and the offset of each figure's tag in it."""

    passage: Passage
    start: int
    end: int
    figures: tuple[Figure, ...]
    tagged: str
    before: tuple[Figure, ...] = ()
    """Figures of the sentences before it in the same paragraph."""
    every: tuple[Figure, ...] = ()
    """All figures of the passage."""

    @property
    def earlier(self) -> tuple[Figure, ...]:
        """The figures of the passage before this sentence that are near enough, in text order."""
        last = bisect_left(self.every, self.start, key=_start)
        first = bisect_left(self.every, self.start - FARTHEST, key=_start)
        return self.every[max(first, last - MOST_EARLIER) : last]

    @property
    def prose(self) -> str:
        """The words, as masked; lines of one paragraph or item are joined."""
        return unwrapped(self.passage.mask)[self.start : self.end]

    def matches(self, pattern: str) -> Iterator[re.Match[str]]:
        """Matches of a pattern of tags, except negated ones."""
        if not _tags_fit(pattern, _tags_of(self.tagged)):
            return
        for match in compiled(pattern).finditer(self.tagged):
            if not _NEGATED.search(match[0]) and not re.search(
                r"(?:\bnot|n['’]t)\W{1,3}(?:an?\W)?$", self.tagged[: match.start()]
            ):
                yield match

    def figure(self, match: re.Match[str], name: str) -> Figure:
        """The figure of a group of a match."""
        return self.figures[int(match[name])]

    def word_after(self, one: Figure) -> str:
        """What a figure counts or measures, in the singular: its unit, else the word after it."""
        if one.unit and one.sort != "money":
            return one.unit
        match = _AFTER.match(self.passage.mask, one.end)
        return singular(match[1]) if match else ""

    def of(self, *sorts: str) -> list[Figure]:
        """The figures of these types."""
        return [figure for figure in self.figures if figure.sort in sorts]


@lru_cache(maxsize=512)
def compiled(pattern: str) -> re.Pattern[str]:
    """A pattern with macros: `{a:M}` is a figure called a, `~20` up to 20 signs without a figure, `{w:down}` words."""
    return re.compile(_MACRO.sub(_macro, pattern), re.I)


@lru_cache(maxsize=64)
def _tags_of(tagged: str) -> str:
    """The letters of the tags of a tagged text, in order."""
    return "".join(_TAG.findall(tagged))


_TAG = re.compile(r"⟨([A-Za-z])\d+⟩")


@lru_cache(maxsize=20_000)
def _tags_fit(pattern: str, tags: str) -> bool:
    """Whether a text with some tags has those that each match of a pattern has, in its order."""
    return _needed(pattern).search(tags) is not None


@lru_cache(maxsize=512)
def _needed(pattern: str) -> re.Pattern[str]:
    """The tags that each match of a pattern has: those of its figures that are in no parentheses, if it has no `|`."""
    found, depth, start = [], 0, 0
    for place, sign in enumerate(plain := _ESCAPED.sub("__", pattern)):
        depth += (sign == "(") - (sign == ")")
        if sign == "|" and not depth:
            return re.compile("")
        if sign == "{" and not depth:
            start = place
        macro = _MACRO.fullmatch(plain, start, place + 1) if sign == "}" and not depth else None
        if macro and macro["of"] not in _WORDS:
            found.append(_GROUPS.get(macro["of"] or "value", macro["of"] or ""))
    return re.compile(".*".join(f"[{letters}]" for letters in found))


_ESCAPED = re.compile(r"\\.|\[(?:\\.|[^\]\\])*\]")
"""Signs of a pattern that have no meaning of their own: after a backslash, or in a set."""


def _macro(match: re.Match[str]) -> str:
    if match["gap"]:
        inner = r"(?:[^⟨⟩;]|⟨[Cc]\d+⟩)" if match["open"] else "[^⟨⟩;]"
        return f"{inner}{{0,{match['gap']}}}?"
    if match["of"] in _WORDS:
        return rf"(?P<{match['name']}>\b(?:{_WORDS[match['of']]})\b)"
    letters = _GROUPS.get(match["of"] or "value", match["of"])
    return f"(?-i:⟨[{letters}])(?P<{match['name']}>\\d+)⟩"


def _start(figure: Figure) -> int:
    return figure.start


def windows(passage: Passage) -> Iterator[Window]:
    """The sentences of a passage with a figure, in order."""
    mask = uncited(passage.mask)
    every = figures(mask)
    starts = [figure.start for figure in every]
    before: tuple[Figure, ...] = ()
    for start, end in zip(passage.borders, passage.borders[1:], strict=False):
        near = every[bisect_left(starts, start) : bisect_left(starts, end)]
        inside = tuple(figure for figure in near if figure.end <= end)
        if "\n\n" in passage.text[max(0, start - 2) : start + 2]:
            before = ()
        if 0 < len(inside) <= MOST_FIGURES and end - start <= LONGEST:
            yield Window(passage, start, end, inside, tagged(mask, start, end, inside), before, every)
        before = (*before, *inside)[-MOST_FIGURES:]


@lru_cache(maxsize=4)
def _breaks(mask: str) -> tuple[int, ...]:
    """The offsets of all blank lines of a text."""
    return tuple(match.start() for match in _BLANK.finditer(mask))


_BLANK = re.compile(r"\n(?=\n)")


def paragraph(mask: str, start: int) -> tuple[int, int]:
    """The first and the last offset of the paragraph of an offset; a line break before it belongs to it."""
    breaks = _breaks(mask)
    before, after = bisect_right(breaks, start - 2), bisect_left(breaks, start)
    return breaks[before - 1] + 1 if before else 0, breaks[after] if after < len(breaks) else len(mask)


@lru_cache(maxsize=4)
def uncited(mask: str) -> str:
    """A masked text without its bracket markers, of the same length."""
    return _CITED.sub(lambda match: "\x00" * len(match[0]), mask)


def tagged(
    mask: str, start: int, end: int, found: tuple[Figure, ...], others: Iterable[tuple[int, int, str]] = ()
) -> str:
    """A text with tags for its figures, and for other marks: first offset, last, tag. Overlaps stay untagged."""
    marks = sorted(others)
    for index, figure in enumerate(found):
        letter = LETTERS[figure.sort]
        if not any(first < figure.end and figure.start < last for first, last, _ in marks[: len(marks)]):
            marks.append((figure.start, figure.end, f"⟨{letter.lower() if figure.ranged else letter}{index}⟩"))
    parts, at = [], start
    for first, last, tag in sorted(marks):
        parts += [mask[at:first], tag]
        at = last
    return re.sub(r"[\s\x00*_]+", " ", "".join([*parts, mask[at:end]]))
