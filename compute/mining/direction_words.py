"""Direction words: rise and fall, and the formulas that two figures and a word may mean."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal

from compute.mining.mining_models import Figure
from compute.mining.number_words import DOWN, SCALES, UP
from compute.mining.text_windows import Window

FALLING, RISING = re.compile(rf"^(?:{DOWN}|down|sav\w+)$", re.I), re.compile(rf"^(?:{UP}|up)$", re.I)


def word_ratio(r: Figure) -> bool:
    """Half, twice and doubled have separate rules."""
    return r.ranged or (r.unit == "word" and not re.search("times|fold", r.text, re.I))


def against(a: Figure, b: Figure, word: str) -> bool:
    """Whether the words state a fall but the figures rise, or the reverse: the meaning is inverse."""
    return bool((FALLING.match(word) and b.low > a.low) or (RISING.match(word) and b.low < a.low))


def expressions(a: Figure, b: Figure, r: Figure, word: str, *, ordered: bool) -> tuple[str, ...]:
    """Possible formulas of the figure between two others, most likely first."""
    rising = base(b) > base(a)
    large, small = ("after", "before") if rising else ("before", "after")
    if r.sort == "x":
        more = (f"{large} / {small} - 1",) if re.match(r"more|higher|increase|larger|greater", word, re.I) else ()
        return (f"{large} / {small}", *more)
    if r.sort == "pp":
        return (f"{large} - {small}",)
    points = (f"{large} - {small}",) if a.sort == "%" else ()
    fall, rise = f"1 - {small} / {large}", f"{large} / {small} - 1"
    if FALLING.match(word):
        return (fall, *points)
    if RISING.match(word):
        return (rise, *points) if rising or not ordered else (rise, fall, *points)
    return (fall, rise, *points)


def base(figure: Figure) -> Decimal:
    """The number of a figure in the smallest of its units, so that 1 TB is more than 500 GB."""
    scale = {"kB": 3, "MB": 6, "GB": 9, "TB": 12, "PB": 15, "kW": 3, "MW": 6, "GW": 9, "second": 3}
    return figure.low.scaleb(scale.get(figure.unit.partition("/")[0], 0))


def of_another(window: Window, r: Figure, word: str) -> bool:
    """Whether the statement is about something not named before: `a 20% gain in quality`."""
    behind = re.match(
        rf"[^.;]{{0,20}}?\b{re.escape(word)} (?:in|of|on) (?:the |its |our |their |total |overall )?(\w+)",
        window.passage.mask[r.end : window.end],
    )
    if not word or behind is None:
        return False
    return behind[1].lower()[:5] not in window.passage.mask[window.start : r.start].lower()


def shared(a: Figure, b: Figure) -> tuple[Figure, Figure]:
    """Two figures; the first takes the unit and scale of the second if it has none: `from 3 to 5 million users`."""
    if a.sort == "count" and b.sort == "unit":
        a = replace(a, sort="unit", unit=b.unit, per=b.per)
    scale = _SCALED.search(b.text)
    if a.sort == b.sort and scale and not _SCALED.search(a.text) and a.low < 1000:
        factor = SCALES[scale[1].lower()]
        a = replace(a, low=a.low * factor, high=a.high * factor, half=a.half * factor, coarse=a.coarse * factor)
    return a, b


_SCALED = re.compile(
    r"(?:\d ?|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|forty|fifty) )"
    r"(thousand|million|billion|trillion|bn|mn|[kKMBT](?![A-Za-z]))",
    re.I,
)
