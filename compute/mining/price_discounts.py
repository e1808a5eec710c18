"""Discounts that a maker or a provider gives on all that it sells: batches, cached input, spot and reserved GPUs.

OpenAI and Anthropic take 50% off for batches          1 - price(m, "input", processing="batch") / price(m, "input")
Anthropic's cache reads are 90% off, writes 25% more   price(m, "cache_write") / price(m, "input") - 1
a spot H100 on Google Cloud (60–91% discount)          1 - price("gcp/h100-sxm", "spot") / price("gcp/h100-sxm", …)

A share holds if enough models of the maker have it; one of them is computed. A share that none has is not reported,
because the text may mean a part of them, or another day.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from functools import lru_cache

from compute.mining.mining_models import Figure, Reading
from compute.mining.model_mentions import FIRST_PARTY, Lexicon, Mention
from compute.mining.price_ratios import Priced, lookup
from compute.mining.price_rents import TIERS
from compute.mining.price_subjects import Subjects, gpus, providers
from compute.mining.text_windows import paragraph
from compute.prices.price_book import CatalogBook

_MAKERS = {
    "anthropic": r"Anthropic|Claude|Message Batches API", "openai": r"OpenAI|ChatGPT", "google": r"Google|Gemini",
    "mistral": r"Mistral", "deepseek": r"DeepSeek", "x-ai": r"xAI|Grok",
}  # fmt: skip
_MAKER = re.compile(
    r"(?<![\w-])(?:" + "|".join(f"(?P<{key.replace('-', '_')}>{names})" for key, names in _MAKERS.items()) + r")(?!\w)"
)
_KIND = re.compile(
    r"(?P<batch>\bbatch(?:es|ed)?\b(?! siz))|(?P<write>\bwrit(?:e|es|ing|ten)\b)|(?P<cache>\bcach(?:e|ed|es|ing)\b)",
    re.I,
)
_OFF = re.compile(r"\b(?:off|discount\w*|cheaper|less|lower|sav\w+|reduc\w+|cuts?|below|halv\w+)\b", re.I)
_MORE = re.compile(r"\b(?:surcharge|premium|more|extra|above|dearer)\b", re.I)
_ELSEWHERE = re.compile(
    r"azure|bedrock|vertex|openrouter|fine-?tun|\bPTU|provisioned|storage|self-host|\bif\b|\bwould\b|\bspot\b|reserv",
    re.I,
)
_EDGE = re.compile(r"[;—]|\.\s|,\s(?:and|while|but)\s")
_BEFORE = 200
"""How many signs before a sentence, in its paragraph, may name the makers."""
_REACH = 64
"""How many signs from a figure the word is that says what is discounted."""
_ENOUGH = Decimal("0.2")
"""The share of the models of a maker that must have a discount."""


@dataclass(frozen=True, slots=True)
class _Kind:
    """What is discounted: a component in a tier; `dearer` if it costs more than plain input."""

    component: str
    tier: str = ""
    dearer: bool = False

    def formula(self, item: str) -> str:
        """The share by which the price of an item differs from that of plain input."""
        special, plain = lookup(item, self.component, self.tier), lookup(item, "input")
        return f"{special} / {plain} - 1" if self.dearer else f"1 - {special} / {plain}"


_OUTPUT = _Kind("output", dearer=True)
_TIMES = re.compile(r"\boutput\b[^;.⟨]{0,40}⟨[Xx](?P<r>\d+)⟩ ?[^;.⟨]{0,30}\b(?:input|prompt)\b", re.I)


@dataclass(frozen=True, slots=True)
class Discounts:
    """The discounts of a book by maker, and those of GPUs by provider."""

    book: CatalogBook
    lexicon: Lexicon
    subjects: Subjects
    known: dict[tuple[str, _Kind, date], dict[Decimal, list[str]]] = field(default_factory=dict)
    """The models of a maker by their share."""

    def readings(self, found: Priced) -> Iterator[Reading]:
        """The shares of a sentence that a discount of a maker or a provider gives."""
        yield from self._premiums(found)
        shares = [figure for figure in found.window.of("%") if figure.high <= 100]
        if shares and not _ELSEWHERE.search(found.window.prose):
            for figure in shares:
                yield from self._of_models(found, figure, shares)
        if shares:
            yield from self._of_gpus(found, shares)

    # ---- models

    def _of_models(self, found: Priced, figure: Figure, every: list[Figure]) -> Iterator[Reading]:
        kind = _kind(found, figure, every)
        if kind is None:
            return
        items = [one.item for one in found.mentions if not one.family]
        if items and len(every) == 1 and not kind.dearer:
            return  # the rules for one model read it
        makers = self._makers(found, items)
        items = items or self._only_named(found, makers)
        groups = [self._fitting(maker, kind, figure, found.on, items) for maker in makers]
        if groups and all(groups):
            yield _reading(found, figure, kind.formula(groups[0]), groups)

    def _premiums(self, found: Priced) -> Iterator[Reading]:
        """How many times as much output costs as input, at the makers that a sentence names."""
        match = None if found.mentions else _TIMES.search(found.text)
        makers = named_makers(found.window.prose) if match else []
        if match and makers:
            figure = found.window.figures[int(match["r"])]
            groups = [self._fitting(maker, _OUTPUT, figure, found.on, []) for maker in makers]
            if all(groups):
                form = f"{lookup(groups[0], 'output')} / {lookup(groups[0], 'input')}"
                yield replace(_reading(found, figure, form, groups), unit="x")

    def _makers(self, found: Priced, items: list[str]) -> list[str]:
        """The makers named in a sentence or those of its models, else the only one of the text."""
        if items:
            return sorted({item.partition("/")[0] for item in items})
        passage, start = found.window.passage, found.window.start
        begin, _ = paragraph(passage.mask, start)
        named = named_makers(found.window.prose) or named_makers(passage.mask[max(begin, start - _BEFORE) : start])
        if not named:
            models = {item.partition("/")[0] for item in self.lexicon.items_of(passage.mask)}
            named = sorted({*named_makers(passage.title), *_named_anywhere(passage.mask), *models})
            named = named if len(named) == 1 else []
        return named

    def _only_named(self, found: Priced, makers: list[str]) -> list[str]:
        """The models of a text that names models and no maker: a discount is then of those."""
        passage = found.window.passage
        said = {*named_makers(passage.title), *_named_anywhere(passage.mask)}
        models = [item for item in self.lexicon.items_of(passage.mask) if item.partition("/")[0] in makers]
        vague = any(item in self.book.families for item in models)
        return [] if vague or said & {*makers} else models

    def _fitting(self, maker: str, kind: _Kind, figure: Figure, on: date, items: list[str]) -> str:
        """A model with the stated share; empty if too few models of the maker have it."""
        shares = self._shares(maker, kind, on)
        fit = [one for share, own in shares.items() if _fits(figure, share) for one in own if not items or one in items]
        least = 1 if items else sum(map(len, shares.values())) * _ENOUGH
        return max(fit, key=lambda one: (self.book.released(one) or date.min, one)) if fit and len(fit) >= least else ""

    def _shares(self, maker: str, kind: _Kind, on: date) -> dict[Decimal, list[str]]:
        key = (maker, kind, on)
        if key not in self.known:
            found: dict[Decimal, list[str]] = defaultdict(list)
            for item in self.book.items():
                if item.partition("/")[0] == maker and (share := self._share(item, kind, on)) is not None:
                    found[share].append(item)
            self.known[key] = found
        return self.known[key]

    def _share(self, item: str, kind: _Kind, on: date) -> Decimal | None:
        prices = [price for price in self.book.prices(item) if price.on(on) and not price.above]
        plain = {p.value for p in prices if (p.component, p.processing) == ("input", "standard")}
        special = {p.value for p in prices if (p.component, p.processing) == (kind.component, kind.tier or "standard")}
        if len(plain) != 1 or len(special) != 1 or not min(plain):
            return None
        ratio = min(special) / min(plain)
        if kind == _OUTPUT:
            return round(ratio, 3)
        return round(ratio - 1 if kind.dearer else 1 - ratio, 3) * 100

    # ---- GPUs

    def _of_gpus(self, found: Priced, shares: list[Figure]) -> Iterator[Reading]:
        text = found.window.prose
        hosts, machines = {one.key for one in providers(text)}, {one.key for one in gpus(text)}
        tiers = {names[0] for names, words in TIERS if words.search(text)} - {"on_demand"}
        if len(hosts) != 1 or len(machines) != 1 or len(tiers) != 1 or len(shares) != 1 or not _OFF.search(text):
            return
        offers = self.subjects.gpus.get(machines.pop(), {}).get(hosts.pop(), [])
        tier = tiers.pop()
        items = {price.item for price in offers if price.component == tier}
        items &= {price.item for price in offers if price.component == "on_demand"}
        for item in sorted(items):
            plain, special = lookup(item, "on_demand"), lookup(item, tier)
            yield _reading(found, shares[0], f"1 - {special} / {plain}")


def named_makers(text: str) -> list[str]:
    """The makers of models named in a text, sorted."""
    return sorted({(match.lastgroup or "").replace("_", "-") for match in _MAKER.finditer(text)} & set(FIRST_PARTY))


_SELLERS = {"moonshotai": r"Moonshot(?: AI)?", "zai": r"Z\.ai|Zhipu", **_MAKERS}
"""Makers that sell open models themselves, by their names."""
_ELSEWHERE_SOLD = re.compile(r"\bhosts?\b|\bhost(?:ed|ing)\b|aggregator|resell|marketplace|\bitself\b", re.I)
"""Words for a seller who is not the maker."""


def sold_by_maker(text: str, mentions: Iterable[Mention]) -> set[str]:
    """The models of a text whose maker is named beside them: Moonshot's Kimi K2.5."""
    if _ELSEWHERE_SOLD.search(text):
        return set()
    found = set()
    for one in mentions:
        names = _SELLERS.get(one.item.partition("/")[0], "(?!)")
        owned = re.search(rf"(?<![\w-])(?:{names})['’]s $", text[: one.start])
        if owned or re.search(rf"(?<![\w-])(?:{names}) (?:asks?|bills?|wants?|charges?|lists?|sells?)\b", text):
            found.add(one.item)
    return found


