"""Readings that a relation of figures is likely not: far off, against the words, or of an amount that is a change."""

from __future__ import annotations

import re
from decimal import Decimal

from compute.mining.accusations import is_year
from compute.mining.claim_cues import has, phrase
from compute.mining.claim_scopes import Candidate, Scope, sized
from compute.mining.claim_traits import GROUPS

REACHED = frozenset({"to", "at"})
"""Words before what a change leads to: a drop to 40% is none of 40%."""
CHANGES = {
    "rise": frozenset(
        {"increase", "increases", "rise", "growth", "gain", "jump", "uplift", "increased", "grew", "rose"}
    ),
    "fall": frozenset({"decrease", "decreases", "drop", "fall", "decline", "reduction", "cut", "fell", "dropped"}),
}
"""Words that name a change, by its relation."""


def has_change(within: Scope, one: Candidate) -> bool:
    """Whether an input is said to be what changed: it fell by $200, it lost 30 of 120."""
    return any(has(within.left(part)[-1:], _LOST) for part in one.used)


_LOST = frozenset(
    {
        "by",
        "lost",
        "fell",
        "fall",
        "falls",
        "dropped",
        "rose",
        "grew",
        "declined",
        "gained",
        "save",
        "saved",
        "took",
        "down",
        "up",
    }
)
"""Words before an amount that is itself the change."""


def other_tokens(within: Scope, one: Candidate) -> bool:
    """Whether a price of output tokens is multiplied by a prompt, or one of input tokens by an answer."""
    labels = {part.figure.label for part in one.used} & _TOKENS.keys()
    words = {word for label in labels for word in _TOKENS[label]}
    return len(labels) == 1 and any(
        has(within.right(part)[:2], words) for part in one.used if part.kind == "count" and not part.pers
    )


_INPUT, _OUTPUT = frozenset({"prompt", "input"}), frozenset({"response", "answer", "output", "completion", "reply"})
_TOKENS = {"input": _OUTPUT, "output": _INPUT}
"""The words after a number of tokens for which a price of that label is not."""


FAR = 100
"""A figure that is wrong by more than this factor is likely read in a wrong unit."""


_LEVELS = frozenset({"db", "decibel"})
"""Units of a logarithm: two machines of 70 dB are 73 dB together."""
_ALL = Decimal(98)
"""The percentage above which two amounts are likely of different things: one fare, and all fares."""


def misread(within: Scope, one: Candidate, computed: Decimal) -> bool:
    """Whether a relation is likely not the one that is meant: far off, against the order, or of a vague word."""
    low = one.target.figure.low
    if not one.used:
        return False
    far_off = not low / FAR <= abs(computed) <= low * FAR
    if far_off or _in_other_minutes(one, computed) or _negligible(one) or _named_otherwise(within, one):
        return True
    if GROUPS[one.rule] not in _DATED and any(map(is_year, one.used)):
        return True
    if (one.rule == "fall" and computed > _ALL) or any(part.unit in _LEVELS for part in one.used):
        return True
    if one.rule == "complement" and len(one.used) == 1:
        return not any(sign.isdigit() for sign in one.used[0].figure.text) or one.used[0].base > 1
    first, last = min(one.used, key=lambda part: part.index), max(one.used, key=lambda part: part.index)
    rising = sized(first, last) < sized(last, first)
    ordered = "from" in within.left(first)[-2:] and has(within.between(first, last), {"to", "→"})
    return ordered and ((one.rule == "fall" and rising) or (one.rule == "rise" and not rising))


def _named_otherwise(within: Scope, one: Candidate) -> bool:
    """Whether words say that a relation is not meant: a drop to 40%; every 10 minutes from 5:00 to 22:00."""
    if one.rule in CHANGES and (has(within.left(one.target)[-1:], REACHED) or has_change(within, one)):
        return True
    if _of_others(within, one) or (GROUPS[one.rule] in _MULTIPLIED and _for_each_besides(within, one)):
        return True
    return len(one.used) == 1 and one.used[0].kind == "time" and _HOURS.search(within.sentence.text) is not None


def _of_others(within: Scope, one: Candidate) -> bool:
    """Whether a word says that what follows is of someone else: up 15% on average, ours from $1,820 to $2,310."""
    first = min((one.target, *one.used), key=lambda part: part.index)
    told = len(within.left(one.target)) > 1  # something else is said to have changed
    return first is one.target and told and has(within.right(one.target), _OWNED)


_OWNED = frozenset({"ours", "mine", "yours", "theirs", "hers"})


def _for_each_besides(within: Scope, one: Candidate) -> bool:
    """Whether a rate is for each of something more that no input counts: £6.50 a session for each child."""
    return any(phrase(within.right(part)[:5], {"for each"}) for part in one.used if part.pers)


_MULTIPLIED = frozenset({"product", "bill"})
_HOURS = re.compile(
    r"\b(?:between|from)\s+\d{1,2}(?:[:.]\d\d)?(?:\s?[ap]\.?m\.?)?\s+(?:and|to|until|till)\s+\d{1,2}(?:[:.]\d\d|\s?[ap]\.?m)",
    re.I,
)
"""A part of a day: every 12 minutes between 6:00 and 20:00."""


def _in_other_minutes(one: Candidate, computed: Decimal) -> bool:
    """Whether a clock time gives the figure if it is read the other way: 3:02 in hours, or in minutes."""
    target = one.target.figure
    if not any(":" in part.figure.text for part in (one.target, *one.used)):
        return False
    return any(
        abs(computed * factor - target.low) <= max(target.half, target.low / 100) for factor in (60, Decimal(1) / 60)
    )


_DATED = frozenset({"span", "interest"})
"""The groups of relations that take years of the calendar: the time between them, growth from one to another."""


def _negligible(one: Candidate) -> bool:
    """Whether an input changes a sum by less than a thousandth: its unit was likely left out, of the €36m, 24."""
    sizes = [abs(sized(part, one.target)) for part in one.used]
    return GROUPS[one.rule] in {"plus", "minus"} and min(sizes) * 1000 < max(sizes)
