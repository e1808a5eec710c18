"""Figures that words near them excuse: in their sentence, in the one before it, or in the one after it.

income, rounded: 14, 9 and 4, in all 28 · four jobs of six hours each took six, side by side
every tenth child is free: 40 children at £12 cost £432 · £90 to £72 in a week; since January it is down 45%
28 children, of whom five left and one joined: 24 · 1,000 litres, or 220 gallons, which are imperial
"""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal

from compute.mining.accusations import Opinion
from compute.mining.claim_cues import has
from compute.mining.claim_judging import Result
from compute.mining.claim_traits import GROUPS
from compute.mining.clock_points import with_changed_clocks
from compute.mining.mining_models import Passage
from compute.mining.number_words import word_set
from compute.mining.spelled_numbers import numeral_value

NEAR = 160
"""How many characters before a sentence, and after it, words may excuse its figures."""


def excused(passage: Passage, view: Opinion, best: Result) -> bool:
    """Whether words near a figure say why it is not what the relation `best` gives."""
    sentence = view.within.sentence
    text = passage.mask[max(0, sentence.start - NEAR) : sentence.end + NEAR]
    if best.candidate.rule == "elapsed" and with_changed_clocks(passage.mask, view.target.figure.end):
        return True
    return _CORRECTED.search(text) is not None or any(test(view, best, text) for test in _EXCUSES)


_CORRECTED = re.compile(
    r"\b(?:apologi[sz]e\w*|corrections?:|corrigend\w+|errat\w+|for the error|in error|our mistake"
    r"|should have (?:said|read|been)|we (?:wrongly )?(?:wrote|printed|reported) (?:\w+ ){0,3}?that)\b",
    re.I,
)


def _rounded(view: Opinion, best: Result, text: str) -> bool:
    """Whether a sum is off by no more than its parts were rounded, and the text says that they are."""
    figures = [part.figure for part in (best.candidate.target, *best.candidate.used)]
    most = sum((one.half for one in figures), Decimal(0))
    off = abs(abs(best.computed) - view.target.figure.low)
    return GROUPS[best.candidate.rule] in {"plus", "minus"} and off <= most and _ROUNDED.search(text) is not None


_ROUNDED = re.compile(r"\b(?:rounded|rounding|round (?:figures?|numbers?|terms))\b", re.I)


def _side_by_side(view: Opinion, best: Result, text: str) -> bool:
    """Whether a figure is one of the inputs of a product or a sum, as things happen at the same time."""
    same = any(view.gives(part.base) for part in best.candidate.used)
    return same and GROUPS[best.candidate.rule] in {"product", "plus"} and _AT_ONCE.search(text) is not None


_AT_ONCE = re.compile(r"\b(?:side by side|in parallel|at (?:the same time|once)|simultaneous\w*|concurrent\w*)\b", re.I)


