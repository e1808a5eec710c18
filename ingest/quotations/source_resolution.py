"""Resolves cite spans to the sources that a page lists.

Four kinds of evidence show which source a document number means:

    order       a reading lists its sources roughly in the order in which the documents first appear in it
    number      as many documents as sources: each has one; more documents: some are not listed
    words       the quotation resembles the words of the address and its host
    session     neighbouring readings were written from the same documents: there one number is one address

`ingest.quotations.source_assignment` combines the first three for each reading; the readings of a session then
exchange their results in a few rounds.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

from graph.models.node_models import Node, Quotation, host_of
from ingest.quotations.cite_spans import Span
from ingest.quotations.source_assignment import chances
from ingest.text.word_weights import COMMON, counted, overlap, stem

Floats = NDArray[np.float64]

PULL, CEILING = 0.55, 4.0  # nats per rarity of a shared word, and the maximum per pair
FEWEST = 40  # minimum number of addresses for the rarity of a word
HOST = 1.8  # weight of the host name relative to a word of the path
_EMPTY = frozenset(
    re.findall(
        r"\w+",
        "abs amp article articles blog blogs com doc docs en guide html http https index io learn net news org page "
        "pages pdf php post posts research resources topic topics us web wiki www",
    )
)


def _address_words(urls: Iterable[str]) -> dict[str, dict[str, float]]:
    """The words of each address, weighted by rarity."""
    found = {url: _words(url) for url in dict.fromkeys(urls)}
    counts = Counter(word for words in found.values() for word in words)
    size = max(len(found), FEWEST)
    rarity = {word: math.log(1 + size / count) for word, count in counts.items()}
    return {url: {word: weight * rarity[word] for word, weight in words.items()} for url, words in found.items()}


def _word_evidence(texts: Sequence[Mapping[str, int]], addresses: Sequence[Mapping[str, float]]) -> Floats:
    """The log-likelihood ratio of each text and address, by shared words."""
    spread = Counter(word for text in texts for word in text)
    rarity = {word: max(0.0, math.log((len(texts) + 1) / (count + 0.5))) for word, count in spread.items()}
    result = np.zeros((len(texts), len(addresses)))
    for row, text in zip(result, texts, strict=True):
        for column, words in enumerate(addresses):
            total = sum(words[word] * rarity[word] for word in words.keys() & text.keys())
            row[column] = min(CEILING, PULL * total)
    return result


def _words(url: str) -> dict[str, float]:
    host = host_of(url)
    path = unquote(url.partition("://")[2].partition("/")[2])
    found = dict.fromkeys(_split(path), 1.0)
    for label in host.split(".")[:-1]:
        for word in (*_split(label), stem(label.replace("-", "") or "-")):
            found[word] = HOST
    return {word: weight for word, weight in found.items() if word not in _EMPTY}


def _split(text: str) -> list[str]:
    parts = re.findall(r"\d+(?:\.\d+)*[a-z]?|[^\W\d_]+\d*", text.lower())
    return [stem(part) for part in parts if part not in COMMON and len(part) > 1]


NEAR, BOND = 4, 0.6  # how many earlier readings are compared, and the minimum probability of one session
USUAL, WEIGHT = 0.16, 3  # usual share of disagreement, and how many comparisons it counts as
MOST, FALL, LEAST = 0.3, 3.0, 0.1
"""The share of disagreement with full trust, the reduction per point beyond, and the minimum trust."""


def order_trust(ordered: Sequence[Mapping[int, str] | None], bonds: Sequence[float]) -> float:
    """The exponent for factors of order: 1, less on a page that contradicts itself.

    `ordered` is for each reading the work of each document by order, None if their numbers differ.
    """
    found = list(_compared(ordered, bonds))
    share = (sum(found) + USUAL * WEIGHT) / (len(found) + WEIGHT)
    return round(max(LEAST, 1 - FALL * max(0.0, share - MOST)), 2)


def _compared(ordered: Sequence[Mapping[int, str] | None], bonds: Sequence[float]) -> Iterator[bool]:
    """Whether two readings disagree, for each shared number."""
    for index, one in enumerate(ordered):
        for before in range(index - 1, max(-1, index - 1 - NEAR), -1):
            if bonds[before + 1] < BOND:
                break
            other = ordered[before]
            if one and other:
                shared = [(one[number], other[number]) for number in one.keys() & other.keys()]
                # where neither work is in the other list, both may be right
                yield from (
                    mine != theirs for mine, theirs in shared if mine in other.values() or theirs in one.values()
                )


WORK, NUMBER, TAGS, START = 2.5, 0.9, 4.0, -0.8
"""Evidence in nats: for each shared work; against, for each shared number without a shared work; for tags; prior."""

WINDOW = 8  # number of earlier readings searched for a session


def bonds(readings: Sequence[_Reading]) -> list[float]:
    """The probability that each reading continues the session before it."""
    counts = Counter(tag for reading in readings for tag in reading.tags)
    rarity = {tag: math.log((len(readings) + 1) / count) for tag, count in counts.items()}
    result = []
    open_since = 0
    for index, reading in enumerate(readings):
        earlier = readings[max(open_since, index - WINDOW) : index]
        bond = 1 / (1 + math.exp(-_evidence(reading, earlier, rarity))) if earlier else 0.0
        if bond < 0.5:
            open_since = index
        result.append(bond)
    return result


def _evidence(reading: _Reading, earlier: Sequence[_Reading], rarity: Mapping[str, float]) -> float:
    """The log-odds that a reading continues the session."""
    works = len(set(reading.works) & {work for other in earlier for work in other.works})
    numbers = len(set(reading.documents) & {number for other in earlier for number in other.documents})
    tags = max(overlap(reading.tags, other.tags, rarity) for other in earlier)
    against = NUMBER * numbers if not works else 0.0
    return START + WORK * min(works, 3) - min(against, 2.5) + TAGS * tags


CERTAIN, LIKELY = 0.95, 0.7  # minimum probability of an `exact` and a `likely` source; below both it is `ambiguous`
CANDIDATE = 0.04  # a source less likely than this is not a candidate
ROUNDS = 2
LOUDEST = 3.0  # maximum evidence from one reading about one pair, in nats
VOICE = 0.3  # weight of that evidence, whose pairs are not independent
NEWS = 0.1  # least change that counts, in nats
NOT_LISTED, NOT_QUOTED = -1.5, -1.2
"""Evidence against a pair if another reading has only its document, or only its source."""

REACH = 12  # maximum distance of readings that exchange evidence


class _Reading(NamedTuple):
    """A reading: documents and addresses in order, `words` the log-likelihood ratio of each pair."""

    documents: tuple[int, ...]
    addresses: tuple[str, ...]
    works: tuple[str, ...]
    words: Floats
    tags: frozenset[str]


def resolve_page(items: Iterable[tuple[Node, Sequence[Span]]]) -> tuple[Node, ...]:
    """The nodes of a page, with the quotations of their spans."""
    pairs = list(items)
    quoting = [(node, spans) for node, spans in pairs if spans]
    addresses = _address_words(source.url for node, _ in quoting for source in node.sources)
    readings = [_reading(node, spans, addresses) for node, spans in quoting]
    found = zip(readings, _heard(readings, bonds(readings)), strict=True)
    return tuple(_quoting(node, spans, *next(found)) if spans else node for node, spans in pairs)


def _reading(node: Node, spans: Sequence[Span], addresses: Mapping[str, Mapping[str, float]]) -> _Reading:
    quoted: dict[int, list[str]] = defaultdict(list)
    for span in spans:
        for part in span.parts:
            quoted[part.document].append(span.quote)
    works = {source.url: source.id for source in node.sources}
    texts = [counted(" ".join(quotes)) for quotes in quoted.values()]
    words = _word_evidence(texts, [addresses[url] for url in works])
    return _Reading(tuple(quoted), tuple(works), tuple(works.values()), words, frozenset(node.tags))


def _heard(readings: Sequence[_Reading], bond: Sequence[float]) -> list[Floats]:
    heard = [np.zeros_like(reading.words) for reading in readings]
    trust = order_trust([_by_order(reading) for reading in readings], bond)
    tables = [_weighed(reading, told, trust) for reading, told in zip(readings, heard, strict=True)]
    for _ in range(ROUNDS if len(readings) > 1 else 0):
        said = [_said(table, told) for table, told in zip(tables, heard, strict=True)]
        now = [_listen(index, readings, said, bond) for index in range(len(readings))]
        tables = [
            table if np.all(np.abs(new - old) < NEWS) else _weighed(reading, new, trust)
            for reading, table, new, old in zip(readings, tables, now, heard, strict=True)
        ]
        heard = now
    return tables


def _by_order(reading: _Reading) -> dict[int, str] | None:
    """The work of each document by order; None if counts differ."""
    if len(reading.documents) != len(reading.works) or len(reading.works) < 2:
        return None
    return dict(zip(reading.documents, reading.works, strict=True))


def _weighed(reading: _Reading, heard: Floats, trust: float) -> Floats:
    return np.array(chances((reading.words + heard).tolist(), len(reading.works), trust))


def _said(table: Floats, heard: Floats) -> Floats:
    """A reading's own log-odds for each pair, without other readings."""
    chance, works = table[:, :-1], table.shape[1] - 1
    odds = np.log((chance + 1e-4) / (1 - chance + 1e-4)) - heard
    return np.asarray(np.clip(odds + math.log(max(works, 1.5)), -LOUDEST, LOUDEST))


