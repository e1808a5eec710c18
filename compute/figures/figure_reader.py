"""Reads the figures of prose: number, unit, rounding and hedge.

$3.00 per million input tokens      3.00 USD/Mtok, of input
~$30K/yr · 60–80%                   30000 USD/year, about · 60 to 80 %
64 H100 GPUs · 46,080 GPU-hours     64 of the noun GPU · 46080 GPUh
fifteen times · 2.4x · one-fifth    15, 2.4, 0.2 x
GPT-4, H100, 2024, [5], v1.2        no figures, but parts of names
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import asdict, replace
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any

from compute.figures.figure_labels import labelled
from compute.figures.figure_models import HOUR, Dimensions, Figure, Measure
from compute.figures.figure_units import measure_after, quantity_after
from compute.figures.number_words import FRACTIONS, MULTIPLES, NUMBERS, SCALES, TENS, english_numbers
from compute.figures.text_days import MONTH_PATTERN

_PLAIN = (
    r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|[1-9]\d{0,2}(?:[ \u00a0\u202f]\d{3})+(?![\d.,]\d|\d)"
    r"|\d{1,15}(?:\.\d{1,12})?|(?<![\w.])\.\d{1,4}(?![\w.])"
)
_POWER = (
    r"(?:\s?[×x*·]\s?10(?:\s?\^\s?\{?(?P<power>-?\d{1,2})\}?|(?P<raised>[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+))"
    r"|[eE](?P<exponent>[+-]?\d{1,2})(?![\w.]))"
)
_SCALE = (
    r"(?:[ \u00a0-]?(?i:thousand|million|billion|trillion|quadrillion|bn|mn|tn|dozen|hundred)\b"
    r"|[kKMBT](?![A-Za-z0-9/])|[kKMBT](?=/)|(?<=\d)m(?![A-Za-z0-9/²³])"
    r"(?= ?(?:tokens|requests|users|calls|queries)|(?<=[$€£]\dm)|(?<=[$€£]\d\dm)|(?<=\.\dm)|(?<=[$€£]\d\d\dm)))"
)
_FIGURE = re.compile(
    rf"(?P<sign>US\$|[$€£¥₹]|\b(?:USD|EUR|GBP|CHF)\s)?\s?(?:(?P<low>{_PLAIN})(?:{_POWER})?"
    rf"|10\^\{{?(?P<tens>\d{{1,2}})\}}?)(?P<scale>{_SCALE})?(?:(?P<first>\s?%)?"
    rf"(?P<joint>[-–]|\s[–—]\s|\sto\s|\sand\s)(?P<again>US\$|[$€£])?(?P<high>{_PLAIN})"
    rf"(?P<high_scale>{_SCALE})?)?(?P<plus>\+)?"
)
_DIGIT = re.compile(r"\d")
_GLUED = re.compile(r"[\w.,/^=$€£§#]$|[A-Za-z)]-$|\d[:–-]$|[-–][-–]$|\\$")
_FREE = re.compile(r"(?:^|[\s(])[a-z]{2,}[-/=]$|%/$|\$/$|\s=$|^=$|[×x*]$|[~≈]$")
_BITS = re.compile(r"\d/(?=\d{1,2}-bit\b)")  # a number of bits after the name of a format: INT8/4-bit
_FORMAT = re.compile(r"(?<![\w-])(?:(?:MX|NV)?FP|fp|BF|bf|INT|int)(?P<bits>4|6|8|16|32)\b(?![-.]\d)")
_ASSIGNED = re.compile(r"(?:\b\w*_\w+|\B--?[a-z][\w-]*)\s?=?\s?$|\w=$|\w:$(?<!\s:)")
_NAMED = re.compile(
    r"(?i)(?:\b(?:sections?|sec\.|figures?|fig\.|tables?|chapters?|versions?|steps?|pages?|pp?\.|no\.|listing|exercise"
    r"|parts?|stages?|tiers?|phases?|levels?|appendix|equation|eq\.|lines?|rows?|items?|issues?|pr|python|cuda|rocm"
    r"|pcie|gen|nvlink|hbm|zero|http|port|q|rfc|iso|utf|sha|base|top|option|error|code|status|question|scenario|case"
    r"|example|day|week|month|year|quarter|round|series|wave|release|v)[\s-]?(?:numbers? )?|[§#])$"
)
_DATED = re.compile(rf"\b(?:{MONTH_PATTERN})\.?\s$")
_OF_MONTH = re.compile(rf"(?:st|nd|rd|th)?(?: of)? (?:{MONTH_PATTERN})\b(?! (?:cost|bill|rev|invoice|spend))")
_YEAR = re.compile(r"(?:19|20)\d\d")
_MODELS = re.compile(
    r"\b(?:GPT|Claude|Sonnet|Opus|Haiku|Gemini|Gemma|Grok|Llama|LLaMA|Mistral|Mixtral|Codestral|Qwen"
    r"|DeepSeek|Kimi|Phi|Falcon|Yi|OLMo|Command|Nova|GLM|MiniMax|Nemotron|Blackwell|Hopper|Ampere|PaLM"
    r"|Chinchilla|T5|BERT|Whisper|Flux|o)(?: [A-Z][a-z]+)?[ -]?[vVR]?$"
)
_VARIANT = re.compile(r"[ -](?:Pro|Flash|Turbo|Mini|Nano|Lite|Sonnet|Opus|Haiku|Instruct|Ultra|Omni|Scout|Maverick)\b")
_ABOUT = re.compile(
    r"(?i)(?:\b(?:about|around|roughly|approximately|approx\.?|nearly|almost|some|circa|close to|near|nearing"
    r"|on the order of|in the region of|just (?:over|under|above|below|shy of)|a (?:little|bit|touch) (?:over|under)"
    r"|slightly (?:over|under|more than|less than)|typically|usually|an estimated|estimated at"
    r"|say)|[~≈])(?: an?| the)?[\s(]*$"
)
_MOST = re.compile(
    r"(?i)(?:\b(?:up to|at most|under|below|less than|fewer than|as little as|no more than|not more than|a maximum of"
    r"|capped at|within)|[<≤])\s*$"
)
_LEAST = re.compile(
    r"(?i)(?:\b(?:over|at least|more than|above|exceed(?:s|ing|ed)?|upwards of|no less than|a minimum of"
    r"|as (?:much|many) as|well over)|(?<![=-])[>≥])\s*$"
)
_AFTER_HEDGE = re.compile(r"(?: [a-z]+)? or (?P<word>so|more|less|fewer)\b(?! than)|\s?(?P<odd>-odd|\+)", re.I)
_SPELLED = re.compile(
    rf"(?i)\b(?:(?P<tens>{'|'.join(TENS)})(?:[- ](?P<ones>one|two|three|four|five|six|seven|eight|nine))?"
    rf"|(?P<word>one|a|an|{'|'.join(NUMBERS)}|dozen))(?P<scale>"
    rf"(?:[ -](?:hundred|thousand|million|billion|trillion|dozen))+)?"
    rf"(?:(?P<times>[- ]times\b(?! (?:a|per|in|over)\b)|[- ]?fold\b)"
    rf"|[- ](?P<part>{'|'.join(FRACTIONS)})s?\b(?!-li| of the (?:year|decade)| ago\b| earlier\b| later\b))?"
    rf"(?![A-Za-z])|\b(?P<multiple>{'|'.join(MULTIPLES)})\b(?! "
    rf"(?:check|spend|down|the (?:time|size) of the)\b|-)"
)
_HUNDREDTH = re.compile(r"\s?(?:cent|¢|pence)|[\s-]?(?:basis|bps)", re.I)
_SUPER = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_MOVES = re.compile(
    r"(?i)\b(?:from|rose|risen|grew|fell|drop\w*|cut|lower\w*|rais\w*|increas\w*|decreas\w*|went|climb\w*|jump\w*"
    r"|move\w*|down|up)\b[^.;\d]{0,60}$"
)
_TITLE = re.compile(
    r"\b(?!(?:With|From|Over|About|Only|Some|Just|After|Before|Than|For|Are|Was|The|And|Under|Until|Use"
    r"|Between|Around|Rent|Serving|Price|Input|Output)\b)[A-Z][a-z]{2,}\s$"
)
_PROPORTION = re.compile(
    r"(?<![\w:.])(?P<one>\d{1,3}):(?P<other>\d{1,3})(?![\w:]|\.\d)"
    r"(?=(?: (?:mix|ratio|blend|split) of)? (?P<word>input|in|prompt|read|output|out|cached)\b)"
    r"|\binput(?: tokens?)?[- ]to[- ]output(?: token)?(?: ratio)?(?: of| is|:)? (?P<first>\d{1,3}):"
    r"(?P<second>\d{1,3})\b"
)


@lru_cache(maxsize=16)
def figures(mask: str) -> tuple[Figure, ...]:
    """The figures of a masked text in order, without counts in words (but with fractions)."""
    return tuple(one for one in quantities(mask) if not one.spelled or one.sort == "x")


@lru_cache(maxsize=16)
def quantities(mask: str) -> tuple[Figure, ...]:
    """The figures of a masked text, also counts in words: eight nodes, two million requests."""
    text = english_numbers(mask)
    found, last = list[Figure](), 0
    spelled = (one for match in _SPELLED.finditer(text) if (one := _in_words(text, match)) is not None)
    every = [*_digits(text), *spelled, *_ratios(text), *_formats(text)]
    for one in sorted(every, key=lambda figure: (figure.start, -figure.end)):
        if one.start >= last:
            found.append(one if text is mask else replace(one, text=mask[one.start : one.end]))
            last = one.end
    return tuple(labelled(_joined_times(found, text), text))


def _joined_times(found: list[Figure], text: str) -> list[Figure]:
    """Figures, with a time in two units as one: 8 hours 45 minutes."""
    joined = list[Figure]()
    for one in found:
        last = joined[-1] if joined else None
        next_to = last and text[last.end : one.start] in {" ", " and ", ", "} and not last.noun and not one.ranged
        if last and next_to and last.dimensions == one.dimensions == HOUR and last.factor > one.factor:
            low = one.low + last.low * Decimal(int(last.factor / one.factor))
            words, hedge = text[last.start : one.end], last.hedge or one.hedge
            joined[-1] = replace(one, start=last.start, text=words, low=low, high=low, hedge=hedge)
        else:
            joined.append(one)
    return joined


def _digits(text: str) -> Iterator[Figure]:
    at = 0
    while digit := _DIGIT.search(text, at):
        match = _FIGURE.search(text, max(at, digit.start() - 5))
        if match is None:
            return
        if match["joint"] and not _is_range(text, match):
            match = _FIGURE.match(text[: match.start("joint")], match.start()) or match
        one = None if _is_name(text, match) else _made(text, match)
        if one is None:
            at = max(match.end("low") if match["low"] else match.end(), digit.start() + 1)
        else:
            yield one
            at = max(one.end, match.end())


def _is_range(text: str, match: re.Match[str]) -> bool:
    """Whether joined numbers are a range: $3–5, 30 to 40 kW; not `from 8 to 2`."""
    low, high = (Decimal(_bare(match[name])) if match[name] else Decimal(10) for name in ("low", "high"))
    before = text[max(0, match.start() - 80) : match.start()]
    if match["joint"].strip() == "—":
        return False
    if match["joint"].strip() == "and":
        return bool(re.search(r"\bbetween (?:about |roughly )?$", before)) and low < high
    if match["joint"].strip() == "to":
        return low < high and not _MOVES.search(before) and (not match["again"] or bool(match["sign"]))
    return low < high or bool(match["scale"])


def _bare(digits: str) -> str:
    return re.sub(r"[,\s\u00a0\u202f]", "", digits)


def _is_name(text: str, match: re.Match[str]) -> bool:  # noqa: PLR0911  # one case after the other
    """Whether digits belong to a name, reference, date, setting or expression."""
    start = match.start("sign") if match["sign"] else match.start("low") if match["low"] else match.start()
    before = text[max(0, start - 30) : start]
    after = text[match.end() : match.end() + 30]
    number = match["low"] or ""
    if match["sign"]:
        return bool(re.search(r"[A-Za-z0-9$]$", before))
    if _GLUED.search(before) and not _FREE.search(before) and not _BITS.match(text, max(0, start - 2)):
        return True
    if _ASSIGNED.search(before) or re.match(r"[_^]|:\d|/\d|\.\d|x\d|-\d", after):
        return True
    plain = not match["scale"] and "," not in number and " " not in number and not match["high"]
    if plain and (_NAMED.search(before) and not re.match(r"\s?%|[x×]|[ -]times|,\d", after)):
        return not re.search(r"\b(?:day|week|month|year|quarter|case|base|top|example|code|line|row)s $", before, re.I)
    if plain and ((_DATED.search(before) and len(number) <= 4) or (_OF_MONTH.match(after) and len(number) <= 2)):
        return not re.match(r"\s?%|x\b", after)
    if plain and (_MODELS.search(before) or _VARIANT.match(after)) and not re.match(r"\s?%|x\b|B\b", after):
        return True
    line = text[text.rfind("\n", 0, start) + 1 : start]
    return plain and not line.strip(" *_(#\t>-") and bool(re.match(r"[.)]\s", after))


def _made(text: str, match: re.Match[str]) -> Figure | None:
    start = match.start("sign") if match["sign"] else match.start("low") if match["low"] else match.start()
    words = (match["scale"] or match["high_scale"] or "", match["high_scale"] or "")
    scale, high_scale = (SCALES.get(one.strip(" -\u00a0").lower(), Decimal(1)) for one in words)
    power = match["power"] or (match["raised"] or "").translate(_SUPER) or match["exponent"] or match["tens"] or 0
    if match["low"]:
        low, half, coarse = (one.scaleb(int(power)) * scale for one in _read(match["low"]))
    else:
        low, half, coarse = Decimal(10).scaleb(int(power) - 1), Decimal(0), Decimal(0)
    high = low
    if match["high"]:
        high, other, rough = (one * high_scale for one in _read(match["high"]))
        half, coarse = max(half, other), max(coarse, rough)
    low, high = sorted((low, high))
    measure = measure_after(text, match, low)
    if measure.sort == "count" and not measure.noun and text[:start].endswith("factor of "):
        measure = replace(measure, sort="x")
    if measure.sort == "count" and _no_count(text, match, measure):
        return None
    hedge = "at least" if match["plus"] else hedged(text, start, measure.dimensions) or hedged_after(text, measure.end)
    if measure.sort in {"money", "pp"} and _HUNDREDTH.match(text, match.end(), measure.end):
        low, high, half, coarse = (one * Decimal("0.01") for one in (low, high, half, coarse))
    return _figure(text, start, measure, low, half, high=high, coarse=coarse, hedge=hedge)


def _figure(
    text: str, start: int, measure: Measure, low: Decimal, half: Decimal, **rest: Decimal | str | bool
) -> Figure:
    made: dict[str, Any] = {"high": low, **rest, **asdict(measure)}
    return Figure(start=start, text=text[start : measure.end], low=low, half=half, **made)


def _read(digits: str) -> tuple[Decimal, Decimal, Decimal]:
    """A number, and half a step of its last digit and last nonzero digit."""
    plain = _bare(digits)
    places = len(plain.partition(".")[2])
    zeros = len(plain) - len(plain.rstrip("0")) if not places else 0
    half = Decimal(5).scaleb(-places - 1)
    return Decimal(plain), half, half.scaleb(min(zeros, max(0, len(plain) - 2)))


def _no_count(text: str, match: re.Match[str], measure: Measure) -> bool:
    """Whether a bare number is a year, an ordinal, or stuck to a word."""
    number, end = match["low"] or "", match.end()
    if _YEAR.fullmatch(number) and not match["scale"] and not (measure.noun and number[2:] in {"00", "48"}):
        return True
    small = not measure.noun and len(number) < 3 and not match["scale"]
    if small and _TITLE.search(text, max(0, match.start() - 20), match.start("low") if match["low"] else end):
        return True  # the number of a hall, a lot, a site
    after = text[end : end + 12]
    return bool(re.match(r"[A-Za-z_]", after)) and measure.end == end


def hedged(text: str, start: int, dimensions: Dimensions = ()) -> str:
    """The hedge before an offset: `about`, `at most`, `at least` or none; `over four years` is a time."""
    before = re.sub(r"(?:\A|\n)[ >]*", " ", text[max(0, start - 34) : start])  # no mark of a quotation or callout
    if dimensions == HOUR and re.search(r"\b(?:over|within)\s*$", before):
        return ""
    if _ABOUT.search(before):
        return "about"
    if re.search(r"(?:add\w*|com(?:es|ing)|work\w*|goes?|went|r[io]se?s?|sum\w*) up to\s*$", before):
        return ""
    return "at most" if _MOST.search(before) else "at least" if _LEAST.search(before) else ""


def hedged_after(text: str, end: int) -> str:
    """The hedge after an offset: 20 or so, 20 people or more, 20-odd."""
    after = _AFTER_HEDGE.match(text, end)
    if after is None:
        return ""
    words = {"more": "at least", "less": "at most", "fewer": "at most"}
    return words.get((after["word"] or "").lower(), "about")


def _in_words(text: str, match: re.Match[str]) -> Figure | None:  # noqa: PLR0911  # one case after the other
    start, end = match.span()
    if (text[start - 1 : start] in {"-", "_", "'", "’"}) or text[end : end + 1] in {"_", "'", "’"}:
        return None
    if match["multiple"]:
        value = MULTIPLES[match["multiple"].lower()]
        if value < 1 and re.match(r" an? (?:hour|day|dozen|year)", text[end:]):
            return None
        return _ratio(text, start, end, value)
    word = (match["word"] or match["tens"]).lower()
    value = Decimal(12) if word == "dozen" else NUMBERS.get(word, Decimal(1))
    value += NUMBERS.get((match["ones"] or "").lower(), Decimal(1 if match["ones"] else 0))
    for scale in re.findall("[a-z]+", (match["scale"] or "").lower()):
        value *= SCALES[scale]
    if match["part"]:
        value *= FRACTIONS[match["part"].lower()]
        money = word in {"a", "an"} and re.search(r"[$€£][\d.,]*[kKM]? $", text[max(0, start - 12) : start])
        return _ratio(text, start, end, value) if value < 1 and not money else None
    if match["times"]:
        return _ratio(text, start, end, value)
    if word in {"a", "an"} and not match["scale"]:
        return None
    measure = quantity_after(text, end, match, value)
    if not (measure.dimensions or measure.noun) or (word == "one" and not match["scale"]):
        return None
    half = Decimal(0) if not match["scale"] else value / 20
    if measure.noun == "nine":
        value, half = 100 - Decimal(100).scaleb(-int(value)), Decimal(0)
        return _figure(text, start, Measure(measure.end, "%", factor=Fraction(1, 100)), value, half, spelled=True)
    hedge = hedged(text, start, measure.dimensions)
    return _figure(text, start, measure, value, half, coarse=half, hedge=hedge, spelled=True)


def _ratios(text: str) -> Iterator[Figure]:
    """Proportions as the share of the first: 3:1 input to output."""
    for match in _PROPORTION.finditer(text):
        one, other = (int(match[name] or match[more]) for name, more in (("one", "first"), ("other", "second")))
        if one + other:
            share = Decimal(one) / (one + other)
            label = "output" if (match["word"] or "").startswith("out") else "input"
            measure = Measure(match.end("other") if match["other"] else match.end(), "x", "word")
            start = match.start("one") if match["one"] else match.start("first")
            made = _figure(text, start, measure, share, Decimal(0), label=label, spelled=True)
            yield replace(made, text=match[0])


def _formats(text: str) -> Iterator[Figure]:
    """Formats of numbers as their bits, as counts in words: FP16, INT8."""
    for match in _FORMAT.finditer(text):
        measure = Measure(match.end(), "unit", "bit", dimensions=(("byte", 1),), factor=Fraction(1, 8), noun="format")
        yield _figure(text, match.start(), measure, Decimal(match["bits"]), Decimal(0), spelled=True)


def _ratio(text: str, start: int, end: int, value: Decimal) -> Figure:
    half = Decimal("0.5") if value > 4 else value / 20
    return _figure(text, start, Measure(end, "x", "word"), value, half, hedge=hedged(text, start), spelled=True)
