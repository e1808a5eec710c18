"""How strongly the words around an amount call it a result."""

from __future__ import annotations

from compute.mining.claim_cues import (
    AVERAGE,
    EQUAL,
    EQUAL_PHRASES,
    LEFT,
    TOTAL,
    TOTAL_PHRASES,
    WEAK,
    after_border,
    before_border,
    has,
    phrase,
)
from compute.mining.claim_scopes import Scope
from compute.mining.quantities import Quantity


def claimed(scope: Scope, target: Quantity) -> float:  # noqa: PLR0911 - a list of cases, the first that fits
    """How strongly the words before and after an amount call it a result: 2, 1, 0.4, or 0."""
    left, right = after_border(scope.left(target)), before_border(scope.right(target), ",")
    if has(left, TOTAL) or phrase(left, TOTAL_PHRASES) or has(right[:6], TOTAL) or phrase(right, TOTAL_PHRASES):
        return 2
    if not target.index:
        return 0.4 if has(left[-3:], WEAK) else 0
    if has(left[-2:], {"plus", "and", "another", "with"}) and not has(left, LEFT):
        return 0
    if phrase(left[-7:], EQUAL_PHRASES) or has(left[-4:], EQUAL) or (scope.left(target)[-1:] == (":",)):
        return 2
    if has(left, LEFT) or has(right[:3], LEFT) or has(left[-4:], AVERAGE) or has(right[:4], AVERAGE):
        return 1.5
    if scope.left(target)[-1:] and scope.left(target)[-1] in {",", "(", "—", "–"}:
        return 1
    last = target.index == len(scope.quantities) - 1 and bool(left)
    return 0.4 if last or has(left[-3:], WEAK) else 0
