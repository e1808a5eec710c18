"""What a price is for, in prose: models at a provider, GPUs, and the services of the price cards.

Llama 3.3 70B on Groq           groq/llama-3.3-70b-versatile
an H100 at Lambda               lambda/h100-sxm, lambda/h100-sxm-low …
a private endpoint on Azure     azure/private-endpoint
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from compute.mining.model_mentions import Mention
from compute.prices.price_book import CatalogBook
from compute.prices.price_models import Price

PROVIDERS = {
    "aws": r"AWS|Amazon(?: Web Services)?|Bedrock", "gcp": r"GCP|Google Cloud(?: Platform)?|Vertex(?: AI)?",
    "azure": r"Azure|Microsoft", "coreweave": r"CoreWeave", "lambda": r"Lambda(?: Labs)?", "runpod": r"RunPod",
    "vultr": r"Vultr", "nebius": r"Nebius", "spheron": r"Spheron", "hyperbolic": r"Hyperbolic",
    "gmi": r"GMI(?: Cloud)?", "crusoe": r"Crusoe", "hyperstack": r"Hyperstack", "groq": r"Groq",
    "together": r"Together(?: AI|\.ai)?", "fireworks": r"Fireworks(?: AI)?", "cerebras": r"Cerebras",
    "openrouter": r"OpenRouter", "novita": r"Novita", "baseten": r"Baseten", "databricks": r"Databricks",
    "cloudflare": r"Cloudflare", "perplexity": r"Perplexity",
}  # fmt: skip
"""Providers of the catalogues by their names in prose."""
_PROVIDER = re.compile(
    r"(?<![A-Za-z0-9])(?:" + "|".join(f"(?P<{key}>{names})" for key, names in PROVIDERS.items()) + r")(?![A-Za-z0-9])"
)
_HOSTS = frozenset({"groq", "together", "fireworks", "cerebras", "openrouter", "novita", "baseten", "databricks",
                    "azure", "aws", "perplexity", "cloudflare"})  # fmt: skip
SELLERS = "|".join(PROVIDERS[key] for key in sorted(_HOSTS))
"""The names of providers that sell models of other makers."""
_OPEN = frozenset({"groq", "together", "fireworks", "cerebras"})
"""Hosts that sell only models with open weights."""
_SUFFIXES = frozenset(
    [
        "versatile",
        "instruct",
        "turbo",
        "chat",
        "hf",
        "fp8",
        "instant",
        "basic",
        "reference",
        "preview",
        "it",
        "latest",
        "specdec",
        "tput",
        "lite",
        "nvfp4",
        "awq",
        "free",
    ]
)
_WORD = re.compile(r"[a-z]+|\d+")
_GPU = re.compile(
    r"(?<![A-Za-z0-9])(?:(?<![,.$€£])(?P<many>\d+(?:[-–]\d+)?|[Ee]ight|[Tt]wo|[Ff]our)\s?[x×]?\s)?(?:NVIDIA |AMD )?"
    r"(?P<name>[HBAV]\d{2,3}|GB\d{3}|MI\d{3}X?|L40S?|RTX[ -]\d{4})s?(?![A-Za-z0-9])"
)
_ENDS = re.compile(r"(?:-(?:sxm|pcie|low|high|node|tco|nvl))+$")
PER_GPU = frozenset({"USD/GPU/h"})


@dataclass(frozen=True, slots=True)
class Named:
    """A provider, GPU or card named at `start:end`; `many` is the number of GPUs before the name, 0 if
    it is a range."""

    start: int
    end: int
    key: str
    many: int = 1


class Subjects:
    """The items of a book that are not models of their own maker, by their names in prose."""

    def __init__(self, book: CatalogBook) -> None:
        self._book = book

    @cached_property
    def _hosted(self) -> dict[tuple[str, ...], dict[str, list[str]]]:
        """Items of open models by the words of the name, then by provider."""
        found: dict[tuple[str, ...], dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        for item in self._book.items():
            provider, _, rest = item.partition("/")
            if provider in _HOSTS:
                words = _words(rest.rpartition("/")[2])
                if len(words) > 1 and any(word.isdigit() for word in words) and words[0].isalpha():
                    found[words][provider].append(item)
        return found

    @cached_property
    def _names(self) -> re.Pattern[str]:
        longest = sorted(self._hosted, key=lambda words: (-len(words), words))
        ways = "|".join(
            r"[-\s.]?".join(f"v?{word}" if place and word.isdigit() else word for place, word in enumerate(words))
            for words in longest
        )
        ways = ways or r"(?!)"
        return re.compile(rf"(?<![A-Za-z0-9.-])(?:{ways})(?![A-Za-z0-9])(?!\.\d)(?![- ](?:class|like|style)\b)", re.I)

    @cached_property
    def gpus(self) -> dict[str, dict[str, list[Price]]]:
        """Prices of a GPU-hour by GPU, then by provider."""
        found: dict[str, dict[str, list[Price]]] = defaultdict(lambda: defaultdict(list))
        for item, price in self._cards:
            if price.unit in PER_GPU:
                provider, _, rest = item.partition("/")
                found[_ENDS.sub("", rest)][provider].append(price)
        return found

    @cached_property
    def cards(self) -> dict[str, list[Price]]:
        """Prices that are neither for tokens nor for GPU-hours, by item without its range."""
        found: dict[str, list[Price]] = defaultdict(list)
        for item, price in self._cards:
            if price.unit not in PER_GPU:
                found[_ENDS.sub("", item)].append(price)
        return found

    @cached_property
    def instances(self) -> tuple[tuple[str, str], ...]:
        """The names of instances of several GPUs, each with its provider."""
        cards = [item for item, prices in self.cards.items() if any(one.unit == "USD/instance/h" for one in prices)]
        return tuple((item.partition("/")[2], item.partition("/")[0]) for item in cards)

    @cached_property
    def _cards(self) -> tuple[tuple[str, Price], ...]:
        return tuple(
            (item, price) for item in self._book.items() for price in self._book.prices(item) if _is_card(price)
        )

    def hosted(self, text: str, hosts: tuple[Named, ...]) -> Iterator[tuple[Mention, dict[str, list[str]]]]:
        """Open models named in a text that names a provider, each with its items by provider."""
        if hosts:
            for match in self._names.finditer(text):
                offers = self._hosted.get(_words(match[0]))
                if offers:
                    items = [item for host in hosts for item in offers.get(host.key, ())]
                    if items:
                        yield Mention(match.start(), match.end(), items[0]), offers

    def anywhere(self, text: str) -> Iterator[tuple[Mention, tuple[str, ...]]]:
        """Open models named in a text, each with its items at all providers."""
        for match in self._names.finditer(text):
            offers = self._hosted.get(_words(match[0]), {})
            if _OPEN & set(offers):
                items = tuple(item for own in offers.values() for item in own)
                yield Mention(match.start(), match.end(), items[0]), items


def _words(name: str) -> tuple[str, ...]:
    plain = re.sub(r"(?<=\d)p(?=\d)", ".", re.sub(r"(?<![a-z])v(?=\d)", "", name.lower()))
    words = _WORD.findall(plain)
    while len(words) > 2 and (words[-1] in _SUFFIXES or (words[-1].isdigit() and len(words[-1]) > 3)):
        words.pop()
    return tuple(words)


def _is_card(price: Price) -> bool:
    """Whether a price is of a price card for something else than tokens."""
    return price.unit.startswith("USD/") and price.unit.partition("/")[2] in {
        "GPU/h", "GPU", "instance/h", "GPU/year", "GB", "h", "kWh", "month_730h", "node",
    } and not price.component.startswith(("audio", "input", "output"))  # fmt: skip


def resellers(text: str) -> tuple[str, ...]:
    """The providers named in a text that sell models of other makers."""
    return tuple(one.key for one in providers(text) if one.key in _HOSTS)


@lru_cache(maxsize=16)
def providers(text: str) -> tuple[Named, ...]:
    """The providers named in a text, in order."""
    return tuple(Named(match.start(), match.end(), match.lastgroup or "") for match in _PROVIDER.finditer(text))


_COUNTS = {"two": 2, "four": 4, "eight": 8}


def _many(text: str) -> int:
    """The number of GPUs before a name; 0 if it is a range."""
    return _COUNTS.get(text.lower()) or (int(text) if text.isdigit() else 0)


def gpus(text: str) -> tuple[Named, ...]:
    """The GPUs named in a text, in order."""
    return tuple(
        Named(
            match.start(), match.end(), match["name"].lower().replace(" ", "-"),
            _many(match["many"] or "1"),
        )
        for match in _GPU.finditer(text)
    )  # fmt: skip
