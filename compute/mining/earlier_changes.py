"""A change stated after its figures: in the same sentence, against an earlier sentence, or for a full paragraph.

it cost $2.04; now it costs $0.36 — 5.7x cheaper         before / after
… $60 … $30 … $0.60. That is a 100× compression          first / last
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from compute.mining.direction_words import against, expressions, of_another, word_ratio
from compute.mining.mining_models import Figure, Reading
from compute.mining.readings import comparable, pair, reading
from compute.mining.text_windows import Window

_SOME = r"(?:(?:an?|the|about|roughly|nearly|almost|some|over|that is|or|i\.e\.|approximately) ?|~ ?){0,3}"
_BEHIND = rf"[—–(,:-]{{1,2}} ?{_SOME}{{r:ratio}} ?(?:[a-z]+ )?{{w:way}}"
FARTHEST = 60
_SUMMED_UP = (
    r"^\s*(?:That['’]s|That is|This is|It is|Overall,? (?:that is|it is)) (?:an? |about ){0,2}{r:ratio}~4{w:way}"
)


def behind(window: Window) -> Iterator[Reading]:
    """A multiple after the only two figures of one type: `cost $2.04; the same job cost $0.36 — 5.7x cheaper`."""
    for match in window.matches(_BEHIND):
        r = window.figure(match, "r")
        earlier = [figure for figure in window.figures if figure.end <= r.start]
        if word_ratio(r) or r.hedge == "at most" or not earlier or earlier[-1].sort not in {"money", "unit"}:
            continue
        last = earlier[-1]
        if r.start - last.end > FARTHEST:
            continue
        same = [figure for figure in earlier if figure.sort == last.sort]
        if len(same) == 1:
            yield from _earlier(window, last, r, match["w"])
        else:
            yield from _both(window, same, r, match["w"])


def _both(window: Window, same: list[Figure], r: Figure, word: str) -> Iterator[Reading]:
    """Two figures, or two pairs with labels, and the ratio between them."""
    labels = {figure.label for figure in same}
    groups = (
        [[figure for figure in same if figure.label == label] for label in sorted(labels)] if len(same) == 4 else [same]
    )
    if any(len(group) != 2 or not comparable(*group) or group[0].low == group[1].low for group in groups):
        return
    for a, b in groups:
        if against(a, b, word):
            continue
        listed = re.fullmatch(r"[^.;:—]{0,40}\band\b[^.;:—]{0,30}", window.passage.mask[a.end : b.start])
        cautious = bool(listed) or _unlike(a, b) or len(groups) > 1 or of_another(window, r, word)
        yield reading(
            window,
            "behind",
            pair(a, b),
            expressions(a, b, r, word, ordered=False),
            r,
            confidence="0.85",
            cautious=cautious,
        )


def _earlier(window: Window, last: Figure, r: Figure, word: str) -> Iterator[Reading]:
    """One figure here and its counterpart earlier in the paragraph: the only one with its label, or the last."""
    alike = [figure for figure in window.before if figure.sort == last.sort and comparable(figure, last)]
    labelled = [figure for figure in alike if last.label and figure.label == last.label]
    than = re.match(r"[^⟨.]{0,12}\bthan the\b", window.tagged.partition(f"⟨X{window.figures.index(r)}⟩")[2])
    for a in labelled if len(labelled) == 1 else alike[-1:]:
        if a.low != last.low:
            note = f"against {a.text.strip()}, earlier in the paragraph"
            sure = len(labelled) == 1 and bool(than)
            found = expressions(a, last, r, word, ordered=False)
            yield reading(window, "earlier", pair(a, last), found, r, confidence="0.6", note=note, cautious=not sure)


def chain(window: Window) -> Iterator[Reading]:
    """`That is a 20× compression`, after a paragraph of prices: of the first and the last, if it holds."""
    for match in window.matches(_SUMMED_UP):
        r = window.figure(match, "r")
        prices = [figure for figure in window.before if figure.sort == "money" and not figure.ranged]
        if len(prices) > 1 and not word_ratio(r) and comparable(prices[0], prices[-1]) and prices[-1].low:
            a, b = prices[0], prices[-1]
            note = f"from {a.text.strip()} to {b.text.strip()}, the first and the last of the paragraph"
            ways = expressions(a, b, r, match["w"], ordered=False)
            yield reading(window, "chain", pair(a, b), ways, r, confidence="0.6", note=note, cautious=True)


def _unlike(a: Figure, b: Figure) -> bool:
    """Whether only one of two money figures states what it is paid for."""
    return a.per != b.per or a.label != b.label
