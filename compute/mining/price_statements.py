"""Statements about list prices, compared with the price book.

Claude 3.5 Sonnet costs $3 per million input tokens         price("anthropic/claude-3-5-sonnet", "input")
GPT-4o mini is 60% cheaper than GPT-3.5 Turbo               1 - price(a, …) / price(b, …), input and output
batch requests to GPT-4o are 50% off                        1 - price(…, processing="batch") / price(…)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from itertools import pairwise

from compute.mining.date_text import day_of
from compute.mining.mining_models import Figure, Passage, Reading
from compute.mining.model_mentions import Lexicon, Mention
from compute.mining.readings import LOOSE
from compute.mining.text_windows import Window, compiled, tagged

_ELSEWHERE = re.compile(
    r"fine-?tun|\baudio\b|\bimages?\b|realtime|priority|\bflex\b|azure|bedrock|vertex|openrouter|\bPTU|provisioned"
    r"|storage|reserved|grounding|fast mode|\bAWS\b|thinking mode|introductory|promotional|regional|open-weight"
    r"|self-host|surcharge"
    r"|average|blended|effective|if |would|rumou?r|expect|used to|\bwas\b|formerly|previous|old\b|originally",
    re.I,
)
_BATCH, _CACHE = re.compile(r"\bbatch", re.I), re.compile(r"\bcach(?:e|ed|ing)\b", re.I)
_WRITE = re.compile(r"cache[- ]?writ|write", re.I)
_LONG = re.compile(r"(?:above|over|beyond|long(?:er)?[- ]?(?:context|than)|exceed\w*|>)", re.I)
_SHORT = re.compile(r"(?:under|below|up to|within|base tier|≤|<)", re.I)
_BORDER = re.compile(r"\b(?:than|versus|vs\.?|compared|against|from|while|whereas|half of)\b|[;.]\s", re.I)
_REACH = 110
_TOKENS = re.compile(r"tokens?\b|mtok|per (?:1M|million)|/\s?1?M\b", re.I)


@dataclass(frozen=True, slots=True)
class Priced:
    """A sentence with the models in it: the tagged text has ⟦n⟧ for each."""

    window: Window
    mentions: tuple[Mention, ...]
    text: str
    on: date
    dated: bool

    @property
    def timeless(self) -> bool:
        """Whether neither the sentence nor the node states a day."""
        return not self.dated and self.window.passage.on is None


_BEFORE = re.compile(
    r"\b(?:pre-\w+|before|prior|afterwards?|back then|at the time|initially|at first|in the past|last year|ago)\b", re.I
)


def pricing(windows: list[Window], lexicon: Lexicon, on: date) -> Iterator[tuple[Reading, date]]:
    """Readings of the prices in the sentences of a passage, each with the day for which it is judged."""
    for window in windows:
        mentions = tuple(one for one in lexicon.mentions(window.prose))
        if not mentions:
            yield from ((reading, on) for reading in _strangers(window))
            continue
        if _BEFORE.search(window.prose):
            continue
        stated = day_of(window.prose) or _paragraph_day(window.passage, window.start)
        day = stated or window.passage.on or on
        found = Priced(window, mentions, _marked(window, mentions), min(day, on), stated is not None)
        for reading in (*_prices(found), *_compared(found), *_discounts(found)):
            yield reading, found.on


def _paragraph_day(passage: Passage, start: int) -> date | None:
    """The day stated in the same paragraph, before a sentence."""
    begin = passage.mask.rfind("\n\n", 0, start) + 1
    return day_of(passage.mask[begin:start])


def _marked(window: Window, mentions: tuple[Mention, ...]) -> str:
    marks = [(window.start + one.start, window.start + one.end, f"⟦{index}⟧") for index, one in enumerate(mentions)]
    return tagged(window.passage.mask, window.start, window.end, window.figures, marks)


def _priced(item: str, component: str, *, batch: bool = False, context: int = 0) -> str:
    more = (', processing="batch"' if batch else "") + (f", context={context}" if context else "")
    return f'price("{item}", "{component}"{more})'


def _made(found: Priced, rule: str, expression: str, stated: Figure, **rest: object) -> Reading:
    told: dict[str, object] = {"unit": "USD/Mtok", "confidence": Decimal("0.8"), "slack": Decimal(0), **rest}
    window = found.window
    span = {"start": window.start, "end": window.end}
    return Reading(**span, rule=rule, inputs=(), expression=expression, stated=stated, kind="price", **told)  # type: ignore[arg-type]  # the fields by name


# ---- list prices


def _prices(found: Priced) -> Iterator[Reading]:
    for index, mention in enumerate(found.mentions):
        begin = found.window.start + mention.end
        end = found.window.start + (
            found.mentions[index + 1].start if index + 1 < len(found.mentions) else begin + _REACH
        )
        seen: set[str] = set()
        for figure in found.window.figures:
            if begin <= figure.start < min(end, begin + _REACH) and figure.label and figure.label not in seen:
                between = found.window.passage.mask[begin : figure.start]
                if _BORDER.search(between):
                    break
                seen.add(figure.label)
                if _is_list_price(found, figure):
                    yield _listed(found, mention, figure, between)


def _is_list_price(found: Priced, figure: Figure) -> bool:
    """Whether a figure is a price per token, stated without conditions."""
    if (
        figure.sort != "money"
        or figure.unit != "USD"
        or figure.ranged
        or figure.hedge
        or found.text.rstrip().endswith("?")
    ):
        return False
    per_token = figure.per in {"Mtok", "ktok"} or (not figure.per and bool(_TOKENS.search(_paragraph(found.window))))
    return (
        per_token
        and not _ELSEWHERE.search(found.window.prose)
        and not re.search(r"\bnot\b|n['’]t\b", found.window.prose)
    )


def _paragraph(window: Window) -> str:
    mask = window.passage.mask
    begin, end = mask.rfind("\n\n", 0, window.start) + 1, mask.find("\n\n", window.end)
    return mask[begin : end if end >= 0 else len(mask)]


def _listed(found: Priced, mention: Mention, figure: Figure, between: str) -> Reading:
    after = found.window.passage.mask[figure.end : figure.end + 60]
    around = between + " " + after.partition(";")[0]
    component = "cache_read" if figure.label == "input" and _CACHE.search(between) else figure.label
    context = _context(around)
    expression = _priced(mention.item, component, batch=bool(_BATCH.search(found.window.prose)), context=context)
    unit = "USD/ktok" if figure.per == "ktok" else "USD/Mtok"
    confidence = Decimal("0.8") if not mention.family else Decimal("0.6")
    note = "no day is stated" if found.timeless else ""
    return _made(
        found,
        "list price",
        expression,
        figure,
        unit=unit,
        confidence=confidence,
        note=note,
        missing=_which(found, mention),
    )


def _context(around: str) -> int:
    """The number of context tokens for which a price is stated; 0 if none is."""
    size = re.search(r"(\d{2,4})[kK]\b", around)
    if size and _LONG.search(around) and not _SHORT.search(around):
        return int(size[1]) * 1000 + 1000
    return 0


def _which(found: Priced, *mentions: Mention) -> str:
    """Why a verdict would have to assume which model of a family is meant; empty if it is clear."""
    names = [one.item for one in mentions if one.family]
    return f"no day is stated, so which model of {names[0]} is meant is not known" if names and found.timeless else ""


_STRANGER = re.compile(
    r"(?P<name>[A-Z][a-z]\w*(?:[ -][A-Z0-9][\w.]*){0,3}[ -](?:v?\d[\w.]*)(?:[ -][A-Z0-9]\w*){0,2})"
    r" (?:costs?|is priced|prices|charges|is listed|lists|runs)\b[^.;]{0,12}$"
)


def _strangers(window: Window) -> Iterator[Reading]:
    """Prices per token of models that are not in the book; reported as such."""
    for first, second in pairwise(window.figures):
        if {first.label, second.label} != {"input", "output"} or "Mtok" not in {first.per, second.per}:
            continue
        named = _STRANGER.search(window.passage.mask[window.start : first.start])
        if named and not (first.ranged or second.ranged or first.hedge or _ELSEWHERE.search(window.prose)):
            for figure in (first, second):
                item = re.sub(r"[^a-z0-9.]+", "-", named["name"].lower()).strip("-.")
                yield _made(Priced(window, (), "", date.min, False), "list price", _priced(item, figure.label), figure)


# ---- models against each other


_SUBJECT, _OBJECT = r"⟦(?P<s>\d+)⟧", r"⟦(?P<o>\d+)⟧"
_THAN = rf"[^⟦⟨]{{0,24}}than[^⟦⟨]{{0,14}}{_OBJECT}"
_PRICIER = r"(?P<w>cheaper|less expensive|lower[- ]priced|more expensive|pricier)"
_COMPARED = (
    (
        rf"{_SUBJECT}[^⟦⟨]{{0,30}}\bundercut\w*[^⟦⟨]{{0,12}}{_OBJECT}[^⟦⟨.]{{0,24}}\bby [^⟦⟨]{{0,14}}{{r:ratio}}",
        "cheaper",
    ),
    (rf"{_SUBJECT}[^⟦.;]{{0,70}}?{{r:ratio}} ?{_PRICIER}{_THAN}", ""),
    (rf"{_SUBJECT}[^⟦.;⟨]{{0,40}}\bcosts?[^⟦⟨]{{0,12}}{{r:ratio}} ?(?P<w>more|less){_THAN}", ""),
    (rf"{_SUBJECT}[^⟦.;⟨]{{0,40}}\bcosts? [^⟦⟨]{{0,10}}{{r:X}} as much (?:per \w+ )?as[^⟦⟨]{{0,8}}{_OBJECT}", "times"),
    (rf"{_SUBJECT}[^⟦.;⟨]{{0,40}}{{r:X}} (?:of )?the (?:price|cost|rate)s? of[^⟦⟨]{{0,14}}{_OBJECT}", "times"),
)


def _compared(found: Priced) -> Iterator[Reading]:
    for pattern, way in _COMPARED:
        for match in compiled(pattern).finditer(found.text):
            r = found.window.figures[int(match["r"])]
            subject, other = found.mentions[int(match["s"])], found.mentions[int(match["o"])]
            if (
                r.ranged
                or subject.item == other.item
                or re.search(r"\bnot\b|n['’]t\b|faster|speed", match[0])
                or _ELSEWHERE.search(match[0])
            ):
                continue
            groups = match.groupdict()
            word = way or ("cheaper" if groups["w"].lower().startswith(("cheap", "less", "lower")) else "dearer")
            tail = found.text[match.end() : match.end() + 20]
            yield _comparison(found, r, (subject, other), word, _component(tail))


def _component(tail: str) -> tuple[str, ...]:
    only = re.search(r"\bon (input|output)\b", tail, re.I)
    return (only[1].lower(),) if only else ("input", "output")


def _comparison(
    found: Priced, r: Figure, models: tuple[Mention, Mention], word: str, components: tuple[str, ...]
) -> Reading:
    """A ratio of two list prices; without a stated component it may be of either, or of a mix."""
    ways = []
    for component in components:
        own, other = (_priced(one.item, component) for one in models)
        if r.sort == "%":
            ways.append(f"1 - {own} / {other}" if word == "cheaper" else f"{own} / {other} - 1")
        else:
            ways.append(f"{other} / {own}" if word == "cheaper" else f"{own} / {other}")
    return _made(
        found,
        "comparison",
        ways[0],
        r,
        alternatives=tuple(ways[1:]),
        unit="%" if r.sort == "%" else "x",
        confidence=Decimal("0.75"),
        note="no day is stated" if found.timeless else "",
        slack=LOOSE[r.hedge],
        missing=_which(found, *models),
    )


# ---- discounts


_OFF = r"(?:off|discount\w*|cheaper|less|sav\w+|reduc\w+|cut)"


def _discounts(found: Priced) -> Iterator[Reading]:
    """A discount for batches or cached input, if the sentence names one model."""
    items = {one.item for one in found.mentions}
    percents = [figure for figure in found.window.of("%") if not figure.ranged]
    if len(items) != 1 or len(percents) != 1 or _ELSEWHERE.search(found.window.prose):
        return
    batch, cache = bool(_BATCH.search(found.window.prose)), bool(_CACHE.search(found.window.prose))
    if batch == cache or _WRITE.search(found.window.prose):
        return
    item, r, which = items.pop(), percents[0], _which(found, *found.mentions)
    component = "input" if batch else "cache_read"
    special, plain = _priced(item, component, batch=batch), _priced(item, "input")
    off = compiled(rf"{{r:P}}[^⟨⟦]{{0,12}}\b{_OFF}\b|\b{_OFF}\b[^⟨⟦]{{0,20}}{{q:P}}").search(found.text)
    share = compiled(r"(?:cost\w*|priced at|billed at|charged)[^⟨⟦]{0,20}{r:P} of\b").search(found.text)
    if share:
        yield _made(found, "discount", f"{special} / {plain}", r, unit="%", slack=LOOSE[r.hedge], missing=which)
    elif off and not re.search(r"\bfrom\b", found.text):
        yield _made(found, "discount", f"1 - {special} / {plain}", r, unit="%", slack=LOOSE[r.hedge], missing=which)
