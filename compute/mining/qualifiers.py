"""Words that name something that would change a result, and for which no figure is given: a miss is then no error.

    24 seats cost $4,800 a year after the volume discount · 12 copies at £4 each came to £53 with postage
    three laps of 14 km and the run-in make a race of 47 km

They excuse nothing that is said without them: what made yields rise from 6 to 7 tonnes does not change by how much they
rose.
"""

from __future__ import annotations

import re
from decimal import Decimal

from compute.mining.claim_scopes import Candidate, Scope
from compute.mining.claim_traits import GROUPS
from compute.mining.mining_models import Figure
from compute.mining.quantities import Sentence

_STATED = r"(?! (?:costs? |rates? |still )?(?:of |at |is |was |are |were )?(?:about )?[£$€]?\d)"
"""Not before a figure, which says how much it is: plus support of $600."""
_QUALIFIED = re.compile(
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
    r"|after (?:topping up|a top-up|refilling|a refill|restocking|refuelling)"
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
    r"|(?:mostly|partly|largely|(?:most|some|many|part) of (?:it|them|these|which)) (?:\w+ )?"
    r"(?:cached|batched|discounted|reduced|subsidi[sz]ed|prepaid|reserved|waived|free)"
    r"|apart from|other than|up-?front|introductory|promotional|waived|loyalty|volume discount|bulk|offloaded)\b",
    re.I,
)
"""Phrases that name something that would change the result, and that no figure states."""


_OTHER = r"(?:the|its|our|their|your|his|her|all|every) (?!new |old |same |latest |first |second )"
_INCLUDED_AFTER = re.compile(
    rf"(?:[ ,][a-z]+){{0,3}}?,? (?P<said>(?:with|including|plus|without|excluding) {_OTHER}[a-z-]+)"
    rf"(?=[ ,.;)]){_STATED}",
    re.I,
)
"""Words right after a figure that say what else is in it, with no figure for that: £45 a game with the programme."""
_INCLUDED_BEFORE = re.compile(
    rf"\b(?P<said>(?:with|including|plus|counting|without) {_OTHER}[a-z-]+(?: [a-z-]+)?),? "
    r"(?:(?:it|that) (?:is|was|comes to|makes) )?$",
    re.I,
)
"""The same right before a figure: and with the car park it is 20%."""


def qualifier(within: Scope, one: Candidate, computed: Decimal) -> str:
    """The words of a sentence that name something that would change a result, and that no figure states; "" if none."""
    sentence = within.sentence
    if one.rule in _CONVERSIONS and all(
        (part.unit, part.pers) == (one.target.unit, one.target.pers) for part in one.used
    ):
        return ""
    return (
        _named(sentence, one, computed)
        or _included(sentence, one.target.figure)
        or _added(sentence, one, computed)
        or _begun_with(sentence, one, computed)
    )


_CONVERSIONS = frozenset({"convert", "celsius"})
"""Relations of one amount in two units, which nothing changes."""


def _named(sentence: Sentence, one: Candidate, computed: Decimal) -> str:
    """A phrase that names something, in a sentence or, if a figure of the relation stands there, the one before."""
    lead = sentence.lead if any(part.figure.start < sentence.start for part in one.used) else ""
    text = lead + sentence.text
    if "interest-free" in text:
        return ""
    offset = sentence.start - len(lead)
    figures = [(part.figure.start - offset, part.figure.end - offset) for part in (one.target, *one.used)]
    for words in _QUALIFIED.finditer(text):
        besides = _BESIDES.match(words[0]) and _COMMA.search(text[figures[0][1] : words.start()])
        if not (besides or _of_a_figure(words, text, figures) or _of_no_effect(words, text, one, computed)):
            return " ".join(words[0].split())
    return ""


_BESIDES, _COMMA = re.compile(r"plus", re.I), re.compile(r",\s*\Z")
"""What comes to a figure after it, and is not in it: 27 square metres, plus something for waste."""


def _of_a_figure(words: re.Match[str], text: str, figures: list[tuple[int, int]]) -> bool:
    """Whether words belong to a figure, which says how much they are: of 68, a half of them; a mortgage of £171,000."""
    for start, end in figures:
        between = text[end : words.start()] if end <= words.start() else text[words.end() : start]
        if start < words.end() and words.start() < end:
            return True
        if _MEASURED.fullmatch(words[0]) and _BESIDE.fullmatch(between):
            return True
    nearest = min((text[min(end, words.start()) : max(start, words.end())] for start, end in figures), key=len)
    return bool(_PARTS.match(words[0])) and _OTHER_CLAUSE.search(nearest) is not None


_MEASURED = re.compile(r"overtime|loan|mortgage|(?:working|business) (?:days|hours)|weekdays|shared by|thanks to", re.I)
"""Words that a figure beside them says all about."""
_BESIDE = re.compile(r"\s*(?:(?:is|are) (?:paid )?)?(?:of|at|by|the|an?|:)?\s*(?:about |only )?", re.I)
_PARTS = re.compile(r"half|some|most|part", re.I)
_OTHER_CLAUSE = re.compile(r"[;.]|\b(?:and|but|while|which)\b")
"""Words between a figure and a part of something, which is then of something else: *… and sat out most of the game*."""


