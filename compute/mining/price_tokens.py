"""Prices per token in sentences: which figure is the price of what.

GPT-4.1 costs $2 in and $8 out per million tokens        two facts
$1.25/$10 up to 200K, $2.50/$15 beyond                   a pair for each tier
drops from $5.00 to $0.50 with a cache hit               the price before and the price of the tier
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal

from compute.mining.date_text import Period
from compute.mining.mining_models import Figure
from compute.mining.model_mentions import Mention
from compute.mining.number_words import NUMBERS
from compute.mining.price_facts import ANY, PriceFact
from compute.mining.price_times import Time, Times
from compute.mining.text_windows import Window

PER_TOKEN = re.compile(
    r"\b(?:per|a|an|one|each|every|for|/)?\s?(?:1\s?)?(?:M\b|million|mtok|MM\b|1K\b|1,?000\b|thousand)\s?"
    r"(?:[a-z-]+\s){0,2}?(?:tokens?|tok)\b|\bM[Tt]ok\b|/\s?1?M\b|\bper (?:1M|million)\b|\bmillion (?:\w+ ){0,2}tokens?\b",
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
_AFTER = re.compile(
    r"^[\s,(]{0,2}(?:/\s?(?:1?M|M[Tt]ok)\b\s?)?(?:(?:per|a|for a|for one) (?:1M|1 million|million|1K|thousand|1,000)\s?)?"
    r"(?:fresh |uncached )?(?:tokens? )?(?:(?:for|of|on|as)\s)?(?:the\s)?"
    rf"(?:(?P<in>inputs?\b|prompts?\b(?! cach)|in(?=\s?(?:[,.;:)/]|and\b|$|per\b))|read\b)|(?P<out>{_OUT}|out(?=\W|$)))",
    re.I,
)
_INSIDE = re.compile(rf"\b(?:(?P<in>input|prompt)|(?P<out>{_OUT}))\b", re.I)
_BEFORE = re.compile(
    rf"\b(?:(?P<in>inputs?|prompts?(?! cach)|tokens? in\b|tokens? read)|(?P<out>{_OUT}|outputs|tokens? out\b))\b", re.I
)
_AHEAD_LABEL = re.compile(
    rf"\b(?:(?P<in>inputs?|prompts?)|(?P<out>{_OUT}|outputs))(?: tokens?| price| cost| rate)?\s?[:=(–-]?\s?"
    r"(?:is |at |for |costs? |of )?(?:just |only )?$",
    re.I,
)
_CACHE = re.compile(r"\bcach(?:e|ed|es|ing)\b", re.I)
_WRITE = re.compile(r"\bwrit\w+|\bwrote\b", re.I)
_TIERS = {
    "batch": re.compile(r"\bbatch(?:es|ed|ing)?\b", re.I), "flex": re.compile(r"\bflex\b", re.I),
    "priority": re.compile(r"\bpriority\b", re.I), "fast": re.compile(r"\bfast mode\b", re.I),
}  # fmt: skip
_STANDARD = re.compile(
    r"\b(?:standard|regular|list|normally|on[- ]demand|synchronous|full price|uncached|fresh)\b", re.I
)
_SIZE = r"(?P<size>\d{2,4}[kK]\b|\d{2,4},000\b|\d+(?:\.\d+)?M\b|\d{2,4} thousand)"
_LONG = re.compile(
    rf"(?:above|over|beyond|longer than|more than|exceed\w*|past|>)\s?(?:the )?{_SIZE}|(?P<plus>\d{{2,4}}[kK])\+|(?P<open>beyond|long[- ]context|above(?: that| the threshold)?[.,;)]|longer prompts)",
    re.I,
)
_SHORT = re.compile(
    rf"(?:under|below|up to|within|at most|base tier|≤|<=?|to)\s?(?:the )?{_SIZE}|\bbase tier\b|\bshort context", re.I
)
_SKIPPED = re.compile(
    r"fine-?tun|\baudio\b|\bimages?\b|realtime|\bPTU|provisioned|grounding|thinking mode|introductory|promotional"
    r"|regional|open-weight|self-host|surcharge|rumou?r|\bembedding",
    re.I,
)
_LOOSE = re.compile(
    r"\bif\b|\bwould\b|\bcould\b|\bmight\b|expect|\baverag|\bblend|effective|\bnot\b|n['’]t\b|hypothetical", re.I
)
_STOP = re.compile(r"[;.]\s|,?\s(?:while|whereas|but)\s")
_PAIRED = re.compile(
    r"^[\s,;]*(?:/|and|with|then|&|\+)?\s*(?:its\s)?(?:output|completion)?\s?(?:tokens\s)?(?:at|cost|for|is|are)?\s*$",
    re.I,
)
_SCALED = re.compile(r"\W{0,3}[\d.,]+\s?(?:[kKMB]\b|(?:thousand|[mb]illion)\b)")
_CALCULATED = re.compile(r"[=+×*]\s?\(?$")
_ADDED = re.compile(r"^\s?(?:in(?:put)?|out(?:put)?)?\)?\s?[+×*=]")
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
    return bool(_BARE.search(text) or _CENTS.search(text))


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
        pair = index
        if index and found and found[-1].figure is figures[index - 1] and _pairs(found[-1], before, component):
            component, pair = component or "output", found[-1].pair
            if not found[-1].component:
                found[-1] = replace(found[-1], component="input")
        unit = "USD/ktok" if figure.per == "ktok" or (not figure.per and _KTOK.search(after[:40])) else "USD/Mtok"
        role = "from" if re.search(r"\bfrom\s{1,2}$", before) else ""
        if found and found[-1].role == "from" and re.fullmatch(r"[^;.]{0,40}?(?:\bto|→)\s?(?:just |only )?", before):
            role, component = "to", component or found[-1].component
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
    found = None
    for found in _BEFORE.finditer(before):
        pass
    if (
        found
        and not _STOP.search(before[found.end() :])
        and not re.search(r"\binput (?:and|or|/)\s?output", before, re.I)
    ):
        return "input" if found["in"] else "output"
    return figure.label if figure.label in {"input", "output"} and behind is None and not before.strip() else ""


_GAP = 60
LEAD = 300
"""How many signs before a sentence may name the tier that it is about."""
_COMPARED = re.compile(
    r"\b(?:replac\w+|than|versus|vs\.?|over|against|beat\w*|undercut\w*|compared (?:to|with)|unlike|from|supersed\w+"
    r"|outperform\w*|instead of|succeed\w*|alongside)\s(?:the\s)?(?:old\s|original\s)?$",
    re.I,
)

_AHEAD = re.compile(r"replac|beat|undercut|supersed|outperform|succeed", re.I)
"""Verbs after whose object a price belongs to the subject."""


class Sentence:
    """The facts of one sentence."""

    def __init__(self, window: Window, mentions: tuple[Mention, ...], items: dict[str, tuple[str, ...]]) -> None:
        self._window, self._mentions, self._items = window, mentions, items
        self._times = Times(window.prose)
        self._text = window.prose
        self._stated = stated(window)
        mask = window.passage.mask
        self._lead = mask[max(mask.rfind("\n\n", 0, window.start), window.start - LEAD, 0) : window.start]

    def facts(self, *, carried: Mention | None = None, day: Period | None = None) -> Iterator[PriceFact]:
        """A fact for each price; `carried` is the model of the sentence before, `day` the paragraph's day."""
        if _SKIPPED.search(self._text) or not self._stated:
            return
        loose = bool(_LOOSE.search(self._text)) or self._text.rstrip().endswith("?")
        for index, one in enumerate(self._stated):
            mention = self._subject(index) or carried
            if mention is None:
                continue
            fact = self._fact(index, one, mention)
            time = fact.time
            doubt = ""
            if day and time.period is None and not time.now and not time.past:
                time, doubt = replace(time, period=day), "the day is that of an earlier sentence"
            known = mention in self._mentions
            if not known and len(fact.components) > 1:
                continue
            vague = len(fact.components) > 1 and "cache_write" not in fact.components
            cautious = loose or not known or vague or one.figure.hedge in {"at most", "at least"}
            yield replace(fact, time=time, doubt=doubt, cautious=cautious)

    def _fact(self, index: int, one: Stated, mention: Mention) -> PriceFact:
        before, after = self._around(index)
        tier, named = self._tier(before, after, one)
        components = self._components(one, before, after)
        confidence = Decimal("0.6") if mention.family or not one.component else Decimal("0.8")
        return PriceFact(
            start=self._window.start, end=self._window.end, figure=one.figure,
            items=self._items.get(mention.item, (mention.item,)), components=components, unit=one.unit,
            time=self._time(index), processing=tier, tiers=named, context=self._context(before, after), confidence=confidence,
            pair=one.pair, role=one.role, family=mention.item if mention.family else "",
        )  # fmt: skip

    # ---- what a figure belongs to

    def _subject(self, index: int) -> Mention | None:
        """The model of a figure: named right after it, else the last one before it, else the first one after it."""
        figure, base = self._stated[index].figure, self._window.start
        first = min(place for place, other in enumerate(self._stated) if other.pair == self._stated[index].pair)
        figure = self._stated[first].figure
        last = max((place for place, other in enumerate(self._stated) if other.pair == self._stated[index].pair))
        end = self._stated[last].figure.end - base
        listed = self._listed(index)
        if listed is not None:
            return listed
        earlier = [one for one in self._mentions if one.end <= figure.start - base]
        stop = self._stated[last + 1].figure.start - base if last + 1 < len(self._stated) else len(self._text)
        later = [
            one for one in self._mentions if end <= one.start < stop and not _COMPARED.search(self._text[: one.start])
        ]
        if later and (self._adjacent(end, later[0].start) or (not earlier and self._follows(end, later[0].start))):
            return later[0]
        return self._spoken_of(earlier, figure.start - base) if earlier else None

    def _spoken_of(self, earlier: list[Mention], start: int) -> Mention:
        """The last model before a figure, except one that is only compared with: `X replaced Y — $5 input`."""
        last = earlier[-1]
        compared = len(earlier) > 1 and _COMPARED.search(self._text[: last.start])
        near = self._text[last.end : start]
        if compared and (_AHEAD.search(compared[0]) and re.search(r"\bat\s$", near)):
            return self._spoken_of(earlier[:-1], start)
        if compared and not re.fullmatch(r"(?:['’]s)?[^;.,—]{0,14}(?:\(|\bat )?", near):
            return self._spoken_of(earlier[:-1], start)
        return last

    def _follows(self, end: int, start: int) -> bool:
        """Whether a model after a figure may be the one that it belongs to: `$2 … that is GPT-4o today`."""
        gap = self._text[end:start]
        return len(gap) < _GAP and not re.search(r"[(),;\d]|\band\b|\bthan\b|\bversus\b", gap)

    def _adjacent(self, end: int, start: int) -> bool:
        """Whether a model right after a figure is the one that it belongs to: `$0.28/1M DeepSeek tokens`."""
        return bool(
            re.fullmatch(
                r"(?:[\w./ ]{0,18}tokens?)? ?(?:\(|for |from |on |with |of |with )?(?:the )?", self._text[end:start]
            )
        )

    def _listed(self, index: int) -> Mention | None:
        """The model of one of several figures in the order of several models."""
        many = len({one.pair for one in self._stated})
        listed = re.search(r"\brespectively\b", self._text) or re.search(
            r"\(\$[\d.]+ (?:vs\.?|versus) \$[\d.]+", self._text
        )
        if listed and len(self._mentions) == many == len(self._stated) > 1:
            return self._mentions[index]
        return None

    def _around(self, index: int) -> tuple[str, str]:
        """The words before and after the pair of a figure, up to its neighbours."""
        pair = [place for place, one in enumerate(self._stated) if one.pair == self._stated[index].pair]
        base, text = self._window.start, self._text
        begin = self._stated[pair[0] - 1].figure.end - base if pair[0] else 0
        stop = self._stated[pair[-1] + 1].figure.start - base if pair[-1] + 1 < len(self._stated) else len(text)
        before = text[begin : self._stated[pair[0]].figure.start - base]
        after = text[self._stated[pair[-1]].figure.end - base : stop]
        inner = (
            ""
            if pair[0] == pair[-1]
            else text[self._stated[pair[0]].figure.start - base : self._stated[pair[-1]].figure.end - base]
        )
        if pair[0]:
            edge = re.search(r"^[^;,.(]*?(?:[;,(]|\.\s|\band\b)", before)
            before = before[edge.end() :] if edge else before
        if pair[-1] + 1 < len(self._stated):
            edge = re.search(r";|,\s|\.\s|\band\b|\bor\b(?! more)|\bgoing\b", after)
            after = after[: edge.start()] if edge else after
        return f"{before} {inner if _CACHE.search(inner) else ''}", after

    # ---- tiers

    def _components(self, one: Stated, before: str, after: str) -> tuple[str, ...]:
        first = after if _CACHE.search(after) or _WRITE.search(after) else before
        cached = _CACHE.search(first) or (_CACHE.search(self._text) and _WRITE.search(first)) or (
            _CACHE.search(self._text) and re.search(r"\bread(?:s|ing)?\b|\bhits?\b", first, re.I)
        )  # fmt: skip
        if one.role == "to" and _CACHE.search(self._text):
            cached = True
        if one.role == "from" or one.component == "output" or not cached or _STANDARD.search(before[-24:]):
            return (one.component,) if one.component else ("input", "output")
        return ("cache_write", "cache_write_1h") if _WRITE.search(first) else ("cache_read",)

    def _tier(self, before: str, after: str, one: Stated) -> tuple[str, frozenset[str]]:
        """The tier of a figure, and the tiers that its sentence names."""
        named = frozenset(name for name, words in _TIERS.items() if words.search(self._text))
        if not named:
            return "", frozenset(name for name, words in _TIERS.items() if words.search(self._lead))
        if one.role == "from" or not named:
            return "", named
        if _STANDARD.search(before[-30:]) and not any(words.search(before[-30:]) for words in _TIERS.values()):
            return "", named
        own = [name for name, words in _TIERS.items() if words.search(before) or words.search(after)]
        if own:
            return own[0], named
        lead = self._text[: one.figure.start - self._window.start]
        stops = [match.end() for match in _STOP.finditer(lead)]
        led = lead[stops[-1] :] if stops else lead
        carried = [name for name in named if _TIERS[name].search(led)]
        return (carried[0] if carried and not _STANDARD.search(led) else ""), named

    def _context(self, before: str, after: str) -> int:
        for text in (after, before):
            size = self._size(text)
            if size is not None:
                return size
        lead = _LONG.search(self._text)
        if lead and len({one.pair for one in self._stated}) == 1:
            return _tokens(lead)
        return ANY if lead else 0

    def _size(self, own: str) -> int | None:
        short, long = _SHORT.search(own), _LONG.search(own)
        if long and not (short and short.start() < long.start()):
            return _tokens(long)
        return 0 if short else None

    def _time(self, index: int) -> Time:
        one, base = self._stated[index], self._window.start
        time = self._times.at(one.figure.start - base, one.figure.end - base)
        if one.role == "from":
            period = time.period
            return Time(Period(None, period.last) if period else None, past=True)
        return time


def _tokens(match: re.Match[str]) -> int:
    """The context in tokens that a match states as a border, one more than it; `ANY` if it states none."""
    size = match["size"] or match["plus"] or ""
    if not size:
        return ANY
    number = Decimal(re.sub(r"[^\d.]", "", size.replace(",", "")) or "0")
    scale = 1_000_000 if size.endswith("M") else 1 if ",000" in size else 1000
    return int(number * scale) + 1
