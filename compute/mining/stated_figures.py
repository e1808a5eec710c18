"""What a sentence states beside a figure that a rule would refute: the computed figure itself, or what makes it up.

rises of 5% are allowed, hers was from $60,000 to $61,800, or 3%: it is 3% that the amounts give
40 pallets at €35 cost €1,470, of which €70 is a surcharge: the rest is what they give
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from compute.mining.figure_reader import figures
from compute.mining.mining_models import Figure, Passage, Statement


def is_explained(passage: Passage, one: Statement) -> bool:
    """Whether another figure near a refuted one is what was computed, or the difference to it."""
    if one.verdict != "refuted" or one.computed is None or one.kind != "arithmetic":
        return False
    own = next((other for other in figures(passage.mask) if other.start == one.figure_start), None)
    if own is None:
        return False
    gap = abs(one.stated - one.computed)
    return any(
        abs(other.low - one.computed) <= other.half
        or (own.sort == "money" and abs(other.low - gap) <= Decimal("0.005"))
        for other in _others(passage, one, own)
    )


_NEXT = 60
"""How many characters behind a sentence may correct it: *said that it was a 25% cut. It is a 75% cut.*"""


def _others(passage: Passage, one: Statement, own: Figure) -> Iterator[Figure]:
    """The other figures of a sentence and just behind it, of the type and the unit of its own, that are no inputs."""
    texts = {each.text for each in one.inputs}
    end = one.start + len(one.quote) + _NEXT
    for other in figures(passage.mask):
        inside = one.start <= other.start < end and other.start != own.start
        if inside and (other.sort, other.unit) == (own.sort, own.unit) and other.text.strip() not in texts:
            yield other