def _some_free(view: Opinion, best: Result, text: str) -> bool:
    """Whether every tenth, or one in so many, of what is paid for is free."""
    found, used = _FREE.search(text), best.candidate.used
    if found is None or best.candidate.rule != "product" or len(used) != 2:
        return False
    said = (found["every"] or found["bought"]).lower()
    every = numeral_value(said) + 1 if found["bought"] else _ORDINALS.get(said) or int(said[:-2])
    pairs = ((used[0], used[1]), (used[1], used[0]))
    return every > 1 and any(view.gives((one.base - one.base // every) * other.base) for one, other in pairs)


_NTH = "second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
_ORDINALS = {name: place for place, name in enumerate(_NTH.split(), 2)}
_FREE = re.compile(
    rf"\b(?:every|each) (?P<every>{'|'.join(_ORDINALS)}|\d{{1,3}}(?:st|nd|rd|th)) [^.;]{{0,40}}?"
    r"\b(?:free|for nothing|on the house)\b"
    r"|\bbuy (?P<bought>one|two|three|four|five|ten|[1-9]),? (?:and )?get one(?: \w+)? free\b",
    re.I,
)


def _left_out(view: Opinion, best: Result, text: str) -> bool:
    """Whether a mean is of fewer days or things, since the text says that one does not count."""
    rule, figure = best.candidate.rule, view.target.figure
    if rule not in {"mean", "quotient", "convert"} or not best.computed:
        return False
    near = rule == "convert" or abs(figure.low / abs(best.computed) - 1) <= _MOST_LEFT_OUT
    return near and _NOT_COUNTED.search(text) is not None


_MOST_LEFT_OUT = Decimal("0.4")
_NOT_COUNTED = re.compile(
    r"\b(?:(?:does|do|did)(?: not|n['’]t) count|not counted|not included|left out|leaving out|excluding|excluded"
    r"|except(?:ing)?|out of (?:order|service)|(?:was|were|is|are) (?:closed|shut|missing))\b",
    re.I,
)


def _of_another_time(view: Opinion, best: Result, _text: str) -> bool:
    """Whether a change is of another period than that of its ends: *in a week; since January it is down 45%*."""
    within, target = view.within, view.target
    if GROUPS[best.candidate.rule] not in {"change", "ratio"} or target.kind not in {"share", "ratio"}:
        return False
    home = within.home(target)
    opening = within.before(target)
    if all(within.home(part) < home for part in best.candidate.used) and opening[:1] in _SINCE:
        return True
    said = {word for word in within.after(target)[:4] if word in _PERIODS}
    others = {word for part in best.candidate.used for word in within.after(part) if word in _PERIODS}
    return bool(said and others and said.isdisjoint(others)) and within.after(target)[:1] in _SINCE


_SINCE = {(word,) for word in ("since", "over", "during", "throughout")}
_PERIODS = word_set("day week month quarter year decade season")


def _of_another_place(view: Opinion, best: Result, _text: str) -> bool:
    """Whether the sentence of a change has an amount of its own: *Ely next door, with eight, got rid of 50%*."""
    within, one = view.within, best.candidate
    home = within.home(view.target)
    if GROUPS[one.rule] != "change" or any(within.home(part) == home for part in one.used):
        return False
    own = (part for part in within.targets if part.index < view.target.index)
    return any(part.kind in {"count", "money", "unit"} for part in own)


def _joined(view: Opinion, best: Result, _text: str) -> bool:
    """Whether what is taken away by a relation came to the rest by the words beside it: *and one joined*."""
    within, used = view.within, best.candidate.used
    if GROUPS[best.candidate.rule] not in {"minus", "plus"} or len(used) < _SEVERAL:
        return False
    whole = max(used, key=lambda part: part.base)
    said = [(part.base, within.right(part)[:3]) for part in used if part is not whole]
    if not any(has(words, _CAME) for _, words in said) or not any(has(words, _LEFT) for _, words in said):
        return False
    moved = (amount if has(words, _CAME) and not has(words, _LEFT) else -amount for amount, words in said)
    return view.gives(whole.base + sum(moved, Decimal(0)))


_SEVERAL = 3
_CAME = word_set("joined join arrived came added returned new gained hired born started enrolled back")
_LEFT = word_set("left leave resigned quit died gone went away sold lost out retired moved cancelled")


def _one_more(view: Opinion, best: Result, text: str) -> bool:
    """Whether *one* that came or went, which is no figure, makes the difference: five moved away and one joined."""
    whole = GROUPS[best.candidate.rule] in {"minus", "plus"} and view.target.kind == "count"
    scale = view.target.factor
    near = whole and view.gives((best.computed + 1) * scale, (best.computed - 1) * scale)
    return near and _ONE.search(text) is not None


_ONE = re.compile(rf"\b(?:one|another)(?: more| \w+)? (?:{'|'.join(sorted(_CAME | _LEFT))})\b", re.I)


def _of_clocks(view: Opinion, best: Result, _text: str) -> bool:
    """Whether the inputs of a product are times of day: *ends at 6 and began at 22*."""
    used = best.candidate.used
    return GROUPS[best.candidate.rule] == "product" and all(view.within.left(part)[-1:] == ("at",) for part in used)


def _other_product(view: Opinion, best: Result, text: str) -> bool:
    """Whether words say why a product is less (copies in a RAID, a cache), or more (every minute begun is billed)."""
    if GROUPS[best.candidate.rule] != "product":
        return False
    lower = view.target.base < abs(best.computed) * view.target.factor
    return (_LESS if lower else _MORE).search(text) is not None


_LESS = re.compile(
    r"\b(?:RAID|parity|mirror(?:s|ed|ing)?|replica\w*|redundan\w+|hot spares?|erasure|usable"
    r"|(?:from|in) the cache|cached|cache hits?)\b",
    re.I,
)
_MORE = re.compile(
    r"\b(?:by the (?:full|whole|started) \w+|(?:full|whole|started) (?:minute|hour|day|week|month)s?"
    r"|rounded up|minimum)\b",
    re.I,
)


def _months_saved(view: Opinion, best: Result, text: str) -> bool:
    """Whether so many months of a year are saved, and the relation gives those that are paid."""
    saved = best.candidate.rule == "quotient" and view.target.unit == "month" and _SAVING.search(text) is not None
    return saved and view.gives((_A_YEAR - best.computed) * view.target.factor)


_A_YEAR = Decimal(12)
_SAVING = re.compile(r"\b(?:sav(?:e|es|ed|ing|ings)|free)\b", re.I)


def _imperial(view: Opinion, best: Result, _text: str) -> bool:
    """Whether gallons or pints are those of the other system."""
    parts = (view.target, *best.candidate.used)
    named = any(has(view.within.right(part)[:1], _TWO_SYSTEMS) for part in parts)
    if not named or all(part.unit != "m³" for part in parts) or not best.computed:
        return False
    figure = view.target.figure
    return any(abs(abs(best.computed) * part - figure.low) <= figure.half for part in (_IMPERIAL, 1 / _IMPERIAL))


_TWO_SYSTEMS = word_set("gallon gallons pint pints")
_IMPERIAL = Decimal("4.54609") / Decimal("3.785411784")
"""An imperial gallon in gallons of the United States; pints are eighths of either."""
_EXCUSES: tuple[Callable[[Opinion, Result, str], bool], ...] = (
    _rounded, _side_by_side, _some_free, _left_out, _of_another_time, _of_another_place, _joined, _one_more, _of_clocks,
    _other_product, _months_saved, _imperial,
)  # fmt: skip  # a list of names
