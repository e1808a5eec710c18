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
_STATED = r"(?! (?:costs? |rates? |still )?(?:of |at |is |was |are |were )?(?:about )?[£$€]?\d)"
"""Not before a figure, which says how much it is: plus support of $600."""
QUALIFIED = re.compile(
    r"\b(?:(?:with|after|including|includes?|included|excluding|excludes?|without|plus|net of|less|minus"
    r"|once (?:the |an? )?(?:[\w-]+ ){0,2}(?:has|had) (?:added|taken|charged|kept|deducted)"
    r"|once|counting|given|adding|ignoring|on top of|allowing for) (?:[\w-]+ ){0,3}?"
    r"(?:leas\w+|discounts?|tax(?:es)?|vat|fees?|tips?|minimum\w*|surcharges?|overheads?|interest|depreciation"
    r"|inflation|bonus\w*|commissions?|set-?up|shipping|delivery"
    r"|support|insurance|maintenance|rebates?|credits?|deposit\w*|breaks?(?! (?:even|point))|overtime|holidays?|losses"
    r"|waste|spoilage|refunds?|returns|cooling|rounding|seasonal\w*|cancellations|redundancy|free tier|commitment"
    rf"|startup|start-up|downtime|lunch|stops?){_STATED}"
    r"|(?:and|plus) (?:an?|some|any) (?:[\w-]+ ){0,2}?(?:charges?|fees?|surcharges?|tips?|expenses|postage)(?=[.,;)])"
    r"|because (?:it|they|he|she|we|the \w+) (?:only |also )?(?:runs?|ran|works?|worked|operates?|uses?|used|gets?"
    r"|got|pays?|paid|(?:is|are|was|were) (?:only|used|shared|rented|closed|switched|off|idle|open))\b"
    r"|since (?:it|they) (?:only )?(?:runs?|works?|operates?)"
    r"|half of (?:the|its|them)|half the|(?<!, )(?:some|most|part) of (?:the|them|its)|rounded (?:up|down)"
    r"|thanks to|depend(?:s|ing)|on a lease|leased|minimum (?:charge|fee|spend|order|bill)|weekdays"
    r"|(?<!\d )(?:business days|working days|working hours)"
    r"|off-peak|(?:is|are|was|were|sits?|sat|stands?|stood) idle(?! \d)|part-time|prorated|pro rata"
    r"|loan|mortgage|first (?:\w+ )?(?:is|are) free"
    r"|adding (?:the|these|those|its|their)|(?:are|is|were) added|(?:which|this|that|both|they) may be"
    r"|adjusted|weighted|per capita|per head of|seasonally|net of|pre-tax"
    r"|(?:profits?|margins?|earnings|income) before tax"
    r"|after tax|bundle\w*|two for|for the "
    r"price of|months? free|weeks? free|free of charge|capped|flat fee|(?:come|comes|came|is|are) on top"
    r"|with (?:[\w-]+ ){1,3}on top|(?:vat|tax(?:es)?|tips?|service|fees?|charges?|shipping|delivery) on top"
    r"|stops? included|cap of (?![\d£$€])"
    r"|half[- ]price|half[- ]day|half[- ]time"
    r"|above (?:a|the) threshold|only the (?:larger|largest|bigger|biggest|main|major)"
    r"|overtime|time and a half|double time|leap year|(?:lunch|coffee|tea) breaks?|lunch hour|stopover"
    rf"|(?<!same )time zones?|layover|(?:one|two|three|several|many|few|a|long|short) stops?{_STATED}"
    rf"|exchange rate{_STATED}|downstream|shared by|overlap\w*|in real terms|inflation-adjusted|currency|except"
    r"|after (?:the|a|an|our|its|their) (?:[a-z]+ )?(?:grant|subsid(?:y|ies)|donations?|write-off)s?"
    r"|(?<=\d )net(?=[.,;)])|on (?:the )?(?:motorways?|highways?|hills?|slopes?|flat|open road)"
    r"|in traffic|up-?hill|downhill"
    r"|for (?:members|students|children|adults|locals|residents|subscribers|pensioners|newcomers)"
    r"|at (?:its |their |the )?peak|(?:we|i|they|meters?) measured|mixed use"
    r"|apart from|other than|up-?front|introductory|promotional|waived|loyalty|volume discount|bulk|offloaded)\b",
    re.I,
)
"""Phrases that name something that would change the result, and that no figure states."""


_OTHER = r"(?:the|its|our|their|your|his|her|all|every) (?!new |old |same |latest |first |second )"
INCLUDED_AFTER = re.compile(
    rf"(?:[ ,][a-z]+){{0,3}}?,? (?P<said>(?:with|including|plus|without|excluding) {_OTHER}[a-z-]+)"
    rf"(?=[ ,.;)]){_STATED}",
    re.I,
)
"""Words right after a figure that say what else is in it, with no figure for that: £45 a game with the programme."""
INCLUDED_BEFORE = re.compile(
    rf"\b(?P<said>(?:with|including|plus|counting|without) {_OTHER}[a-z-]+(?: [a-z-]+)?),? "
    r"(?:(?:it|that) (?:is|was|comes to|makes) )?$",
    re.I,
)
"""The same right before a figure: and with the car park it is 20%."""


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
