"""Bills by tokens: what a number of tokens costs on a model.

10,000 tickets (500 input / 200 output each) cost $26 on GPT-4.1    count * (in * price(…) + out * price(…))
On GPT-4o, 12 million input tokens come to $30 a day                in * price("openai/gpt-4o", "input")
3M tokens in × $2 = $6; 1M out × $8 = $8; total $14                 each part, and all of them
The job reads 9M tokens. In batches it is $9 on GPT-4.1.            the tokens of an earlier sentence, a tier
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from compute.mining.mining_models import Figure, MinedInput, Reading
from compute.mining.model_mentions import Mention
from compute.mining.number_words import NUMBERS
from compute.mining.price_figures import PER_TOKEN, money
from compute.mining.price_ratios import Priced, lookup, which
from compute.mining.readings import loose
from compute.mining.text_windows import Window
from compute.mining.token_volumes import Volume, count_of, only_read, volumes

_NUMBERS = "|".join(["an?", *NUMBERS])
_FEW = "|".join(NUMBERS)
_MANY = rf"(?<![\w.$€£,-])(?P<number>\d[\d,]*|(?:{_NUMBERS})(?= (?:hundred|thousand|million)\b)|(?:{_FEW})(?= [a-z]))"
_SCALE = r"(?P<scale>[kM]\b| hundred| thousand| million)?"
_COUNT = re.compile(rf"{_MANY}{_SCALE} (?:[a-z][\w-]* ){{1,3}}?(?:\(|of |with |at |, )(?:about )?$", re.I)
"""A number of things right before what each of them takes: 10,000 tickets (500 input / 200 output each)."""
_EACH = re.compile(
    r"\b(?:each|apiece|per (?:call|request|ticket|run|document|page|message|answer|question|item))\b", re.I
)
_NO_THING = (
    r"(?:prices|models|directions|sides|ways|thirds|quarters|fifths|tenths"
    r"|tokens?|cents?|dollars|bucks|times|hours|days|weeks|months|years)\b"
)
_THINGS = re.compile(rf"{_MANY}{_SCALE} (?:(?!{_NO_THING})[a-z][\w-]* ){{0,2}}?(?!{_NO_THING})[a-z]+s\b")
"""A number of things: 1,000 support tickets."""
_SCALES = {"k": 1000, "m": 10**6, "hundred": 100, "thousand": 1000, "million": 10**6}
_OTHERWISE = re.compile(
    r"\bcach|fine-?tun|\boff\b|discount|\bhalf\b|\bsav|\bcheap|\bless\b|\bmore\b|\bif\b"
    r"|\bwould\b(?! (?:have )?(?:cost|come|been|be|do (?:it|that|the same))\b)"
    r"|\bblend|\babove\b|\bover\b|\bbeyond\b|\binstead\b|\bfrom \$|%"
    r"|\bof its\b|\bmargin|\blimits?\b|\bquotas?\b|\ballowance|\bcap(?:ped|s)?\b|\btokens per minute\b|\bTPM\b",
    re.I,
)
"""Words that may make it the price of another tier, or a part or a change of a bill."""
_TIERS = {name: re.compile(rf"\b{name}(?:es|ed|ing)?\b", re.I) for name in ("batch", "flex", "priority")}
_CACHED = re.compile(r"\bcach", re.I)
_LIMIT = re.compile(
    r"\b(?:over|above|beyond|under|below|up to|than|exceed\w*|within|to|past|pass(?:es)?|per|every)\s(?:the )?$"
    r"|\$[\d.]+\s?/\s?$",
    re.I,
)
"""Before a number of tokens that is a limit, or what a price is for."""
_PERIODS = re.compile(r"\b\w+ (?:hours|days|weeks|months|years)\b", re.I)
"""A number of periods, by which some amount may be multiplied."""
_WAY = re.compile(r"\b(?:in|out)puts?\b|\bread|\bwrit|\bprompts?\b|\banswers?\b|\brepl(?:y|ies)\b", re.I)
"""Words for one direction of tokens."""
_NEAR = 24
"""How many signs after an amount a word may say what it is for."""
_PLANNED = re.compile(r"\b(?:estimat\w+|planned|expected|budgeted|forecast\w*|assumed)\b", re.I)
_PAID = re.compile(r"\b(?:cost|paid|was|came|spent|charged|billed)\b", re.I)
"""Words for tokens that were only planned, and for an amount that was paid."""
_LONG = 100_000
"""From how many tokens on a prompt may have prices of its own."""
_EDGE = re.compile(r";\s|\s?—\s?")
_CONTRAST = re.compile(r",?\s(?:while|whereas)\s", re.I)
"""Before a clause about something else: the tokens after it are not those of an amount before it."""
_ALL = re.compile(r"\b(?:total|altogether|in all|all in|together|sum)\b", re.I)
_SAME = re.compile(r"(?:and |but )?the same (?:job|call|request|prompt|task|volume|tokens?|work\w*)\b", re.I)
_COMES = re.compile(
    r"^[^$€£;]*(?:\b(?:comes?|came|costs?|bill\w*|makes?|amounts?|pays?|paid|spends?|spent|charged?|owes?|for|is|was)\b|[:=(])"
    r"[^$€£;]*$",
    re.I,
)
_ON = re.compile(r"\s(?:on|with|at|for|using)\s(?:the )?$", re.I)
_PERIOD = re.compile(r"^ (?:an?|per|each|every) (?:hour|day|week|month|year)\b", re.I)
_OFTEN = re.compile(r"\b(?:an?|per|each|every) (hour|day|night|week|month|year)\b", re.I)
_RATE = re.compile(
    r"\s?(?:/|and)\s?\$[\d.]+\s?(?:per|/|an?)\s?(?:1?M\b|MTok|million)|\s?(?:/|per|an?)\s?(?:1?[kM]\b|1,000\b|million\b)"
    r"|[- ](?:in|out)(?:put)?\b(?! (?:total|all|batch|the)\b)| at (?:the |its )?(?:\w+ )?\$",
    re.I,
)
"""After a price per token, or the first one of a pair; and after an amount at a price that the text states."""
_TIMES = re.compile(r"(?:[×x*@]|\btimes|\d[kKMB]?(?: \w+){0,3} at)\s?$")
"""Before a price that tokens are multiplied by."""
_AS_TIER = re.compile(
    r"\b(?:if|when) (?:we|you|they|it)\b[^,;.$]{0,24}?\b(?:as|in|with|through) (?:a |the )?(?:batch|flex|priority)\w*"
)
"""A condition that only names a tier."""
_COST = re.compile(
    r"(?:\bexpect to (?:spend|pay)|\bdirect (?:token )?costs?(?: is| was|:)?|\btoken (?:cost|bill)(?: is| was|:)?"
    r"|\b(?:mini|nano|lite|flash|turbo)(?: \w+)? (?:would do|does) (?:it|that|the same) for"
    r"|\btokens? alone (?:cost|are)"
    r"|^\W*(?:that(?:['’]s| is| makes| comes to| costs| means)|it(?:['’]s| comes to| costs))"
    r")"
    r"\s(?:about |roughly |just |only )?$",
    re.I,
)
"""Before an amount that is the cost of the tokens of the text before."""
_OR = re.compile(r"\$[\d.,]+(?P<gap>[^;.$\d]{0,24}?)\s(?:and|or|but)\s(?:only |just )?$")
"""Between such an amount and another one, which is for another tier."""
_WHOLE = re.compile(
    r"(?: (?:an?|per|each|every) (?:hour|day|night|week|month|year))?"
    r"(?:\s?[.,;:)!?](?!\d)|\s*$| at list\b| as (?:we|it)\b"
    r"| (?:if|when|in|as|with|through)\b[^,;.$]*\b(?:batch|flex|priority))",
    re.I,
)
"""After an amount that is for all of the tokens."""
_GLUE = re.compile(
    r"(?:\W*\b(?:an?|and|at|on|with|for|using|the|same|job|run|task|it|that|this|is|was|be|would|will|comes?|came|to"
    r"|costs?|makes?|of|in|mode|list|prices?|full|today|total|bill|runs|altogether|all|together|call|tokens?"
    r"|input|output|day|week|month|year|night|per|each|head|department|team|person|user|one|batch|batches)\b)*\W*",
    re.I,
)
"""The words of a sentence that says what tokens cost, and nothing else."""


@dataclass(frozen=True, slots=True)
class Task:
    """The tokens that a text speaks of: inputs, and an expression with a place for each price; `alone` without count.

    `near` says that they stand in the clause of the amount, `clear` that nothing else may be counted;
    `parts` are the expressions of one direction, if the amount may be for it alone; `own` is that of the tokens right
    before it, if each amount has its own.
    """

    volumes: tuple[Volume, ...]
    inputs: tuple[MinedInput, ...]
    form: str
    alone: str
    near: bool = True
    clear: bool = True
    parts: tuple[str, ...] = ()
    own: str = ""


def bills(found: Priced, before: str = "") -> Iterator[Reading]:
    """The bills of a sentence: each amount that tokens of a model cost; `before` may state the tokens."""
    text, base = found.window.prose, found.window.start
    own = _counted(text)
    if not own and not before:
        return
    paid = [one for one in money(found.window) if not one.ranged and not _rate(found, one)]
    each = _in_turn(found, paid)
    models = {
        one.start: each.get(one.start) or _model(found, one, paid, _segment(text, one.start - base)) for one in paid
    }
    turns = _volumes_in_turn(own, paid, base)
    crowded = len(own) > 1 and len(paid) > len(own) + 1 and not each
    spoken = {one[1].lower() for one in _OFTEN.finditer(f"{before} {text}")}
    for figure in paid:
        mention = models[figure.start]
        task = _task_of(found, figure, own, before) if mention else None
        if mention is None or task is None or not _periods_fit(found, figure, task.volumes):
            continue
        if crowded or (spoken and spoken != {_paid_for(found, figure)} and _paid_for(found, figure)):
            task = replace(task, clear=False)
        several = sum(one is not None and one.item == mention.item for one in models.values()) > 1
        if several or _WAY.search(_words_of_amount(found, figure, paid, own)):
            task = replace(task, parts=tuple(task.alone.split(" + ")))
        if figure.start in turns:
            task = replace(task, own=_term(turns[figure.start]))
        yield _reading(found, figure, mention, task, text[slice(*_segment(text, figure.start - base))])


def _task_of(found: Priced, figure: Figure, own: list[Volume], before: str) -> Task | None:
    """The tokens that an amount is for, those of its sentence if it states some, else those of the text before."""
    text, base = found.window.prose, found.window.start
    at, plain = figure.start - base, _without_names(found)
    within = _segment(text, at)
    last = min((match.start() for match in _CONTRAST.finditer(text, at)), default=within[1])
    here = [one for one in own if within[0] <= one.start < min(last, within[1])]
    task = _task(plain, own, here, within) if own else _volume(before, _counted(before), plain, near=False)
    if task is None:
        return None
    later = [one for one in money(found.window) if here and one.start - base >= here[-1].end]
    if here and at < here[0].start and any(not _rate(found, one) for one in later):
        return replace(task, clear=False)  # the amount after the tokens is what they cost
    if not here and (_ALL.search(text, *within) or (_PLANNED.search(before) and _PAID.search(text))):
        return replace(task, clear=task.clear and bool(own))
    return task


def _words_of_amount(found: Priced, figure: Figure, paid: list[Figure], own: list[Volume]) -> str:
    """What a sentence says about one amount: from the amount or the tokens before it on."""
    text, base = found.window.prose, found.window.start
    at = figure.start - base
    edges = [_segment(text, at)[0], *(one.end - base for one in paid), *(one.end for one in own)]
    return text[max(edge for edge in edges if edge <= at) : figure.end - base + _NEAR]


def _volumes_in_turn(own: list[Volume], paid: list[Figure], base: int) -> dict[int, Volume]:
    """The tokens of several amounts, if each amount follows its own; a last amount may be for all of them."""
    if len(own) < 2 or len(paid) not in {len(own), len(own) + 1}:
        return {}
    ends = [*(one.start for one in own[1:]), paid[-1].end - base]
    pairs = [*zip(own, paid, ends, strict=False)]
    turns = all(one.end <= figure.start - base < end for one, figure, end in pairs)
    return {figure.start: one for one, figure, _ in pairs} if turns else {}


def _term(one: Volume) -> str:
    """The expression of what some tokens cost, with a place for the price."""
    return f"{one.part}_tokens * {{{one.part}}}"


def _counted(text: str) -> list[Volume]:
    """The numbers of tokens in a text that are no limits, and not what a price is for."""
    return [one for one in volumes(text) if not _LIMIT.search(text[: one.start])]


def _without_names(found: Priced) -> str:
    """A sentence with blanks for the names of models, whose numbers count nothing."""
    text = found.window.prose
    for one in found.mentions if found.mentions and not found.mentions[0].implied else ():
        text = f"{text[: one.start]}{' ' * (one.end - one.start)}{text[one.end :]}"
    return text


def _task(text: str, own: list[Volume], here: list[Volume], within: tuple[int, int]) -> Task | None:
    """The tokens that an amount is for: those of its clause, else all of the sentence before it if it is a total."""
    if here:
        return _volume(text, here)
    earlier = [one for one in own if one.end <= within[0]]
    if _ALL.search(text, *within):
        return _volume(text, earlier)
    return _volume(text, earlier, near=False) if _SAME.match(text, within[0]) else None


def _in_turn(found: Priced, paid: list[Figure]) -> dict[int, Mention]:
    """The models of several amounts, if each amount follows one: A would have cost $325, B $600 and C $1,000."""
    models, base = found.mentions, found.window.start
    if len(models) != len(paid) or len(paid) < 2:
        return {}
    ends = [*(one.start for one in models[1:]), len(found.window.prose)]
    turns = all(one.end <= figure.start - base < end for one, figure, end in zip(models, paid, ends, strict=True))
    return {figure.start: one for one, figure in zip(models, paid, strict=True)} if turns else {}


def _segment(text: str, place: int) -> tuple[int, int]:
    """The part of a sentence between semicolons and dashes that an offset is in."""
    edges = [0, *(match.end() for match in _EDGE.finditer(text)), len(text)]
    begin = max(edge for edge in edges if edge <= place)
    return begin, min((match.start() for match in _EDGE.finditer(text, place)), default=len(text))


def rates(window: Window) -> dict[int, Decimal]:
    """The prices per token that a sentence states, by their offset, those of a pair before the unit included."""
    text, base = window.prose, window.start
    told = [one for one in money(window) if not one.ranged]
    found = dict[int, Decimal]()
    for place, one in enumerate(told):
        later = told[place + 1] if place + 1 < len(told) else None
        after = text[one.end - base :][:30]
        paired = later and re.fullmatch(r" and | / |/|, ", text[one.end - base : later.start - base])
        if PER_TOKEN.match(after) or one.per in {"Mtok", "ktok"} or (paired and later and later.per == "Mtok"):
            found[one.start] = one.low
    return found


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


def _volume(text: str, stated: Sequence[Volume], beside: str = "", *, near: bool = True) -> Task | None:
    """The task of some tokens in a text; none if their kind or the number of times is unclear."""
    if len(stated) == 1 and not stated[0].part and only_read(text):
        stated = [stated[0]._replace(part="input")]
    kinds = {one.part for one in stated}
    if not stated or "" in kinds or len(kinds) != len(stated):
        return None
    inputs = tuple(_given(f"{one.part}_tokens", one) for one in stated)
    parts = " + ".join(_term(one) for one in stated)
    counted = _COUNT.search(text[: stated[0].start])
    if counted is None:
        first, last = stated[0].start, stated[-1].end
        things = [one for one in _THINGS.finditer(text) if one.end() <= first or one.start() >= last]
        things += _THINGS.finditer(beside)
        clear = len(things) == 1 or not (things or _EACH.search(text) or _PERIODS.search(f"{text} {beside}"))
        if len(things) != 1:
            return Task(tuple(stated), inputs, parts, parts, near, clear)
        counted = things[0]
    value = count_of(counted["number"]) * _SCALES.get((counted["scale"] or "").strip().lower(), 1)
    count = MinedInput(name="count", formula=f"{value:f}", text=counted["number"], value=value)
    return Task(tuple(stated), (count, *inputs), f"count * ({parts})", parts, near)


def _given(name: str, one: Volume) -> MinedInput:
    return MinedInput(name=name, formula=f"{one.value:f} token", text=one.text, value=one.value, unit="token")


def _rate(found: Priced, figure: Figure) -> bool:
    """Whether money is a price per token or per something else, and no bill."""
    text, base = found.window.prose, found.window.start
    after = text[figure.end - base :][:30]
    return bool(
        PER_TOKEN.match(after) or _RATE.match(after) or _TIMES.search(text[: figure.start - base])
        or figure.label or figure.per not in {"", "hour", "day", "week", "month", "year"}
    )  # fmt: skip


def _model(found: Priced, figure: Figure, paid: list[Figure], within: tuple[int, int]) -> Mention | None:
    """The model of an amount: `$16 on GPT-4.1`, else the only one of its clause, else the only one of the sentence."""
    base = found.window.start
    end = figure.end - base
    for mention in found.mentions:
        if mention.start >= end and _ON.fullmatch(found.window.prose[end : mention.start]):
            return mention
    near = [one for one in found.mentions if within[0] <= one.start < within[1]]
    beside = [one for one in paid if within[0] <= one.start - base < within[1]]
    if near:
        return near[0] if len({one.item for one in near}) == 1 and (len(beside) == 1 or len(near) == 1) else None
    items = {one.item for one in found.mentions}
    if items:
        return found.mentions[0] if len(items) == 1 else None
    return found.carried


def _periods_fit(found: Priced, figure: Figure, stated: Sequence[Volume]) -> bool:
    """Whether tokens and money are for one period: both for a month, or at most one of them says so."""
    paid = _paid_for(found, figure)
    used = {one.period for one in stated if one.period}
    return len(used) < 2 and (not paid or not used or used == {paid})


def _paid_for(found: Priced, figure: Figure) -> str:
    """The period that an amount pays for, empty if it says none."""
    after = _PERIOD.match(found.window.prose[figure.end - found.window.start :])
    return figure.per or (after[0].split()[-1] if after else "")


def _reading(found: Priced, figure: Figure, mention: Mention, task: Task, clause: str) -> Reading:
    """A bill; only reported if it holds where its clause says more, or the tokens are those of another one."""
    named = [name for name, words in _TIERS.items() if words.search(clause)]
    counted = any(one.part == "cache_read" for one in task.volumes)
    cached = bool(_CACHED.search(found.window.prose)) and not counted
    shapes = [task.form.replace(task.alone, task.own), task.own] if task.own else []
    shapes += [task.form, task.alone]
    shapes += [task.form.replace(task.alone, part) for part in task.parts]
    shapes += task.parts
    long = next((f"{one.value:f}" for one in task.volumes if one.part == "input" and one.value > _LONG), "")
    forms = [_priced(form, mention, tier) for form in shapes for tier in (*named, "")]
    forms += [_priced(form, mention, tier, cached=True) for form in shapes for tier in (*named, "") if cached]
    forms += [_priced(form, mention, long=long) for form in shapes if long]
    said = _AS_TIER.sub("", _CACHED.sub("", clause) if counted else clause)
    unsure = bool(_OTHERWISE.search(said)) or len(named) > 1 or not task.clear
    unsure = unsure or (not task.near and not _only(found) and not _is_cost(found, figure, clause))
    return Reading(
        start=found.window.start, end=found.window.end, rule="bill", inputs=task.inputs, expression=forms[0],
        stated=figure, unit=figure.unit, confidence=Decimal("0.8"), kind="price",
        note="" if found.known else "no day is stated", slack=loose(figure), missing=which(found, mention),
        alternatives=tuple(dict.fromkeys(forms[1:])), cautious=unsure,
    )  # fmt: skip


def _priced(form: str, mention: Mention, tier: str = "", *, cached: bool = False, long: str = "") -> str:
    read = lookup(mention.item, "cache_read" if cached else "input", tier)
    hit, output = (lookup(mention.item, part, tier) for part in ("cache_read", "output"))
    filled = form.format(input=read, output=output, cache_read=hit)
    return filled.replace('put")', f'put", context={long})') if long else filled


def _is_cost(found: Priced, figure: Figure, clause: str) -> bool:
    """Whether the words before an amount say that it is what the tokens of the text before cost, all of them."""
    at = figure.start - found.window.start
    after = found.window.prose[figure.end - found.window.start :]
    if _THINGS.search(clause) or _EACH.search(clause) or _PLANNED.search(clause) or not _WHOLE.match(after):
        return False
    before = found.window.prose[:at]
    other = _OR.search(before) if any(words.search(after) for words in _TIERS.values()) else None
    return _COST.search(before[: other.start()] if other else before) is not None


def _only(found: Priced) -> bool:
    """Whether a sentence says nothing but what some tokens cost."""
    text, base = found.window.prose, found.window.start
    spans = [(one.start, one.end) for one in found.mentions if not one.implied]
    spans += [(one.start - base, one.end - base) for one in money(found.window)]
    for start, end in sorted(spans, reverse=True):
        text = f"{text[:start]} {text[end:]}"
    return _GLUE.fullmatch(text) is not None
