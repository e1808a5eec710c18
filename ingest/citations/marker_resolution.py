"""Bracket markers resolved to the readings they number, batch by batch.

    newest ─┬─ reading  …                    a page lists its readings newest first; the markers of one synthesis
            ├─ reading  ← [3]  ┐              node number those of one batch, oldest first, from [1]
            ├─ reading  ← [2]  │ batch
            ├─ reading  ← [1]  ┘
    oldest ─┴─ reading  …                    the page does not say where batches begin: see `batches`

The evidence is the words around a marker: in its sentence by distance, in the rest of its paragraph with less weight.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import numpy as np

from graph.models.node_models import SYNTHESIS, Citation, Kind, Node
from graph.problems import Problem, Severity
from ingest.citations.batches import SLACK, Evidence, Floats, Placing, agreed, placed
from ingest.citations.bracket_markers import Marker, bracket_markers
from ingest.text.prose_masks import sentence_borders, sentence_span
from ingest.text.word_weights import counted
from ingest.text.word_weights import placed as placed_words

RESOLVED = 0.5  # confidence from which a citation names its reading
SURE = 0.9  # below this confidence a resolved citation gets a note
DOUBT = 0.1  # share of markers whose words are unrelated to their reading
NEARNESS = 60.0  # characters over which the weight of a word falls to 1/e
PARAGRAPH, ELSEWHERE = 0.12, 0.18  # weights of words in the rest of the paragraph and of the sentence
BESIDE = 4000  # maximum extent of a paragraph on either side, in characters
LONGEST_BODY = 6000
TITLES, TAGS = 3, 2  # how often words of titles and of tags count


def resolve(nodes: Sequence[Node], text: str = "") -> tuple[tuple[Node, ...], tuple[Problem, ...]]:
    """The nodes of a page with a citation for each number; `text` gives problems positions."""
    marked = {
        index: markers
        for index, node in enumerate(nodes)
        if node.kind in SYNTHESIS and (markers := bracket_markers(node.body))
    }
    if not marked:
        return tuple(nodes), ()
    readings = [node for node in nodes if node.kind is Kind.READING][::-1]
    counted_from_one = zip(marked, _from_one(list(marked.values())), strict=True)
    placings = _placings([(nodes[index], markers) for index, markers in counted_from_one], readings)
    result, problems, lines = list(nodes), list[Problem](), text.split("\n") if text else []
    for (index, markers), found in zip(marked.items(), placings, strict=True):
        citations = _citations(markers, found, readings)
        result[index] = nodes[index].model_copy(update={"citations": (*nodes[index].citations, *citations)})
        problems += _problems(nodes[index], markers, citations, lines)
    return tuple(result), tuple(problems)


def _from_one(marked: list[tuple[Marker, ...]]) -> list[tuple[Marker, ...]]:
    """The markers numbered from 1, also those of a page that counts from 0."""
    if all(marker.numbers[0] for markers in marked for marker in markers):
        return marked
    return [
        tuple(marker._replace(numbers=tuple(number + 1 for number in marker.numbers)) for marker in markers)
        for markers in marked
    ]


def _placings(marked: list[tuple[Node, tuple[Marker, ...]]], readings: list[Node]) -> list[list[Placing]]:
    around = [tuple(_contexts(node.body, markers)) for node, markers in marked]
    wanted = {word for contexts in around for context in contexts for word in context}
    weighed = (" ".join((*TITLES * (one.title,), *TAGS * one.tags, one.body[:LONGEST_BODY])) for one in readings)
    corpus = TextCorpus(list(map(counted, weighed)), wanted)
    fitting = [_evidence(markers, contexts, corpus) for (_, markers), contexts in zip(marked, around, strict=True)]
    heard = [evidence for evidence in fitting if evidence]
    rows = iter(placed(heard, agreed(heard, corpus.size), corpus.size))
    result = []
    for (_, markers), evidence in zip(marked, fitting, strict=True):
        found = iter(next(rows) if evidence else ())
        numbers = [number for marker in markers for number in marker.numbers]
        reach = corpus.size + SLACK if evidence else 0
        result.append([next(found) if number <= reach else Placing(-1, 0.0) for number in numbers])
    return result


def _evidence(
    markers: tuple[Marker, ...], contexts: Sequence[Mapping[str, float]], corpus: TextCorpus
) -> Evidence | None:
    """The evidence of a node's markers; None if none fits."""
    numbers, logs, weights = [], [], []
    mentions: Counter[int] = Counter(number for marker in markers for number in marker.numbers)
    for marker, around in zip(markers, contexts, strict=True):
        chance = corpus.log_chances(around) if corpus.size else None
        for number in marker.numbers:
            if chance is not None and number <= corpus.size + SLACK:
                numbers.append(number)
                logs.append(chance)
                weights.append(1 / math.sqrt(len(marker.numbers) * mentions[number]))
    return Evidence(tuple(numbers), tuple(logs), tuple(weights)) if numbers else None


def _contexts(body: str, markers: tuple[Marker, ...]) -> Iterable[dict[str, float]]:
    prose = _without(body, markers)
    borders = sentence_borders(prose)
    words = placed_words(prose)
    starts, places = [marker.start for marker in markers], [place for _, place in words]
    for marker in markers:
        low, high = _paragraph(prose, marker.start)
        begin, end = sentence_span(borders, marker.start)
        claim = _claim(prose, (begin, end), marker, markers[bisect_left(starts, begin) : bisect_left(starts, end)])
        around: dict[str, float] = {}
        for word, place in words[bisect_left(places, low) : bisect_left(places, high)]:
            weight = _weight(place, marker, claim) if begin <= place < end else PARAGRAPH
            around[word] = max(around.get(word, 0.0), weight)
        yield around


