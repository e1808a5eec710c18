"""Finds what a price in a text is of: model, or provider and chip; kind of tokens; processing; day."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from compute.catalogs.price_cards import NAME as CARDS
from compute.figures.figure_models import Figure
from compute.figures.number_words import word_list, word_set
from compute.figures.text_days import periods
from compute.figures.text_structure import Sentence
from compute.prices.price_book import CatalogBook
from compute.units.unit_table import CURRENCIES

FIRST_PARTY = word_list("anthropic openai deepseek x-ai cohere zai moonshotai minimax mistral google perplexity")
"""Providers that sell their own models; makers before those that also sell others' models."""
_GENERIC = word_set("""
    turbo mini pro flash lite large small medium nano preview chat instruct latest max plus base vision audio image
    video live fast code text embedding search thinking reasoning experimental high low ultra command terminus
    """)
"""Words that do not name a model alone."""
_VARIANT = re.compile(r"(?:-(?:non-)?reasoning|-\d{4})$")  # the end of a name that texts may leave out: grok-4-0709
_DROPPED = frozenset({"latest", "preview", "exp"})
_PLUS = {"plus": r"(?:plus|\+)"}
_TOKEN = re.compile(r"[a-z]+|\d+")
_Words = tuple[str, ...]
PER_TOKEN = re.compile(
    r"(?i)\b(?:per|a|an|one|each|every|for|/)?\s?(?:1\s?)?(?:M\b|million|mtok|MM\b|1K\b|1,?000\b|thousand)\s?"
    r"(?:[a-z-]+\s){0,2}?(?:tokens?|tok)\b|\bM[Tt]ok\b|/\s?1?M\b|\bper (?:1M|million)\b"
)
_CACHE_WRITE = re.compile(
    r"(?i)cache[- ]?(?:write|writing|creation|storage)|written to (?:the )?cache|writes? (?:to|into) (?:the )?cache"
)
CACHED = re.compile(r"\bcach(?:ed|e)\b|cache[- ]?(?:read|hit)|\bcaching\b", re.I)
_CACHED_TOKENS = re.compile(r"(?i)\bcache(?:d (?:inputs?|prompts?|tokens?)|[- ](?:reads?|hits?))\b")
_COMPARED = re.compile(
    r"(?i)\b(?:list(?:ed|s)?|standard|regular|normal|full|fresh|uncached|half|tenth|from|of the|instead|without|before"
    r"|no|not|non|outside|unlike|than|against|discount|off|drops?|falls?|cuts?)\b|%"
)
"""Words beside which a price may be the one without the cache or the batch that the words name too."""
BATCHED = re.compile(r"\bbatch(?:es|ed|ing)?\b|asynchronous", re.I)
_INPUT = re.compile(r"\b(?:inputs?|prompts?|in(?! (?-i:[A-Z])| \d| the| a))\b", re.I)
_OUTPUT = re.compile(r"\b(?:outputs?|completions?|out|generated)\b", re.I)
TIER = re.compile(
    r"(?i)(?:above|over|beyond|longer than|more than|exceed\w*|past|>|≥|larger than|greater than|after)\s*"
    r"(?:the )?(?:first )?\d[\d,.]*\s?[kKM]?"
)
_COMPONENTS: Mapping[str, re.Pattern[str]] = {
    "spot": re.compile(r"\bspot|preempt|interrupt", re.I),
    "reserved_1y": re.compile(r"reserv|commit|1[- ]?y|one[- ]year|12[- ]month", re.I),
    "reserved_3y": re.compile(r"reserv|3[- ]?y|three[- ]year|36[- ]month|prepaid", re.I),
    "committed": re.compile(r"commit|multi-month", re.I),
}
_COMMON = word_set("high low tier market gbps tco above industrial hyperscaler cloud cognitive services account")
_JOINED = re.compile(r"[\w\s/]*\(?(?:for |on |with |of |at )?(?:the )?")
_BORDER = re.compile(r"[;:—]|\.\s|,?\s(?:while|whereas|but|although)\s|,\s(?:and|so|or|which)\s")
_PLACE = re.compile(r"(?!.*\b(?:than|as|what|of)\b).*\b(?:on|for|with|in)(?: the)? ", re.I)
_APART, _CHEAPER = re.compile(r"\d|^,? and "), re.compile(r" ?(?:cheaper|less|lower|below)\b", re.I)
_SPAN = re.compile(r",? (?:from|between) (?:the )?")


@dataclass(frozen=True, slots=True)
class Mention:
    """A model named at `start:end`; `family` if only the family is named."""

    start: int
    end: int
    item: str
    family: bool = False


