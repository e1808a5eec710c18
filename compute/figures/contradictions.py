"""Two texts that state different figures under one key: the same entity, metric, unit and day.

No text is refuted: which of the two is right is not known, and both may be. Only sentences with one plain figure of the
unit and one named chip or model are compared, and only if neither has a condition that the other lacks.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import combinations

from compute.figures.figure_models import Figure, MinedInput, Passage, Statement
from compute.figures.number_words import CHIP
from compute.figures.statement_writer import SURE, decimal, quoted, unit_of
from compute.figures.text_days import periods
from compute.figures.text_structure import Sentence, read
from compute.units.number_format import said

Watch = Callable[[int, int], None]
"""Receives how many texts have been read, and of how many."""
_CLEAR = Fraction(3, 100)
_MOST_ALIKE = 40
"""The number of places from which a key is too common to be one."""
_MODEL = re.compile(
    r"\b(?:GPT-?\d[\w.]*(?: (?:mini|nano|Turbo))?|(?:Claude|Gemini|Llama|Qwen|Mistral|Mixtral|DeepSeek"
    r"|Grok|Falcon|PaLM|OPT|Chinchilla)(?:[ -](?:\d[\w.]*|[A-Z][a-z]+|V\d[\w.]*)){0,3})"
)
_METRICS = {
    "memory": r"\bmemory\b|\bVRAM\b|\bHBM\d?\w?\b",
    "bandwidth": r"\bbandwidth\b",
    "power": r"\bTDP\b|\bdraws?\b|power (?:draw|limit|envelope)",
    "context": r"context (?:window|length)",
    "parameters": r"\bparameters?\b",
    "training tokens": r"trained on|training (?:tokens|data|corpus)",
    "processors": r"\bSMs?\b|streaming multiprocessor",
    "training cost": r"cost .{0,30}to train|training cost",
    "throughput": r"throughput",
    "training GPU-hours": r"GPU[- ]hours",
    "price": r"purchase price|list price|\bcosts?\b.{0,20}to buy",
}
_PATTERNS = {name: re.compile(text, re.I) for name, text in _METRICS.items()}
_CONDITION = re.compile(
    r"\b(?:FP\d+|BF16|TF32|INT\d|sparse|sparsity|dense|NVL|PCIe|SXM\d?|batch|spot|reserved|per \w+|with"
    r"|without|at|if|when|after|before|than|versus|vs|instead|up to|compared|minimum|maximum|peak"
    r"|sustained|average|not)\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class _Place:
    """A figure with its text and sentence."""

    passage: Passage
    sentence: Sentence
    figure: Figure

    @property
    def value(self) -> Fraction:
        return Fraction(self.figure.low) * self.figure.factor

    @property
    def conditions(self) -> frozenset[str]:
        return frozenset(word.lower() for word in _CONDITION.findall(self.sentence.words))


def contradictions(
    passages: Iterable[Passage], of: Container[str] | None = None, watch: Watch = lambda _done, _total: None
) -> tuple[Statement, ...]:
    """Pairs of figures that cannot both be right of one thing, reported at both places; with `of`, of these nodes."""
    listed = list(passages)
    groups: dict[tuple[object, ...], list[_Place]] = defaultdict(list)
    for done, passage in enumerate(listed, 1):
        for key, place in _places(passage):
            groups[key].append(place)
        watch(done, len(listed))
    found: dict[str, Statement] = {}
    for group in groups.values():
        for one, two in combinations(group[:_MOST_ALIKE], 2):
            if _differ(one, two) and (of is None or one.passage.node in of or two.passage.node in of):
                for here, there in ((one, two), (two, one)):
                    made = _statement(here, there)
                    found.setdefault(made.id, made)
    return tuple(found.values())


def _places(passage: Passage) -> Iterator[tuple[tuple[object, ...], _Place]]:
    for sentence in read(passage).sentences:
        named = {
            *(match[0].rstrip("s") for match in CHIP.finditer(sentence.words)),
            *(match[0] for match in _MODEL.finditer(sentence.words)),
        }
        metrics = [name for name, pattern in _PATTERNS.items() if pattern.search(sentence.words)]
        if len(named) != 1 or len(metrics) != 1 or sentence.words.rstrip().endswith("?"):
            continue
        for figure in sentence.figures:
            alone = [one for one in sentence.figures if one.dimensions == figure.dimensions and one.sort == figure.sort]
            if len(alone) == 1 and figure.dimensions and not figure.ranged and not figure.hedge and not figure.period:
                days = tuple((one.first, one.last) for one in periods(sentence.words))
                yield (*named, metrics[0], figure.dimensions, figure.of, days), _Place(passage, sentence, figure)


def _differ(one: _Place, two: _Place) -> bool:
    """Whether two places of one key state other figures, under the same conditions, in different documents or notes."""
    if one.passage.node == two.passage.node or one.conditions != two.conditions:
        return False
    low, high = sorted((one.value, two.value))
    return high - low > high * _CLEAR and low > 0


def _statement(here: _Place, there: _Place) -> Statement:
    unit = unit_of(here.figure)
    other = there.value / here.figure.factor
    quote, start = quoted(here.passage.text, here.sentence.start, here.sentence.end)
    words = quoted(there.passage.text, there.sentence.start, there.sentence.end)[0]
    return _differing(
        (here.passage.node, quote, start),
        (here.figure, there.figure),
        unit,
        decimal(other),
        (there.passage.node, words[:200]),
    )


def stated(place: tuple[str, str, int], pair: tuple[Figure, Figure], unit: str, other: tuple[str, str]) -> Statement:
    """The statement that a node contradicts another: its place (node, quotation, offset), and the other figure."""
    return _differing(place, pair, unit, pair[1].low, other)


def _differing(
    place: tuple[str, str, int], pair: tuple[Figure, Figure], unit: str, value: Decimal, other: tuple[str, str]
) -> Statement:
    (node, quote, start), (here, there) = place, pair
    digest = hashlib.sha256(f"{node}\n{quote}\n{here.text}\n{other[0]}\n{there.text}".encode()).hexdigest()
    says = said(value, unit) + (f" to {said(there.high, unit)}" if there.ranged else "")
    inputs = tuple(
        MinedInput(
            name=name,
            formula=f"{one.low:f} {unit_of(one)}".strip(),
            text=one.text.strip(),
            value=one.low,
            unit=unit_of(one),
            half=one.half,
        )
        for name, one in (("here", here), ("there", there))
    )
    return Statement(
        id=f"{node}#{digest[:8]}",
        node=node,
        quote=quote,
        kind="cross-document",
        inputs=inputs,
        expression="there",
        stated=here.low,
        computed=value,
        unit=unit,
        verdict="differs",
        confidence=SURE,
        note=f"two texts differ: {other[0]} says {says}: “{other[1]}”",
        start=start,
        figure_start=here.start,
        figure_end=here.end,
        within=here.half,
    )