def _of_no_effect(words: re.Match[str], text: str, one: Candidate, computed: Decimal) -> bool:
    """Whether words cannot change a result so that it would be the stated figure.

    A rounding moves by one at most. A loan changes what follows from a share only, and not its interest of a year. The
    cause of a change is no part of it.
    """
    said, stated = words[0].lower(), one.target.figure.low
    rounded = said.startswith("rounded") and abs(stated - computed) > 1
    lent = said in {"loan", "mortgage"} and ("%" not in text or _YEARLY.search(text) is not None)
    caused = _CAUSE.match(said) is not None and GROUPS[one.rule] in _COMPARED
    return rounded or lent or caused or _DENIED.search(said) is not None


_DENIED = re.compile(r"\b(?:no|not|without)\b")
_YEARLY = re.compile(r"\binterest (?:a|per|each) year\b|\b(?:annual|yearly) interest\b", re.I)
"""Simple interest: what a loan costs in a year, whatever is paid back."""
_CAUSE = re.compile(r"thanks to")
_COMPARED = frozenset({"change", "ratio", "minus"})
"""Groups of relations that compare two amounts, both of them stated."""


_ADDING = frozenset({"plus", "product", "bill"})
"""Groups of relations whose result an item without a figure makes higher."""


def _included(sentence: Sentence, figure: Figure) -> str:
    """The words next to a figure that say what else is in it, if no figure of the text says how much."""
    left, right = sentence.text[: figure.start - sentence.start], sentence.text[figure.end - sentence.start :]
    found = _INCLUDED_AFTER.match(right) or _INCLUDED_BEFORE.search(left[-60:])
    return " ".join(found["said"].split()) if found else ""


def _added(sentence: Sentence, one: Candidate, computed: Decimal) -> str:
    """The words of an item without a figure, beside which a total is higher than its figures give, or of an overlap."""
    figure = one.target.figure
    if one.rule == "sum" and figure.low < computed:
        overlap = _OVERLAP.search(sentence.lead + sentence.text)
        return " ".join(overlap[0].split()) if overlap else ""
    if GROUPS[one.rule] not in _ADDING or one.rule in {"mean", "quotient"} or figure.low <= computed or not one.used:
        return ""
    begin, end = figure.start - sentence.start, figure.end - sentence.start
    last = max((part.figure.end for part in one.used if part.figure.end <= figure.start), default=sentence.start)
    item = _ITEM.search(sentence.text, max(0, last - sentence.start), begin)
    found = item or _ITEM_AFTER.match(sentence.text, end)
    return " ".join(found["said"].split()) if found else ""


def _begun_with(sentence: Sentence, one: Candidate, computed: Decimal) -> str:
    """What a sentence begins with, without a figure, that may make an amount higher: *With milk that is 320 kcal*."""
    compared = GROUPS[one.rule] in _COMPARED or one.target.kind in {"share", "ratio", "points"}
    if compared or one.rule == "mean" or one.target.figure.low <= computed:
        return ""
    found = _WITH.match(sentence.text)
    return " ".join(found["said"].split()) if found else ""


_WITH = re.compile(
    r"\s*(?P<said>With (?:(?!(?:all|every|that|this|an average|a total|only|just|no)\b)[a-z][a-z-]+ ){1,3}?)"
    r"(?:,|(?:it|that|this|the|they|we|he|she|our|its|their)\b)"
)
_OVERLAP = re.compile(
    r"\b(?:some|several|many|most|part) (?:of (?:them|whom|which|those|the former|the latter) |people |names )?"
    r"(?:\w+ ){0,4}?(?:both|twice|also|again)\b|\bin common\b",
    re.I,
)
"""Words that say that items are counted in two parts of a sum: 84 and 61, 118 in all, since some were in both."""
_NOUNS = r"(?:[a-z][a-z'’-]*\s){0,3}?[a-z][a-z'’-]*"
_WHOLE = r"(?:total|bill|sum|whole|lot|result|cost|price|rest|others?|average|year|day|week|month|answer|same)\b"
_ITEM = re.compile(
    rf"\b(?:and|plus|with)\s+(?P<said>(?:an?|the|some|my|his|her|its|our|their|several|whatever)\s+(?!{_WHOLE}){_NOUNS})"
    r"(?=\s?[,;:)—–]|\s(?:make|come|bring|add|give|are|take)\b)"
)
"""An item of a list: three laps of 14 km and the run-in make a race of 47 km."""
_ITEM_AFTER = re.compile(
    rf",?\s\(?(?P<said>(?:with|including)\s{_NOUNS}|(?!(?:all|everything)\b){_NOUNS}\s(?<!not )(?:included|on top))"
    r"(?=\s?[,.;:)])"
)
"""An item named after a total: £53 with postage; £95, booking fee included."""
