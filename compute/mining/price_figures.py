"""Money figures per token in a sentence, each with what it pays for: input or output.

$2 in and $8 out          input, output
$1.25/$10                 a pair: input, output
8/32 USD per Mtok         a pair without signs
forty cents               0.40 USD
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal

from compute.mining.mining_models import Figure
from compute.mining.number_words import NUMBERS
from compute.mining.text_windows import Window

PER_TOKEN = re.compile(
    r"\b(?:per|a|an|one|each|every|for|/)?\s?(?:1\s?)?(?:M\b|million|mtok|MM\b|1K\b|1,?000\b|thousand)\s?"
    r"(?:[a-z-]+\s){0,2}?(?:tokens?|tok)\b|\bM[Tt]ok\b|/\s?1?M\b|\bper (?:1M|million)\b"
    r"|\bmillion (?:\w+ ){0,2}tokens?\b",
    re.I,
)
_KTOK = re.compile(r"\b(?:per|/|a)\s?(?:1K\b|1,?000\b|thousand)\s?(?:[a-z-]+\s){0,2}?tok", re.I)
_BARE = re.compile(
    r"(?<![\w.$/])(?P<a>\d{1,3}(?:\.\d{1,4})?)\s?/\s?(?P<b>\d{1,3}(?:\.\d{1,4})?)\s?(?:USD|US\$|dollars?|\$)"
    r"(?=\s?(?:per|/|a)\s?(?:1?M|million))",
    re.I,
)
_WORDS = "|".join(["one", *NUMBERS])
_CENTS = re.compile(rf"\b(?P<word>{_WORDS})(?:[- ](?P<more>{_WORDS}))? (?P<coin>cents?|dollars?)\b", re.I)
_OUT = r"output|completions?|generated|written"
_LENGTH = r"(?!\s(?:cach|over\b|above\b|beyond\b|longer\b|larger\b|under\b|up to\b|below\b|exceed|past\b|of more))"
"""What must not follow `prompt`: then it says which prompts, and not that input is paid for."""
_LONGER = re.compile(
    rf"^(?: per (?:1M|million)(?: tokens)?)? (?:for|with|on) (?:the |all )?(?:longer )?prompts?\b(?!{_LENGTH})"
)
_LONG_PROMPTS = re.compile(rf"\bprompts?\b(?!{_LENGTH})[^;.$]*$", re.I)
"""Prompts of some length: what they cost is the input, or what was spoken of before."""
_AFTER = re.compile(
    r"^[\s,(]{0,2}(?:/\s?(?:1?M|M[Tt]ok)\b\s?)?"
    r"(?:(?:per|a|for a|for one) (?:1M|1 million|million|1K|thousand|1,000)\s?)?"
    r"(?:fresh |uncached )?(?:tokens? )?(?:(?:for|of|on|as)\s)?(?:the\s)?"
    rf"(?:(?P<in>inputs?\b|prompts?\b{_LENGTH}|in(?=\s?(?:[,.;:)/]|and\b|$|per\b))|read\b)"
    rf"|(?P<out>{_OUT}|out(?=\W|$)))",
    re.I,
)
_INSIDE = re.compile(rf"\b(?:(?P<in>input|prompt)|(?P<out>{_OUT}))\b", re.I)
_BEFORE = re.compile(
    rf"\b(?:(?P<in>inputs?|prompts?\b{_LENGTH}|tokens? in\b|tokens? read)|(?P<out>{_OUT}|outputs|tokens? out\b))\b",
    re.I,
)
_AHEAD_LABEL = re.compile(
    rf"\b(?:(?P<in>inputs?|prompts?|cached?|in(?=\s?:))|(?P<out>{_OUT}|outputs|out(?=\s?:)))"
    r"(?: tokens?| price| cost| rate)?\s?[:=(–-]?\s?"
    r"(?:is |at |for |costs? |of )?(?:just |only )?$",
    re.I,
)
STOP = re.compile(r"[;.]\s|,?\s(?:while|whereas|but)\s")
_SCALED = re.compile(r"\W{0,3}[\d.,]+\s?(?:[kKMB]\b|(?:thousand|[mb]illion)\b)")
_CALCULATED = re.compile(r"[=+×*]\s?\(?$")
_ADDED = re.compile(r"^\s?(?:in(?:put)?|out(?:put)?)?\)?\s?[+×*=]")
_CHANGED = re.compile(
    r"(?:[^;.$]|\.\d){0,40}?\b(?:drops?|dropped|falls?|fell|goes|went|comes down|came down|shrinks?|sinks?|climbs?"
    r"|rises?)\s"
    r"(?:(?:down|all the way)\s)?to\s(?:just |only )?$"
)
"""Words between the price before a change and the price after it."""
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
    coined = "cent" in (lower := text.lower()) or "dollar" in lower
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
    for match in _CENTS.finditer(window.prose):
        words = [word.lower() for word in (match["word"], match["more"]) if word]
        value = sum((NUMBERS.get(word, Decimal(1)) for word in words), Decimal(0))
        value = value / 100 if match["coin"].lower().startswith("cent") else value
        made = _made(window, base + match.start(), base + match.end(), value, "")
        found.append(replace(made, half=Decimal("0.0005"), per=""))
    return sorted(found, key=lambda figure: figure.start)


def _made(window: Window, start: int, end: int, value: Decimal, label: str) -> Figure:
    exponent = value.as_tuple().exponent
    half = Decimal(5).scaleb(int(exponent) - 1) if isinstance(exponent, int) else Decimal(0)
    return Figure(start, end, window.passage.mask[start:end], value, value, half, "money", "USD", "Mtok", label)


def stated(window: Window) -> list[Stated]:
    """The prices per token of a sentence."""
    figures = [
        figure
        for figure in money(window)
        if not figure.ranged
        and figure.per in {"", "Mtok", "ktok"}
        and figure.low < _MOST
        and not _SCALED.match(figure.text)
    ]
    mask, found = window.passage.mask, list[Stated]()
    per_token = bool(PER_TOKEN.search(window.prose))
    for index, figure in enumerate(figures):
        before = mask[figures[index - 1].end if index else window.start : figure.start]
        after = mask[figure.end : figures[index + 1].start if index + 1 < len(figures) else window.end]
        if _CALCULATED.search(before) or _ADDED.match(after):
            continue
        component = "input" if after.strip() == "/" else _component(figure, before, after)
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
        role = "from" if re.search(r"\bfrom\s{1,2}$", before) else ""
        if found and not found[-1].role and _CHANGED.fullmatch(before):
            found[-1] = replace(found[-1], role="from")
        if (
            found
            and found[-1].role == "from"
            and re.fullmatch(r"(?:[^;.]|\.\d){0,40}?(?:\bto|→)\s?(?:just |only )?", before)
        ):
            role, component = "to", found[-1].component or component
        near = bool(component) and (
            bool(_AFTER.match(after)) or bool(re.search(r"\b(?:in|out)puts?\W{0,3}(?:\w+ ){0,2}\W{0,2}$", before, re.I))
        )
        if figure.per or per_token or near or "/" in before[-3:] or after.lstrip()[:1] == "/":
            found.append(Stated(figure, component, unit, pair, role))
    return _completed(window, found)


def _completed(window: Window, found: list[Stated]) -> list[Stated]:
    """Labels for figures listed with `respectively`, and the unit of the last figure for those without one."""
    both = re.search(r"\binputs? (?:and|/) outputs?\b.{0,20}\brespectively\b", window.prose, re.I)
    if both and len(found) == 2:
        found = [replace(one, component=label, pair=0) for one, label in zip(found, ("input", "output"), strict=True)]
    if any(one.unit == "USD/ktok" for one in found):
        found = [replace(one, unit="USD/ktok") if not one.figure.per else one for one in found]
    return found


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
