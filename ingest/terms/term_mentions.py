"""Which nodes mention which terms of the glossaries. Of overlapping names the longest counts. A name is found

    at word borders             never inside another word, a hyphened one counts as its parts
    in prose                    never in code, mathematics, addresses or link targets
    in its own case             where it is an acronym or a coined short name; any other name in any case
    with its subject around it  if it is one everyday word: enough of its definition must be in the text
    with its qualifier around   if it is written without it: `Rank` for `Rank (linear algebra)`

A mention of terms that are the same links to the first of them.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from graph.models.link_models import Link
from graph.models.node_models import Kind, Node
from ingest.terms.term_senses import clusters, is_acronym, labels_of, own_words, qualified, same_as, steps
from ingest.text.prose_masks import masked
from ingest.text.word_weights import distinct

SUPPORT, LEAST = 0.34, 2
"""The weighted share and the number of words of its definition in a text, from which an everyday word is the term."""

CONFIDENCE = {"acronym": 0.97, "phrase": 0.95, "coined": 0.95, "word": 0.7, "qualified": 0.6}

SHORTEST = 2

_SPACES = (("-", " "), ("‐", " "), ("‑", " "), ("\n", " "), ("\t", " "), ("\u00a0", " "), ("’", "'"))
_LETTER = re.compile(r"\w")
_FIRST_WORD = re.compile(r"(?<!\w)(?:\w+|\S)")  # where a name may begin: a word, or a sign such as `$`


class _Name(NamedTuple):
    """A name to search for; `sure`: without a check of the words around it."""

    written: str
    sort: str
    terms: tuple[int, ...]
    qualifier: frozenset[str]
    sure: bool = False


class Matcher:
    """Finds the terms of glossaries in texts."""

    def __init__(self, terms: Iterable[Node], same: Iterable[Link] | None = None) -> None:
        self._terms = [node for node in terms if node.kind is Kind.TERM]
        groups = clusters(self._terms, same_as(self._terms) if same is None else same)
        self._group = {node.id: number for number, group in enumerate(groups) for node in group}
        flow = steps(self._terms)
        self._first = [next((node for node in group if node.id not in flow), group[0]).id for group in groups]
        self._subjects = _subjects(self._terms)
        names = (name._replace(sure=self._certain(name)) for name in _names(self._terms))
        self._spellings = _by_first_word(names)

    def _certain(self, name: _Name) -> bool:
        groups = {self._group[self._terms[term].id] for term in name.terms}
        return len(groups) == 1 and not name.qualifier and name.sort not in {"word", "qualified"}

    def mentions(self, node: Node) -> tuple[Link, ...]:
        """An edge to each term that a body mentions, of equal names to the closest by definition."""
        own = self._group.get(node.id)
        around, heard = set[str](), set[str]()
        found: dict[int, Link] = {}
        for start, end, name in self._matches(node.body):
            if name.written in heard:
                continue
            heard.add(name.written)
            around = around or (set() if name.sure else distinct(node.body))
            group = self._meant(name, around)
            if group is not None and group != own and group not in found:
                written = " ".join(node.body[start:end].split())
                target, sure = self._first[group], CONFIDENCE[name.sort]
                found[group] = Link(subject=node.id, kind="mentions", target=target, reason=written, confidence=sure)
        return tuple(found.values())

    def _matches(self, body: str) -> list[tuple[int, int, _Name]]:
        prose = masked(body)
        taken = bytearray(len(prose))
        result = []
        for start, end, name in sorted(self._hits(prose), key=lambda hit: (hit[0] - hit[1], hit[0])):
            if not any(taken[start:end]):
                taken[start:end] = b"\x01" * (end - start)
                result.append((start, end, name))
        return sorted(result, key=lambda hit: hit[0])

    def _hits(self, prose: str) -> Iterator[tuple[int, int, _Name]]:
        folded = _folded(prose)
        for word in _FIRST_WORD.finditer(folded):
            start = word.start()
            for spelling, name in self._spellings.get(word[0], ()):
                end = start + len(spelling)
                separate = folded.startswith(spelling, start) and not _LETTER.match(prose, end)
                if separate and _in_case(prose[start:end], name):
                    yield start, end, name

    def _meant(self, name: _Name, around: set[str]) -> int | None:
        """The group that a name means here; None for everyday words."""
        if name.sure:
            return self._group[self._terms[name.terms[0]].id]
        shares = [self._subjects[term].share(around) for term in name.terms]
        best = max(range(len(shares)), key=lambda place: (shares[place], -place))
        if name.qualifier and not name.qualifier & around:
            return None
        if name.sort in {"word", "qualified"} and not self._subjects[name.terms[best]].applies(around, shares[best]):
            return None
        return self._group[self._terms[name.terms[best]].id]


class _Subject(NamedTuple):
    """The weights of words about a term, and their sum."""

    weights: dict[str, float]
    whole: float

    def share(self, around: set[str]) -> float:
        """The weighted share of the subject in a text."""
        return math.fsum(map(self.weights.__getitem__, self.weights.keys() & around)) / self.whole

    def applies(self, around: set[str], share: float) -> bool:
        """Whether a text is about the subject."""
        return share >= SUPPORT and len(self.weights.keys() & around) >= min(LEAST, len(self.weights))


def _subjects(terms: Sequence[Node]) -> list[_Subject]:
    """The words of each definition, weighted by rarity."""
    found = [distinct(node.body) - own_words(labels_of(node)) for node in terms]
    spread = Counter(word for words in found for word in words)
    weights = [{word: math.log((len(terms) + 1) / spread[word]) for word in sorted(words)} for words in found]
    return [_Subject(each, sum(each.values()) or 1.0) for each in weights]


def link(nodes: Iterable[Node]) -> tuple[Link, ...]:
    """The edges that no document states: `same_as`, `related` and `mentions`."""
    known = list(nodes)
    same = same_as(node for node in known if node.kind is Kind.TERM)
    matcher = Matcher(known, same)
    return (*same, *(edge for node in known for edge in matcher.mentions(node)))


def _names(terms: Sequence[Node]) -> Iterator[_Name]:
    """Every name with its terms, except everyday words of steps."""
    flow = steps(terms)
    owners: dict[tuple[str, str, frozenset[str]], dict[int, None]] = defaultdict(dict)
    for index, node in enumerate(terms):
        for name in labels_of(node).all():
            for written, sort, qualifier in _readings(name):
                if len(written) >= SHORTEST and not (sort == "word" and node.id in flow):
                    owners[written, sort, qualifier][index] = None
    for (written, sort, qualifier), indexes in owners.items():
        yield _Name(written, sort, tuple(indexes), qualifier)


def _readings(name: str) -> Iterator[tuple[str, str, frozenset[str]]]:
    """The spellings of a name, with type and words required around."""
    sort = _kind(name)
    yield _as_sort(name, sort), sort, frozenset()
    bare, qualifier = qualified(name)
    if qualifier:
        inner = _kind(bare)
        yield _as_sort(bare, inner), "qualified" if inner == "word" else inner, frozenset(distinct(qualifier))


def _as_sort(name: str, sort: str) -> str:
    return name if sort == "acronym" else _folded(name)


def _kind(name: str) -> str:
    if is_acronym(name):
        return "acronym"
    if re.search(r"[^\W_][\s/-]+[^\W_]", name):
        return "phrase"
    return "coined" if re.search(r"\d|[a-z][A-Z]", name) else "word"


def _by_first_word(names: Iterable[_Name]) -> dict[str, list[tuple[str, _Name]]]:
    found: dict[str, list[tuple[str, _Name]]] = defaultdict(list)
    for one in dict.fromkeys((spelling, name) for name in names for spelling in _spellings(name)):
        if first := _FIRST_WORD.match(one[0]):
            found[first[0]].append(one)
    return dict(found)


def _spellings(name: _Name) -> Iterator[str]:
    folded = _folded(name.written)
    yield folded
    if name.sort == "acronym":
        yield f"{folded}s"
    elif folded[-1].isalpha() and not folded.endswith("ing"):
        ending = "es" if folded.endswith(("s", "x", "z", "ch", "sh")) else "s"
        yield f"{folded[:-1]}ies" if re.search(r"[^aeiou]y$", folded) else f"{folded}{ending}"
        if folded.endswith("s") and not folded.endswith(("ss", "us", "is")):
            yield folded[:-1]


def _folded(text: str) -> str:
    """A text in lower case with plain spaces; offsets stay."""
    lower = text.lower()
    if len(lower) != len(text):
        lower = "".join(letter.lower() if len(letter.lower()) == 1 else letter for letter in text)
    return _spaced(lower)


def _spaced(text: str) -> str:
    """A text with plain spaces and apostrophes; faster than `str.translate`."""
    for old, new in _SPACES:
        if old in text:
            text = text.replace(old, new)
    return text


def _in_case(written: str, name: _Name) -> bool:
    if name.sort != "acronym":
        return True
    return _spaced(written).removesuffix("s") == _spaced(name.written).removesuffix("s")
