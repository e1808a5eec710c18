"""Claims of lists that the grammar of a sentence makes outright: totals of parts, parts of a whole, means.

    14 engineers, 6 designers and 5 testers, 25 people in all · 28 children: 15 girls and 13 boys
    of 80 applicants 52 were accepted and 38 turned down, too many · an average of 24 over two nights of 22 and 26

Each is of a sentence whose figures are those of the list and no others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from itertools import pairwise

from compute.mining.claim_cues import has, phrase
from compute.mining.claim_scopes import Candidate, Scope
from compute.mining.expressions import numbered, total
from compute.mining.noun_reader import TIMES
from compute.mining.number_words import word_set
from compute.mining.outright_figures import alone, beside, for_one_period
from compute.mining.quantities import Quantity
from compute.mining.sum_claims import addable


def _total(within: Scope, one: Candidate) -> bool:
    """*14 engineers, 6 designers and 5 testers, 25 people in all*; *28 children: 15 girls and 13 boys*."""
    parts = _list(within, one)
    if not parts or not _near(one):
        return False
    if one.target.index > parts[-1].index:
        left, right = within.left(one.target), within.right(one.target)
        said = has(left[-_BESIDE:], _TOTALS) or phrase(left[-_BESIDE:], _IN_ALL) or phrase(right[:_AFTER], _IN_ALL)
        return said or has(right[:_AFTER], _TOTALS)
    gap = within.right(one.target)
    made = (has(gap[-1:], _COLONS) and 1 < len(gap) <= _LONG) or phrase(gap[-_BESIDE:], _MADE_OF)
    return made and len(gap) <= 2 * _LONG and within.right(parts[-1])[-1:] in {(), (".",), ("!",), (")",), (";",)}


def parts_of_all(within: Scope, target: Quantity) -> Candidate | None:
    """The sum of all other figures of a sentence, where they are parts of the first: *of 80, 52 came and 38 stayed*."""
    parts = within.quantities[within.first + 1 : within.last]
    if target.index != within.first or not 1 < len(parts) <= _MOST or not all(addable(part, target) for part in parts):
        return None
    names = numbered("x", len(parts))
    found = Candidate("sum", target, parts, names, total(*names), exact=True)
    return found if _too_many(within, found) or _total(within, found) else None


_MOST = 6
"""The most parts of a whole."""


def _too_many(within: Scope, one: Candidate) -> bool:
    """*Of 80 applicants, 52 were accepted and 38 were turned down*: more than all of them."""
    parts = _list(within, one)
    if not parts or parts[0].index < one.target.index or one.target.kind not in {"count", "money", "share"}:
        return False
    whole = within.left(one.target)[-_BESIDE:]
    opens = has(whole, {"of", "all"}) or whole in {("in",), ("in", "the"), ("in", "our"), ("in", "their")}
    opens = opens and not has(within.right(one.target)[:1], TIMES)
    done = all(_of_a_verb(within, part) for part in parts)
    whole_of_parts = sum((part.base for part in parts), Decimal(0))
    return opens and done and one.target.base < whole_of_parts < one.target.base * _TWICE


def _of_a_verb(within: Scope, part: Quantity) -> bool:
    """Whether a verb says what became of a part: *won 38*, *52 were accepted*; not *46 were black*."""
    return any(map(_DONE.fullmatch, (*within.left(part)[-2:], *within.right(part)[:3])))


_DONE = re.compile(
    r"[a-z]{2,}ed|won|drew|drawn|lost|sold|kept|left|came|went|made|built|paid|sent|gone|born|died|met|got|voted|against|favour"
    r"|favor|for"
)


def _average(within: Scope, one: Candidate) -> bool:
    """*An average of 24,000 over two nights of 22,000 and 26,000*."""
    parts = sorted(one.used, key=lambda part: part.index)
    own = {part.index for part in (one.target, *parts)}
    others = [other for other in within.targets if other.index not in own]
    counted = all(other.kind == "count" and other.base == len(parts) for other in others) and len(others) < 2
    said = beside(within, one.target)
    listed = all(len(within.between(first, last)) <= _CLOSE for first, last in pairwise(parts))
    inside = all(within.first <= part.index < within.last for part in parts)
    return len(parts) > 1 and inside and listed and counted and has(said, _AVERAGE) and _near(one)


def _near(one: Candidate) -> bool:
    """Whether a figure is of the size of a sum or a mean: of 12 grandchildren, 3 and 2 are not all."""
    sizes = [abs(part.base) for part in one.used]
    whole = sum(sizes, Decimal(0)) / (len(sizes) if one.rule == "mean" else 1)
    return whole / _TWICE < abs(one.target.base) < whole * _TWICE


def _list(within: Scope, one: Candidate) -> Sequence[Quantity]:
    """The parts of a sum, in text order, if they are a list of their own; none if not."""
    parts = sorted(one.used, key=lambda part: part.index)
    own = [part.index for part in parts]
    if len(parts) < 2 or own != list(range(own[0], own[0] + len(own))) or not alone(within, one):
        return ()
    gaps = [within.right(part) for part in parts[:-1]]
    listed = all(has(gap, _LISTING) and len(gap) <= _LONG for gap in gaps)
    periods = all(for_one_period(parts[0], part) for part in parts)
    words = [word for gap in within.gaps[within.first : within.last + 1] for word in gap]
    assigned = any(within.right(part)[:1] == ("=",) for part in parts)  # 1=INTA, 2=INTB
    return parts if listed and periods and not assigned and not has(words, _PARTIAL) else ()


SUM_TESTS: Mapping[str, Sequence[Callable[[Scope, Candidate], bool]]] = {
    "sum": (_total, _too_many),
    "mean": (_average,),
}
_TWICE = 2
_BESIDE, _AFTER, _LONG, _CLOSE = 4, 5, 6, 2
"""The most words beside a figure, after it, and between the figures of a list, or of a bare one."""
_LISTING = word_set(", and plus + & ; / then but – —")
_COLONS = word_set(": – — = (")
_TOTALS = word_set("total totals totalling totaling altogether together combined overall sum")
_IN_ALL = (
    "in all", "in total", "all told", "add up to", "adds up to", "adding up to", "comes to", "come to", "makes", "make",
    "making", "sum to", "sums to", "between them", "=",
)  # fmt: skip  # one line per group is more readable
_MADE_OF = (
    "made up of", "consists of", "consisting of", "comprises", "comprising", "composed of", "split between",
    "split into", "divided between", "divided into", "broken down into", "namely", "being",
)  # fmt: skip  # one line per group is more readable
_AVERAGE = word_set("average averages averaged averaging mean")
_PARTIAL = word_set("""
    including includes included among amongst which them such eg mostly mainly also both either some another besides
    overlap overlapping respectively whom others half each per every about roughly nearly almost least most except
    without minus less off than versus vs against average only too well
""")
"""Words of a list that is not all, of amounts that are no parts, or of something else that counts."""
