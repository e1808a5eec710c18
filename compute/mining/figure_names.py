"""Whether digits in prose are a figure or part of a name: GPT-4, section 3, 31 December, a year, a list mark.

Wheat 210 ha, barley 95        figures: labelled items of a list
question 200, answer 800       the same
see question 7                 a name
"""

from __future__ import annotations

import re

_NAMED = re.compile(
    r"(?:\b(?:section|sec\.|figure|fig\.|table|chapter|version|step|page|pp\.|no\.|listing|exercise|part|stage|tier|phase|level|day|rank"
    r"|batch size|equation|eq\.|item|line|appendix|nvlink|gen|cuda|rocm|pcie|hbm|row|read|question|v|january|february"
    r"|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov"
    r"|dec|q)\s?|[§#])$",
    re.I,
)
_PLACE = re.compile(
    r"\b(?:Room|Hall|Gallery|Gate|Platform|Ward|Dock|Bay|Aisle|Shelf|Lane|Court|Track|Flat|Floor|Building|Block|Bus|Route"
    r"|Site|Lot|Plot|Zone|Depot|Rack|Bed|Pier|Shed|Barn|Field|Tower)\s$"
)
"""Names of places and lines, which begin with a capital: Room 3 has 9 paintings."""
_GLUE = re.compile(r"(?:[\w.,$€£¥/^=]|[A-Za-z0-9]-|\d:)\Z")
"""Signs to which digits are stuck, on the same line: a `$` would match before the end of one, too."""


_OUT_OF = re.compile(
    r"(?<![\w.,/$€£])(?P<part>\d{1,3}(?:,\d{3})*)/(?P<of>\d{1,3}(?:,\d{3})*)(?![\w/]|[.,]\d)"
    r"(?= ?(?:[a-z]{2,} ?){0,2}(?:[(=→⇒,:;–—]|or|is|i\.e\.|that's) ?(?:~|about |or |i\.e\. )?\d{1,3}(?:\.\d+)? ?%"
    r"| ?[=≈] ?\d+(?:\.\d+)?(?![\w/]|\.\d))"
)
"""So many out of so many, with the percentage or the number that they are: 14/20 (70%), 360/480 = 0.75."""


def _out_of(mask: str, match: re.Match[str]) -> bool:
    at = match.start("low")
    if mask[at - 1 : at] != "/" and mask[match.end("low") : match.end("low") + 1] != "/":
        return False
    for pattern, before in ((_OUT_OF, 9), (_SHARE_OF, 60)):
        found = pattern.search(mask, max(0, at - before), match.end("low") + 60)
        if found and at in {found.start("part"), found.start("of")}:
            return True
    return False


_SHARE_OF = re.compile(r"\d ?% [^.;%\n]{0,45}\((?P<part>\d{1,3}(?:,\d{3})*)/(?P<of>\d{1,3}(?:,\d{3})*)\)")


def is_name(mask: str, start: int, match: re.Match[str]) -> bool:
    """Whether the digits belong to a name, a reference, a date or a longer expression."""
    if _out_of(mask, match):
        return False
    before, after = mask[max(0, start - 12) : start], mask[match.end() : match.end() + 2]
    return bool(
        (
            _GLUE.search(before)
            and not match["sign"]
            and not re.search(r"[a-z%)]/$|[^\w]/$|[~=]$|→$|(?<![\w.-])\d{1,3}-$", before)
        )
        or (not match["sign"] and _NAMED.search(before) and not _no_name(mask, match, before))
        or (not match["sign"] and "." not in match["low"] and _PLACE.search(before))
        or (re.match(r"[\d^_]|\.\d|:\d|/\d", after) and not match["sign"])
        or re.match(r"x\d", after)
    )


_MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun"
    r"|jul|aug|sept?|oct|nov|dec)"
)
_DATED = re.compile(rf"\b{_MONTH}\s?$", re.I)
_DAY = re.compile(rf"\b\d{{1,2}}(?:st|nd|rd|th)? {_MONTH}\s$", re.I)
"""A day and a month: what follows is no day of it, but may be a year in two digits."""
_OF_MONTH = re.compile(
    r"(?:st|nd|rd|th)?(?: of)? (?:January|February|March|April|May|June|July|August|September|October|November|December"
    r"|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b"
)
_SHORT_YEAR = re.compile(r"1[89]|2\d|30")
_OF_MANY = re.compile(r" of (?:the |our |its |their )?(?!(?:19|20)\d\d\b)[\d,]+(?= [a-z])")
_THINGS = re.compile(r" (?:million |billion )?[a-z]{3,}")