def _listen(index: int, readings: Sequence[_Reading], said: Sequence[Floats], bond: Sequence[float]) -> Floats:
    """The evidence of other readings for each pair."""
    mine = readings[index]
    heard = np.zeros_like(mine.words)
    for place, trust in _neighbours(index, bond):
        rows = {document: row for row, document in enumerate(readings[place].documents)}
        columns = {work: column for column, work in enumerate(readings[place].works)}
        for own, document in zip(heard, mine.documents, strict=True):
            for column, work in enumerate(mine.works):
                if document in rows and work in columns:
                    own[column] += VOICE * trust * said[place][rows[document], columns[work]]
                elif document in rows:
                    own[column] += trust * NOT_LISTED
                elif work in columns:
                    own[column] += trust * NOT_QUOTED
    return np.asarray(np.clip(heard, -2 * LOUDEST, 2 * LOUDEST))


def _neighbours(index: int, bond: Sequence[float]) -> Iterable[tuple[int, float]]:
    """The readings near one, with the probability of one session."""
    for step in (-1, 1):
        trust, at = 1.0, index
        while 0 <= at + step < len(bond) and abs(at + step - index) <= REACH:
            trust *= min(1.0, 1.1 * bond[max(at, at + step)])
            at += step
            if trust < 0.2:
                break
            yield at, trust


