"""Finds models in prose: the items of the price book under their usual names.

anthropic/claude-3-5-sonnet      Claude 3.5 Sonnet · Claude Sonnet 3.5 · Sonnet 3.5
openai/gpt-4o-mini               GPT-4o mini
google/gemini-2.5-pro            Gemini 2.5 Pro · 2.5 Pro
anthropic/sonnet (a family)      Sonnet without a version
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from compute.figures.number_words import word_list, word_set
from compute.prices.price_book import CatalogBook

FIRST_PARTY = word_list("anthropic openai deepseek x-ai cohere zai moonshotai minimax mistral google perplexity")
"""Providers that sell their own models; makers before those that also sell others' models."""
_GENERIC = word_set("""
    turbo mini pro flash lite large small medium nano preview chat instruct latest max plus base vision audio image
    video live fast code text embedding search thinking reasoning experimental high low ultra command terminus
    """)
"""Words of names that do not name a model alone."""
_VARIANT = re.compile(r"(?:-(?:non-)?reasoning|-\d{4})$")
"""The end of a name that a catalogue also knows without it: grok-4-0709."""
_DROPPED = frozenset({"latest", "preview", "exp"})
_PLUS = {"plus": r"(?:plus|\+)"}
_TOKEN = re.compile(r"[a-z]+|\d+")


@dataclass(frozen=True, slots=True)
class Mention:
    """A model named at `start:end`; `family` if only the family is named."""

    start: int
    end: int
    item: str
    family: bool = False


class Lexicon:
    """The names of all models in a book, as one pattern."""

    def __init__(self, book: CatalogBook) -> None:
        self._items: dict[tuple[str, ...], str] = {}
        self._families: dict[tuple[str, ...], str] = {}
        for item in book.items():
            provider, _, name = item.partition("/")
            if provider in FIRST_PARTY and ":" not in name and not name.startswith(f"{provider}/"):
                for alias in _aliases(name.lower()):
                    self._put(alias, item)
                short = _VARIANT.sub("", name.lower())
                if short != name.lower() and re.search(r"\d", short) and book.prices(f"{provider}/{short}"):
                    for alias in _aliases(short):
                        self._put(alias, f"{provider}/{short}")
        for name in book.families:
            words = tuple(_TOKEN.findall(name.partition("/")[2].lower()))
            if words and not set(words) <= _GENERIC and words not in self._items:
                self._families[words] = name
        self._pattern = _pattern([*self._items, *self._families])

    def _put(self, alias: tuple[str, ...], item: str) -> None:
        known = self._items.get(alias)
        if known is None or _rank(item) < _rank(known):
            self._items[alias] = item

    def mentions(self, mask: str) -> Iterator[Mention]:
        """The models named in a text, in order."""
        for match in self._pattern.finditer(mask) if self._items else ():
            words = tuple(_TOKEN.findall(match[0].lower().replace("+", "plus")))
            capital = match[0][0].isupper()
            if words in self._items and (capital or len(words) > 1):
                yield Mention(match.start(), match.end(), self._items[words])
            elif words in self._families and capital:
                yield Mention(match.start(), match.end(), self._families[words], family=True)


def _rank(item: str) -> tuple[int, int]:
    """Sort key: the maker of a model before resellers, then the simplest name."""
    return FIRST_PARTY.index(item.partition("/")[0]), len(item)


def _aliases(name: str) -> Iterator[tuple[str, ...]]:
    words = tuple(word for word in _TOKEN.findall(name) if word not in _DROPPED)
    dated = any(len(word) >= 6 and word.isdigit() for word in words)
    if not words or not words[0].isalpha() or dated:
        return
    if len(words) == 1 and (len(name) < 5 or words[0] in _GENERIC or name not in words):
        return
    for form in dict.fromkeys((words, words[:-1] if words[-1] == "0" and len(words) > 3 else words)):
        yield form
        if len(form) > 3 and form[1].isdigit() and form[2].isdigit() and form[3].isalpha() and len(form[3]) > 2:
            yield form[1:]
        proper = [word for word in form[1:] if word.isalpha() and len(word) >= 4 and word not in _GENERIC]
        if len(proper) == 1 and any(word.isdigit() for word in form):
            numbers = tuple(word for word in form[1:] if word.isdigit())
            if set(form[1:]) == {*proper, *numbers}:
                yield from ((form[0], *proper, *numbers), (form[0], *numbers, *proper))
                yield from ((*proper, *numbers), (*numbers, *proper))


def _pattern(aliases: Iterable[tuple[str, ...]]) -> re.Pattern[str]:
    groups: dict[str, list[str]] = {}  # by the first word, so that most words of a text are compared with few names
    for words in sorted(set(aliases), key=lambda words: (-len(words), words)):
        rest = "".join(rf"[-\s.]?{_PLUS.get(word, word)}" for word in words[1:])
        groups.setdefault(_PLUS.get(words[0], words[0]), []).append(rest)
    ways = "|".join(f"{first}(?:{'|'.join(rests)})" for first, rests in groups.items()) or r"(?!)"
    kind = "class|level|scale|era|style|compatible|equivalent|tier|like|grade"
    size = "mini|nano|pro|flash|lite|turbo|ultra"
    price = r"\d[\d.,]*\s?(?:cents?\b|¢|dollars?\b|bucks?\b|USD\b)|\d+\.\d\d+\b"
    behind = rf"(?![A-Za-z0-9+])(?!\.\d)(?!-\d)(?![- ](?:{kind}|{size})\b)(?!(?!\s(?:{price}))\s?\d(?!\d{{0,3}}[kK]\b))"
    return re.compile(rf"(?<![A-Za-z0-9.-])(?:{ways}){behind}", re.I)