def _no_name(mask: str, match: re.Match[str], before: str) -> bool:
    """Whether a number is one of things although a name may precede it: `In July 45,000 people`, `read 25 pages`."""
    at = match.start("low")
    listed = _NEXT_ITEM.match(mask, match.end()) or _LAST_ITEM.search(mask, max(0, at - 40), at)
    if listed and not _DATED.search(before) and not _NAMED.search(re.sub(r"[\d ]+$", " ", listed[0])):
        return True  # question 200, answer 800
    if re.search(r"\bread\s$", before):
        end = match.end("low_scale" if match["low_scale"] else "low")
        return (_THINGS.match(mask, end) or _OF_MANY.match(mask, end)) is not None
    if _MULTIPLE.match(mask, match.end()):
        return True
    large = "," in match["low"] or bool(match["low_scale"] and len(match["low_scale"]) > 3)
    if not _DATED.search(before):
        return large
    dated = re.fullmatch(r"\d{1,2}(?:\.\d+)?|1[5-9]\d\d|20\d\d", match["low"]) is not None
    measured = _MEASURE.match(mask, match.end()) or _OF_MANY.match(mask, match.end())
    return not dated or large or measured is not None or _after_a_day(mask, match)


def _after_a_day(mask: str, match: re.Match[str]) -> bool:
    """Whether a number after a complete date is none of it: by 1 October 31 had sold."""
    at, number = match.start("low"), match["low"]
    day = len(number) < len("2025") and _DAY.search(mask[max(0, at - 20) : at])
    return bool(day) and not _SHORT_YEAR.fullmatch(number) and mask[match.end() : match.end() + 1] == " "


_MULTIPLE = re.compile(r"[ -](?:times|fold)\b|\s?%| per ?cent\b")
"""What follows a number that is no name: a page 24 times slower."""


def is_no_count(mask: str, match: re.Match[str], end: int) -> bool:
    """Whether a bare number is a year, an ordinal, a list mark, part of a name, or stuck to a word."""
    text, start = match["low"], match.start("low")
    year = len(text) == 4 and text.isdigit() and "1900" <= text <= "2099" and not match["low_scale"]
    mark = re.match(r"[.)]\s", mask[end : end + 2]) and not mask[mask.rfind("\n", 0, start) + 1 : start].strip(" (")
    plain = not match["low_scale"] and "," not in text and not match["high"]
    named = plain and _NAME.search(mask[max(0, start - 20) : start]) and not _measured_or_listed(mask, start, end)
    model = plain and (_MODEL.search(mask[max(0, start - 30) : start]) or _VARIANT.match(mask, end))
    named = (named or model) and not _out_of(mask, match)
    day = plain and _is_day(mask, start, end)
    return bool(
        year
        or day
        or mark
        or named
        or (re.match(r"(?:st|nd|rd|th)\b|[A-Za-z_]", mask[end : end + 2]) and not _GLUED.match(mask, end))
    )


def _is_day(mask: str, start: int, end: int) -> bool:
    """Whether a number is the day of a month, and not of things of that month: on 4 May, not 30 March orders."""
    month = _OF_MONTH.match(mask, end)
    if month is None or not 1 <= int(mask[start:end].partition(".")[0] or 0) <= _LAST_DAY:
        return False
    return not re.match(r" [a-z]", mask[month.end() : month.end() + 2]) or bool(
        _BEFORE_DAY.search(mask[max(0, start - 12) : start])
    )


_LAST_DAY = 31
_BEFORE_DAY = re.compile(r"\b(?:on|of|by|from|to|until|till|since|before|after|between|through|the) $", re.I)


def _measured_or_listed(mask: str, start: int, end: int) -> bool:
    """Whether a capitalised word before a number is a label: `Limit 80 kg`, `Leeds 18, Hull 27`."""
    before = mask[max(0, start - 90) : start]
    label = "." not in mask[start:end] and (_NEXT_ITEM.match(mask, end) or _LAST_ITEM.search(before[-40:]))
    line = "." not in mask[start:end] and _BULLET.search(before) and _LINE_ENDS.match(mask, end)
    moved = end - start > 1 and _MOVED.match(mask, end)
    return bool(
        _MEASURE.match(mask, end)
        or label
        or line
        or moved
        or _OF_MANY.match(mask, end)
        or _MEASURED_ITEM.search(before)
    )


