"""Readings of invented authors that quote retrieved documents: which document is which address is known."""

import random
from typing import NamedTuple

from graph.models.node_models import Kind, Node, Source
from ingest.quotations.cite_spans import Part, Span
from tests.ingest.synthetic_pages import lexicon, node, prose, word


class Habits(NamedTuple):
    """How an author lists sources: chances between 0 and 1."""

    unlisted: float = 0.12
    unquoted: float = 0.03
    moved: float = 0.06
    telling: float = 0.5


USUAL = Habits()


class Quoting(NamedTuple):
    """Readings in page order with their spans, and for each reading the address of each document, None if unlisted."""

    items: list[tuple[Node, list[Span]]]
    meant: dict[str, dict[int, str | None]]


class _Document(NamedTuple):
    number: int
    url: str
    words: list[str]


def quoting(seed, habits=USUAL):
    rng = random.Random(seed)
    items = []
    meant = {}
    for _ in range(rng.randint(2, 6)):
        theme = lexicon(rng, 30)
        retrieved = [_document(rng, number, theme, habits) for number in rng.sample(range(1, 30), 14)]
        tags = tuple(rng.sample(theme, 5))
        for _ in range(rng.choice((1, 2, 3, 4, 4, 4, 5))):
            reading, spans, truth = _reading(rng, retrieved, theme, tags, habits, 10 * len(items) + 1)
            items.append((reading, spans))
            meant[reading.id] = truth
    return Quoting(items, meant)


def _document(rng, number, theme, habits):
    words = lexicon(rng, 14) + rng.sample(theme, 8)
    path = rng.sample(words, 3) if rng.random() < habits.telling else [str(rng.randint(10**6, 10**8))]
    return _Document(number, f"https://{word(rng)}.example/{'-'.join(path)}", words)


def _reading(rng, retrieved, theme, tags, habits, line):
    quoted = rng.sample(retrieved, rng.randint(1, 6))
    order = quoted + rng.choices(quoted, k=rng.randint(0, 3))
    spans, body = [], ""
    for document in order:
        quote = prose(rng, document.words, rng.randint(6, 16))
        sentence = rng.randint(1, 40)
        parts = (Part(document.number, (sentence,)),)
        spans.append(Span(f"{document.number}-{sentence}", parts, quote, len(body), len(body) + len(quote)))
        body += quote + ". "
    listed = _listed(rng, quoted, retrieved, habits)
    truth = {document.number: document.url if document in listed else None for document in quoted}
    reading = node(Kind.READING, prose(rng, theme, 7), body, (*tags[:3], *rng.sample(theme, 3)), line)
    sources = tuple(Source(id=document.url, url=document.url) for document in listed)
    return reading.model_copy(update={"sources": sources}), spans, truth


def _listed(rng, quoted, retrieved, habits):
    listed = [document for document in quoted if rng.random() >= habits.unlisted] or quoted[:1]
    for place in range(1, len(listed)):
        if rng.random() < habits.moved:
            listed[place - 1], listed[place] = listed[place], listed[place - 1]
    others = [document for document in retrieved if document not in quoted]
    if others and rng.random() < habits.unquoted * len(quoted):
        listed.insert(rng.randint(0, len(listed)), rng.choice(others))
    return listed