class Lexicon:
    """The names of the models in a book; some are known only together with their provider."""

    def __init__(self, book: CatalogBook) -> None:
        known = dict[_Words, str]()
        for item in book.items():
            provider, _, name = item.partition("/")
            if provider in FIRST_PARTY and ":" not in name and not name.startswith(f"{provider}/"):
                _put(known, name.lower(), item)
                short = _VARIANT.sub("", name.lower())
                if short != name.lower() and re.search(r"\d", short) and book.prices(f"{provider}/{short}"):
                    _put(known, short, f"{provider}/{short}")
        apart: dict[str, dict[_Words, str]] = defaultdict(dict)
        cards = (price for catalog in book.catalogs if catalog.name == CARDS for price in catalog.prices)
        for item in dict.fromkeys(price.item for price in cards if "tok" in price.unit):
            provider, _, name = item.partition("/")
            if provider not in FIRST_PARTY:
                known.setdefault(_split(item), item)
                if (words := _split(name)) and not set(words) <= _GENERIC:
                    apart[provider.lower()][words] = item
        families = {words: name for name in book.families if (words := _split(name.partition("/")[2]))}
        self._families = {words: name for words, name in families.items() if not set(words) <= _GENERIC} | known
        self._known = known
        self._pattern = _pattern(self._families)
        self._apart = {provider: (names, _pattern(names)) for provider, names in apart.items()}

    def mentions(self, mask: str) -> list[Mention]:
        """The models named in a text, in order; own models of a provider only where it is named too."""
        found = list(self._named(mask, self._families, self._pattern)) if self._known else []
        for provider in self._apart.keys() & (words_in(mask) if self._apart else set()):
            more = list(self._named(mask, *self._apart[provider]))
            found += [one for one in more if all(one.end <= each.start or each.end <= one.start for each in found)]
        return sorted(found, key=lambda one: one.start)

    def _named(self, mask: str, names: Mapping[_Words, str], pattern: re.Pattern[str]) -> Iterator[Mention]:
        for match in pattern.finditer(mask):
            words = _split(match[0].replace("+", "plus"))
            family = names is self._families and words not in self._known
            if words in names and (match[0][0].isupper() or (len(words) > 1 and not family)):
                yield Mention(match.start(), match.end(), names[words], family=family)


def _split(name: str) -> _Words:
    return tuple(_TOKEN.findall(name.lower()))


def _put(known: dict[_Words, str], name: str, item: str) -> None:
    """Add the aliases of an item, unless a better one has them: of a maker, not a reseller, or with a shorter name."""
    for alias in _aliases(name):
        ways = known.get(alias, item), item
        known[alias] = min(ways, key=lambda one: (FIRST_PARTY.index(one.partition("/")[0]), len(one)))


lexicon = lru_cache(maxsize=2)(Lexicon)


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


@dataclass(frozen=True, slots=True)
class Day:
    """The days of a price, `first` to `last`: `stated` by its sentence, or `known` from its text."""

    first: date
    last: date
    stated: bool
    known: bool


class SubjectReader:
    """Finds what prices are of, by the names of a book."""

    def __init__(self, book: CatalogBook) -> None:
        self.book = book
        self.lexicon = lexicon(book)
        self._rents: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        self._others: list[tuple[frozenset[str], str]] = []
        self._providers: dict[str, list[str]] = defaultdict(list)
        for item in book.items():
            provider, _, thing = item.partition("/")
            prices = book.prices(item)
            units = {price.unit for price in prices}
            if {"batch", "cache_read"} <= {kind for price in prices for kind in (price.processing, price.component)}:
                self._providers[provider].append(item)
            if any("/GPU" in unit for unit in units):
                self._rents[thing.split("-")[0]][provider].append(item)
            elif not any("tok" in unit for unit in units) and any(unit.startswith(tuple(CURRENCIES)) for unit in units):
                self._others.append((frozenset(re.findall(r"[a-z]{3,}", item.lower())) - _COMMON, item))

    def models(
        self, figure: Figure, sentence: Sentence, mentions: Sequence[Mention], lead: Sequence[Mention]
    ) -> tuple[list[str], bool]:
        """The models that a figure may be of, the likeliest first, and whether only one is named."""
        start, end = figure.start - sentence.start, figure.end - sentence.start
        behind = [one for one in mentions if one.start >= end]
        found = [one.item for one in reversed(mentions) if one.end <= start]
        gap = sentence.words[end : behind[0].start] if behind else ""
        if behind and not re.search(r"\d", gap) and len(gap) < 60:
            found.insert(0 if _JOINED.fullmatch(gap) else 1, behind[0].item)
        lead = lead if mentions or not re.search(r"\b[A-Z]\w{1,30} \d\.\d\b", sentence.words) else ()  # an unknown one
        found += [one.item for one in reversed(lead)]
        named = {one.item for one in mentions} or {one.item for one in lead[-1:]}
        return list(dict.fromkeys(found)), len(named) == 1

    def offers(self, text: str) -> list[str]:
        """Models with batch and cache prices, of the only provider that a text names."""
        makers = (one.item.partition("/")[0] for one in self.lexicon.mentions(text))
        known = sorted({*re.findall(r"[a-z]+", text.lower()), *makers} & {*self._providers})
        return self._providers[known[0]][-3:] if len(known) == 1 else []

    def rents(self, text: str) -> list[str]:
        """The items of the chips and providers in a text, market-wide ones last."""
        words = words_in(text)
        chips = self._chips(words)
        return [*self._offered(chips, words), *(item for chip in chips for item in self._rents[chip].get("market", ()))]

    def only_rents(self, words: Set[str], own: str) -> list[str]:
        """The items of the only chip in `words` and the only provider in `own`, a sentence."""
        chips = self._chips(words)
        found = self._offered(chips, words_in(own)) if len(chips) == 1 else []
        return found if len({item.partition("/")[0] for item in found}) == 1 else []

    def _chips(self, words: Set[str]) -> list[str]:
        return [chip for chip in self._rents if chip in words or f"{chip}s" in words]

    def _offered(self, chips: Sequence[str], places: Set[str]) -> list[str]:
        offers = (pair for chip in chips for pair in self._rents[chip].items())
        return [item for provider, items in offers if provider in places for item in items]

    def others(self, text: str) -> list[str]:
        """Other items whose words are all in a text: egress of a provider, power, storage."""
        words = set(re.findall(r"[a-z]{3,}", text.lower()))
        return [item for names, item in self._others if names and names <= words]


