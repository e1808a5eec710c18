"""Equations that a text writes out, with signs and brackets before the result.

(214 + 236 + 261) / 3 = 237 · 9,198 MWh / (3 MW × 8,760 h) = 35% · €2,400 + 19% VAT = €2,856
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from compute.mining.claim_scopes import Candidate, Scope
from compute.mining.expressions import Op, Term, numbered
from compute.mining.quantities import Quantity

SIGNS = {"×": "*", "*": "*", "·": "*", "x": "*", "✕": "*", "÷": "/", "+": "+", "−": "-"}
SIGNS_ALONE = {"/": "/", "-": "-", "–": "-"}
"""Signs that also stand in words and ranges: outside equations they are operators only between two figures alone."""
_OPERATORS = SIGNS | SIGNS_ALONE
_EQUALS = frozenset({"=", "≈"})
_LONGEST = 8
"""The most figures before the sign of equality."""
_LABEL = 3
"""The most words after a figure that name it."""

_ONE, _HUNDRED = Decimal(1), Decimal(100)
Token = str | Quantity


def written(scope: Scope, target: Quantity) -> Candidate | None:
    """The equation of which a target is the result; None if there is none, or it cannot be parsed."""
    tokens = _before(scope, target)
    used = tuple(one for one in tokens if isinstance(one, Quantity))
    if not 2 <= len(used) <= _LONGEST or any(one.figure.ranged for one in used):
        return None
    names = numbered("x", len(used))
    parser = _Parser(tokens, dict(zip((one.index for one in used), names, strict=True)))
    tree = parser.parsed()
    if tree is None:
        return None
    if "hundred" in target.pers:
        tree = Op("*", tree, _HUNDRED)  # 48 l / 640 km = 7.5 l/100 km
    factors = {token for token in tokens if isinstance(token, str)} <= {"*", "/", "(", ")"}
    measured = factors and target.kind not in {"share", "ratio"} and any(one.kind in {"unit", "time"} for one in used)
    return Candidate("chain", target, used, names, tree, united=False, exact=True, raw=not measured)


def is_written(scope: Scope, one: Candidate) -> bool:
    """Whether a candidate is the equation that a text writes out."""
    found = written(scope, one.target)
    return found is not None and (found.used, found.expression) == (one.used, one.expression)


def _before(scope: Scope, target: Quantity) -> list[Token]:
    """The figures, signs and brackets of the equation before a target; empty if no sign of equality is there."""
    place = target.index
    if place <= scope.first or not _EQUALS.issuperset(scope.gaps[place][-1:]) or not scope.gaps[place]:
        return []
    tokens = _signs(scope.gaps[place][:-1])
    while tokens is not None and place > scope.first:
        place -= 1
        tokens = [scope.quantities[place], *tokens]
        opened = _opening(scope.gaps[place])
        between = _signs(scope.gaps[place]) if place > scope.first else None
        if not between or all(token in {"(", ")"} for token in between):
            return [*opened, *tokens]
        tokens = [*between, *tokens]
    return []


def _signs(gap: Sequence[str]) -> list[Token] | None:
    """The signs and brackets between two figures; None if there is more than them and a label."""
    found: list[Token] = []
    words = 0
    for word in gap:
        if word in {"(", ")"}:
            found.append(word)
        elif word in _OPERATORS:
            found.append(_OPERATORS[word])
        elif word.isalpha():
            words += 1
        else:
            return None
    return found if words <= _LABEL else None


def _opening(gap: Sequence[str]) -> list[Token]:
    """The brackets that are opened right before a figure."""
    found: list[Token] = []
    for word in reversed(gap):
        if word != "(":
            break
        found.append(word)
    return found


class _Parser:
    """Sums, products and brackets over figures; `+ 19%` after an amount is 19% of it."""

    def __init__(self, tokens: Sequence[Token], names: dict[int, str]) -> None:
        self._tokens, self._names, self._at = tokens, names, 0

    def parsed(self) -> Term | None:
        """The term; None if the tokens are no complete expression."""
        tree = self._sum()
        return tree if tree is not None and self._at == len(self._tokens) and isinstance(tree, Op) else None

    def _sum(self) -> Term | None:
        tree, amount = self._product()
        while tree is not None and (sign := self._sign("+-")):
            right, share = self._product()
            if right is None:
                return None
            part = amount is False and share is True  # an amount, and a share put on it or taken off
            tree = Op("*", tree, Op(sign, _ONE, right)) if part else Op(sign, tree, right)
        return tree

    def _product(self) -> tuple[Term | None, bool]:
        """A product, and whether it is a share alone."""
        tree, share = self._factor()
        while tree is not None and (sign := self._sign("*/")):
            right, _ = self._factor()
            tree, share = (None if right is None else Op(sign, tree, right)), False
        return tree, share

    def _factor(self) -> tuple[Term | None, bool]:
        part = self._tokens[self._at] if self._at < len(self._tokens) else None
        self._at += 1
        if isinstance(part, Quantity):
            return self._names[part.index], part.kind == "share"
        if part != "(":
            return None, False
        tree = self._sum()
        closed = self._at < len(self._tokens) and self._tokens[self._at] == ")"
        self._at += 1
        return (tree if closed else None), False

    def _sign(self, signs: str) -> str:
        part = self._tokens[self._at] if self._at < len(self._tokens) else None
        if not isinstance(part, str) or part not in signs:
            return ""
        self._at += 1
        return part
