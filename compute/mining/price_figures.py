"""Money figures per token in a sentence, each with what it pays for: input or output.

$2 in and $8 out          input, output
$1.25/$10                 a pair: input, output
8/32 USD per Mtok         a pair without signs
forty cents               0.40 USD
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise

from compute.mining.figure_reader import hedged
from compute.mining.mining_models import Figure
from compute.mining.number_words import NUMBERS
from compute.mining.text_windows import Window, unwrapped
from compute.mining.token_volumes import Volume, volumes

PER_TOKEN = re.compile(
    r"\b(?:per|a|an|one|each|every|for|/)?\s?(?:1\s?)?(?:M\b|million|mtok|MM\b|1K\b|1,?000\b|thousand)\s?"
    r"(?:[a-z-]+\s){0,2}?(?:tokens?|tok)\b|\bM[Tt]ok\b|/\s?1?M\b|\bper (?:1M|million)\b"
    r"|\bmillion (?:\w+ ){0,2}tokens?\b",
    re.I,
)
_KTOK = re.compile(
    r"\b(?:per|/|a)\s?(?:1K\b|1,?000\b|thousand)"
    r"(?:\s?(?:[a-z-]+\s){0,2}?tok|\s(?:sent|received|read|written|in|out|input|output)\b|\W*$)",
    re.I,
)
_BARE = re.compile(
    r"(?<![\w.$/])(?P<a>\d{1,3}(?:\.\d{1,4})?)\s?/\s?(?P<b>\d{1,3}(?:\.\d{1,4})?)\s?(?:USD|US\$|dollars?|\$)"
    r"(?=\s?(?:per|/|a)\s?(?:1?M|million))",
    re.I,
)
_VALUES = {"one": Decimal(1), **NUMBERS, "seventy": Decimal(70), "eighty": Decimal(80), "ninety": Decimal(90)}
_WORDS = "|".join(_VALUES)
_TENS = (
    "(?:ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen"
    "|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)"
    "(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?)"
)
_CENTS = re.compile(
    rf"\b(?:(?P<word>{_WORDS})(?:[- ](?P<more>{_WORDS}))? (?P<coin>cents?|dollars?|bucks?)"
    r"|(?P<named>a dime|half a dollar|a quarter of a dollar|a nickel|a dollar|a buck|half a cent|a cent|a penny))\b"
    rf"(?:(?:(?<=dollar)|(?<=dollars)|(?<=buck)|(?<=bucks)) (?P<rest>{_TENS}|and a half|and a quarter)\b)?",
    re.I,
)
_HUNDRED = re.compile(r"\b(?:(?:hundred|thousand)(?: and)?|(?:half|quarter|third|\w+th|part|fraction)s? of) $", re.I)
"""Before words that are only a part of a number: one hundred and twenty dollars, a quarter of a dollar."""
_PARTS = {"": Decimal(0), "and a half": Decimal("0.5"), "and a quarter": Decimal("0.25")}
_SIGNED = re.compile(r"(?<![\w.,])(?P<number>\d{1,3}(?:\.\d{1,4})?)\s?¢")
_COINS = {
    "a dime": "0.10", "half a dollar": "0.50", "a nickel": "0.05", "a dollar": "1", "a buck": "1",
    "a quarter of a dollar": "0.25", "half a cent": "0.005", "a cent": "0.01", "a penny": "0.01",
}  # fmt: skip  # a table
_NUMBER = rf"\d{{1,3}}(?:\.\d{{1,4}})?|(?:{_WORDS})(?:[- ](?:{_WORDS}))?"
_WAY = (
    r"(?:(?:going |coming |on the way )?(?:in|out)|input|output|cached|written|read|generated"
    r"|for (?:the )?(?:input|output|prompts?|completions?))\b"
)
_SECOND = re.compile(
    r"(?: (?:per|a|an|for a|for each) (?:1M|million)(?: (?:in|out)put)?(?: tokens?)?)?"
    r"(?: (?:(?:going |on the way )?in|input|to read|for input|read))?"
    rf",? (?:and |against |versus |vs\.? |or )?(?P<number>{_NUMBER})(?= {_WAY}|[.,;)!](?!\d)|$)",
    re.I,
)
"""After a price: a second one without its coin: $0.15 in and 0.60 out, ten cents in, forty out."""
_FIRST = re.compile(rf"(?<![\w.$€£,])(?P<number>{_NUMBER})(?: {_WAY})? (?:and|or|versus|against) $", re.I)
"""Before a price in cents: 15 and 45 cents."""
_LISTED = re.compile(rf"(?<![\w.$€£,])(?P<number>\d{{1,3}}(?:\.\d{{1,4}})?) (?={_WAY})", re.I)
_HEADED = re.compile(r"(?:\$|\bUSD|\bdollars?)\s?(?:/|per|a)\s?(?:1?M\b|million|MTok)", re.I)
"""A head such as `$/M`, which gives the unit of the bare numbers after it."""
_RENT = re.compile(r"\W{0,2}(?:(?:of )?storage )?(?:(?:per|an|a|each|every)\s|/\s?)(?:hour|h|hr|day|month)\b", re.I)
"""After a price per token: it is one of keeping them for a time."""
_OUT = (
    r"output|completions?|generated|written|repl(?:y|ies)|answers?|responses?|to write\b|(?<!cache )writes\b(?! to)"
    r"|sen(?:ds|t) back|received"
)
_IN = r"to read\b|reads\b|you send|sent\b(?! back)"
_LENGTH = r"(?!\s(?:cach|over\b|above\b|beyond\b|longer\b|larger\b|under\b|up to\b|below\b|exceed|past\b|of more))"
"""What must not follow `prompt`: then it says which prompts, and not that input is paid for."""
_LONGER = re.compile(
    rf"^(?: per (?:1M|million)(?: tokens)?)? (?:for|with|on) (?:the |all )?(?:longer )?prompts?\b(?!{_LENGTH})"
)
_LONG_PROMPTS = re.compile(rf"\bprompts?\b(?!{_LENGTH})[^;.$]*$", re.I)
"""Prompts of some length: what they cost is the input, or what was spoken of before."""
_AFTER = re.compile(
    r"^[\s,(-]{0,2}(?:/\s?(?:1?M|M[Tt]ok)\b\s?)?"
    r"(?:(?:per|a|for (?:an?|one|each|every)|each|every) (?:1M|1 million|million|1K|thousand|1,000)\s?)?"
    r"(?:fresh |uncached )?(?:tokens? )?(?:(?:for|of|on|as)\s)?(?:the\s)?(?:(?:way|going|coming)\s)?"
    rf"(?:(?P<in>inputs?\b|{_IN}|prompts?\b{_LENGTH}|in(?=\s?(?:[,.;:)/]|and\b|$|per\b))|read\b)"
    rf"|(?P<out>{_OUT}|out(?=\W|$)))",
    re.I,
)
_INSIDE = re.compile(rf"\b(?:(?P<in>input|prompt)|(?P<out>{_OUT}))\b", re.I)
_BEFORE = re.compile(
    rf"\b(?:(?P<in>inputs?|{_IN}|prompts?\b{_LENGTH}|(?:tokens?|million) in\b|tokens? read)"
    rf"|(?P<out>{_OUT}|outputs|(?:tokens?|million) out\b))\b",
    re.I,
)
_QUESTION = re.compile(r"(?:[^.?!\n]|\.\d)*\?\s*$")
_NEAR = re.compile(
    r"\b(?:in|out)puts?\W{0,3}(?:\w+ ){0,2}\W{0,2}$"
    r"|\b(?:input|output|prompt|completion|answer)s?['’]? (?:rates?|prices?|tariffs?)\b[^;.$]{0,24}$",
    re.I,
)
"""A direction right before a price."""
_AHEAD_LABEL = re.compile(
    rf"\b(?:(?P<in>inputs?|prompts?|cached?|in(?=\s?:))|(?P<out>{_OUT}|outputs|out(?=\s?:)))"
    r"(?: tokens?| price| cost| rate)?\s?[:=(–-]?\s?"
    r"(?:is |at |for |costs? |of )?(?:just |only )?$",
    re.I,
)
_WAY_LABEL = re.compile(r"(?:^|[\s(:,;])(?:(?P<in>in)|(?P<out>out)) $", re.I)
_NEXT_WAY = re.compile(r"[,;/]? (?:and )?(?:in|out) $|[).]?\s*$", re.I)
"""Around a price with its label before it: in $0.875, out $7.00."""
STOP = re.compile(r"[;.]\s|,?\s(?:while|whereas|but)\s")
_SCALED = re.compile(r"\W{0,3}[\d.,]+\s?(?:[kKMB]\b|(?:thousand|[mb]illion)\b)")
_CALCULATED = re.compile(
    r"(?:[+×*]|(?:[+×*/][^=;\n]{0,30}|[$€£][\d.,]+|tokens?|\d[kKM]|\))\s?=)\s?\(?$"
    r"|\b(?:total|altogether|in all|sum|comes? to|making|budget|subtotal)(?: of| is|:)?\s$",
    re.I,
)
_ADDED = re.compile(r"^\s?(?:in(?:put)?|out(?:put)?)?\)?\s?[+×*=]")
_TIMES = re.compile(r"(?: tokens?)?(?: (?:of|on|to) [\w.-]+(?: [\w.-]+){0,2})?\s?(?:[×x*@]|at|times)\s?", re.I)
_PER_OTHER = re.compile(
    r" (?:an?|per|each|every) (?!(?:one|mil|mill|million|thousand|hundred|MTok|tok|piece|head)\b|tokens?\b|turn|call"
    r"|answer|request|prompt|question|chat|message|page|document|ticket|report)[a-z]{3,}",
)
"""After a price for another thing than tokens."""
_DIRECTED = re.compile(
    r"(?:\$\d[\d.]*|\bcents|\bdollars) (?:(?:per|a) (?:million|1M) )?(?:in|out|input|output)\b", re.I
)
"""A price with its direction, which makes the pairs of a text prices per token."""
_PAIR_LEAD = re.compile(r"(?:\(|\bat |\bis |\bare |\bcosts? |\basks? |\btakes? |\bwants? |\bfor |: )$", re.I)
_PAIR_END = re.compile(r"\s*(?:[).;:,!?—]|$)|\s(?:and|where|in place|instead|rather|versus|vs)\b")
_CHANGED = re.compile(
    r"(?:[^;.$]|\.\d){0,40}?\b(?:drops?|dropped|falls?|fell|goes|went|comes down|came down|shrinks?|sinks?|climbs?"
    r"|rises?)\s"
    r"(?:(?:down|all the way)\s)?to\s(?:just |only )?$"
)
"""Words between the price before a change and the price after it."""
_PAIR = 2
_MOST = Decimal(700)
"""No model costs more per million tokens."""


@dataclass(frozen=True, slots=True)
class Stated:
    """A money figure per token, with what it pays for; `pair` numbers the figures of one pair."""

    figure: Figure
    component: str
    unit: str
    pair: int
    role: str = ""


def unread(text: str) -> bool:
    """Whether a text has prices in words or as a bare pair, which are no figures elsewhere."""
    lower = text.lower()
    coined = any(word in lower for word in ("cent", "¢", "dollar", "buck", "dime", "nickel", "penny"))
    return bool(("/" in text and _BARE.search(text)) or (coined and _CENTS.search(text)))


def money(window: Window) -> list[Figure]:
    """The money figures of a sentence, those in words and bare pairs included; offsets are those of the text."""
    found = [figure for figure in window.figures if figure.sort == "money" and figure.unit == "USD"]
    base = window.start
    for match in _BARE.finditer(window.prose):
        for name, label in (("a", "input"), ("b", "output")):
            start, end = base + match.start(name), base + match.end(name)
            found = [figure for figure in found if figure.end <= start or figure.start >= end + 8]
            found.append(_made(window, start, end, Decimal(match[name]), label))
    for match in _SIGNED.finditer(window.prose):
        start, end = base + match.start(), base + match.end()
        found = [figure for figure in found if figure.end <= start or figure.start >= end]
        found.append(_bare(window, start, end, Decimal(match["number"]) / 100))
    for match in _CENTS.finditer(window.prose):
        start, end = base + match.start(), base + match.end()
        if any(figure.start < end and start < figure.end for figure in found) and not match["rest"]:
            continue
        if _HUNDRED.search(window.prose[: match.start()]):
            continue  # one hundred and twenty dollars
        found = [figure for figure in found if figure.end <= start or figure.start >= end]
        if match["named"]:
            value = Decimal(_COINS[match["named"].lower()])
        else:
            value = _number(" ".join(word for word in (match["word"], match["more"]) if word))
            value = value / 100 if match["coin"].lower().startswith("cent") else value
        rest = (match["rest"] or "").lower()
        value += _PARTS[rest] if rest in _PARTS else _number(rest) / 100
        found.append(_bare(window, start, end, value))
    return sorted([*found, *_without_coins(window, found)], key=lambda figure: figure.start)


def _without_coins(window: Window, found: list[Figure]) -> Iterator[Figure]:
    """Prices beside others that alone have a coin, and bare numbers under a head such as `$/M`."""
    text, base = window.prose, window.start
    taken = [(figure.start, figure.end) for figure in found]
    for figure in found:
        cents = any(sign in figure.text.lower() for sign in ("cent", "¢"))
        after = _SECOND.match(text, figure.end - base)
        before = _FIRST.search(text[: figure.start - base]) if cents or figure.per == "Mtok" else None
        for match in (after, before):
            if match is not None:
                start, end = base + match.start("number"), base + match.end("number")
                small = cents and not _SPOKEN.fullmatch(match["number"])
                value = _number(match["number"]) / (100 if small else 1)
                if not any(one < end and start < other for one, other in taken):
                    taken.append((start, end))
                    yield _bare(window, start, end, value)
    head = _HEADED.search(text)
    for match in _LISTED.finditer(text, head.end()) if head else ():
        start, end = base + match.start("number"), base + match.end("number")
        if not any(one < end and start < other for one, other in taken):
            yield replace(_bare(window, start, end, _number(match["number"])), per="Mtok")


_SPOKEN = re.compile(rf"(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen)-{_TENS}", re.I)
"""Dollars and cents: two-fifty."""


def _number(words: str) -> Decimal:
    """The value of digits or of one or two words: forty-five, two-fifty."""
    if words[:1].isdigit():
        return Decimal(words)
    if _SPOKEN.fullmatch(words):
        first, _, rest = words.lower().partition("-")
        return _number(first) + _number(rest) / 100
    return sum((_VALUES.get(word, Decimal(1)) for word in re.split(r"[- ]", words.lower())), Decimal(0))


def _bare(window: Window, start: int, end: int, value: Decimal) -> Figure:
    hedge = hedged(window.passage.mask, start)
    return replace(_made(window, start, end, value, ""), half=Decimal("0.0005"), per="", hedge=hedge)


def _made(window: Window, start: int, end: int, value: Decimal, label: str) -> Figure:
    exponent = value.as_tuple().exponent
    half = Decimal(5).scaleb(int(exponent) - 1) if isinstance(exponent, int) else Decimal(0)
    return Figure(start, end, window.passage.mask[start:end], value, value, half, "money", "USD", "Mtok", label)


def question(lead: str) -> str:
    """The question right before a sentence, if it asks what one kind of tokens costs."""
    asked = _QUESTION.search(lead)
    return asked[0] if asked and _BEFORE.search(asked[0]) else ""


def stated(window: Window, lead: str = "") -> list[Stated]:
    """The prices per token of a sentence; `lead` is what its paragraph says before."""
    figures = [
        figure
        for figure in money(window)
        if not figure.ranged
        and figure.per in {"", "Mtok", "ktok"}
        and figure.low < _MOST
        and not _SCALED.match(figure.text)
    ]
    mask, found, counts = unwrapped(window.passage.mask), list[Stated](), volumes(window.prose)
    figures, asked = _per_token(window, figures), question(lead)
    per_token = bool(PER_TOKEN.search(window.prose) or PER_TOKEN.search(lead))
    paired = _paired(window, figures, listed=_DIRECTED.search(f"{lead} {window.prose}") is not None)
    for index, figure in enumerate(figures):
        before = of_item(mask[figures[index - 1].end if index else window.start : figure.start], last=True)
        before = f"{asked} {before}" if not index else before
        after = of_item(mask[figure.end : figures[index + 1].start if index + 1 < len(figures) else window.end])
        times = _multiplied(window, figure, counts)
        if not times and (_CALCULATED.search(before) or _ADDED.match(after) or (per_token and _RENT.match(after))):
            continue
        component = times or ("input" if after.strip() == "/" else _component(figure, before, after))
        if not component and _LONGER.match(after):
            component = found[-1].component if found else ""
        elif not component and _LONG_PROMPTS.search(before) and "output" not in window.prose:
            component = "input"
        pair = index
        if index and found and found[-1].figure is figures[index - 1] and _pairs(found[-1], before, component):
            component, pair = component or "output", found[-1].pair
            if not found[-1].component:
                found[-1] = replace(found[-1], component="input")
        unit = "USD/ktok" if figure.per == "ktok" or (not figure.per and _KTOK.search(after[:40])) else "USD/Mtok"
        became = False
        role = "from" if re.search(r"\bfrom\s{1,2}$", before) else ""
        if found and not found[-1].role and _CHANGED.fullmatch(before):
            found[-1] = replace(found[-1], role="from")
        if (
            found
            and found[-1].role == "from"
            and re.fullmatch(r"(?:[^;.]|\.\d){0,40}?(?:\bto|→)\s?(?:just |only )?", before)
        ):
            became = found[-1].figure is figures[index - 1]
            role, component = "to", found[-1].component or component
            found[-1] = replace(found[-1], component=component)
        near = bool(component) and bool(_AFTER.match(after) or _NEAR.search(before))
        if (
            figure.per
            or per_token
            or near
            or times
            or became
            or index in paired
            or "/" in before[-3:]
            or after.lstrip()[:1] == "/"
        ):
            found.append(Stated(figure, component, unit, pair, role))
    return _completed(window, found)


def _per_token(window: Window, figures: list[Figure]) -> list[Figure]:
    """The figures but those for another thing, the first one of a pair included: at $12 and $18 a kilo."""
    text, base, kept = window.prose, window.start, list[Figure]()
    for figure, later in pairwise([*figures, None]):
        assert figure is not None  # noqa: S101 - only the last one may be none
        ends = figure.end - base
        if later is not None and re.fullmatch(r" (?:and|or|to) ", text[ends : later.start - base]):
            ends = later.end - base
        if not _PER_OTHER.match(text, ends):
            kept.append(figure)
    return kept


def _paired(window: Window, figures: list[Figure], *, listed: bool) -> frozenset[int]:
    """The places of figures in pairs such as `at $2 and $8`, the larger one last, if prices are `listed`; and of those
    that are compared with, or become, a price per token."""
    text, base = window.prose, window.start
    found = set[int]()
    for place, (one, two) in enumerate(pairwise(figures)):
        between = text[one.end - base : two.start - base]
        led, ends = _PAIR_LEAD.search(text[: one.start - base]), _PAIR_END.match(text, two.end - base)
        also = led and ends and one.low < two.low and re.fullmatch(r" and |, then | then |, | · ", between)
        rate = two.per == "Mtok" or _AFTER.match(text[two.end - base :])
        changed = between == " to " and text[: one.start - base].endswith("from ")
        if (listed and also) or (rate and (changed or COMPARED.fullmatch(between))):
            found |= {place, place + 1}
    return frozenset(found)


def _multiplied(window: Window, figure: Figure, counts: list[Volume]) -> str:
    """What tokens right before a price, which they are multiplied by, are for: 12M tokens in × $2."""
    at = figure.start - window.start
    last = next((one for one in reversed(counts) if one.end <= at), None)
    return last.part if last and _TIMES.fullmatch(window.prose, last.end, at) else ""


def _completed(window: Window, found: list[Stated]) -> list[Stated]:
    """Labels for figures listed with `respectively`, and the unit of the last figure for those without one."""
    found = [*_of_one_label(window, _in_pairs(window, found))]
    both = re.search(r"\binputs? (?:and|/) outputs?\b.{0,20}\brespectively\b", window.prose, re.I)
    if both and len(found) == 2:
        found = [replace(one, component=label, pair=0) for one, label in zip(found, ("input", "output"), strict=True)]
    found = _compared(window, found)
    if any(one.unit == "USD/ktok" for one in found):
        found = [replace(one, unit="USD/ktok") if not one.figure.per else one for one in found]
    return found


_ITEM = re.compile(r"\n(?=\s*(?:[-*·•–+]|\d{1,2}[.)])\s)")
"""The beginning of an item of a list."""


def of_item(text: str, *, last: bool = False) -> str:
    """The first item of a list, or the last one, of some words between two figures."""
    return _ITEM.split(text)[-1 if last else 0]


COMPARED = re.compile(
    r"(?: (?:per|an?) (?:million|1M)(?: tokens)?)? (?:vs\.?|versus|against|rather than|instead of|in place of)"
    r" (?:the )?",
    re.I,
)
"""Between two prices that are compared."""


def _compared(window: Window, found: list[Stated]) -> list[Stated]:
    """Compared prices have one direction, or those that the text compares: output is $8 against $2."""
    mask, ways, kept = unwrapped(window.passage.mask), list[str](), list(found)
    for match in _BEFORE.finditer(window.prose, 0, found[0].figure.start - window.start if found else 0):
        way = "input" if match["in"] else "output"
        ways += [way] if way not in ways else []
    for place, (one, two) in enumerate(pairwise(found)):
        others = {each.pair for each in found if each is not one and each is not two}
        if {one.pair, two.pair} & others or not COMPARED.fullmatch(mask[one.figure.end : two.figure.start]):
            continue
        if one.component and _AHEAD_LABEL.search(mask[max(0, one.figure.start - 30) : one.figure.start]):
            kept[place + 1] = replace(two, component=one.component)
        elif two.component:
            kept[place] = replace(one, component=two.component)
        elif len(found) == len(ways) == _PAIR:
            kept = [replace(each, component=way) for each, way in zip(found, ways, strict=True)]
    return kept


_AND = re.compile(r"(?: (?:per|a) (?:million|1M)(?: tokens)?)?(?: and| to| then|, then| ·) (?:the )?", re.I)
_BRACKETED = re.compile(r"\(\$[\d.]+, \$[\d.]+\)")


def _in_pairs(window: Window, found: list[Stated]) -> list[Stated]:
    """Two prices without labels that only *and* joins, the larger one last: input and output."""
    kept, mask = list(found), unwrapped(window.passage.mask)
    for place in range(len(kept) - 1):
        first, second = kept[place : place + 2]
        alone = not (first.component or second.component or first.role or second.role)
        if (
            alone
            and first.figure.low < second.figure.low
            and (
                _AND.fullmatch(mask[first.figure.end : second.figure.start])
                or _BRACKETED.fullmatch(mask[first.figure.start - 1 : second.figure.end + 1])
            )
        ):
            kept[place] = replace(first, component="input")
            kept[place + 1] = replace(second, component="output", pair=first.pair)
    return kept


def _of_one_label(window: Window, found: list[Stated]) -> Iterator[Stated]:
    """Prices without a label, after one that is for all of them: per million tokens of input, $1 with A, $3 with B."""
    named = [*_BEFORE.finditer(window.prose)]
    kinds = {"input" if one["in"] else "output" for one in named}
    first = min((one.figure.start for one in found), default=0) - window.start
    led = len(kinds) == 1 and named[0].start() < first and not STOP.search(window.prose[named[0].end() : first])
    for one in found:
        yield replace(one, component=next(iter(kinds))) if led and not one.component and not one.role else one


def _pairs(last: Stated, between: str, component: str) -> bool:
    """Whether a figure is the second of a pair of input and output."""
    gap = between.strip()
    if gap == "/":
        return True
    if last.role == "from":
        return False
    return last.component == "input" and component == "output" and len(between) < 60 and ";" not in between


def _component(figure: Figure, before: str, after: str) -> str:
    """What a figure pays for: input or output, empty if its clause does not say."""
    inside = _INSIDE.search(figure.text)
    if inside and not re.search(r"\b(?:input|in)(?:/| and | or )(?:output|out)", figure.text + after[:20], re.I):
        return "input" if inside["in"] else "output"
    ahead = _AHEAD_LABEL.search(before)
    if ahead and not re.match(r"^\s(?:for |of )?(?:in|out)put", after):
        return "input" if ahead["in"] else "output"
    listed = _WAY_LABEL.search(before)
    if listed and _NEXT_WAY.match(after):
        return "input" if listed["in"] else "output"
    behind = _AFTER.match(after)
    if behind and not re.match(
        r"^.{0,60}\b(?:input|in)(?:/| and | or )(?:output|out)\b", after[: behind.end() + 14], re.I
    ):
        return "input" if behind["in"] else "output"
    found = next(reversed(list(_BEFORE.finditer(before))), None)
    if (
        found
        and not STOP.search(before[found.end() :])
        and not re.search(r"\binput (?:and|or|/)\s?output", before, re.I)
    ):
        return "input" if found["in"] else "output"
    return figure.label if figure.label in {"input", "output"} and behind is None and not before.strip() else ""
