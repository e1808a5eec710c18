"""Which terms of several glossaries are the same: by a shared name, and where their senses agree.

A more specific name makes it more likely; the words of definitions and sections then raise or lower the probability.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from rapidfuzz import fuzz

from graph.links.term_hierarchy import Hierarchy, joined_terms
from graph.models.link_models import Link
from graph.models.node_models import Kind, Labels, Node
from ingest.terms.tag_merges import singular
from ingest.text.word_weights import counted, overlap, stem

SAME = 0.6  # minimum confidence for two terms to be the same
PRIOR = {"expansion": 0.9, "phrase": 0.85, "coined": 0.88, "acronym": 0.8, "word": 0.6, "qualified": 0.12, "part": 0.75}
"""The prior probability that terms with a common name of this type are the same."""

PULL, EXPECTED = 6.0, 0.16  # nats for equal definitions, and the share that terms of one field have in common anyway
ENOUGH = 5  # a definition of fewer words has less weight
STEP = -1.2  # nats against, if only one of them is a step: an act, not a thing
CONTRASTS = (
    (frozenset({"train"}), frozenset({"inferenc", "infer", "serv"})),
    (frozenset({"hardwar"}), frozenset({"softwar"})),
)
"""Opposite sides, by words of the definitions."""

OPPOSED, COVERED = -2.5, 0.7  # nats against terms on opposite sides; the maximum confidence if one covers both
COVERS_MORE = "one of them covers more, such as training and inference"

APART = 55  # long forms below this similarity (0 to 100) are different
CROWD = 60  # with more terms of one name, each is compared with the first only


class _Term(NamedTuple):
    """A term as it is compared; `names`: by key, as written, and the type."""

    node: Node
    names: dict[str, tuple[str, str]]
    expansions: tuple[str, ...]
    words: frozenset[str]
    section: frozenset[str]
    step: bool


def labels_of(node: Node) -> Labels:
    """The labels of a term, from its title if it has none."""
    return node.labels or Labels(preferred=node.title)


def key(name: str) -> str:
    """A key that ignores case, hyphens, spaces, plural and British -ise."""
    words = [singular(word) for word in re.findall(r"[^\W_]+|[$%]", name.lower())]
    joined = re.sub(r"is(e|ed|es|er|ing|ation)$", r"iz\1", words[-1]) if words else ""
    return "".join([*words[:-1], joined])


def same_as(terms: Iterable[Node]) -> tuple[Link, ...]:
    """A `same_as` edge for every two terms with a common name whose senses agree, unless one is stated to be broader.

    The edge is `related` if one of them covers more; none if other terms make the two the same.
    """
    given = [node for node in terms if node.kind is Kind.TERM]
    stated = Hierarchy(
        Link(subject=node.id, kind="broader", target=relation.target)
        for node in given
        for relation in node.relations
        if relation.kind == "broader"
    )
    found = [edge for edge in _alike(given) if not stated.joins(edge.subject, edge.target)]
    group = {node.id: number for number, group in enumerate(clusters(given, found)) for node in group}
    return tuple(edge for edge in found if edge.kind == "same_as" or group[edge.subject] != group[edge.target])


def _alike(terms: Sequence[Node]) -> Iterator[Link]:
    """An edge for each pair that is likely the same or related."""
    flow = steps(terms)
    known = [_term(node, node.id in flow) for node in terms]
    counts = Counter(word for term in known for word in term.words | term.section)
    weights = {word: math.log((len(known) + 1) / (count + 0.5)) for word, count in counts.items()}
    for (one, other), name in sorted(_pairs(known).items()):
        edge = _compared(known[one], known[other], name, weights)
        if edge.confidence >= SAME:
            yield edge


def steps(terms: Iterable[Node]) -> frozenset[str]:
    """The ids of the steps of flows."""
    pairs = [(node.id, relation.target) for node in terms for relation in node.relations if relation.kind == "step"]
    return frozenset(end for pair in pairs for end in pair)


def clusters(terms: Sequence[Node], edges: Iterable[Link]) -> list[list[Node]]:
    """The terms grouped by `same_as`, in order."""
    known = {node.id for node in terms}
    joined = joined_terms(edge for edge in edges if edge.kind == "same_as" and {edge.subject, edge.target} <= known)
    groups: dict[str, list[Node]] = defaultdict(list)
    for node in terms:
        groups[min(joined.get(node.id, {node.id}))].append(node)
    return list(groups.values())


def _term(node: Node, step: bool) -> _Term:
    labels = labels_of(node)
    names: dict[str, tuple[str, str]] = {}
    for name in labels.all():
        bare, qualifier = qualified(name)
        names.setdefault(key(name), (name, _kind(name, labels)))
        if qualifier:
            names.setdefault(key(bare), (bare, "qualified"))
    names.pop("", None)
    expansions = tuple(key(name) for name in _long_forms(labels))
    section = frozenset(counted(" ".join(node.section)))
    return _Term(node, names, expansions, frozenset(counted(node.body)) - own_words(labels), section, step)


def own_words(labels: Labels) -> set[str]:
    """The words of the names of a term."""
    return {stem(word) for name in labels.all() for word in re.findall(r"[^\W_]+", name.lower())}


def qualified(name: str) -> tuple[str, str]:
    """A name without brackets after it, and the text in them."""
    match = re.fullmatch(r"(.*\S)\s*\(([^()]+)\)", name.strip())
    return (match[1], match[2]) if match else (name, "")


def _long_forms(labels: Labels) -> list[str]:
    long = [labels.expansion] if labels.expansion else []
    if labels.abbreviation and labels.abbreviation != labels.preferred:
        long.append(labels.preferred)
    return [name for name in long if " " in name or "-" in name]


def _kind(name: str, labels: Labels) -> str:
    """The type of a name, a key of `PRIOR`."""
    words = re.findall(r"[^\W_]+", name)
    if name in labels.variants and "/" in labels.preferred:
        return "part"
    if name in _long_forms(labels) and len(words) > 1:
        return "expansion"
    if is_acronym(name):
        return "acronym"
    if len(words) > 1:
        return "phrase"
    return "coined" if re.search(r"\d|[^\W\d_][A-Z]", name) else "word"


def is_acronym(name: str) -> bool:
    """Whether the case of a name matters."""
    capitals = sum(letter.isupper() for letter in name)
    short = len(name) <= 5 or (len(name) <= 10 and 2 * capitals >= len(name))
    return short and " " not in name and capitals >= 2 and name[:1].isalnum()


def _pairs(known: Sequence[_Term]) -> dict[tuple[int, int], str]:
    """The pairs with a common name, the most specific one."""
    owners: dict[str, list[int]] = defaultdict(list)
    for index, term in enumerate(known):
        for name in term.names:
            owners[name].append(index)
    found: dict[tuple[int, int], str] = {}
    for name, indexes in owners.items():
        pairs = combinations(indexes, 2) if len(indexes) <= CROWD else ((indexes[0], other) for other in indexes[1:])
        for pair in pairs:
            if pair not in found or _prior(known, pair, name) > _prior(known, pair, found[pair]):
                found[pair] = name
    return found


def _prior(known: Sequence[_Term], pair: tuple[int, int], name: str) -> float:
    return min(PRIOR[known[index].names[name][1]] for index in pair)


def _compared(one: _Term, other: _Term, name: str, weights: Mapping[str, float]) -> Link:
    """The edge of two terms; `related` if one covers more."""
    sorts = [term.names[name][1] for term in (one, other)]
    sort = min(sorts, key=lambda each: PRIOR[each])
    telling = sorted(one.words & other.words, key=lambda word: (-weights[word], word))[:4]
    words = f"definitions share {', '.join(telling)}" if telling else "definitions share no word"
    confidence, against = _confidence(one, other, sort, weights)
    return Link(
        subject=one.node.id,
        kind="related" if against == COVERS_MORE or "part" in sorts else "same_as",
        target=other.node.id,
        reason=f"{_SORTS[sort]} ({one.names[name][0]}); {words}" + (f"; but {against}" if against else ""),
        confidence=round(confidence, 3),
    )


def _confidence(one: _Term, other: _Term, sort: str, weights: Mapping[str, float]) -> tuple[float, str]:
    if _are_opposed(one, other):
        return 0.03, "it is short for different words"
    trust = min(1.0, min(len(one.words), len(other.words)) / ENOUGH)
    odds = math.log(PRIOR[sort] / (1 - PRIOR[sort]))
    odds += trust * PULL * (overlap(one.words, other.words, weights) - EXPECTED)
    odds += 1.2 * overlap(one.section, other.section, weights)
    if one.step != other.step:
        return _chance(odds + STEP), "only one of them is a step of a flow"
    sides = [(_sides(one.words, pair), _sides(other.words, pair)) for pair in CONTRASTS]
    if any(mine and theirs and not set(mine) & set(theirs) for mine, theirs in sides):
        return _chance(odds + OPPOSED), "they are on opposite sides, such as training and inference"
    if any(mine and theirs and mine != theirs for mine, theirs in sides):
        return min(COVERED, _chance(odds)), COVERS_MORE
    return _chance(odds), ""


def _chance(odds: float) -> float:
    return 1 / (1 + math.exp(-odds))


def _sides(words: frozenset[str], pair: tuple[frozenset[str], frozenset[str]]) -> tuple[int, ...]:
    return tuple(side for side, telling in enumerate(pair) if words & telling)


def _are_opposed(one: _Term, other: _Term) -> bool:
    if not one.expansions or not other.expansions:
        return False
    return max(fuzz.ratio(a, b) for a in one.expansions for b in other.expansions) < APART


_SORTS = {
    "expansion": "the same expansion",
    "phrase": "the same name",
    "coined": "the same coined name",
    "acronym": "the same acronym",
    "word": "the same everyday word",
    "qualified": "the same word, qualified",
    "part": "one of several names",
}
