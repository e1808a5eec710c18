"""Claims of lists that the grammar of a sentence makes outright: totals of parts, parts of a whole, means.

    14 engineers, 6 designers and 5 testers, 25 people in all · 28 children: 15 girls and 13 boys
    of 80 applicants 52 were accepted and 38 turned down, too many · an average of 24 over two nights of 22 and 26

Each is of a sentence whose figures are those of the list and no others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from itertools import pairwise, takewhile

from compute.mining.claim_cues import has, phrase
from compute.mining.claim_scopes import Candidate, Scope
from compute.mining.expressions import numbered, total
from compute.mining.misreadings import counts_the_others
from compute.mining.noun_reader import TIMES
from compute.mining.number_words import word_set
from compute.mining.outright_figures import adjacent_words, alone, for_one_period
from compute.mining.quantities import Quantity
from compute.mining.sum_claims import addable


def _total(within: Scope, one: Candidate) -> bool:
    """*14 engineers, 6 designers and 5 testers, 25 people in all*."""
    parts = () if counts_the_others(within, one) else _list(within, one)
    if not parts or not _near(one) or one.target.index < parts[-1].index:
        return False
    left, right = within.left(one.target), within.after(one.target)
    said = has(left[-_BESIDE:], _TOTALS) or phrase(left[-_BESIDE:], _IN_ALL) or phrase(right[:_AFTER], _IN_ALL)
    return said or has(right[:_AFTER], _TOTALS)


def _made_of(within: Scope, one: Candidate) -> bool:
    """*A grant of £45,000, made up of £20,000 from the city and £25,000 from a bank*."""
    gap = within.right(one.target)
    return _total_first(within, one) and phrase(gap[-_BESIDE:], _MADE_OF) and len(gap) <= 2 * _LONG


def _after_colon(within: Scope, one: Candidate) -> bool:
    """*28 children: 15 girls and 13 boys*; but parts may overlap: 9 albums, 5 live, 4 with a guest, 2 of a night."""
    gap, parts = within.right(one.target), sum((part.base for part in one.used), Decimal(0))
    near = one.target.base * _MOST_OF < parts
    return near and _total_first(within, one) and has(gap[-1:], _COLONS) and 1 < len(gap) <= _LONG


def _total_first(within: Scope, one: Candidate) -> bool:
    parts = _list(within, one)
    if not parts or not _near(one) or one.target.index > parts[0].index:
        return False
    return len(within.after(parts[-1])) <= _LONG


def may_overlap(within: Scope, one: Candidate) -> bool:
    """Whether the parts of a sum may have something in common, so that it is no clear claim."""
    return one.rule == "sum" and _after_colon(within, one) and not _of_opposites(within, one)


def parts_of_all(within: Scope, target: Quantity) -> Candidate | None:
    """The sum of all other figures of a sentence, where they are parts of the first: *of 80, 52 came and 38 stayed*."""
    parts = within.quantities[within.first + 1 : within.last]
    if target.index != within.first or not 1 < len(parts) <= _MOST or not all(addable(part, target) for part in parts):
        return None
    names = numbered("x", len(parts))
    found = Candidate("sum", target, parts, names, total(*names), exact=True)
    return found if any(test(within, found) for test in SUM_TESTS["sum"]) else None


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
    sum_of_parts = sum((part.base for part in parts), Decimal(0))
    return opens and _of_opposites(within, one) and one.target.base < sum_of_parts < one.target.base * _TWICE


def _of_opposites(within: Scope, one: Candidate) -> bool:
    """Whether words beside the parts exclude each other: won, drew, lost; not *14 were cracked and 18 needed paint*."""
    said = [
        {*within.left(part)[-1:], *takewhile(lambda word: word not in {",", "and", ";"}, within.right(part)[:_BESIDE])}
        for part in one.used
    ]
    return any(
        all(words & kind for words in said) and len(set().union(*(words & kind for words in said))) == len(said)
        for kind in _OPPOSITES
    )


_OPPOSITES = tuple(
    map(
        word_set,
        (
            "won win wins drew drawn draw lost lose losses defeats",
            "accepted admitted approved granted rejected refused declined denied down pending withdrawn",
            "passed pass failed fail skipped",
            "favour favor for against abstained abstentions undecided yes no",
            "girls girl boys boy", "men women", "males females male female", "ewes rams", "adults children",
            "opened unopened bounced unread read", "open closed merged", "kept sold", "let owned owner-occupied",
            "active idle spare free used taken", "late time punctual", "full empty", "hits misses",
            "left stayed remain",
            "online offline", "up down", "billable unbillable", "domestic foreign", "full-time part-time",
            "compute storage network", "input output",
        ),
    )
)  # fmt: skip  # a table
"""Words of which nothing has two at a time."""


def _average(within: Scope, one: Candidate) -> bool:
    """*An average of 24,000 over two nights of 22,000 and 26,000*."""
    parts = sorted(one.used, key=lambda part: part.index)
    own = {part.index for part in (one.target, *parts)}
    others = [other for other in within.targets if other.index not in own]
    counted = all(other.kind == "count" and other.base == len(parts) for other in others) and len(others) < 2
    said = adjacent_words(within, one.target)
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
    words = within.sentence.words
    assigned = any(within.right(part)[:1] == ("=",) for part in parts)  # 1=INTA, 2=INTB
    return parts if listed and periods and not assigned and not has(words, _PARTIAL) else ()


SUM_TESTS: Mapping[str, Sequence[Callable[[Scope, Candidate], bool]]] = {
    "sum": (_total, _made_of, _after_colon, _too_many),
    "mean": (_average,),
}
_TWICE = 2
_MOST_OF = Decimal("0.75")
"""The part of a whole below which a list after a colon is hardly all of it: 14 matches, with 6 goals and 2 assists."""
_BESIDE, _AFTER, _LONG, _CLOSE = 4, 5, 6, 2
"""The most words beside a figure, after it, and between the figures of a list, or of a bare one."""
_LISTING = word_set(", and plus + & ; / then but – —")
_COLONS = word_set(": – — = (")
_TOTALS = word_set("total totals totalling totaling altogether together combined overall sum")
_IN_ALL = (
    "in all", "in total", "all told", "all in", "add up to", "adds up to", "adding up to", "comes to", "come to",
    "making", "that makes", "which makes", "it makes", "together make", "this makes", "sum to", "sums to",
    "between them", "=",
)  # fmt: skip  # one line per group is more readable
_MADE_OF = (
    "made up of", "consists of", "consisting of", "comprises", "comprising", "composed of", "split between",
    "split into", "divided between", "divided into", "broken down into", "namely", "being",
)  # fmt: skip  # one line per group is more readable
_AVERAGE = word_set("average averages averaged averaging mean")
_PARTIAL = word_set("""
    including includes included among amongst which them such eg mostly mainly also both either some another besides
    overlap overlapping respectively whom others half each per every about roughly nearly almost least most except
    without minus less off than versus vs against average only too well with
""")
"""Words of a list that is not all, of amounts that are no parts, or of something else that counts."""
