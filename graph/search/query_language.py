"""The query language of the search box.

    query   =  { item }
    item    =  [ "-" ] ( field ":" value | word [ "*" ] | '"' words '"' )
    field   =  "tag" | "kind" | "brain" | "title"
    value   =  word | '"' words '"'

All words must occur, in any form; quoted words in that order; `-` excludes. No query is invalid: other input is text. A
word with punctuation inside (`3/4`) is a phrase; with hyphens (`break-even`) it also matches without them; one of
letters and digits (`gpt4o`) also matches its parts (`GPT-4o`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import combinations, pairwise

from graph.models.node_cards import Kind
from graph.search.tokenizer import COMMON, is_sign, stem, stems, words

LONGEST_QUERY = 1000  # characters of a query that are read; the rest is ignored

MOST_ITEMS = 32  # items of a query that are read

MOST_BREAKS = 3  # a word with more changes between letters and digits is a serial number or a hash, and is not split

_LETTER_DIGIT = re.compile(r"(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])")

_ITEM = re.compile(
    r'(?P<minus>-?)(?:(?P<field>tag|kind|brain|title):)?(?:"(?P<quoted>[^"]*)"|(?P<bare>[^\s"]+))', re.IGNORECASE
)
_KINDS = (
    {kind.value: kind.value for kind in Kind} | {f"{kind.value}s": kind.value for kind in Kind} | {"theses": "thesis"}
)


@dataclass(frozen=True, slots=True)
class Word:
    """Any form of one word."""

    stem: str


@dataclass(frozen=True, slots=True)
class Prefix:
    """Any word with this prefix."""

    start: str


@dataclass(frozen=True, slots=True)
class Phrase:
    """These words in sequence."""

    stems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class InTitle:
    """A text inside the title."""

    text: Text


@dataclass(frozen=True, slots=True)
class AnyOf:
    """At least one of the parts."""

    parts: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class AllOf:
    """All of the parts."""

    parts: tuple[Text, ...]


Text = Word | Prefix | Phrase | InTitle | AnyOf | AllOf


@dataclass(frozen=True, slots=True)
class Item:
    """One item of a query, as typed and as a text."""

    typed: str
    text: Text
    negated: bool = False
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Filter:
    """A field that must have a value, or must not."""

    field: str
    value: str
    negated: bool = False


@dataclass(frozen=True, slots=True)
class ParsedQuery:
    """A parsed query; a `blank` one matches everything."""

    typed: str
    items: tuple[Item, ...] = ()
    filters: tuple[Filter, ...] = ()
    blank: bool = False

    @property
    def required(self) -> tuple[Item, ...]:
        """Items that must occur."""
        return tuple(item for item in self.items if not item.negated)

    @property
    def unwanted(self) -> tuple[Item, ...]:
        """Items that must not occur."""
        return tuple(item for item in self.items if item.negated)

    @property
    def empty(self) -> bool:
        """Whether the typed text has nothing to search for."""
        return not (self.blank or self.items or self.filters)


def parse(typed: str) -> ParsedQuery:
    """Parse any text as a query."""
    text = typed[:LONGEST_QUERY].replace("\x00", " ").encode("utf-8", "replace").decode()  # PostgreSQL has neither
    items: list[Item] = []
    filters: list[Filter] = []
    for found in list(_ITEM.finditer(text))[:MOST_ITEMS]:
        read = _filter(found) or _item(found)
        if isinstance(read, Filter):
            filters.append(read)
        elif read is not None:
            items.append(read)
    return ParsedQuery(typed, _without_common(items), tuple(filters), blank=not text.strip())


def _filter(found: re.Match[str]) -> Filter | None:
    field = (found["field"] or "").lower()
    value = " ".join((found["quoted"] if found["quoted"] is not None else found["bare"]).split())
    if field == "kind":
        kind = _KINDS.get(value.casefold())
        return Filter("kind", kind, bool(found["minus"])) if kind else None
    if field in {"tag", "brain"} and value.strip("#"):
        return Filter(field, value.lstrip("#").casefold(), bool(found["minus"]))
    return None


def _item(found: re.Match[str]) -> Item | None:
    field, quoted = (found["field"] or "").lower(), found["quoted"]
    typed = found["bare"] if quoted is None else quoted
    if field and field != "title":
        typed = f"{field} {typed}"  # a field with an impossible value is text
    text = _text(typed, quoted=quoted is not None)
    if text is None:
        return None
    where = InTitle(text) if field == "title" else text
    return Item(typed, where, negated=bool(found["minus"]), quoted=quoted is not None)


def _text(typed: str, *, quoted: bool) -> Text | None:
    found = stems(typed)
    if not found:
        return None
    if typed.endswith("*") and not quoted:
        *before, last = words(typed)
        start: Text = Prefix(last)
        return AllOf((*(Word(stem) for stem in found[: len(before)]), start)) if before else start
    if len(found) == 1:
        return _parted(found[0]) if not quoted and not found[0].isalpha() else Word(found[0])
    phrase = Phrase(tuple(found))
    joined = stems(typed.replace("-", "")) if not quoted and "-" in typed.strip("-") else []
    return AnyOf((phrase, Word(joined[0]))) if len(joined) == 1 else phrase


def _parted(word: str) -> Text:
    """A word or its parts in sequence: `gpt4o` finds `GPT-4o`, `h100sxm` finds `H100-SXM`."""
    breaks = [found.start() for found in _LETTER_DIGIT.finditer(word)]
    if not 0 < len(breaks) <= MOST_BREAKS:
        return Word(word)
    ways = (way for count in range(1, len(breaks) + 1) for way in combinations(breaks, count))
    phrases = (tuple(stem(word[a:b]) for a, b in pairwise((0, *way, len(word)))) for way in ways)
    return AnyOf((Word(word), *map(Phrase, phrases)))


def _without_common(items: list[Item]) -> tuple[Item, ...]:
    """Drop common words, if others remain."""
    telling = [item for item in items if item.quoted or item.negated or not _is_common(item)]
    return tuple(telling if any(not item.negated for item in telling) else items)


def _is_common(item: Item) -> bool:
    """Whether an item is one common word, with punctuation or without (`vs.`); `an*` is none."""
    found = words(item.typed)
    return len(found) == 1 and found[0] in COMMON and not isinstance(item.text, Prefix)


def text_of(items: tuple[Item, ...], *, relaxed: bool = False) -> Text | None:
    """All items, or `relaxed` any of them; None without items.

    Relaxed, a run of Chinese, Japanese or Korean, which has no spaces, is any two successive characters of it.
    """
    parts = tuple(_pairs(item) if relaxed else item.text for item in items)
    if len(parts) < 2:
        return parts[0] if parts else None
    return AnyOf(parts) if relaxed else AllOf(parts)


def _pairs(item: Item) -> Text:
    match item.text:
        case Phrase(stems) if len(stems) > 2 and not item.quoted and all(map(is_sign, stems)):
            return AnyOf(tuple(map(Phrase, pairwise(stems))))
    return item.text
