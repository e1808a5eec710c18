"""Terms in YAML: a glossary that people keep by hand.

brain: terms                          # the default
terms:
  - label: Key–value cache            # the preferred name; the only field that must be there
    abbreviation: KV cache
    expansion: …                      # where the label is the short form
    variants: [KV-cache]
    definition: One or two sentences, with [[note]] links where they help.
    broader: [Inference]              # labels of this glossary, in this file or another of it
    related: [Prefill]
    same_as: [other-glossary/kv-cache]
    tags: [kv-cache]
    sources: [https://…]
    differs: where definitions of others say something else
    note: anything more
    origin: [glossary.md:33]
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Literal, NamedTuple

from graph.documents import Skip
from graph.ids import distinct, slug
from graph.nodes import Kind, Labels, Node, Relation
from graph.problems import Problem, Severity
from ingest.formats.entry import source_of
from ingest.formats.terms import twice, undefined
from ingest.name_checks import declared_brain
from ingest.tags import normal
from ingest.texts import Parsed, Text
from ingest.wikilinks import link_citations
from ingest.yamls import Fault, Tree, Word, field, load, place, word, words

FIELDS = (
    "label", "abbreviation", "expansion", "variants", "definition", "broader", "related", "same_as", "tags", "sources",
    "differs", "note", "origin",
)  # fmt: skip  # one list, read as one line
_KINDS: tuple[Literal["broader", "related", "same_as"], ...] = ("broader", "related", "same_as")


class Item(NamedTuple):
    """One entry of the list, with the lines on which it stands."""

    fields: dict[Word, Tree]
    labels: Labels
    first: int
    last: int


def parse(text: Text) -> Parsed:
    """The terms of one file."""
    tree, faults = load(text.content)
    listing = field(tree, "terms") if isinstance(tree, dict) else tree
    named, odd_brain = declared_brain(text, field(tree, "brain"), "terms")
    brain = text.brain or named
    problems = [*odd_brain, *(_fault(text, fault) for fault in faults)]
    if not isinstance(listing, list):
        if not problems:
            problems = [text.problem(1, "terms-shape", "'terms' must be a list", severity=Severity.ERROR)]
        return Parsed(brain, (), (), tuple(problems))
    items, odd = _items(text, listing)
    nodes = _nodes(text, brain, items)
    problems += [*odd, *_unknown(text, items), *twice(text, nodes), *undefined(text, nodes)]
    return Parsed(brain, nodes, tuple(_skips(text, items)), tuple(problems))


def _fault(text: Text, fault: Fault) -> Problem:
    severity = Severity.ERROR if fault.fatal else Severity.WARNING
    return text.problem(fault.line, "yaml", fault.message, severity=severity, column=fault.column)


def _items(text: Text, listing: Sequence[Tree]) -> tuple[list[Item], list[Problem]]:
    """The entries that have a name; each ends above the next one."""
    starts = [found.line if (found := place(tree)) else 0 for tree in listing]
    behind = accumulate(reversed(starts), lambda line, start: start or line, initial=len(text.lines) + 1)
    ends = list(behind)[-2::-1]
    items, problems = [], []
    for index, (tree, following) in enumerate(zip(listing, ends, strict=True)):
        label = " ".join((word(field(tree, "label")) or word(field(tree, "abbreviation"))).split())
        if isinstance(tree, dict) and label:
            items.append(Item(tree, _labels(label, tree), starts[index], _end(text, starts[index], following - 1)))
        else:
            line = starts[index] or None
            problems.append(text.problem(line, "term-label", "an entry without 'label'", severity=Severity.ERROR))
    return items, problems


def _end(text: Text, first: int, last: int) -> int:
    """The last line of an entry: neither blank nor a comment, nor a further field of the file."""
    for number in range(first + 1, last + 1):
        if text.lines[number - 1][:1].isalpha():
            last = number - 1
            break
    while last > first and (not text.lines[last - 1].strip() or text.lines[last - 1].lstrip().startswith("#")):
        last -= 1
    return last


def _labels(label: str, tree: Tree) -> Labels:
    names = tuple(dict.fromkeys(str(name).strip() for name in words(field(tree, "variants")) if str(name).strip()))
    return Labels(
        preferred=label,
        abbreviation=word(field(tree, "abbreviation")).strip() or None,
        expansion=word(field(tree, "expansion")).strip() or None,
        variants=names,
    )


def _nodes(text: Text, brain: str, items: Sequence[Item]) -> tuple[Node, ...]:
    names = distinct((slug(item.labels.preferred), _body(item)) for item in items)
    known = {name: slug_ for item, slug_ in zip(items, names, strict=True) for name in map(slug, item.labels.all())}
    known |= {slug(item.labels.preferred): slug_ for item, slug_ in zip(reversed(items), reversed(names), strict=True)}
    return tuple(_node(text, brain, name, item, known) for name, item in zip(names, items, strict=True))


def _node(text: Text, brain: str, name: str, item: Item, known: dict[str, str]) -> Node:
    body = _body(item)
    tags = (normal(str(tag)) for tag in words(field(item.fields, "tags")))
    return Node(
        id=f"{brain}/{name}",
        brain=brain,
        kind=Kind.TERM,
        title=item.labels.preferred,
        body=body,
        tags=tuple(dict.fromkeys(tag for tag in tags if tag)),
        sources=tuple(source_of(str(url).strip()) for url in words(field(item.fields, "sources")) if str(url).strip()),
        citations=link_citations(body),
        labels=item.labels,
        relations=tuple(_relations(brain, item, known)),
        origin=", ".join(str(place) for place in words(field(item.fields, "origin"))) or None,
        provenance=text.provenance(item.first, item.last),
    )


def _body(item: Item) -> str:
    """Definition, differences and note as paragraphs."""
    definition, differs, note = (word(field(item.fields, name)).strip() for name in ("definition", "differs", "note"))
    parts = (definition, differs and f"**Definitions differ.** {differs}", note and f"**Note.** {note}")
    return "\n\n".join(part for part in parts if part)


def _relations(brain: str, item: Item, known: dict[str, str]) -> Iterator[Relation]:
    """The stated relations; a label of another file is an id by its slug, which `ingest.links` looks up."""
    for kind in _KINDS:
        for name in words(field(item.fields, kind)):
            if name.strip():
                target = (
                    str(name).strip()
                    if "/" in name and " " not in name
                    else f"{brain}/{known.get(slug(name), slug(name))}"
                )
                yield Relation(kind=kind, target=target, reason="stated in the glossary")


def _unknown(text: Text, items: Iterable[Item]) -> Iterator[Problem]:
    """A warning for each field that is not one of ours."""
    for item in items:
        for name in item.fields:
            if name not in FIELDS:
                near = difflib.get_close_matches(str(name), FIELDS, 1)
                hint = f"did you mean {near[0]!r}?" if near else None
                message = f"a term has no field {str(name)!r}"
                yield text.problem(name.line, "term-field", message, column=name.column, hint=hint)


def _skips(text: Text, items: Sequence[Item]) -> Iterator[Skip]:
    """Comments and the fields of the file around its entries."""
    inside = {number for item in items for number in range(item.first, item.last + 1)}
    for number, line in enumerate(text.lines, 1):
        if line.strip() and number not in inside:
            if line.lstrip().startswith("#"):
                yield text.skip(number, number, "comment")
            elif line[:1].isalpha() or line.startswith(("---", "...")):
                yield text.skip(number, number, "field of the file")
