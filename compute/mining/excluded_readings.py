"""Relations that the words of a sentence exclude: they neither hold nor accuse.

$200, less 25% and then a further 10% off            both shares are taken off, none is put on
£6,000 at $1.25 to the pound                         pounds are multiplied by such a rate to give dollars
faster by a factor of 4                              no difference of two times
it doubles in 9 months, and after 12 it is 2.5 times no multiple of 12 months and 9: these say when
30% of our 200 servers were retired, leaving 140     the rest, and not the 60 that were
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from compute.mining.claim_cues import DOWNWARD, UPWARD, has
from compute.mining.claim_scopes import Candidate, Scope
from compute.mining.claim_traits import GROUPS
from compute.mining.expressions import Op, Term
from compute.mining.number_words import word_set
from compute.mining.quantities import Quantity
from compute.mining.usual_mistakes import is_usual_mistake


def without_excluded(within: Scope, ranked: Sequence[tuple[Candidate, float]]) -> list[tuple[Candidate, float]]:
    """Relations with their probabilities without those that are excluded, whose siblings have these probabilities too.

    A sibling is of the same figures and by the same relation, or gives the rest where the part is excluded.
    """
    kept = [pair for pair in ranked if not excluded(within, pair[0])]
    if len(kept) == len(ranked):
        return kept
    places = {id(one) for one, _ in kept}
    dropped = [pair for pair in ranked if id(pair[0]) not in places]
    return [(one, min(1.0, chance + _inherited(within, one, chance, kept, dropped))) for one, chance in kept]


def _inherited(
    within: Scope,
    one: Candidate,
    chance: float,
    kept: Sequence[tuple[Candidate, float]],
    dropped: Sequence[tuple[Candidate, float]],
) -> float:
    """The part of the probability of excluded relations that a sibling of them has."""
    freed = sum(part for other, part in dropped if _siblings(other, one))
    if not freed or (one.rule in _BOTH and not _has_direction(within, one)):
        return 0.0
    own = sum(part for other, part in kept if other.rule == one.rule and {*other.used} == {*one.used})
    return freed * chance / own if own else 0.0


def _siblings(dropped: Candidate, one: Candidate) -> bool:
    pair = (dropped.rule, one.rule)
    return {*dropped.used} == {*one.used} and (dropped.rule == one.rule or pair in _INSTEAD)


_INSTEAD = frozenset({("taken", "cut"), ("multiplied", "cut"), ("part", "fall"), ("fall", "part"), ("sum", "mean")})
"""An excluded relation, and the one that words name in its place."""


_BOTH = {"cut twice": DOWNWARD, "raised twice": UPWARD}
"""The words of relations that change an amount twice."""


def _has_direction(within: Scope, one: Candidate) -> bool:
    """Whether a word says the direction in which an amount is changed twice."""
    verbs = [part.figure.text.strip().lower() for part in one.used]
    return any(map(_BOTH[one.rule].fullmatch, (*_said(within), *verbs)))


def _said(within: Scope) -> list[str]:
    """The words of a sentence and of those before it."""
    return [*within.sentence.words, *within.sentence.lead.lower().split()]


def excluded(within: Scope, one: Candidate) -> bool:
    """Whether words, or the currency of a rate, exclude a relation."""
    return (
        _of_both_directions(within, one)
        or _exchanged_backwards(one)
        or _no_multiple(within, one)
        or _of_moments(within, one)
        or _not_of_the_rest(within, one)
        or is_usual_mistake(within, one)
    )


def _of_both_directions(within: Scope, one: Candidate) -> bool:
    """Whether one share is taken off and another put on, although no word says the other direction."""
    if one.rule not in {"cut twice", "raised twice"} or len(one.used) != len(one.names):
        return False
    if len(_signs(one.expression)) < 2:
        return False
    other = UPWARD if one.rule == "cut twice" else DOWNWARD
    verbs = [part.figure.text.strip().lower() for part in one.used]
    taxed = one.rule == "cut twice" and has(_said(within), _TAXES)
    return not (taxed or any(map(other.fullmatch, (*_said(within), *verbs))))


_TAXES = word_set("tax vat gst tip duty gratuity")
"""What is put on a price, without a word of a rise."""


def _signs(tree: Term) -> set[str]:
    """The signs between one and the shares of a product."""
    if not isinstance(tree, Op):
        return set()
    own = {tree.sign} if tree.sign in {"+", "-"} else set()
    return own | _signs(tree.left) | _signs(tree.right)


def _exchanged_backwards(one: Candidate) -> bool:
    """Whether an amount is divided by a rate in the currency of the result, or multiplied by one in its own."""
    if one.rule != "exchanged" or len(one.used) != 2 or not isinstance(one.expression, Op):
        return False
    amount, rate = one.used
    if {one.target.kind, amount.kind, rate.kind} != {"money"} or one.target.unit == amount.unit:
        return False
    return one.expression.sign == ("/" if rate.unit == one.target.unit else "*")


def _no_multiple(within: Scope, one: Candidate) -> bool:
    """Whether a figure is called a factor or a multiple, and the relation adds or subtracts."""
    called = within.left(one.target)[-2:] == ("factor", "of") or one.target.kind == "ratio"
    return called and GROUPS[one.rule] in {"plus", "minus"} and all(part.kind != "ratio" for part in one.used)


def _of_moments(within: Scope, one: Candidate) -> bool:
    """Whether times that say when something else happens are compared: in 6 months it tripled, in 18 ninefold."""
    timed = len(one.used) == 2 and all(part.kind == "time" for part in one.used)
    if not timed or one.target.kind not in {"ratio", "share"} or not has(within.sentence.words, _GROWING):
        return False
    return all(within.left(part)[-1:] in _WHEN for part in one.used)


_WHEN = {(word,) for word in ("in", "after", "within", "every", "for", "over")}
_GROWING = {
    *(f"{verb}{ending}" for verb in ("doubl", "tripl", "quadrupl") for ending in ("e", "es", "ed", "ing")),
    *re.findall(r"\w+", "grow grows grew grown growing growth shrink shrinks shrank rises rose fell falls large high"),
}
"""Words of something that grows."""


def _not_of_the_rest(within: Scope, one: Candidate) -> bool:
    """Whether words say that a figure is what is left, and a relation gives the part that went."""
    share, amount = _share_and_part(one)
    if share is None or amount is None or share.index > amount.index:
        return False
    left = has(within.left(amount)[-_NEAR:], _LEAVING) or has(within.right(amount)[:2], _LEFT)
    left |= has(within.left(amount)[-_PAID_NEAR:], _PAID) and has(within.after(share)[:_PAID_NEAR], _OFF)
    said = (*within.before(share)[-_NEAR:], *within.after(share)[:_KEPT_NEAR])
    kept = has(within.before(share)[-_NEAR:], _LEAVING) or has(said[:-1], _KEPT)
    return left and not kept and has([*within.sentence.words, *said], _GONE)


def _share_and_part(one: Candidate) -> tuple[Quantity | None, Quantity | None]:
    """The share of a relation and the amount that it says to be so much of another one."""
    if len(one.used) != 2:
        return None, None
    if one.rule == "part":
        return one.target, min(one.used, key=lambda part: part.base)
    shares = [part for part in one.used if part.kind == "share" or (part.kind == "ratio" and part.base < 1)]
    return (shares[0], one.target) if one.rule in {"taken", "multiplied"} and shares else (None, None)


_NEAR, _KEPT_NEAR = 5, 7
"""How many words before a figure say what becomes of it, and after it."""
_PAID_NEAR = 3
_PAID = word_set("pay pays paid paying cost costs costing")
_OFF = word_set("off discount reduction rebate cheaper less")
"""Words of a share that one does not pay, and of an amount that one does."""
_LEAVING = word_set("leaving leaves leave left remaining remains remain remained")
_LEFT = word_set("left remain remains remaining remained")
_KEPT = word_set(
    "remain remains remained remaining kept keep keeps keeping survive survived stay stays stayed stand intact margin"
)
_GONE = word_set("""
    off removed remove removes retired lost loses lose gone spent used taken takes took cut cuts sold tax
    taxes deducted discount reduction rebate cheaper less eaten burned burnt wasted failed dropped died
    destroyed cancelled returned rejected discarded withheld deduction
""")
"""Words of what went, beside a share."""
