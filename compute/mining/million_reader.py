"""Whether an `m` after a number without a currency means million or metres.

9m page views · 2.94m of 4.2m voters · users, 500m in March      million
a 100m sprint · 200m of cable · 300m away                          metres
"""

from __future__ import annotations

import re

_SMALL_WORDS = (
    "of|in|on|to|at|by|for|from|and|or|is|was|are|were|as|than|that|which|who|it|its|this|these|those|his|her|their|our"
    "|per|a|an|the|with|within|without|long|wide|high|tall|deep|thick|away|apart|above|below|under|over|up|down|off|out"
    "|into|across|along|before|after|behind|between|beyond|then|so|but|each|every|plus|minus|more|less|further|farther"
    "|has|had|have|does|us|yes|plus"
)
_LONG_THINGS = (
    "hurdles|races|heats|lengths|sprints|swims|laps|runs|repeats|intervals|reps|dashes|finals|times|records|steps|waves"
    "|pools|sections|stretches|rolls|reels|poles|cables|ropes|towers|walls|trees|cliffs|ships|boats|masts|ladders|pipes"
    "|fences|telescopes|mirrors|panels|boards|beams|gaps|drops|falls|bridges|tunnels|tracks|platforms|buildings|turbines"
    "|blades|yachts|trenches|wells|pieces|hoses|strips|tapes|ranges|contours|spans|columns|jumps|dives|climbs|depths|heights"
)
"""What is some metres long: 400m hurdles, 80m towers."""
_COUNTED = re.compile(
    rf"m (?:(?!(?:{_SMALL_WORDS})\b)[A-Za-z][A-Za-z-]* ){{0,2}}?"
    rf"(?!(?:{_SMALL_WORDS}|{_LONG_THINGS})\b)(?:[a-z]+-)?[a-z]{{2,}}(?<![siu])s\b"
    r"|m (?:people|children|men|women|staff|sheep|cattle|inhabitants)\b"
    r"|m of (?:those|these|them|which|whom|all|(?:its|their|our|the|his|her)? ?\d[\d,.]*(?:m|bn| million| billion)\b)"
)
_LONG = re.compile(
    r"m (?:of (?!those|these|them|which|\d)|long|wide|high|tall|deep|thick|away|apart|above|below)"
    rf"|m (?:[a-z]+ )?(?:{_LONG_THINGS})\b"
)
_WHOSE = re.compile(
    r"\b(?:users|customers|subscribers|visits|visitors|views|downloads|sales|copies|readers|viewers|listeners|passengers"
    r"|people|population|inhabitants|members|voters|workers|tokens|requests|calls|orders|barrels|households|accounts"
    r"|units|shares|queries|turnout|electorate|workforce|audience|circulation)"
    r"(?: (?:rose|fell|grew|went|climbed|dropped|jumped|shrank|increased|declined))?"
    r"(?:[,:]| of| at| to| from| hit| reached| was| were| is| are| numbered| totalled)?"
    r" (?:from |about |some |nearly )?$",
    re.I,
)
_ANOTHER = re.compile(r"\d[\d,.]*")
_NEAR = 150
"""How far from a number another one may be that says what its `m` means."""


def is_million(mask: str, at: int) -> bool:
    """Whether the `m` at an offset, right after a number, means million."""
    if _COUNTED.match(mask, at) or _WHOSE.search(mask, max(0, at - 60), _begin(mask, at)):
        return True
    if _LONG.match(mask, at):
        return False
    start, end = max(0, at - _NEAR), at + _NEAR
    return any(
        _COUNTED.match(mask, match.end()) or _WHOSE.search(mask, max(0, match.start() - 60), match.start())
        for match in _ANOTHER.finditer(mask, start, end)
        if match.end() != at and mask[match.end() : match.end() + 1] == "m"
    )


def _begin(mask: str, at: int) -> int:
    """Where the number before an offset begins."""
    while at and (mask[at - 1].isdigit() or mask[at - 1] in ",."):
        at -= 1
    return at