def sides(words: str, figure: Figure, named: Sequence[Mention], at: int = 0) -> tuple[str, ...]:
    """What the clause of a figure is about, by what is `named` in a sentence that begins `at`.

    Of two, the figure is how many times the second the first is. The same twice is compared with no other thing: 2
    times the list price on Opus. Of a span there are three, in no order.
    """
    start, end = figure.start - at, figure.end - at
    last = max((one.end() for one in _BORDER.finditer(words, 0, start)), default=0)
    border = _BORDER.search(words, end)
    before = [one.item for one in named if last <= one.start and one.end <= start][-1:]
    after = [one for one in named if end <= one.start < (border.start() if border else len(words))]
    gap, behind = (words[end : after[0].start], [one.item for one in after[:2]]) if after else ("", [])
    if _SPAN.fullmatch(gap):
        return (*behind, "")
    if _APART.search(gap):
        return tuple(before)
    found = (*(behind[:1] if _PLACE.fullmatch(gap) else before), *behind[:1])
    return found[::-1] if figure.sort == "x" and figure.low >= 1 and _CHEAPER.match(words, end) else found


def token_words(words: str) -> list[Mention]:
    """Where a sentence says input or output."""
    return [Mention(one.start(), one.end(), one[0].lower()) for one in re.finditer(r"\b(?:in|out)put\b", words, re.I)]


def words_in(text: str) -> set[str]:
    """The words of a text, with the short names of clouds."""
    return set(re.findall(r"[a-z0-9]+", text.lower().replace("google cloud", "gcp").replace("amazon", "aws")))


def token_kinds(figure: Figure, sentence: Sentence) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Components and processing that a token price may be of."""
    clause = re.split(r"[,;.]\s| and ", sentence.after(figure), maxsplit=1)[0]
    near = f"{sentence.before(figure)} {figure.text} {clause}"
    compared = bool(_COMPARED.search(near))
    ways = {name for name, cue in (("input", _INPUT), ("output", _OUTPUT)) if cue.search(near)}
    label = figure.label or (ways.pop() if len(ways) == 1 else "")
    components: tuple[str, ...] = (label,) if label else ("input", "output")
    if _CACHE_WRITE.search(near):
        components = ("cache_write",)
    elif label != "output" and (label == "cache_read" or CACHED.search(near)):
        either = label == "input" and (compared or not _CACHED_TOKENS.search(near))
        components = ("cache_read", "input") if either else ("cache_read",)
    if BATCHED.search(near) and not compared:
        return components, ("batch",)
    batch = BATCHED.search(f"{sentence.heading} {sentence.words}")
    return components, ("batch", "standard") if batch else ("standard",)


def rent_kinds(near: str) -> tuple[str, ...]:
    """The components that words name, or on demand."""
    return tuple(name for name, cue in _COMPONENTS.items() if cue.search(near)) or ("on_demand",)


def day_of_price(sentence: Sentence, known: date | None, today: date) -> Day:
    """The day of a price: a period in its sentence, else the day of the text, else today."""
    spans = [one for one in periods(sentence.words) if (one.first or today) <= today]
    if not spans:
        day = min(known or today, today)
        return Day(day, day, stated=False, known=known is not None)
    last = min(today, max(one.last or today for one in spans))
    lone = len(spans) == 1
    first = min(one.first or (last if lone else today) for one in spans)
    return Day(min(first, last) if lone else first, last, stated=True, known=lone)
