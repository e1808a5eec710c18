"""Near-duplicate tags, and the mapping by which an editor merges them.

    tags:
      llm-pricings: llm-pricing       from: to

Nothing is merged automatically: a suggestion becomes a merge when an editor adds it to the mapping.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from itertools import combinations

from rapidfuzz.distance import DamerauLevenshtein

from graph.problems import Problem, Severity
from graph.values import Value
from graph.yaml.reader import Tree, Word, field, position, word
from graph.yaml.validation import Source, Written, head
from ingest.terms.tag_parsing import normal


class Merge(Value):
    """A suggestion: the tag `source`, used `source_count` times, may mean `target`, used `target_count` times.

    `reason` is `plural`, `hyphen`, `order` or `spelling`.
    """

    source: str
    target: str
    source_count: int
    target_count: int
    reason: str


def singular(tag: str) -> str:
    """A tag or name with every word in the singular, by spelling."""
    return "-".join(_singular_word(word) for word in tag.split("-"))


def _singular_word(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("ches", "shes", "xes", "sses")):
        return word[:-2]
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


KEYS: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("spelling", str.casefold),
    ("plural", singular),
    ("hyphen", lambda tag: singular(tag).replace("-", "")),
    ("order", lambda tag: "-".join(sorted(singular(tag).split("-")))),
)
"""Keys equal for tags that differ in the named way, in order."""


def near_duplicates(counts: Mapping[str, int]) -> tuple[Merge, ...]:
    """Suggested merges, each into the most used tag of its group; no tag is source and target."""
    merged: dict[str, tuple[str, str]] = {}
    groups = [(group, reason) for reason, key in KEYS for group in _groups(counts, key)]
    for group, reason in (*groups, *((pair, "spelling") for pair in _misspelt(counts))):
        roots = sorted({_root(tag, merged) for tag in group})
        target = max(roots, key=lambda tag: (counts[tag], len(tag), [-ord(letter) for letter in tag]))
        merged |= {tag: (target, reason) for tag in roots if tag != target}
    targets = ((tag, _root(tag, merged), reason) for tag, (_, reason) in merged.items())
    merges = (
        Merge(source=tag, target=target, source_count=counts[tag], target_count=counts[target], reason=reason)
        for tag, target, reason in targets
    )
    return tuple(sorted(merges, key=lambda merge: (-merge.target_count, merge.target, merge.source)))


def _root(tag: str, merged: Mapping[str, tuple[str, str]]) -> str:
    while tag in merged:
        tag = merged[tag][0]
    return tag


def _groups(tags: Iterable[str], key: Callable[[str], str]) -> list[list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for tag in tags:
        found[key(tag)].append(tag)
    return [group for group in found.values() if len(group) > 1]


def _misspelt(counts: Mapping[str, int]) -> list[tuple[str, str]]:
    """Pairs of long tags that differ in a letter or two."""
    blocks: dict[tuple[str, str], list[str]] = defaultdict(list)
    for tag in counts:
        if len(tag) >= 7:
            blocks[tag[:2], re.sub(r"\D", "", tag)].append(tag)
    return [
        (one, other)
        for block in blocks.values()
        for one, other in combinations(sorted(block), 2)
        if abs(len(one) - len(other)) <= 2 and _one_word_differs(one, other)
    ]


def _one_word_differs(one: str, other: str) -> bool:
    mine, theirs = one.split("-"), other.split("-")
    if len(mine) != len(theirs):
        return False
    differing = [(a, b) for a, b in zip(mine, theirs, strict=True) if a != b]
    if len(differing) != 1:
        return False
    a, b = differing[0]
    shortest = min(len(a), len(b))
    allowed = 2 if shortest >= 11 else 1
    return shortest >= 6 and a[0] == b[0] and DamerauLevenshtein.distance(a, b, score_cutoff=allowed) <= allowed


def renamed(tags: Iterable[str], mapping: Mapping[str, str]) -> tuple[str, ...]:
    """The tags as named by `mapping`, each once, in order."""
    return tuple(dict.fromkeys(mapping.get(tag, tag) for tag in tags))


class Tags(Written):
    """A file of merged tags: each name, and the one that replaces it."""

    tags: dict[str, str]


_CODES = {
    "unknown-key": ("tag-mapping", Severity.WARNING),
    **dict.fromkeys(
        ("yaml-syntax", "yaml-empty", "yaml-shape", "yaml-duplicate-key", "missing-key"),
        ("tag-mapping", Severity.ERROR),
    ),
}
_SHAPE = "write tags: and below it lines from: to"


def load_mapping(text: str, document: str) -> tuple[dict[str, str], tuple[Problem, ...]]:
    """The mapping of a YAML file, chains followed, and its problems."""
    source = Source(document, text, _CODES)
    tree = source.tree()
    if isinstance(tree, dict):
        head(source, tree, Tags)
        tree = field(tree, "tags")
    if tree is not None and not isinstance(tree, dict):
        source.complain(position(tree), "expected a mapping of tags", code="yaml-shape", hint=_SHAPE)
    pairs = _pairs(tree if isinstance(tree, dict) else {}, source)
    return _followed(pairs, source), tuple(source.problems)


def _pairs(tree: dict[Word, Tree], source: Source) -> dict[str, tuple[str, Word]]:
    found: dict[str, tuple[str, Word]] = {}
    for key, target in tree.items():
        old, new = normal(key), normal(word(target))
        if isinstance(target, list | dict):
            source.complain(position(target), f"{str(key)!r} must map to one tag", code="yaml-shape", hint=_SHAPE)
        elif not old or not new:
            where = position(target if old else key) or position(key)
            source.complain(where, "a tag is missing here", code="yaml-shape")
        elif old == new:
            message = f"{old!r} is mapped to itself"
            source.complain(position(key), message, code="tag-mapping", severity=Severity.WARNING)
        elif old in found and found[old][0] != new:
            message = f"{old!r} is mapped twice, to {found[old][0]!r} before"
            source.complain(position(key), message, code="tag-mapping", hint="remove one of them")
        else:
            found[old] = (new, key)
    return found


def _followed(pairs: Mapping[str, tuple[str, Word]], source: Source) -> dict[str, str]:
    result = {}
    for tag, (first, key) in pairs.items():
        seen, target = {tag}, first
        while target in pairs and target not in seen:
            seen.add(target)
            target = pairs[target][0]
        if target in seen:
            message = f"{tag!r} is mapped in a circle: {' → '.join(sorted(seen))}"
            source.complain(position(key), message, code="tag-mapping", hint="remove one of these lines")
        else:
            result[tag] = target
    return result
