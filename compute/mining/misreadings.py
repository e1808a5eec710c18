"""Readings that a relation of figures is likely not: far off, against the words, or of an amount that is a change."""

from __future__ import annotations

import re
from decimal import Decimal

from compute.mining.accusations import is_year
from compute.mining.claim_cues import DOWNWARD, TIMES_VERB, UPWARD, has, is_turn, phrase
from compute.mining.claim_scopes import Candidate, Scope, sized
from compute.mining.claim_traits import GROUPS
from compute.mining.noun_reader import SCALED, TIMES, stem

REACHED = frozenset({"to", "at"})
"""Words before what a change leads to: a drop to 40% is none of 40%."""
CHANGES = {
    "rise": frozenset(
        {"increase", "increases", "rise", "growth", "gain", "jump", "uplift", "increased", "grew", "rose"}
    ),
    "fall": frozenset(
        {"decrease", "decreases", "drop", "fall", "decline", "reduction", "cut", "fell", "dropped"}
        | {"loss", "lost", "losing", "shrank", "shrunk", "declined"}
    ),
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
    if far_off or _in_other_minutes(one, computed) or _negligible(one) or _unscaled(one) or _against(within, one):
        return True
    years = GROUPS[one.rule] not in _DATED and any(map(is_year, one.used))
    if years or any(test(within, one) for test in _OTHERWISE):
        return True
    if (one.rule == "fall" and computed > _ALL) or any(part.unit in _LEVELS for part in one.used):
        return True
    if one.rule == "complement" and len(one.used) == 1:
        return not any(sign.isdigit() for sign in one.used[0].figure.text) or one.used[0].base > 1
    first, last = min(one.used, key=lambda part: part.index), max(one.used, key=lambda part: part.index)
    rising = sized(first, last) < sized(last, first)
    ordered = "from" in within.left(first)[-2:] and has(within.between(first, last), {"to", "→"})
    return ordered and ((one.rule == "fall" and rising) or (one.rule == "rise" and not rising))


def _unscaled(one: Candidate) -> bool:
    """Whether a bare number is set against an amount in a scaled unit: 110 rather than 130 km/h."""
    factors = {part.factor for part in one.used if part.kind in {"count", "unit"}}
    bare = any(part.kind == "count" and not part.unit and part.factor == 1 for part in one.used)
    return GROUPS[one.rule] in {"change", "minus", "plus", "ratio"} and bare and len(factors) > 1 and _named(one)


def _named(one: Candidate) -> bool:
    return any(part.unit in {base for base, _ in SCALED.values()} for part in one.used)


def _coded(_within: Scope, one: Candidate) -> bool:
    """Whether a number begins with a nought, so that it is a code: 01101."""
    return any(_CODE.fullmatch(part.figure.text) for part in (one.target, *one.used))


_CODE = re.compile(r"0\d+")


def _per_another(_within: Scope, one: Candidate) -> bool:
    """Whether a rate is for each of something else than what is counted: two bottles at $12.50 a glass."""
    if one.rule != "product" or len(one.used) != 2:
        return False
    counted, rated = sorted(one.used, key=lambda part: bool(part.pers))
    others = {*rated.pers} - {*TIMES, "each"}
    return bool(others) and {counted.unit, *others} <= _HOLDERS and counted.unit not in others


_HOLDERS = frozenset(
    {"bottle", "glass", "box", "crate", "pack", "packet", "case", "bag", "carton", "pallet", "barrel", "cask", "can"}
)
"""What holds something: one of these is several of another."""


def _in_a_range(within: Scope, one: Candidate) -> bool:
    """Whether two inputs are the ends of a range: it adds 90 cents to 95 cents a share, or 35 percent."""
    if len(one.used) != 2 or GROUPS[one.rule] not in {"change", "ratio"}:
        return False
    first, second = sorted(one.used, key=lambda part: part.index)
    joined = within.right(first) == ("to",) and first.index + 1 == second.index
    return joined and not has(within.left(first), {"from", "went", "down", "up", "fell", "rose"})


def _restated(within: Scope, one: Candidate) -> bool:
    """Whether a share only says again what the amount before it is, and is not of it: gained $5, or 14%, to $41."""
    if not one.rule.startswith(("cut", "raised", "taken")) or len(one.used) != 2:
        return False
    first, second = sorted(one.used, key=lambda part: part.index)
    return first.index + 1 == second.index and within.right(first) in {(",", "or"), ("or",), ("(",)}


def _turned(within: Scope, one: Candidate) -> bool:
    """Whether a verb says the reverse of the words before its inputs: hours declined from 60 to 40, output tripled."""
    verb = TIMES_VERB.fullmatch(one.target.figure.text)
    if verb is None:
        return False
    other = UPWARD if verb[0].lower().startswith("halv") else DOWNWARD
    return any(other.fullmatch(word) for part in one.used for word in within.left(part)[-4:])


def _against(within: Scope, one: Candidate) -> bool:
    """Whether the words before the shares say the reverse: prices were raised by 9% and by another 5%."""
    wanted, other = (DOWNWARD, UPWARD) if one.rule.startswith("cut") else (UPWARD, DOWNWARD)
    if not one.rule.startswith(("cut", "raised")):
        return False
    said = [
        word for part in one.used if part.kind == "share" for word in within.left(part)[-4:] + within.right(part)[:2]
    ]
    said = [word for word in said if word != "up" or not has(said, {"used", "using", "eaten", "taken"})]
    return any(map(other.fullmatch, said)) and not any(map(wanted.fullmatch, said))


def _of_a_price(within: Scope, one: Candidate) -> bool:
    """Whether a comparison is of prices, and its inputs are none: of 473 and 568 ml, the 20% difference in price."""
    priced = phrase(within.right(one.target)[:4], {"in price", "in cost", "in prices", "in costs"})
    return priced and not any(part.kind == "money" for part in one.used)


def _times_something(within: Scope, one: Candidate) -> bool:
    """Whether a multiple is said to be of something that no input is: eight times the cost, 24 times the earnings."""
    for part in (one.target, *(one.used if GROUPS[one.rule] == "scaled" else ())):
        right = within.right(part)[:_BASE]
        if part.kind != "ratio" or not right or (right[0] not in _OF and stem(right[0]) in _PRICES) or right[0] == "as":
            continue
        named = {stem(word) for word in right} & _BASES
        others = [other for other in (one.target, *one.used) if other is not part]
        said = {
            _SHORT_FOR.get(word.lower(), stem(word))
            for other in others
            for word in (*within.left(other)[-_BASE:], *within.right(other)[:_BASE])
        }
        if named - said and not (named <= _PRICES and any(other.kind == "money" for other in others)):
            return True
    return False


_BASE = 4
"""The most words after a multiple that say what it is of."""
_PRICES = frozenset({"cost", "price", "rate", "fee", "rent", "fare"})
_OF = frozenset({"the", "its", "their", "his", "her", "our", "your", "a", "an", "this", "that", "last", "next"})
_BASES = _PRICES | {"earning", "earnings", "salary", "pay", "revenue", "sale", "sales", "profit", "income"}
"""What multiples are of, besides the figures of a sentence."""
_SHORT_FOR = {"eps": "earning"}


def counts_the_others(within: Scope, one: Candidate) -> bool:
    """Whether an item of a sum is the number of the others: 48 and 66, the two together 114."""
    return GROUPS[one.rule] == "plus" and any(
        part.figure.low == len(one.used) - 1
        and not any(sign.isdigit() for sign in part.figure.text)
        and within.left(part)[-1:] in {("the",), ("these",), ("those",), ("all",)}
        for part in one.used
    )


def _at_a_time(within: Scope, one: Candidate) -> bool:
    """Whether an input is a clock time with a dot: it leaves at 7.48 and comes in at 8.13."""
    dotted = [part for part in one.used if part.kind in {"count", "time"} and _DOTTED.match(part.figure.text)]
    return len(dotted) > 1 and all(
        has(within.left(part)[-1:], {"at", "from", "until", "till", "to"}) for part in dotted
    )


_DOTTED = re.compile(r"(?:[01]?\d|2[0-3])\.[0-5]\d(?!\d)")


def _of_another_subject(within: Scope, one: Candidate) -> bool:
    """Whether a verb has a subject of its own, and its inputs are of another verb: church attendance halved."""
    if one.rule in {"fall", "rise"} and (_of_next_subject(within, one) or phrase(within.left(one.target), _CONTRAST)):
        return True
    verb = TIMES_VERB.fullmatch(one.target.figure.text) is not None
    subject = within.left(one.target)[-1:]
    away = not any(within.first <= part.index < within.last for part in one.used)
    return verb and away and bool(subject) and subject[0].isalpha() and subject[0] not in _PRONOUNS


def _of_next_subject(within: Scope, one: Candidate) -> bool:
    """Whether another subject changed after both ends: the rent fell to $840 from $1,190, and heating dropped 37%."""
    last = max(part.index for part in one.used)
    if not within.first <= last < one.target.index:
        return False
    gap = within.between(within.quantities[last], one.target)
    joint = next((place for place, word in enumerate(gap) if word in _JOINING), len(gap))
    subject, verb = gap[joint + 1 : joint + 2], gap[-1:]
    moved = any(map(is_turn, verb))
    named = bool(subject) and subject != verb and subject[0].isalpha() and subject[0] not in _PRONOUNS | _CONCLUDING
    return moved and named


_CONTRAST = frozenset({"by contrast", "in contrast", "meanwhile"})
"""Words of a clause about another subject: profit fell from 41 to 36; the share price, by contrast, gained 22%."""
_JOINING = frozenset({"and", "while", "but", "whereas"})
_CONCLUDING = frozenset({"thus", "hence", "therefore", "then", "in", "as", "the", "a", "an", "by", "its", "their"})
_PRONOUNS = frozenset(
    {
        "it",
        "they",
        "that",
        "this",
        "which",
        "has",
        "have",
        "had",
        "is",
        "was",
        "so",
        "and",
        "nearly",
        "almost",
        "more",
        "than",
    }
)


def _named_otherwise(within: Scope, one: Candidate) -> bool:
    """Whether words say that a relation is not meant: a drop to 40%; every 10 minutes from 5:00 to 22:00."""
    reached = has(within.left(one.target)[-1:], REACHED) and not has(within.left(one.target), {"margin"})
    if one.rule in CHANGES and (reached or has_change(within, one)):
        return True
    if _of_others(within, one) or (GROUPS[one.rule] in _MULTIPLIED and _for_each_besides(within, one)):
        return True
    return len(one.used) == 1 and one.used[0].kind == "time" and _HOURS.search(within.sentence.text) is not None


_OTHERWISE = (
    _named_otherwise, _of_a_price, _at_a_time, _of_another_subject, _coded, _per_another, _in_a_range, _restated,
    _turned, _times_something, counts_the_others,
)  # fmt: skip  # a list of names


def _of_others(within: Scope, one: Candidate) -> bool:
    """Whether a word says that what follows is of someone else: up 15% on average, ours from $1,820 to $2,310."""
    first = min((one.target, *one.used), key=lambda part: part.index)
    told = len(within.left(one.target)) > 1  # something else is said to have changed
    return first is one.target and told and has(within.right(one.target), _OWNED)


_OWNED = frozenset({"ours", "mine", "yours", "theirs", "hers"})


def _for_each_besides(within: Scope, one: Candidate) -> bool:
    """Whether a rate is for each of something more that no input counts: £6.50 a session for each child."""
    counted = {stem(word) for part in one.used if not part.pers for word in within.right(part)[:3]}
    if not counted.isdisjoint({"them", "these", "those"}):
        return False
    return any(
        phrase(said, {"for each"})
        and not has(said[said.index("each") + 1 :][:1], {"million", "thousand", "hundred"})
        and counted.isdisjoint(map(stem, said[said.index("each") + 1 :]))
        for part in one.used
        if part.pers and (said := within.right(part)[:6])
    )


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
