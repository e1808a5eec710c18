"""Words that say which relation a sentence claims, without regard to whether the figures fit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from compute.mining.number_words import DOWN, EITHER, UP, word_set

DOWNWARD = re.compile(
    rf"(?:{DOWN}|down|sav(?:e|es|ed|ing|ings)|fallen|dropped|shrunk|lost|loss(?:es)?|lose[sn]?|slid|sank|sunk"
    rf"|tumbled|eased|halv\w+|trim\w*"
    r"|shorter|lighter|slower|thinner|below|under|minus|rebate\w*|markdown|knock\w*|shed\w*|contract(?:ed|s|ion)"
    r"|dip\w*|weaker"
    r"|shav\w+|quicker|undershoot|short|off|remov\w+|waiv\w+|crash\w*|halves|halved|cheaper|−|poorer|worse"
    r"|younger|colder)"
)
UPWARD = re.compile(
    rf"(?:{UP}|up|grown|risen|raise[sd]?|raising|climb\w*|added|overrun|over|expand\w*|expansion|soar\w*|surg\w*"
    rf"|doubl\w+|tripl\w+|quadrupl\w+"
    r"|dearer|above|taller|heavier|longer|older|warmer|wider|markup|mark-up|inflation|appreciat\w*|richer|growth"
    r"|return\w*|stronger|hike\w*"
    r"|advance\w*|extra|upside|better|swell\w*|swollen|ballooned|beat|beats|exceed\w*|overshoot|overspend"
    r"|multiplied|profit)"
)
TIMES_VERB = re.compile(r"(?:halv|doubl|tripl|trebl|quadrupl)(?:ed|es|ing)", re.I)
"""Verbs that say how many times as much something became."""
NEUTRAL = re.compile(
    rf"(?:{EITHER}|as|times|apart|deviation|variance|disparity|compared|ratio|varie[sd]|differ\w*|price|size"
    rf"|cost|speed|rate|amount|number|volume|value|length|weight)"
)
BORDERS = frozenset(";:.!?")
TOTAL = word_set("""
    total totals totalling totaling totalled totaled altogether combined sum sums together cumulatively
""")
ADDED = frozenset({"add up to", "adds up to", "added up to", "adding up to", "sums to"})
"""Phrases before the result of a sum."""
LEFT = word_set("""
    left leaving leaves leave remain remains remained remaining rest remainder balance unspent unsold unused
""")
AVERAGE = word_set("""
    average averages averaging averaged mean each apiece per equally evenly split shared divided
""")
PART_OF = word_set("""
    share portion part fraction proportion percentage accounts accounted represents makes made rate constitute
    constitutes recovery yield turnout occupancy retention efficiency accuracy utilisation utilization
    attendance coverage recall conversion
""")
NOUN_SHARES = word_set("""
    tip commission fee fees royalty royalties deposit interest bonus tax vat levy duty toll premium dividend
    yield coupon tithe down surcharge markup overhead discount rebate cut cashback gratuity charge margin
    contribution
""")
NEGATED = word_set("""
    not never isn't wasn't aren't weren't neither nor cannot can't doesn't didn't don't won't isn’t wasn’t
    doesn’t didn’t don’t without hardly no
""")
CONDITIONAL = word_set("""
    if unless would could might should suppose supposing imagine assuming assume hypothetically goal aims aim
    plans hoped hopes estimated expects expected forecast predicted wanted claimed wrongly start starts starting
    little
""")


def is_turn(word: str) -> bool:
    """Whether a word is of a change, up or down."""
    return (DOWNWARD.fullmatch(word) or UPWARD.fullmatch(word)) is not None


def has(tokens: Sequence[str], wanted: Iterable[str]) -> bool:
    """Whether one of some words is among the tokens."""
    return not frozenset(tokens).isdisjoint(wanted)


def phrase(tokens: Sequence[str], phrases: Iterable[str]) -> bool:
    """Whether one of some phrases is in the tokens."""
    text = f" {' '.join(tokens)} "
    return any(f" {one} " in text for one in phrases)
