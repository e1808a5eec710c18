"""Ratios between prices: of two models, of input and output, of a tier and the list price, and blends.

GPT-4o mini is 60% cheaper than GPT-3.5 Turbo      1 - price(a, …) / price(b, …), for input and output
output costs five times as much as input on X      price(x, "output") / price(x, "input")
batch requests to X are 50% off                    1 - price(x, …, processing="batch") / price(x, …)
blended 3:1, X averages $6 per million tokens      (3 * price(x, "input") + price(x, "output")) / 4
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from itertools import permutations

from compute.mining.mining_models import Figure, Reading
from compute.mining.model_mentions import Mention
from compute.mining.number_words import NUMBERS
from compute.mining.price_figures import money
from compute.mining.readings import loose
from compute.mining.text_windows import Window, compiled, tagged, unwrapped

_ELSEWHERE = re.compile(
    r"fine-?tun|\baudio\b|\bimages?\b|realtime|azure|bedrock|vertex|openrouter|\bPTU|provisioned|storage|grounding"
    r"|thinking mode|introductory|promotional|regional|open-weight|self-host|surcharge|rumou?r|expect",
    re.I,
)
_OTHER = re.compile(r"faster|speed|latency|throughput|accura|token efficien|fewer tokens|\bscore|quality|context", re.I)
_UNSURE = re.compile(
    r"\bif\b|\bwould\b|\b(?:no|wait|sorry|correction)[:,]|\baverag|\beffective|\bnot\b|n['’]t\b|\bup to\b"
    r"|\bper (?:task|query|request|image|call)\b",
    re.I,
)


_BEFORE = re.compile(
    r"\b(?:pre-\w+|before|prior|afterwards?|back then|at the time|initially|at first|in the past|last year|ago)\b", re.I
)


@dataclass(frozen=True, slots=True)
class Priced:
    """A sentence with its models; the tagged text has ⟦n⟧ for each. `on` is the day, `known` if a text states it."""

    window: Window
    mentions: tuple[Mention, ...]
    text: str
    on: date
    known: bool
    carried: Mention | None = None


def marked(window: Window, mentions: tuple[Mention, ...]) -> str:
    """The tagged text of a sentence with a mark for each model."""
    marks = [(window.start + one.start, window.start + one.end, f"⟦{index}⟧") for index, one in enumerate(mentions)]
    return tagged(unwrapped(window.passage.mask), window.start, window.end, window.figures, marks)


def lookup(item: str, component: str, processing: str = "") -> str:
    """A formula for a price."""
    more = f', processing="{processing}"' if processing else ""
    return f'price("{item}", "{component}"{more})'


def ratios(found: Priced) -> Iterator[Reading]:
    """The ratios of prices in a sentence."""
    if _ELSEWHERE.search(found.window.prose):
        yield from _discounts(found)
        return
    yield from _compared(found)
    yield from _fractions(found)
    yield from _within(found)
    yield from _premiums(found)
    yield from _extremes(found)
    yield from _discounts(found)
    yield from _blends(found)


def _reading(found: Priced, rule: str, ways: list[str], stated: Figure, **rest: object) -> Reading:
    fields: dict[str, object] = {
        "unit": "%" if stated.sort == "%" else "x", "confidence": Decimal("0.75"),
        "note": "" if found.known else "no day is stated", "alternatives": tuple(ways[1:]),
        "slack": _slack(stated), "bound": stated.hedge if stated.hedge in {"at most", "at least"} else "is",
        "cautious": bool(_UNSURE.search(found.window.prose) or _BEFORE.search(found.window.prose)), **rest,
    }  # fmt: skip
    window = found.window
    span = {"start": window.start, "end": window.end}
    return Reading(**span, rule=rule, inputs=(), expression=ways[0], stated=stated, kind="price", **fields)  # type: ignore[arg-type]  # the fields by name


def _slack(stated: Figure) -> Decimal:
    """The tolerance beyond rounding, as a share."""
    if stated.sort == "money":
        return Decimal(0)
    return max(loose(stated), _WORDS if stated.unit == "word" and stated.low < 1 else Decimal(0))


_WORDS = Decimal("0.05")
"""The tolerance of a fraction in words, as a share."""


def which(found: Priced, *mentions: Mention) -> str:
    """Why a verdict would have to assume which model of a family is meant; empty if it is clear."""
    names = [one.item for one in mentions if one.family]
    return f"no day is stated, so which model of {names[0]} is meant is not known" if names and not found.known else ""


# ---- two models


_SUBJECT, _OBJECT = r"⟦(?P<s>\d+)⟧", r"⟦(?P<o>\d+)⟧"
_LESS = r"cheaper|less expensive|lower[- ]priced|lower|less|below|under(?:cut\w*|neath)?|off"
_MORE = r"more expensive|pricier|dearer|costlier|higher[- ]priced|higher|above|more"
_THAN = rf"[^⟦⟨;]{{0,44}}\b(?:than|compared (?:to|with)|versus|vs\.?|against|relative to)\b[^⟦⟨;]{{0,24}}{_OBJECT}"
_COMPARED = (
    (rf"{_SUBJECT}[^⟦⟨;]{{0,40}}\bundercut\w*[^⟦⟨;]{{0,18}}{_OBJECT}[^⟦⟨.;]{{0,34}}\bby [^⟦⟨]{{0,14}}{{r:ratio}}",
     "cheaper"),
    (rf"{_SUBJECT}[^⟦.;]{{0,70}}?{{r:ratio}} ?(?:times )?(?P<w>{_LESS}|{_MORE})\b{_THAN}", ""),
    (rf"{_SUBJECT}[^⟦.;⟨]{{0,50}}\b(?:costs?|is|runs?|priced) [^⟦⟨]{{0,16}}{{r:X}} ?(?:times )?"
     rf"(?:as much|as expensive|that) ?[^⟦⟨;]{{0,24}}?(?:as|of)?[^⟦⟨;]{{0,12}}{_OBJECT}", "times"),
    (rf"{_SUBJECT}[^⟦.;⟨]{{0,50}}{{r:X}} ?(?:of )?(?:the |as )?(?:price|cost|rate|expense)s? (?:of|as)"
     rf"[^⟦⟨]{{0,24}}{_OBJECT}", "times"),
    (rf"{_SUBJECT}[^⟦.;⟨]{{0,50}}{{r:P}} of (?:the |what )?(?:price|cost|rate)?s? ?(?:of|that)?[^⟦⟨]{{0,14}}{_OBJECT}",
     "times"),
    (rf"{_SUBJECT}['’]s[^⟦.;⟨]{{0,40}}{{r:X}} ?{_OBJECT}['’]s", "times"),
)  # fmt: skip


def _compared(found: Priced) -> Iterator[Reading]:
    seen: set[int] = set()
    for pattern, way in _COMPARED:
        for match in compiled(pattern).finditer(found.text):
            r = found.window.figures[int(match["r"])]
            subject, other = found.mentions[int(match["s"])], found.mentions[int(match["o"])]
            ratio = re.search(rf"⟨[A-Z]{match['r']}⟩", match[0])
            if _OTHER.search(match[0][ratio.start() if ratio else 0 :]):
                continue
            if r.ranged or r.start in seen or subject.item == other.item or re.search(r"\bnot\b|n['’]t\b", match[0]):
                continue
            groups = match.groupdict()
            word = way or (
                "cheaper"
                if re.match(_LESS, groups["w"], re.I) and not groups["w"].lower().startswith("more")
                else "dearer"
            )
            if r.sort == "pp" or (word == "times" and r.sort == "pp"):
                continue
            seen.add(r.start)
            around = found.text[max(0, match.start() - 40) : match.end() + 40]
            yield _comparison(found, r, (subject, other), word, _component(around))


def _component(around: str) -> tuple[str, ...]:
    input_, output = re.search(r"\binput\b", around, re.I), re.search(r"\boutput\b", around, re.I)
    if bool(input_) == bool(output):
        return "input", "output"
    return ("input",) if input_ else ("output",)


def _comparison(
    found: Priced, r: Figure, models: tuple[Mention, Mention], word: str, components: tuple[str, ...]
) -> Reading:
    """A ratio of two list prices; without a stated component it may be of either, or of a mix."""
    ways = []
    for component in components:
        own, other = (lookup(one.item, component) for one in models)
        ways += _ways(own, other, r, word)
    if any(one.implied for one in models):
        return _reading(found, "comparison", ways, r, cautious=True)
    return _reading(found, "comparison", ways, r, missing=which(found, *models))


def other_pairs(found: Priced, reading: Reading) -> Iterator[Reading]:
    """A comparison of two models, read as one of each other two that its sentence names."""
    items = list(dict.fromkeys(one.item for one in found.mentions if not one.family))
    for own, other in permutations(items, 2) if reading.rule == "comparison" else ():
        for component in ("input", "output"):
            for word in ("times", "cheaper", "dearer"):
                way, *_ = _ways(lookup(own, component), lookup(other, component), reading.stated, word)
                yield replace(reading, expression=way, alternatives=(), missing="", cautious=False)


def _ways(own: str, other: str, r: Figure, word: str) -> list[str]:
    """The ways to compute how much cheaper or dearer one price is than another."""
    share = r.sort == "%" or (r.sort == "x" and r.low < 1)
    if word == "times":
        return [f"{own} / {other}"]
    if word == "cheaper":
        return [f"1 - {own} / {other}" if share else f"{other} / {own}"]
    return [f"{own} / {other} - 1" if share else f"{own} / {other}"]


_FRACTION = re.compile(
    r"\b(?:at|for)(?: (?:about|roughly|only|just|some))? ⟨[XP](?P<r>\d+)⟩ ?(?:of )?(?:the |its )?"
    r"(?:cost|price)s?\b(?! of)"
)
_BEATEN = re.compile(
    r"\b(?:beat|match|outperform|rival|replac|surpass|than\b|against\b|versus\b|over\b)[^⟦;]{0,24}⟦\d+⟧$", re.I
)


def _fractions(found: Priced) -> Iterator[Reading]:
    """A share of the price of the other of two models: `X beats Y at a fifth of the cost`; only if it holds."""
    models = list({one.item: one for one in found.mentions}.values())
    for match in _FRACTION.finditer(found.text) if len(models) == 2 else ():
        r, before = found.window.figures[int(match["r"])], found.text[: match.start()]
        named = [found.mentions[int(one[1])] for one in re.finditer(r"⟦(\d+)⟧", before)]
        if r.ranged or r.sort == "pp" or not named:
            continue
        last = before[: before.rfind("⟧") + 1]
        subject = next((one for one in models if one.item == named[-1].item), models[0])
        if _BEATEN.search(last):
            subject = next(one for one in models if one.item != subject.item)
        other = next(one for one in models if one.item != subject.item)
        reading = _comparison(found, r, (subject, other), "times", ("input", "output"))
        yield replace(reading, cautious=True)


_PREMIUM = re.compile(
    r"\boutput(?:[- ]to[- ]input| tokens?| price)? (?:multiple|multiplier|premium|ratio)\b[^⟨;.]{0,20}⟨X(?P<r>\d+)⟩",
    re.I,
)


def _premiums(found: Priced) -> Iterator[Reading]:
    """How many times as much output costs as input, for the only model; reported only if it holds."""
    items = {one.item for one in found.mentions} or ({found.carried.item} if found.carried else set())
    match = _PREMIUM.search(found.text) if len(items) == 1 else None
    if match and not (r := found.window.figures[int(match["r"])]).ranged:
        item = items.pop()
        form = f"{lookup(item, 'output')} / {lookup(item, 'input')}"
        yield _reading(found, "discount", [form], r, cautious=True)


_LOWEST = re.compile(r"\b(?:cheapest|least expensive|lowest[- ]pric\w+|lowest price)\b", re.I)
_HIGHEST = re.compile(r"\b(?:priciest|dearest|most expensive|costliest|highest[- ]pric\w+|highest price)\b", re.I)


def _extremes(found: Priced) -> Iterator[Reading]:
    """The lowest or highest price of the models that a sentence names; reported only if it holds."""
    items = list(dict.fromkeys(one.item for one in found.mentions))
    low, high = bool(_LOWEST.search(found.window.prose)), bool(_HIGHEST.search(found.window.prose))
    prices = [figure for figure in money(found.window) if not figure.ranged and figure.per in {"", "Mtok"}]
    if len(items) < 2 or low == high or len(prices) != 1:
        return
    listed = ", ".join(f'"{item}"' for item in items)
    components = _component(found.text)
    ways = [f'{"cheapest" if low else "dearest"}([{listed}], "{component}")' for component in components]
    yield _reading(found, "comparison", ways, prices[0], unit="USD/Mtok", cautious=True)


# ---- one model


_PARTS = {
    "input": r"(?:plain |fresh |ordinary |normal |regular )?(?:input|prompt)(?! cach)(?: tokens?)?",
    "output": r"(?:output|completion)(?: tokens?)?",
    "cache_read": r"(?:cache[d]? (?:reads?|hits?|inputs?)(?: tokens?)?|reading from (?:the |a )?cache)",
    "cache_write": r"(?:cache writes?|writing to (?:the |a )?cache)",
}  # fmt: skip
_WITHIN = tuple(
    (first, second, re.compile(
        rf"\b{_PARTS[first]}\b[^⟨;,]{{0,40}}\b(?:costs?|is|are|runs?|priced|charged|billed|at)\b[^⟨;,]{{0,24}}"
            rf"⟨[XP](?P<r>\d+)⟩ ?(?P<w>[^⟨;,]{{0,34}}?\b(?:as|than|of|price|cost|the|what|that)\b[^⟨;,]{{0,12}}?)"
            rf"\b{_PARTS[second]}\b", re.I))
    for first in _PARTS for second in _PARTS if first != second
)  # fmt: skip


def _within(found: Priced) -> Iterator[Reading]:
    """The ratio of two prices of the only model of a sentence."""
    items = {one.item for one in found.mentions}
    if len(items) != 1:
        return
    mention = found.mentions[0]
    for first, second, pattern in _WITHIN:
        for match in pattern.finditer(found.text):
            r, words = found.window.figures[int(match["r"])], match["w"].lower()
            word = "cheaper" if re.search(r"less|cheaper|below|off|lower", words) else ""
            word = word or ("dearer" if re.search(r"more|above|higher|premium|over", words) else "times")
            if r.ranged or r.sort == "pp" or (r.sort == "%" and word == "times" and " of" not in f" {words}"):
                continue
            own, other = lookup(mention.item, first), lookup(mention.item, second)
            yield _reading(found, "discount", _ways(own, other, r, word), r, missing=which(found, mention))


# ---- discounts of tiers


_OFF = r"(?:off|discount\w*|cheaper|less|lower|sav\w+|reduc\w+|cuts?|below)"
_BATCH, _CACHE = re.compile(r"\bbatch", re.I), re.compile(r"\bcach(?:es?|ed|ing)\b", re.I)
_FLEX = re.compile(r"\bflex\b", re.I)
_WRITE = re.compile(r"cache[- ]?writ|\bwrit", re.I)
_HALF = re.compile(
    r"⟨X(?P<r>\d+)⟩ ?(?:of )?(?:the )?(?:usual |list |standard |normal |regular )?(?:price|cost|rate)\b"
    r"|\b(?:at|for|come at) ⟨X(?P<q>\d+)⟩|⟨X(?P<h>\d+)⟩ (?:the )?(?:bill|prices?|costs?|rates?)"
)


def _discounts(found: Priced) -> Iterator[Reading]:
    """A discount for batches or cached input, for each model of a sentence."""
    items = list(dict.fromkeys(one.item for one in found.mentions)) or ([found.carried.item] if found.carried else [])
    prose = found.window.prose
    percents = [figure for figure in found.window.of("%") if not figure.ranged]
    batch, cache, flex = bool(_BATCH.search(prose)), bool(_CACHE.search(prose)), bool(_FLEX.search(prose))
    if not items or len(items) > 3 or _WRITE.search(prose):
        return
    joint = batch and cache
    if not joint and batch + cache + flex != 1:
        return
    missing = which(found, *found.mentions)
    cautious = not found.mentions or len(items) > 1 or bool(_UNSURE.search(prose)) or bool(_ELSEWHERE.search(prose))
    component, tier = ("cache_read" if cache else "input"), "batch" if batch else "flex" if flex else ""
    stated = [*(_joint_discount(found, percents) if joint else _stated_discount(found, percents))]
    for item in items:
        special, plain = lookup(item, component, tier), lookup(item, "input")
        for r, way in stated:
            form = f"{special} / {plain}" if way == "share" else f"1 - {special} / {plain}"
            careful = cautious or (joint and len(percents) > 1)
            yield _reading(found, "discount", [form], r, confidence=Decimal("0.8"), missing=missing, cautious=careful)
            cautious = True


_JOINT = re.compile(
    r"\bcach(?:es?|ed|ing)\b(?P<a>[^.;⟨]{1,48}?)\bbatch(?:es|ed|ing)?\b"
    r"|\bbatch(?:es|ed|ing)?\b(?P<b>[^.;⟨]{1,48}?)\bcach(?:es?|ed|ing)\b",
    re.I,
)
_APART = re.compile(r"\b(?:or|nor|not|without|either|alone|but|whereas|while|instead|rather|before)\b|n['’]t\b", re.I)
_TOGETHER = re.compile(
    r"\b(?:together|combin\w+|both|stack\w*|jointly|in all|altogether|in total|compound\w*|multipl\w+)\b"
    r"[^⟨;.]{0,32}⟨P(?P<r>\d+)⟩"
    r"|⟨P(?P<q>\d+)⟩[^⟨;.]{0,24}\b(?:together|combined|in all|altogether|in total)\b",
    re.I,
)
_OF_THE_PRICE = re.compile(
    r"⟨P\d+⟩ ?of (?:the |its |their |what )?(?:⟦\d+⟧(?:['’]s)? )?"
    r"(?:full|standard|normal|regular|usual|ordinary|plain|fresh|input|base)? ?(?:input )?"
    r"(?:list|price|cost|rate|input|uncached|⟦\d+⟧)",
    re.I,
)


def _joint_discount(found: Priced, percents: list[Figure]) -> Iterator[tuple[Figure, str]]:
    """The share stated for caching and batches together: 95% off with caching and batch; pays 5% of list with both."""
    together, joint = _TOGETHER.search(found.text), _JOINT.search(found.text)
    if len(percents) > 1 and together:
        figure = found.window.figures[int(together["r"] or together["q"])]
    elif len(percents) == 1 and joint and not _APART.search(joint["a"] or joint["b"]):
        figure = percents[0]
    else:
        return
    place = found.text.find(f"P{found.window.figures.index(figure)}⟩")
    if _OF_THE_PRICE.match(found.text, place - 1):
        yield figure, "share"
    elif re.search(rf"\b{_OFF}\b", found.text, re.I):
        yield figure, "off"


def _stated_discount(found: Priced, percents: list[Figure]) -> Iterator[tuple[Figure, str]]:
    if len(percents) == 1 and not re.search(r"\bfrom\b", found.text):
        r = percents[0]
        off = compiled(rf"{{r:P}}[^⟨⟦]{{0,12}}\b{_OFF}\b|\b{_OFF}\b[^⟨⟦]{{0,24}}{{q:P}}").search(found.text)
        share = compiled(r"(?:cost\w*|priced at|billed at|charged)[^⟨⟦]{0,20}{r:P} of\b").search(found.text)
        if share or off:
            yield r, "share" if share else "off"
        return
    for match in _HALF.finditer(found.text) if not percents else ():
        r = found.window.figures[int(match["r"] or match["q"] or match["h"])]
        if r.unit == "word" and r.low < 1 and not r.ranged:
            yield r, "share"


# ---- blends


_BLEND = re.compile(r"\bblend\w*|\bmix\w*|\baverag\w+|\bweighted", re.I)
_WORD_NUMBERS = "|".join(["one", *list(NUMBERS)[:9]])
_PROPORTION = (
    re.compile(r"\b(?P<a>\d{1,2})\s?(?::|to|/)\s?(?P<b>\d{1,2})\b(?!\s?%)"),
    re.compile(rf"\b(?P<a>{_WORD_NUMBERS}) (?:to|parts?[^.;]{{0,12}}and) (?P<b>{_WORD_NUMBERS})\b", re.I),
    re.compile(
        rf"\b(?P<a>{_WORD_NUMBERS}|\d{{1,2}}) input tokens? (?:for|to|per) "
        rf"(?:each|every|(?P<b>{_WORD_NUMBERS}|\d{{1,2}}))(?: one)? output", re.I),
    re.compile(
        r"\b(?P<a>\d{1,2})\s?% (?:of )?(?:the )?input\b[^.;]{0,20}?\b(?P<b>\d{1,2})\s?% (?:of )?(?:the )?output", re.I
    ),
)  # fmt: skip


def _blends(found: Priced) -> Iterator[Reading]:
    """An average price per token, where the mix of input and output is stated."""
    if len({one.item for one in found.mentions}) != 1 or not _BLEND.search(found.window.prose):
        return
    prices = [figure for figure in money(found.window) if not figure.ranged and figure.per in {"", "Mtok"}]
    mix = next((match for pattern in _PROPORTION if (match := pattern.search(found.window.prose))), None)
    if len(prices) != 1 or mix is None or ("million" not in found.window.prose.lower() and prices[0].per != "Mtok"):
        return
    a, b = (
        int(NUMBERS.get(word.lower(), 0)) or (1 if word.lower() == "one" else int(word))
        for word in (mix["a"], mix["b"] or "one")
    )
    if re.search(r"\boutput (?:and|to|:) input\b", found.window.prose, re.I):
        a, b = b, a
    item = found.mentions[0].item
    form = f"({a} * {lookup(item, 'input')} + {b} * {lookup(item, 'output')}) / {a + b}"
    yield _reading(
        found, "blend", [form], prices[0], unit="USD/Mtok", missing=which(found, found.mentions[0]), cautious=False
    )
