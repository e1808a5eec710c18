"""The usual mistakes: a relation of the same figures as the one that the words next to the figure name.

three readings of 4, 5 and 9 have a mean of 18           the sum, in place of the mean
readings of 4, 5 and 9, a total of 6                     the mean, in place of the sum
it has 350, needs 875 and buys another 1,225             the sum, in place of the difference
16,000 now where 40,000 lived before, 60% of the number  the change, in place of the share that is left
$150, marked down by 20%, to $30                         what was taken off, in place of what is left

A relation that is such a mistake is excluded: it neither holds nor saves a figure. The words that name the other
one stand next to the figure; only that something went down, before *to*, may be said farther away.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise

from compute.mining.claim_cues import ADDED, DOWNWARD, LEFT, TOTAL, has, is_turn, phrase
from compute.mining.claim_scopes import Candidate, Scope
from compute.mining.number_words import word_set
from compute.mining.quantities import Quantity


def is_usual_mistake(within: Scope, one: Candidate) -> bool:
    """Whether the words next to the target of a relation name another relation of its inputs."""
    test = _TESTS.get(one.rule)
    return test is not None and test(within, one)


def _named_mean(within: Scope, one: Candidate) -> bool:
    left, right = within.before(one.target), within.after(one.target)[:2]
    left = left if left[-1:] == (":",) else left[-_NEAR:]
    if has(left, TOTAL) or phrase(left, _SUMMED):
        return False
    return has((*left, *right), _AVERAGE) or any(
        word == "mean" and before in _THE for before, word in pairwise(("", *left))
    )


_NEAR = 5
"""How many words before a figure name its relation."""
_AVERAGE = word_set("average averages averaged averaging")
_THE = frozenset({"", "a", "the", "its", "their", "our", "whose", "arithmetic", "overall", ":"})
"""What stands before the noun *mean*, and not before the verb."""
_SUMMED = ADDED | {"in all"}


def _named_sum(within: Scope, one: Candidate) -> bool:
    left, right = within.before(one.target)[-_NEAR:], within.after(one.target)[:3]
    if has((*left, *right), _AVERAGE) or has((*left, *right), {"mean", "each", "per", "apiece"}):
        return False
    return has(left, TOTAL) or phrase(left, _SUMMED)


def _named_difference(within: Scope, one: Candidate) -> bool:
    left = within.before(one.target)
    return left[-1:] == ("another",) or phrase(left[-3:], _APART)


_APART = frozenset({
    "ahead by", "behind by", "won by", "lost by", "difference of", "gap of", "range of", "lead of", "margin of",
    "difference is", "difference was", "apart by",
})  # fmt: skip  # one list


def _named_share(within: Scope, one: Candidate) -> bool:
    """Whether a share is said to be of an earlier or whole amount, in a sentence that names no change."""
    words, right = within.before(one.target)[-_FAR:], within.after(one.target)
    if one.target.kind != "share" or right[:1] != ("of",) or not has(right[1:5], _WHOLES):
        return False
    return not any(map(is_turn, words)) and not has(words, LEFT | _REST)


_FAR = 12
_WHOLES = word_set("old original former previous earlier initial total whole full ticket list")
_REST = word_set("other others gone went missing died fled empty free idle spare unsold waste wasted already away")


def _named_rest(within: Scope, one: Candidate) -> bool:
    """Whether an amount is what something was brought down *to*."""
    target, left = one.target, within.before(one.target)
    if left[-1:] != ("to",) or has(left[-4:-1], _RESULT):
        return False
    return phrase(left[-4:], _BROUGHT) or any(map(DOWNWARD.fullmatch, (*_words_before(within, target), *left)))


def _words_before(within: Scope, target: Quantity) -> tuple[str, ...]:
    """The words of its sentence before a quantity."""
    home = within.home(target)
    gaps = (within.before(one) for one in within.quantities if within.home(one) == home and one.index < target.index)
    return tuple(word for gap in gaps for word in gap)


_RESULT = word_set("""
    come comes came coming amount amounts amounted amounting equal equals work works worked add adds added up close
    due thanks corresponds correspond translates translate adding equivalent next similar run runs ran
""")
"""Words before *to* after which a figure is the result of a sum, and no new level."""
_BROUGHT = frozenset({"brought it to", "brings it to", "takes it to", "took it to", "leaves it at"})


def _named_other(within: Scope, one: Candidate) -> bool:
    return _named_mean(within, one) or _named_difference(within, one)


def _share_of_rest(within: Scope, one: Candidate) -> bool:
    return any(part.kind == "share" for part in one.used) and _named_rest(within, one)


_TESTS: Mapping[str, Callable[[Scope, Candidate], bool]] = {
    "sum": _named_other,
    "mean": _named_sum,
    "fall": _named_share,
    "taken": _named_rest,
    "multiplied": _named_rest,
    "product": _share_of_rest,
}