@lru_cache(maxsize=4)
def _named_anywhere(mask: str) -> tuple[str, ...]:
    """The makers named in a full text, which is read once."""
    return tuple(named_makers(mask))


def _kind(found: Priced, figure: Figure, every: list[Figure]) -> _Kind | None:
    """What a share is of: the nearest word for a batch or a cache, up to the next share."""
    text, base = found.window.prose, found.window.start
    begin, end = figure.start - base, figure.end - base
    low = max([begin - _REACH, *(one.end - base for one in every if one.end <= figure.start)])
    high = min([end + _REACH, *(one.start - base for one in every if one.start >= figure.end)])
    low = max([low, 0, *(match.end() for match in _EDGE.finditer(text, 0, begin))])
    high = min([high, *(match.start() for match in _EDGE.finditer(text, end))][:2])
    words = [(begin - low - match.end(), match) for match in _KIND.finditer(text[low:begin])]
    words += [(match.start(), match) for match in _KIND.finditer(text[end:high])]
    if not words:
        return None
    _, nearest = min(words, key=lambda one: one[0])
    near = text[low:high]
    if nearest["write"] or (nearest["cache"] and _MORE.search(near) and any(match["write"] for _, match in words)):
        return _Kind("cache_write", dearer=True) if _MORE.search(near) else None
    if not _OFF.search(near):
        return None
    return _Kind("input", "batch") if nearest["batch"] else _Kind("cache_read")


def _fits(figure: Figure, share: Decimal) -> bool:
    low = figure.low / 2 if figure.hedge == "at most" else figure.low
    return low - figure.half <= share <= figure.high + figure.half


def _reading(found: Priced, figure: Figure, form: str, models: Sequence[str] = ()) -> Reading:
    """A reading that is reported only if it holds; its note names the models of other makers with the same share."""
    window = found.window
    others = f"it is the same for {', '.join(models[1:])}" if len(models) > 1 else ""
    day = "" if found.known else "no day is stated"
    return Reading(
        start=window.start, end=window.end, rule="discount", inputs=(), expression=form, stated=figure, unit="%",
        confidence=Decimal("0.6"), kind="price", note="; ".join(one for one in (day, others) if one), cautious=True,
        bound="at most" if figure.hedge == "at most" else "is",
    )  # fmt: skip
