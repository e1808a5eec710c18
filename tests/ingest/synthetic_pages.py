"""Pages of invented authors, their words made of syllables: where batches begin, and what synthesis nodes cite, is known."""

import random
from typing import NamedTuple

from graph.models.node_models import Kind, Node, Provenance

_FILLER = "the and of when more than under with each only where most then from once still over after"
_ONSETS = "b br c cl d dr f fl g gr h j k l m n p pl qu r s sk st t tr v w z"
FILLER, ONSETS = _FILLER.split(), _ONSETS.split()
VOWELS = ("a", "e", "i", "o", "u", "ai", "ea", "oo", "ou")
CODAS = ("n", "r", "l", "m", "nd", "rk", "st", "x", "p", "t", "ss")


class Page(NamedTuple):
    """A page in page order, and for each synthesis node the readings that its references mean, None for a lost one."""

    nodes: tuple[Node, ...]
    meant: dict[str, tuple[str | None, ...]]


class Manner(NamedTuple):
    """How an author writes: chances between 0 and 1; of how many readings a batch is, and of how many batches a page."""

    clue: float = 0.85
    own: float = 0.55
    missing: float = 0.0
    shuffled: float = 0.5
    sizes: tuple[int, ...] = (3, 5, 8, 12, 16, 20, 30, 40)
    batches: tuple[int, int] = (1, 5)


def word(rng):
    return "".join(rng.choice(ONSETS) + rng.choice(VOWELS) for _ in range(rng.randint(2, 3))) + rng.choice(CODAS)


def lexicon(rng, size):
    return [word(rng) for _ in range(size)]


def prose(rng, telling, length):
    words = [rng.choice(telling) if rng.random() < 0.5 else rng.choice(FILLER) for _ in range(length)]
    return " ".join(words).capitalize()


def node(kind, title, body, tags, line):
    where = Provenance(document="page", first_line=line, last_line=line + 9, sha256="0" * 64)
    return Node(id=f"page/{kind}-{line}", brain="page", kind=kind, title=title, body=body, tags=tags, provenance=where)


USUAL = Manner()


def page(seed, manner=USUAL):
    rng = random.Random(seed)
    field = lexicon(rng, 60)
    batches = [_batch(rng, field, manner.sizes) for _ in range(rng.randint(*manner.batches))]
    readings = []
    synthesis = []
    line = 1000
    for own_words, theme in batches:
        batch = [_reading(rng, telling, theme, line + 10 * i) for i, telling in enumerate(own_words)]
        line += 10 * len(batch)
        readings += batch
        for _ in range(rng.choice((0, 1, 1, 2, 3, 4))):
            synthesis.append(_synthesis(rng, batch, own_words, theme, manner, 10 * len(synthesis) + 1))
    if manner.missing and rng.random() < manner.missing:
        for _ in range(rng.randint(1, 2)):
            if len(readings) > 4:
                readings.pop(rng.randrange(len(readings)))
    if rng.random() < manner.shuffled:
        rng.shuffle(synthesis)
    here = {reading.id for reading in readings}
    meant = {n.id: tuple(target if target in here else None for target in targets) for n, targets in synthesis}
    return Page((*(n for n, _ in synthesis), *readings[::-1]), meant)


def _batch(rng, field, sizes):
    """The words of each reading of a batch: its own, those of its topic; and the theme of the batch."""
    theme = lexicon(rng, 25) + rng.sample(field, 15)
    telling = []
    for _ in range(rng.choice(sizes)):
        if not telling or rng.random() < 0.3:
            topic = lexicon(rng, 20) + rng.sample(theme, 8)
        telling.append(lexicon(rng, 12) + [str(rng.randint(3, 900)) for _ in range(3)] + rng.sample(topic, 12))
    return telling, theme


def _reading(rng, telling, theme, line):
    title = prose(rng, telling[:18], 9)
    body = ". ".join(prose(rng, telling + theme[:10], rng.randint(8, 20)) for _ in range(rng.randint(4, 9)))
    tags = tuple(dict.fromkeys([*rng.sample(telling[12:], 4), *rng.sample(theme, 2)]))
    return node(Kind.READING, title, body + ".", tags, line)


def _synthesis(rng, batch, telling, theme, manner, line):
    paragraphs, targets = [], []
    for _ in range(rng.choice((1, 2, 3, 4))):
        sentences = []
        for _ in range(rng.randint(1, 3)):
            sentence, meant = _sentence(rng, telling, theme, manner)
            sentences.append(sentence)
            targets += [batch[at].id for at in meant]
        paragraphs.append(" ".join(sentences))
    title = prose(rng, theme, 8)
    return node(rng.choice((Kind.THESIS, Kind.POV)), title, "\n\n".join(paragraphs), (), line), targets


def _sentence(rng, telling, theme, manner):
    """A sentence with one to three markers, each behind words on its reading or on the theme only."""
    parts, meant = [], []
    for _ in range(rng.choice((0, 1, 1, 1, 2, 3))):
        together = sorted(rng.sample(range(len(telling)), min(rng.choice((1, 1, 1, 1, 2, 3)), len(telling))))
        words = list(rng.choices(theme, k=3))
        for at in together:
            if rng.random() < manner.clue:
                words += [w if rng.random() < manner.own else rng.choice(theme) for w in rng.sample(telling[at], 6)]
        rng.shuffle(words)
        spiced = [piece for w in words for piece in ((w, rng.choice(FILLER)) if rng.random() < 0.5 else (w,))]
        parts.append(" ".join(spiced) + f" [{', '.join(str(at + 1) for at in together)}]")
        meant += together
    return (", ".join(parts) or prose(rng, theme, 9)).capitalize() + ".", meant
