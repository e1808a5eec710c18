"""Page boilerplate: text that printing or conversion adds around each page.

    Harbour Words            Page 3 of 12        the number of the page, with the title or an address next to it
    Page 3                                       alone, if several pages are numbered this way
    Harbour Words                                the title again, next to one of them

The parsers see blank lines in their place, so that an entry may run over the end of a page.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from graph.models.document_models import Skip
from graph.text.code_blocks import fenced
from ingest.text.decoding import DecodedText

REASON = "page boilerplate"
_WORDS = ("page", "seite", "página", "pagina", "стр.")
_WORD = f"(?:{'|'.join(map(re.escape, _WORDS))})"
_ASIDE = r"[^\s|*+•‣◦▪●#>–-][^|\n]{0,90}?"
_LINE = re.compile(
    rf"(?:(?P<before>{_ASIDE})(?:\s{{3,}}|\t\s*|\s+[|·—–-]\s+))?[-–—\[(]?\s*{_WORD}\s*\d{{1,4}}"
    rf"(?P<of>\s*(?:of|/|von|de|sur|из)\s*\d{{1,4}})?\s*[-–—\])]?"
    rf"(?:(?:\s{{3,}}|\t\s*|\s+[|·—–-]\s+)(?P<behind>{_ASIDE}))?",
    re.I,
)
LONGEST = 120


def without_boilerplate(text: DecodedText) -> tuple[DecodedText, tuple[Skip, ...]]:
    """The text with boilerplate blanked, and its lines as skips."""
    short = "\n".join([line for line in text.lines if len(line) <= LONGEST]).lower()
    found = _boilerplate(text.lines) if any(word in short for word in _WORDS) else ()
    return text.without(found, REASON)


def _boilerplate(lines: Sequence[str]) -> set[int]:
    numbered = enumerate(zip(lines, fenced(lines), strict=True), 1)
    prose = ((number, line.strip()) for number, (line, code) in numbered if not code and len(line) <= LONGEST)
    marked = {number: match for number, line in prose if (match := _LINE.fullmatch(line))}
    beside = Counter(_adjacent(match) for match in marked.values())
    found = {number for number, match in marked.items() if _is_sure(match) or beside[_adjacent(match)] > 1}
    title = next((line.strip(" \t#*_") for line in lines if line.strip()), "")
    return found | {
        near for number in found for near in _neighbours(lines, number) if lines[near - 1].strip(" \t#*_") == title
    }


def _adjacent(match: re.Match[str]) -> tuple[str, str]:
    return (match["before"] or "").strip(), (match["behind"] or "").strip()


def _is_sure(match: re.Match[str]) -> bool:
    """Whether a line counts pages, apart from other text."""
    return bool(match["of"]) and (not any(_adjacent(match)) or re.search(r"\s{3}|\t", match[0]) is not None)


def _neighbours(lines: Sequence[str], number: int) -> Iterator[int]:
    """The nearest filled lines, except the first of the document."""
    before = next((at for at in range(number - 1, 0, -1) if lines[at - 1].strip()), 0)
    behind = next((at for at in range(number + 1, len(lines) + 1) if lines[at - 1].strip()), 0)
    if before and any(line.strip() for line in lines[: before - 1]):
        yield before
    if behind:
        yield behind
