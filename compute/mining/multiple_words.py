"""Words such as `double`, `twice`, `half` that are no multiples: the doubles title, elected twice, the second half."""

from __future__ import annotations

import re

_NO_MULTIPLE = {
    "two": (
        re.compile(
            r"(?:\b(?:stunt|body|mixed|(?:wo)?men['’]s|ladies['’]|boys['’]|girls['’])"
            r"|(?P<often>\b(?:held|won|elected|married|divorced|visited|nominated|capped|sung|staged|hosted|served|tried"
            r"|failed|voted|met|wounded|imprisoned|arrested|relegated|promoted|widowed|rebuilt|flooded|interviewed"
            r"|performed|shown|screened|reprinted|translated))) $",
            re.I,
        ),
        re.compile(
            r" (?:titles?|match(?:es)?|champion\w*|finals?|partners?|courts?|tournaments?|draw|events?|rooms?|beds?"
            r"|albums?|agents?|bass(?:es)?|acts?|check\w*|click\w*|digits?|deckers?|standards?|headers?"
            r"|precision|quotes?|quotation|spaces?|colons?|hyphens?|dashes|negatives?|entry|bonds?|helix"
            r"|governor|mayor|president|prime|minister|winner|married|elected|divorced|widowed|nominated|capped)\b"
        ),
    ),
    "half": (
        re.compile(r"\b(?:first|second|latter|former) $|(?<![\w.-])\d{1,4} $", re.I),
        re.compile(r"[- ]times?\b|-cent"),
    ),
    "part": (
        re.compile(r"\b(?:first|last|next|past|previous|final) $", re.I),
        re.compile(r" of (?:19|20)\d\d\b"),
    ),
}
"""The words before and after a multiple or a part that is none: the doubles title, held twice, the second half."""
_COMPARED = re.compile(r" (?:as|the|that|this|these|those|what|its|their|his|her|our|my|more)\b|-| ?[\d$€£]")


_DONE = re.compile(
    r"\b(?:been|was|were|is|are|be|get|gets|got) (?!increas|multipli|enlarg|magnif|overstat|exceed)"
    r"(?:\w+ed|cut|put|hit|held|met|shot|run|sent|read|rung|made|seen|sold|told|won|shown|paid|set|lost|sung) $"
)
_DURING = re.compile(
    r" (?:this|last|that|these|since|already|so far|during|between|before|until|running|in a row"
    r"|(?:in|over|within) (?:the|a|an|his|her|their|its|our|\d|two|three|four|five|six|ten)|(?:a|per|each|every)"
    r" (?:day|week|month|year|quarter))\b"
)


def counts_events(mask: str, start: int, end: int) -> bool:
    """Whether a number of times from `start` to `end` says how often something was done: cut four times this year."""
    if _DURING.match(mask, end) and _DONE.search(mask, max(0, start - 24), start):
        return True
    return _ENDED.match(mask, end) is not None and _TO_IT.search(mask, max(0, start - 40), start) is not None


_TO_IT = re.compile(
    r"\b(?:had|has|have|he|she|we|they|I|you)\b[^.;:,]{0,24}(?<!made)(?<!making) (?:it|him|her|them|there|us) $"
)
_ENDED = re.compile(r"[.,;]|$| (?:and|but|before|after|since)\b")
"""Somebody did something to it three times."""


def no_multiple(mask: str, match: re.Match[str]) -> bool:
    """Whether a word such as `double` names something or says how often something was."""
    if counts_events(mask, match.start(), match.end()):
        return True
    before, after = next((words for name, words in _NO_MULTIPLE.items() if match[name]), (None, None))
    if before is None or after is None:
        return False
    left = before.search(mask, max(0, match.start() - 16), match.start())
    if left is None or ("often" in before.groupindex and left["often"] and _COMPARED.match(mask, match.end())):
        return after.match(mask, match.end()) is not None
    return not ("often" in before.groupindex and left["often"] and match[0].lower() != "twice")
