"""Bills by tokens: what a number of tokens costs on a model.

10,000 tickets (500 input / 200 output each) cost $26 on GPT-4.1    count * (in * price(…) + out * price(…))
On GPT-4o, 12 million input tokens come to $30 a day                in * price("openai/gpt-4o", "input")
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from decimal import Decimal

from compute.mining.mining_models import Figure, MinedInput, Reading
from compute.mining.model_mentions import Mention
from compute.mining.price_figures import PER_TOKEN
from compute.mining.price_ratios import Priced, lookup, which
from compute.mining.readings import loose
from compute.mining.token_volumes import Volume, only_read, volumes

_COUNT = re.compile(
    r"(?<![\w.$€£,])(?P<number>\d[\d,]*)(?P<scale>[kM]| thousand| million)?"
    r" (?:[a-z][\w-]* ){1,3}?(?:\(|of |with |at |, )(?:about )?$",
    re.I,
)
"""A number of things right before what each of them takes: 10,000 tickets (500 input / 200 output each)."""
_EACH = re.compile(
    r"\b(?:each|apiece|per (?:call|request|ticket|run|document|page|message|answer|question|item))\b", re.I
)
_THINGS = re.compile(
    r"(?<![\w.$€£,])(?P<number>\d[\d,]*)(?P<scale>[kM]\b| thousand| million)?"
    r" (?:(?!tokens?\b)[a-z][\w-]* ){0,2}?(?!tokens\b)[a-z]+s\b"
)
"""A number of things: 1,000 support tickets."""
_OTHERWISE = re.compile(
    r"\bcach|\bbatch|\bflex\b|\bpriority\b|fine-?tun|\boff\b|discount|\bhalf\b|\bsav|\bcheap|\bless\b|\bmore\b|\bif\b"
    r"|\bwould\b(?! (?:have )?(?:cost|come|been)\b)"
    r"|\bblend|\babove\b|\bover\b|\bbeyond\b|\binstead\b|\bfrom \$|\bper (?:million|1M|M\b)|%"
    r"|×|\bx\b|\bof its\b|\bmargin|\blimits?\b|\bquotas?\b|\ballowance|\bcap(?:ped|s)?\b|\btokens per minute\b|\bTPM\b",
    re.I,
)
"""Words that make it the price of another tier, or a part or a change of a bill."""
_LIMIT = re.compile(r"\b(?:over|above|beyond|under|below|up to|than|exceed\w*|within|to|past)\s(?:the )?$", re.I)
_EDGE = re.compile(r";\s|\s?—\s?")
_SAME = re.compile(r"(?:and |but )?the same (?:job|call|request|prompt|task|volume|tokens?|work\w*)\b", re.I)
_COMES = re.compile(
    r"^[^$€£;]*(?:\b(?:comes?|came|costs?|bill\w*|makes?|amounts?|pays?|paid|spends?|spent|charged?|owes?|for|is|was)\b|[:=(])"
    r"[^$€£;]*$",
    re.I,
)
_ON = re.compile(r"\s(?:on|with|at|for|using)\s(?:the )?$", re.I)
_PERIOD = re.compile(r"^ (?:an?|per|each|every) (?:hour|day|week|month|year)\b", re.I)


def bills(found: Priced) -> Iterator[Reading]:
    """The bills of a sentence: each amount of money that tokens of a model cost."""
    text = found.window.prose
    stated = volumes(text)
    if len(stated) == 1 and not stated[0].part and only_read(text):
        stated = [stated[0]._replace(part="input")]
    amounts = {one.part: one for one in stated}
    if not amounts or "" in amounts or len(stated) != len(amounts):
        return
    begin, end = _segment(text, stated[0].start)
    if end < stated[-1].end:
        return
    inputs, expression = _volume(text, amounts)
    base = found.window.start
    paid = [figure for figure in found.window.of("money") if not figure.ranged and not _rate(found, figure)]
    own = [figure for figure in paid if begin <= figure.start - base < end]
    each = _in_turn(found, own, (begin, end))
    for figure in own if inputs and not _OTHERWISE.search(text[begin:end]) else ():
        mention = each.get(figure.start) or _model(found, figure, alone=len(own) == 1, within=(begin, end))
        if mention is not None and _periods_fit(found, figure, amounts):
            yield _reading(found, figure, mention, (inputs, expression))
    yield from _again(found, [figure for figure in paid if figure.start - base >= end], (inputs, expression))


def _in_turn(found: Priced, paid: list[Figure], within: tuple[int, int]) -> dict[int, Mention]:
    """The models of several amounts, if each amount follows one: A would have cost $325, B $600 and C $1,000."""
    models = [one for one in found.mentions if within[0] <= one.start < within[1]]
    if len(models) != len(paid) or len(paid) < 2:
        return {}
    ends = [*(one.start for one in models[1:]), within[1]]
    base = found.window.start
    turns = all(one.end <= figure.start - base < end for one, figure, end in zip(models, paid, ends, strict=True))
    return {figure.start: one for one, figure in zip(models, paid, strict=True)} if turns else {}


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
        one for one in volumes(text) if one.value not in {1, 1000, 1_000_000} and not _LIMIT.search(text[: one.start])
    ]
    return frozenset(
        figure.start
        for figure in found.window.of("money")
        if not _rate(found, figure)
        and any(
            one.end <= figure.start - base and _COMES.search(text[one.end : figure.start - base]) for one in amounts
        )
    )


def _volume(text: str, amounts: Mapping[str, Volume]) -> tuple[tuple[MinedInput, ...], str]:
    """The tokens as inputs, and the expression with a place for each price; nothing if a count is unclear."""
    inputs = [_given(f"{part}_tokens", one) for part, one in amounts.items()]
    parts = " + ".join(f"{part}_tokens * {{{part}}}" for part in amounts)
    first = min(one.start for one in amounts.values())
    last = max(one.end for one in amounts.values())
    counted = _COUNT.search(text[:first])
    if counted is None and _EACH.search(text):
        things = [one for one in _THINGS.finditer(text) if one.end() <= first or one.start() >= last]
        if len(things) != 1:
            return (), ""
        counted = things[0]
    if counted is None:
        return tuple(inputs), parts
    number = counted["number"]
    scale = {"k": 1000, "m": 10**6, " thousand": 1000, " million": 10**6}.get((counted["scale"] or "").lower(), 1)
    value = Decimal(number.replace(",", "")) * scale
    count = MinedInput(name="count", formula=f"{value:f}", text=number, value=value)
    return (count, *inputs), f"count * ({parts})"


def _given(name: str, one: Volume) -> MinedInput:
    return MinedInput(name=name, formula=f"{one.value:f} token", text=one.text, value=one.value, unit="token")


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


def _periods_fit(found: Priced, figure: Figure, amounts: Mapping[str, Volume]) -> bool:
    """Whether tokens and money are for one period: both for a month, or at most one of them says so."""
    after = _PERIOD.match(found.window.prose[figure.end - found.window.start :])
    paid = figure.per or (after[0].split()[-1] if after else "")
    used = {one.period for one in amounts.values() if one.period}
    return len(used) < 2 and (not paid or not used or used == {paid})


def _reading(found: Priced, figure: Figure, mention: Mention, volume: tuple[tuple[MinedInput, ...], str]) -> Reading:
    inputs, form = volume
    expression = form.format(input=lookup(mention.item, "input"), output=lookup(mention.item, "output"))
    return Reading(
        start=found.window.start, end=found.window.end, rule="bill", inputs=inputs, expression=expression,
        stated=figure, unit=figure.unit, confidence=Decimal("0.8"), kind="price",
        note="" if found.known else "no day is stated", slack=loose(figure), missing=which(found, mention),
    )  # fmt: skip