_MEASURE = re.compile(
    r" ?(?:[kmc]?m|[km]?g|[mc]?l|t|ha|km/h|litres?|miles?|tonnes?|tons?|kilos?|hectares?|acres?|met(?:re|er)s?|feet|ft"
    r"|lbs?|oz|gallons?|pints?|seconds?|minutes?|hours?|m?s|min|[kMGT]Wh?|[kMGT]B)[²³]?(?![\w-])"
)
_GLUED = re.compile(
    r"(?:[kmcdnµ]?m|[kmµ]?g|[mcdµ]?l|t|ha|lbs?|oz|ft|mph|kph|kcal|k?J|m?Ah|mA|k?V|[kMG]?Hz)[²³]?(?![\w-])"
)
"""Units of measure that may follow a number without a space: 300km, 25kg, 750ml."""
_MOVED = re.compile(r" ?(?:→|⇒|[-–=]>) ?[$€£]?\d")
"""What follows the first of two numbers of something that changed: `Headcount 250 → 215`."""
_BULLET = re.compile(r"(?:^|\n)\s*[-*•+] [A-Za-z][^\n\d]{0,60}$")
_LINE_ENDS = re.compile(r"[;,.]?[ \x00]*(?:\n|$)")
_MEASURED_ITEM = re.compile(
    r"\d ?(?:[kMGT]Wh?|[kmc]?m|[km]?g|[mc]?l|litres?|miles?|tonnes?|kilos?|points?|%)"
    r"(?:(?:,| and|, and) (?:[a-z]+ ){0,2}[A-Z][a-z]+ (?:[a-z]+ ){0,2}\d[\d.]*)*"
    r"(?:,| and|, and) (?:[a-z]+ ){0,2}[A-Z][a-z]+ $"
)
"""What precedes a number whose unit an earlier one has: `Norway had 5.6 TWh, Sweden 3.1 and Finland 1.3`."""
_MODEL = re.compile(
    r"\b(?:GPT|Claude|Sonnet|Opus|Haiku|Gemini|Gemma|Grok|Llama|Mistral|Mixtral|Codestral|Devstral|Qwen|DeepSeek|Kimi|Phi"
    r"|Command|Nova|GLM|MiniMax)(?: [A-Z][a-z]+)?[ -]V?$"
)
_VARIANT = re.compile(r" (?:Pro|Flash|Turbo|Mini|Nano|Lite|Sonnet|Opus|Haiku|Instruct|Ultra)\b(?![ -][a-z]+ing\b)")
"""What precedes and follows the version of a language model, also at the start of a sentence: Gemini 2.5 Pro."""
_NEXT_ITEM = re.compile(r"(?:[,;] (?:and )?| and )(?:[A-Za-z][\w-]*[ :]{1,2}){1,3}\d")
_LAST_ITEM = re.compile(r"\d(?:[,;] (?:and )?| and )(?:[A-Za-z][\w-]*[ :]{1,2}){1,3}$")
_NAME = re.compile(
    r"(?<![.!?:]\s)\b(?!(?:His|Her|My|Your|Altogether|Together|Overall|Then|Now|If|When|While|As|Since|Until|Before"
    r"|During|Among|Within|Including|Plus|That|This|There|Exactly|Still|So|But|Or|We|They|You|He|She|It"
    r"|PUE|ROI|RRP|BMI|EPS|ARPU|CTR|CPC|ROAS|Of|In|With|From|At|Between|Over|After|About|Roughly|All|And|Our|Only|Nearly|Some|For"
    r"|To|By|Just|Around"
    r"|Almost|Under|Below|Above|Another|Its|Their|The|These|Those|Every|Each|Both|On|Per|(?:Mon|Tues|Wednes"
    r"|Thurs|Fri|Satur|Sun)day|Two|Three|Four|Five|Six|Seven|Eight|Nine|Ten|Twelve"
    r"|January|February|March|April|June|July|August|September|October|November|December"
    r"|Population|Area|Total|Length|Height|Width|Sold|Bought|Spent|Paid|Took|Made|Got|Ran|Built|Cut|Sent|Lost|Won|Drove"
    r"|Grew|Wrote|Held|Kept|Shot|Burnt|Caught|Hit|Put|Set|Drew|Threw|Fed|Met|Left|Buy|Sell|Take|Add|Use|Pay|Mix|Get"
    r"|Pour|Boil|Bake|Save|Spend|Order|Pack|Load|Print|Run|Split|Divide|Multiply|Expect|Need|Have|Had|Has|Was|Were|Is"
    r"|Are|Plus|Minus|Less|Here|Last|First|Same|Other|More|Most|Up|Down|Say|See|Now"
    r"|[A-Z][a-z]+ing|(?!United|Red )[A-Z][a-z]+ed) )"
    r"[A-Z][A-Za-z]+[ -]$"
)
"""A capitalised word before a number that belongs to it: Claude 3.5 Sonnet, Tier 1."""