def _quoting(node: Node, spans: Sequence[Span], reading: _Reading, table: Floats) -> Node:
    rows = dict(zip(reading.documents, table.tolist(), strict=True))
    alone = len(reading.documents) == len(reading.addresses) == 1
    quotations = (
        Quotation(
            span=number,
            marker=f"{part.document}-{part.sentences[0]}" if part.sentences else str(part.document),
            document=part.document,
            sentences=part.sentences,
            quote=span.quote,
            **_outcome(reading.addresses, rows[part.document], alone),
        )
        for number, span in enumerate(spans)
        for part in span.parts
    )
    return node.model_copy(update={"citations": (*node.citations, *quotations)})


def _outcome(addresses: Sequence[str], row: Sequence[float], alone: bool) -> dict[str, Any]:
    ranked = sorted(zip(addresses, row, strict=False), key=lambda pair: -pair[1])
    candidates = tuple(address for address, chance in ranked if chance >= CANDIDATE)
    source, chance, certainty = None, row[-1] if addresses else 0.0, "unresolved"
    if candidates and row[-1] <= 0.5:
        address, chance = ranked[0]
        certainty = "exact" if alone or chance >= CERTAIN else "likely" if chance >= LIKELY else "ambiguous"
        source = None if certainty == "ambiguous" else address
    confidence = round(min(chance, 1.0), 4)
    return {"source": source, "candidates": candidates, "resolution": certainty, "confidence": confidence}
