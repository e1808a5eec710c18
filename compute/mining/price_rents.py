"""Prices of GPU-hours, traffic, power and services in sentences.

an H100 costs $2.50 an hour on CoreWeave       the prices of that GPU at that provider
H100s rent for $2–4 an hour                    the range over all providers on the day
a private endpoint on Azure costs $0.01/hour   the card whose words the sentence has
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache

from compute.mining.date_text import Period
from compute.mining.mining_models import Figure
from compute.mining.price_facts import PriceFact
from compute.mining.price_figures import money
from compute.mining.price_subjects import Named, Subjects, gpus, providers
from compute.mining.price_times import Time, Times
from compute.mining.price_tokens import OWN
from compute.mining.text_windows import Window, paragraph

_EACH = re.compile(r"\s?(?:each|apiece)\b", re.I)
_HOUR = re.compile(r"^\s?(?:(?:each|apiece) )?(?:/|per |an |a |each )\s?(?:GPU[ /-]?)?(?:per )?(?:hour|hr|h)\b", re.I)
TIERS = (
    (("spot",), re.compile(r"\bspot\b|preemptible|interruptible", re.I)),
    (("reserved_3y",), re.compile(r"\b36[- ]month|three[- ]year|3[- ]year", re.I)),
    (("reserved_1y", "committed", "reserved_3y"), re.compile(
        r"\breserv\w*|\bcommit\w*|prepaid|multi-month|one[- ]year|1[- ]year|for a year|12[- ]month", re.I)),
    (("on_demand",), re.compile(r"\bon[- ]demand\b|pay[- ]as[- ]you[- ]go", re.I)),
)  # fmt: skip
_ALL_TIERS = ("on_demand", "reserved_1y", "committed", "reserved_3y", "spot")
MOST_RENT = 200
"""No GPU and no instance costs more an hour, in USD."""
INSTANCE = 8
"""The GPUs of an instance or node of the catalogues."""
_EIGHT = re.compile(r"\b(?:8|eight) gpus?\b")
_EACH_GB = re.compile(r"\s(?:(?:for |per )?(?:each|every|one|a)|per)\s(?:GB|gigabyte)\b")
_EACH_KWH = re.compile(r"\s(?:(?:for |per )?(?:each|every|one|a)|per)\s(?:kWh|kilowatt[- ]hour)\b")
_BEFORE_HOUR = re.compile(
    r"\b(?:an|one|each|per|every) (?:GPU-?)?hour (?:of|on|with) [^;.$]{0,40}$|\bhourly (?:rate|price)[^;.$]{0,40}$",
    re.I,
)
_AN_HOUR_OF = re.compile(r"\b(?:an|one|each|per|every) (?:GPU-?)?hour (?:of|on|with)\b", re.I)
_OTHER_TRAFFIC = re.compile(
    r"direct ?connect|cloud ?front|\bcdn\b|private ?link|\bnat\b|express ?route|interconnect|peering|\bs3\b|storage",
    re.I,
)
"""Services with prices of their own for each GB."""
_TCO = re.compile(r"\bTCO\b|total cost of ownership|over (?:three|3) years", re.I)
_THREE_YEARS = re.compile(r"\b(?:3|three)[- ]years?\b", re.I)
_NODE = re.compile(r"\b(?:node|server|8-GPU|eight-GPU)\b", re.I)
_BUY = re.compile(r"\b(?:buy\w*|purchas\w*|cost\w*|price\w*|own\w*|hardware|worth|apiece|capex)\b", re.I)
_FAR = 1_000
_OWNED = ("purchase_and_operation_3y",)
_EDGE = re.compile(r"[;,(]|\.\s|\band\b|\bor\b|\bvs\b|\bthan\b|\bto\b")


def rents(window: Window, subjects: Subjects, day: Period | None) -> Iterator[PriceFact]:
    """The prices per hour, per GB, per kWh and per month of a sentence, and those of hardware."""
    figures = money(window)
    if not figures:
        return
    found = _Rents(window, subjects, figures)
    for index, figure in enumerate(figures):
        fact = found.fact(index, figure)
        if fact is not None:
            yield replace(fact, earlier=day) if fact.time.period is None and not fact.time.now else fact


@lru_cache(maxsize=4)
def _keys(mask: str, begin: int, end: int) -> frozenset[str]:
    """The GPUs named in a paragraph, which is read once for all of its sentences."""
    return frozenset(one.key for one in gpus(mask[begin:end]))


@lru_cache(maxsize=4)
def _lowered(mask: str, begin: int, end: int) -> str:
    """A paragraph in lower case."""
    return mask[begin:end].lower()


class _Rents:
    """The money figures of one sentence."""

    def __init__(self, window: Window, subjects: Subjects, figures: list[Figure]) -> None:
        self._window, self._subjects, self._figures = window, subjects, figures
        self._text, self._base = window.prose, window.start
        self._gpus = gpus(self._text)
        self._providers = self._sellers()
        self._own = bool(OWN.search(self._text))
        self._times = Times(self._text)

    def _sellers(self) -> tuple[Named, ...]:
        """The providers of a sentence, and those whose instance it names: `p5.48xlarge`."""
        found, text = list(providers(self._text)), self._text.lower()
        for name, key in self._subjects.instances:
            place = text.find(name)
            if place >= 0 and key not in {one.key for one in found}:
                found.append(Named(place, place + len(name), key))
        return tuple(sorted(found, key=lambda one: one.start))

    def fact(self, index: int, figure: Figure) -> PriceFact | None:
        """The fact of a figure, by what it is per; None if no card can be meant."""
        if self._hourly(index, figure):
            return self._gpu_hour(index, figure) or self._service(index, figure, "USD/h", {"link"})
        if figure.per == "GB" or (not figure.per and _EACH_GB.match(self._text, figure.end - self._base)):
            return self._traffic(index, figure)
        if figure.per == "kWh" or (not figure.per and _EACH_KWH.match(self._text, figure.end - self._base)):
            return self._power(index, figure)
        if figure.per == "month":
            return self._service(index, figure, "USD/month_730h", {"service"})
        if not figure.per and figure.low >= 500:
            return self._hardware(index, figure)
        return None

    def _hourly(self, index: int, figure: Figure) -> bool:
        after = self._text[figure.end - self._base : figure.end - self._base + 24]
        if figure.per in {"h", "GPU/h"} or (figure.per in {"", "GPU"} and _HOUR.match(after)):
            return True
        before = self._text[: figure.start - self._base]
        if not figure.per and figure.low < MOST_RENT and self._gpus and _BEFORE_HOUR.search(before):
            return True
        later = self._figures[index + 1 :]
        gap = self._text[figure.end - self._base : later[0].start - self._base] if later else ""
        listed = bool(later) and self._hourly(index + 1, later[0]) and len(gap) < 40
        earlier = (
            index > 0
            and (self._figures[index - 1].per in {"h", "GPU/h"} or bool(_AN_HOUR_OF.search(before)))
            and not self._text[figure.end - self._base :].startswith("/")
        )
        return (
            not figure.per
            and figure.low < MOST_RENT
            and not figure.label
            and (listed or (earlier and bool(self._gpus)))
        )

    # ---- GPU-hours

    def _gpu_hour(self, index: int, figure: Figure) -> PriceFact | None:
        gpu = self._nearest(self._gpus, index, figure) or self._carried()
        if gpu is None or not gpu.many or gpu.key not in self._subjects.gpus:
            return None
        offers = self._subjects.gpus[gpu.key]
        provider = self._nearest(self._providers, index, figure)
        own = self._clause(index, figure)
        components = next((names for names, words in TIERS if words.search(own)), None)
        if components is None and len(self._figures) == 1:
            components = next((names for names, words in TIERS if words.search(self._text)), None)
        key = provider.key if provider else "market"
        if key not in offers:
            return None if provider else self._of_range(index, figure, gpu, components)
        instances = [item for item, prices in self._subjects.cards.items()
                     if item.startswith(f"{key}/") and any(p.unit == "USD/instance/h" for p in prices)]  # fmt: skip
        each = _EACH.match(self._text, figure.end - self._base)
        many = 1 if each else self._many(gpu, instances)
        unit = "USD/h" if many > 1 else "USD/GPU/h"
        items = tuple(dict.fromkeys(price.item for price in offers[key]))
        items += tuple(instances) if many == INSTANCE else ()
        if not provider:
            return self._of_range(index, figure, gpu, components)
        cautious = not self._adjacent(provider, gpu, figure)
        return self._made(index, figure, items, components or _ALL_TIERS, unit, many=many, cautious=cautious)

    def _carried(self) -> Named | None:
        """The GPU of a sentence that names none: the only one of its paragraph, at an offset before the sentence."""
        mask = self._window.passage.mask
        named = _keys(mask, *paragraph(mask, self._window.start))
        return Named(-_FAR, -_FAR, min(named)) if len(named) == 1 else None

    def _many(self, gpu: Named, instances: list[str]) -> int:
        """For how many GPUs a price is: as many as are named before the GPU, or those of a named instance."""
        text = self._text.lower().replace("-", " ")
        named = any(item.partition("/")[2].replace("-", " ") in text for item in instances)
        return gpu.many if gpu.many > 1 else INSTANCE if named or _EIGHT.search(text) else 1

    def _of_range(self, index: int, figure: Figure, gpu: Named, components: tuple[str, ...] | None) -> PriceFact | None:
        """A GPU-hour without a provider: inside the range over the providers it holds; outside it is not reported."""
        offers = self._subjects.gpus[gpu.key]
        items = tuple(dict.fromkeys(price.item for prices in offers.values() for price in prices))
        if re.search(r"\b(?:down|up) from\s{1,2}[~≈]?$", self._text[: figure.start - self._base]):
            return None
        return self._made(
            index, figure, items, components or _ALL_TIERS, "USD/GPU/h", cautious=True, confidence="0.6", spread=True
        )

    def _adjacent(self, provider: Named, gpu: Named, figure: Figure) -> bool:
        low = min(provider.start, gpu.start, figure.start - self._base)
        high = max(provider.end, gpu.end, figure.end - self._base)
        return high - low < 90

    # ---- other cards

    def _traffic(self, index: int, figure: Figure) -> PriceFact | None:
        own = self._text
        if re.search(
            r"\b(?:each direction|cross[- ](?:AZ|zone|availability)|between (?:availability |[A-Z]\w+ )?(?:zones|AZs)"
            r"|availability[- ]zone)",
            own,
            re.I,
        ):
            return self._card(index, figure, ["aws/cross-zone"], ("transfer",), "USD/GB", cautious=not self._providers)
        if not re.search(r"egress|outbound|internet|transfer|leav\w+|data out|exceeding|traffic", own, re.I):
            return None
        keys, other = {one.key for one in self._providers}, bool(_OTHER_TRAFFIC.search(own))
        cards = [item for item, prices in self._subjects.cards.items() if any(p.component == "egress" for p in prices)]
        if len(keys) == 1:
            chosen = [item for item in cards if item.partition("/")[0] in keys]
            chosen = [item for item in chosen if ("bedrock" in item) <= ("bedrock" in own.lower())] or chosen
            return self._card(index, figure, chosen, ("egress",), "USD/GB", cautious=not chosen or other)
        words = keys or re.search(r"hyperscaler|big (?:three|clouds?)|providers|clouds", own, re.I)
        chosen = [item for item in cards if item.startswith(("hyperscaler/", "market/", "aws/"))]
        return self._card(index, figure, chosen, ("egress",), "USD/GB", cautious=True, spread=bool(words))

    def _power(self, index: int, figure: Figure) -> PriceFact | None:
        cards = [item for item, prices in self._subjects.cards.items() if any(p.component == "energy" for p in prices)]
        named = re.search(r"industrial", self._text, re.I)
        return self._card(
            index, figure, cards, ("energy",), "USD/kWh", cautious=not named, doubt="power has many prices"
        )

    def _service(self, index: int, figure: Figure, unit: str, components: set[str]) -> PriceFact | None:
        """A card all of whose words the clause of the figure has."""
        begin = self._figures[index - 1].end - self._base if index else 0
        before = self._text[begin : figure.start - self._base].lower()
        mask = self._window.passage.mask
        around = _lowered(mask, *paragraph(mask, self._window.start))
        near: list[tuple[int, str, tuple[str, ...]]] = []
        for item, prices in self._subjects.cards.items():
            used = tuple(sorted({price.component for price in prices} & components))
            provider, *words = [word for word in re.split(r"[/-]", item) if word not in {"market", "tier"}]
            places = [before.rfind(word) for word in words]
            if used and words and min(places) >= 0 and (provider in around):
                near.append((max(places), item, used))
        if not near:
            return None
        _, item, used = max(near)
        return self._card(index, figure, [item], used, unit, cautious=True)

    def _hardware(self, index: int, figure: Figure) -> PriceFact | None:
        gpu = self._nearest(self._gpus, index, figure)
        if gpu is None or re.search(r"per year|a year|/yr", self._text):
            return None
        if _TCO.search(self._text):
            return self._owned(index, figure, gpu)
        named = figure.end - self._base + 1 == gpu.start
        if not (named or _BUY.search(self._text)) or "total" in self._text:
            return None
        cards = [
            item for item in self._subjects.cards if item.startswith("market/") and gpu.key in item.replace("-sxm", "")
        ]
        return self._card(index, figure, cards, ("purchase",), "USD/GPU", cautious=True)

    def _owned(self, index: int, figure: Figure, gpu: Named) -> PriceFact | None:
        """What a GPU or a node costs in three years, with power and staff."""
        if not _THREE_YEARS.search(self._text):
            return None
        unit = "USD/node" if _NODE.search(self._text) else "USD/GPU"
        cards = [
            item
            for item, prices in self._subjects.cards.items()
            if item.startswith("market/") and gpu.key in item and any(one.component in _OWNED for one in prices)
        ]
        return self._card(index, figure, cards, _OWNED, unit, cautious=True)

    def _card(
        self, index: int, figure: Figure, cards: list[str], components: tuple[str, ...], unit: str,
        *, cautious: bool, spread: bool = False, doubt: str = "",
    ) -> PriceFact | None:  # fmt: skip
        items = tuple(dict.fromkeys(p.item for card in cards for p in self._subjects.cards[card]))
        if not items:
            return None
        made = self._made(index, figure, items, components, unit, cautious=cautious, spread=spread, confidence="0.7")
        return replace(made, doubt=doubt)

    # ---- parts

    def _made(
        self, index: int, figure: Figure, items: tuple[str, ...], components: tuple[str, ...], unit: str,
        *, many: int = 1, cautious: bool = False, confidence: str = "0.8", spread: bool = False,
    ) -> PriceFact:  # fmt: skip
        return PriceFact(
            start=self._window.start, end=self._window.end, figure=figure, items=items, components=components,
            unit=unit, time=self._time(index, figure), many=many, confidence=Decimal(confidence),
            cautious=cautious or self._own, spread=spread,
        )  # fmt: skip

    def _time(self, index: int, figure: Figure) -> Time:
        pair = re.search(r"\bfrom\s{1,2}$", self._text[: figure.start - self._base])
        time = self._times.at(figure.start - self._base, figure.end - self._base)
        stated = self._times.stated
        if pair and len(stated) == 2 and index + 1 < len(self._figures):
            return Time(stated[0])
        if (
            index
            and len(stated) == 2
            and re.search(r"\bfrom\s{1,2}$", self._text[: self._figures[index - 1].start - self._base])
        ):
            return Time(stated[1])
        if pair:
            return Time(Period(None, time.period.last) if time.period else None, past=True)
        return time

    def _nearest(self, named: tuple[Named, ...], index: int, figure: Figure) -> Named | None:
        """What is named right after a figure, else last before it, else anywhere in the sentence."""
        begin, end = figure.start - self._base, figure.end - self._base
        behind = [one for one in named if one.start >= end]
        earlier = [one for one in named if one.end <= begin]
        stop = self._figures[index + 1].start - self._base if index + 1 < len(self._figures) else len(self._text)
        if behind and self._text[end : behind[0].start] == " ":
            return behind[0]
        if behind and behind[0].start < stop and re.fullmatch(
            r"(?:\s?(?:/|per|an)\s?(?:GPU[ /])?(?:hour|hr))?[^,;.()$]{0,34}?"
            r"\b(?:at|on|for|from|by|with|an?)\s(?:the\s|an?\s)?",
            self._text[end : behind[0].start],
        ):  # fmt: skip
            return behind[0]
        return earlier[-1] if earlier else behind[0] if behind else None

    def _clause(self, index: int, figure: Figure) -> str:
        """The words around a figure, from the one before it to the next border after it."""
        begin = self._figures[index - 1].end - self._base if index else 0
        stop = self._figures[index + 1].start - self._base if index + 1 < len(self._figures) else len(self._text)
        before, after = self._text[begin : figure.start - self._base], self._text[figure.end - self._base : stop]
        if index:
            edges = list(_EDGE.finditer(before))
            before = before[edges[0].end() :] if edges else before
        edge = _EDGE.search(after)
        return f"{before} {after[: edge.start()] if edge and index + 1 < len(self._figures) else after}"