def _claim(prose: str, sentence: tuple[int, int], marker: Marker, own: Sequence[Marker]) -> tuple[int, int]:
    """The part of a sentence that a marker supports: before it, or after opening ones."""
    begin, end = sentence
    opens = not prose[begin : own[0].start].strip(' \t\n*_("“-–—•')
    if opens:
        return marker.end, min((other.start for other in own if other.start > marker.start), default=end)
    return max((other.end for other in own if other.start < marker.start), default=begin), marker.start


def _weight(at: int, marker: Marker, claim: tuple[int, int]) -> float:
    near = math.exp(-min(abs(at - marker.start), abs(at - marker.end)) / NEARNESS)
    return max(0.25, near) if claim[0] <= at < claim[1] else max(ELSEWHERE, near * 0.75)


def _without(body: str, markers: tuple[Marker, ...]) -> str:
    signs = list(body)
    for marker in markers:
        signs[marker.start : marker.end] = " " * (marker.end - marker.start)
    return "".join(signs)


def _paragraph(prose: str, at: int) -> tuple[int, int]:
    """The paragraph around an offset, at most `BESIDE` away."""
    least, most = max(0, at - BESIDE), min(len(prose), at + BESIDE)
    low, high = prose.rfind("\n\n", least, at), prose.find("\n\n", at, most)
    return least if low < 0 else low, most if high < 0 else high


def _citations(markers: tuple[Marker, ...], placings: list[Placing], readings: list[Node]) -> list[Citation]:
    numbered = [(marker, number) for marker in markers for number in marker.numbers]
    result = []
    for (marker, number), placing in zip(numbered, placings, strict=True):
        found: dict[str, str] = {}
        if placing.confidence >= RESOLVED:
            reading = readings[placing.reading]
            found = {"target": reading.id, "target_title": reading.title, "resolution": "batch"}
        chance = round(placing.confidence, 4)
        result.append(Citation(marker=marker.marker, number=number, context=marker.context, confidence=chance, **found))
    return result


def _problems(
    node: Node, markers: tuple[Marker, ...], citations: list[Citation], lines: list[str]
) -> Iterator[Problem]:
    at, places = iter(citations), {marker.marker: _places(node, marker.marker, lines) for marker in markers}
    for marker in markers:
        own, (line, column, text) = [next(at) for _ in marker.numbers], next(places[marker.marker], (0, 0, ""))
        lost = [citation.number for citation in own if citation.target is None]
        unsure = [citation.number for citation in own if citation.target and citation.confidence < SURE]
        if not (lost or unsure):
            continue
        numbers = ", ".join(map(str, lost or unsure))
        message = f"it is not certain which reading number {numbers} of the marker {marker.marker} means"
        if lost:
            message = f"no reading was found for number {numbers} of the marker {marker.marker}"
        yield Problem(
            document=node.provenance.document,
            line=line or node.provenance.first_line,
            column=column or None,
            severity=Severity.WARNING if lost else Severity.NOTE,
            code="marker-unresolved" if lost else "marker-unsure",
            message=message,
            text=text if line else marker.context,
        )


def _places(node: Node, marker: str, lines: list[str]) -> Iterator[tuple[int, int, str]]:
    where = node.provenance
    for number in range(max(1, where.first_line), min(where.last_line, len(lines)) + 1):
        line = lines[number - 1]
        yield from ((number, found.start() + 1, line) for found in re.finditer(re.escape(marker), line))


SATURATION = 2.0  # a word used this often in a text counts half of its maximum
SMALLEST_SPREAD = 0.08  # least standard deviation, as a share of the highest possible score; less is noise


class TextCorpus:
    """Texts indexed by the words of `queried`; a rare word weighs more than a frequent one."""

    def __init__(self, texts: Sequence[Mapping[str, int]], queried: Collection[str]) -> None:
        self.size = len(texts)
        rows: dict[str, list[int]] = {}
        counts: dict[str, list[float]] = {}
        for row, text in enumerate(texts):
            for word in text.keys() & queried:
                count = text[word]
                rows.setdefault(word, []).append(row)
                counts.setdefault(word, []).append(count / (count + SATURATION))
        self._rows = {word: np.array(found, dtype=np.int64) for word, found in rows.items()}
        self._counts = {word: np.array(found, dtype=np.float64) for word, found in counts.items()}

    def log_chances(self, words: Mapping[str, float]) -> Floats:
        """The log-probability of each text, by its similarity to weighted words."""
        scores = np.zeros(self.size)
        most = 0.0
        for word, weight in words.items():
            if (rows := self._rows.get(word)) is not None:
                part = weight * math.log((self.size + 0.5) / (len(rows) + 0.5))  # inverse document frequency
                scores[rows] += part * self._counts[word]
                most += part
        spread = max(float(scores.std()), SMALLEST_SPREAD * most, 1e-12)
        similarities = (scores - scores.mean()) / spread
        shifted = np.exp(similarities - similarities.max())
        return np.asarray(np.log((1 - DOUBT) * shifted / shifted.sum() + DOUBT / self.size))
