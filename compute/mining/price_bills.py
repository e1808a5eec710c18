"""Bills by tokens: what a number of tokens costs on a model.

10,000 tickets (500 input / 200 output each) cost $26 on GPT-4.1    count * (in * price(…) + out * price(…))
On GPT-4o, 12 million input tokens come to $30 a day                in * price("openai/gpt-4o", "input")
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal

from compute.mining.mining_models import Figure, MinedInput, Reading
from compute.mining.model_mentions import Mention
from compute.mining.price_figures import PER_TOKEN
from compute.mining.price_ratios import Priced, lookup, which
from compute.mining.readings import LOOSE

_SCALES = {"k": 3, "thousand": 3, "m": 6, "million": 6, "b": 9, "billion": 9}
_TOKENS = re.compile(
    r"(?<![\w.$€£,])(?P<number>\d[\d,]*(?:\.\d+)?)\s?(?P<scale>[kKMB]\b|thousand\b|million\b|billion\b)?\s"
    r"(?P<part>input|output|prompt|completion)(?: tokens?\b|(?=\s?(?:/|,| and| tokens?|\)| each)))"
    r"(?P<period> (?:an?|per|each|every) (?:hour|day|week|month|year)\b)?"
)
_PLAIN = re.compile(
    r"(?<![\w.$€£,])(?P<number>\d[\d,]*(?:\.\d+)?)\s?(?P<scale>[kKM])?[ -]?(?:token )?"
    r"(?P<part>prompt|context|response|reply|answer|completion)s?\b(?P<period>(?!))?"
)
"""Tokens without the word, or before it: a 30K token prompt, a 2K response."""
_PARTS = {"input": "input", "prompt": "input", "context": "input", "output": "output", "completion": "output",
          "response": "output", "reply": "output", "answer": "output"}  # fmt: skip
_COUNT = re.compile(
    r"(?<![\w.$€£,])(?P<number>\d[\d,]*) (?:[a-z][\w-]* ){1,3}?(?:\(|of |with |at |, )(?:about )?(?=\d)", re.I
)
_OTHERWISE = re.compile(
    r"\bcach|\bbatch|\bflex\b|\bpriority\b|fine-?tun|\boff\b|discount|\bhalf\b|\bsav|\bcheap|\bless\b|\bmore\b|\bif\b"
    r"|\bwould\b"
    r"|\bblend|\babove\b|\bover\b|\bbeyond\b|\binstead\b|\bfrom \$|\bper (?:million|1M|M\b)|%"
    r"|[×x]\b|\bof its\b|\bmargin",
    re.I,
)
"""Words that make it the price of another tier, or a part or a change of a bill."""
_LIMIT = re.compile(r"\b(?:over|above|beyond|under|below|up to|than|exceed\w*|within|to|past)\s(?:the )?$", re.I)
_EDGE = re.compile(r";\s|\s?—\s?")
_SAME = re.compile(r"(?:and |but )?the same (?:job|call|request|prompt|task|volume|tokens?|work\w*)\b", re.I)
_COMES = re.compile(r"^[^$€£;]*\b(?:comes?|came|costs?|bill\w*|makes?|amounts?)\b[^$€£;]*$", re.I)
_ON = re.compile(r"\s(?:on|with|at|for|using)\s(?:the )?$", re.I)
_PERIOD = re.compile(r"^ (?:an?|per|each|every) (?:hour|day|week|month|year)\b", re.I)


def bills(found: Priced) -> Iterator[Reading]:
    """The bills of a sentence: each amount of money that tokens of a model cost."""
    text = found.window.prose
    stated = [*_TOKENS.finditer(text)] or [
        match for match in _PLAIN.finditer(text) if match["scale"] or "token" in match[0]
    ]
    amounts = {_PARTS[match["part"]]: match for match in stated}
    if not amounts or len(stated) != len(amounts):
        return
    begin, end = _segment(text, stated[0].start())
    if end < stated[-1].end():
        return
    inputs, expression = _volume(text, amounts)
    base = found.window.start
    paid = [figure for figure in found.window.of("money") if not figure.ranged and not _rate(found, figure)]
    own = [figure for figure in paid if begin <= figure.start - base < end]
    for figure in own if inputs and not _OTHERWISE.search(text[begin:end]) else ():
        mention = _model(found, figure, alone=len(own) == 1, within=(begin, end))
        if mention is not None and _periods_fit(found, figure, amounts):
            yield _reading(found, figure, mention, (inputs, expression))
    yield from _again(found, [figure for figure in paid if figure.start - base >= end], (inputs, expression))


def _segment(text: str, place: int) -> tuple[int, int]:
    """The part of a sentence between semicolons and dashes that an offset is in."""
    edges = [0, *(match.end() for match in _EDGE.finditer(text)), len(text)]
    begin = max(edge for edge in edges if edge <= place)
    return begin, min((match.start() for match in _EDGE.finditer(text, place)), default=len(text))


def _again(found: Priced, paid: list[Figure], volume: tuple[tuple[MinedInput, ...], str]) -> Iterator[Reading]:
    """The cost of `the same job` on another model; reported only if it holds."""
    text, base = found.window.prose, found.window.start
    for figure in paid if volume[0] else ():
        begin, end = _segment(text, figure.start - base)
        mention = _model(found, figure, alone=True, within=(begin, end))
        if mention is not None and _SAME.match(text, begin):
            yield replace(_reading(found, figure, mention, volume), cautious=True)


def totals(found: Priced) -> frozenset[int]:
    """The offsets of the amounts that a number of tokens comes to; they are not prices of a million tokens."""
    text, base = found.window.prose, found.window.start
    amounts = [
        match for match in _TOKENS.finditer(text)
        if match["scale"] or len(match["number"]) > 1
        if not (_number(match["number"]) == 1 or _LIMIT.search(text[: match.start()]))
    ]  # fmt: skip
    return frozenset(
        figure.start
        for figure in found.window.of("money")
        if not _rate(found, figure)
        and any(
            match.end() <= figure.start - base and _COMES.search(text[match.end() : figure.start - base])
            for match in amounts
        )
    )


def _volume(text: str, amounts: dict[str, re.Match[str]]) -> tuple[tuple[MinedInput, ...], str]:
    """The tokens as inputs, and the expression with a place for each price; nothing if a count is unclear."""
    inputs = [_given(f"{part}_tokens", match) for part, match in amounts.items()]
    parts = " + ".join(f"{part}_tokens * {{{part}}}" for part in amounts)
    first = min(match.start() for match in amounts.values())
    last = max(match.end() for match in amounts.values())
    counts = [match for match in _COUNT.finditer(text[: first + 1]) if match.end() == first]
    each = re.match(r"(?: tokens?)?[),]? ?each\b", text[last:]) or text[:last].endswith(" each")
    if counts:
        number = counts[0]["number"]
        count = MinedInput(name="count", formula=number.replace(",", ""), text=number, value=_number(number))
        return (count, *inputs), f"count * ({parts})"
    return ((), "") if each else (tuple(inputs), parts)


def _given(name: str, match: re.Match[str]) -> MinedInput:
    value = _number(match["number"]) * Decimal(10) ** _SCALES.get((match["scale"] or "").lower(), 0)
    return MinedInput(name=name, formula=f"{value:f} token", text=match[0].strip(), value=value, unit="token")


def _number(text: str) -> Decimal:
    return Decimal(text.replace(",", ""))


def _rate(found: Priced, figure: Figure) -> bool:
    """Whether money is a price per token or per something else, and no bill."""
    after = found.window.prose[figure.end - found.window.start :][:30]
    return bool(
        PER_TOKEN.match(after) or figure.label or figure.per not in {"", "hour", "day", "week", "month", "year"}
    )


def _model(found: Priced, figure: Figure, *, alone: bool, within: tuple[int, int]) -> Mention | None:
    """The model of an amount: `$16 on GPT-4.1`, else the only one of a part of a sentence with one amount."""
    end = figure.end - found.window.start
    for mention in found.mentions:
        if mention.start >= end and _ON.fullmatch(found.window.prose[end : mention.start]):
            return mention
    near = [one for one in found.mentions if within[0] <= one.start < within[1]]
    return near[0] if alone and len(near) == 1 else None


def _periods_fit(found: Priced, figure: Figure, amounts: dict[str, re.Match[str]]) -> bool:
    """Whether tokens and money are for one period: both for a month, or at most one of them says so."""
    after = _PERIOD.match(found.window.prose[figure.end - found.window.start :])
    paid = figure.per or (after[0].split()[-1] if after else "")
    used = {match["period"].split()[-1] for match in amounts.values() if match["period"]}
    return len(used) < 2 and (not paid or not used or used == {paid})


def _reading(found: Priced, figure: Figure, mention: Mention, volume: tuple[tuple[MinedInput, ...], str]) -> Reading:
    inputs, form = volume
    expression = form.format(input=lookup(mention.item, "input"), output=lookup(mention.item, "output"))
    return Reading(
        start=found.window.start, end=found.window.end, rule="bill", inputs=inputs, expression=expression,
        stated=figure, unit=figure.unit, confidence=Decimal("0.8"), kind="price",
        note="" if found.known else "no day is stated", slack=LOOSE[figure.hedge], missing=which(found, mention),
    )  # fmt: skip
