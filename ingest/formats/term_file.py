"""Terms in YAML: a glossary maintained by hand; `Term` has the fields of an entry."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from pydantic import Field, model_validator

from graph.ids import distinct, slug
from graph.models.document_models import Skip
from graph.models.node_models import Kind, Labels, Node, Relation
from graph.problems import Severity
from graph.yaml.reader import field
from graph.yaml.validation import Entry, Line, Source, Texts, Written, listed
from ingest.brain_page.page_entry import source_of
from ingest.formats.format_protocol import Format
from ingest.markdown.wikilinks import link_citations
from ingest.terms.glossary_terms import term_problems
from ingest.terms.tag_parsing import normal
from ingest.text.decoding import DecodedText, Parsed
from ingest.text.name_checks import declared_brain

_KINDS: tuple[Literal["broader", "related", "same_as"], ...] = ("broader", "related", "same_as")
_CODES = {
    "yaml-syntax": ("yaml", Severity.ERROR),
    "yaml-duplicate-key": ("yaml", Severity.WARNING),
    "yaml-empty": ("terms-shape", Severity.ERROR),
    "unknown-key": ("term-field", Severity.WARNING),
    "yaml-shape": ("term-field", Severity.WARNING),
    "file-shape": ("terms-shape", Severity.ERROR),
    "entry-shape": ("term-label", Severity.ERROR),
    "missing-key": ("term-label", Severity.ERROR),
}


class Term(Written):
    """An entry of a glossary."""

    label: Line
    abbreviation: Line | None = None
    expansion: Line | None = Field(None, description="The full form, where the label is the short one.")
    variants: Texts = ()
    definition: Line = ""
    broader: Texts = Field((), description="Labels of terms that include this one.")
    related: Texts = ()
    same_as: Texts = Field((), description="Ids of terms of other glossaries.")
    tags: Texts = ()
    sources: Texts = Field((), description="Addresses.")
    differs: Line | None = Field(None, description="Where the definitions of others say something else.")
    note: Line | None = None
    origin: Texts = Field((), description="Where the term was first written, as page.md:12.")

    @model_validator(mode="before")
    @classmethod
    def _named(cls, given: object) -> object:
        """Uses the abbreviation of a term that has no label."""
        named = isinstance(given, dict) and given.get("abbreviation") and not given.get("label")
        return {**given, "label": given["abbreviation"]} if named and isinstance(given, dict) else given


class Terms(Written):
    """A file of terms."""

    brain: Line | None = None
    terms: tuple[Term, ...]


class Item(NamedTuple):
    """A term with its labels and lines."""

    term: Term
    labels: Labels
    first: int
    last: int


def parse(text: DecodedText) -> Parsed:
    """The terms of one file."""
    source = Source(text.name, text.content, _CODES)
    tree = source.tree()
    named, odd_brain = declared_brain(text, field(tree, "brain") if isinstance(tree, dict) else None, "terms")
    brain = text.brain or named
    items = _items(text, list(listed(source, tree, Terms, Term)))
    nodes = _nodes(text, brain, items)
    problems = (*odd_brain, *source.problems, *term_problems(text, nodes))
    return Parsed(brain, nodes, tuple(_skips(text, items)) if nodes else (), problems)


def _items(text: DecodedText, entries: Sequence[Entry[Term]]) -> list[Item]:
    starts = [entry.position[0] if entry.position else 0 for entry in entries]
    items = []
    for entry, start, following in zip(entries, starts, (*starts[1:], len(text.lines) + 1), strict=False):
        term = entry.value or entry.remains({"label": ""})
        label = " ".join(term.label.split())
        if label:
            short, long, others = term.abbreviation or None, term.expansion or None, filter(None, term.variants)
            labels = Labels(preferred=label, abbreviation=short, expansion=long, variants=tuple(dict.fromkeys(others)))
            items.append(Item(term, labels, start, _end(text, start, following - 1)))
        elif "label" not in entry.wrong and isinstance(entry.tree, dict):
            entry.complain((), "a term needs 'label'", code="missing-key", hint="add a line label: …")
    return items


def _end(text: DecodedText, first: int, last: int) -> int:
    """The last line of an entry, without blank lines and comments."""
    for number in range(first + 1, last + 1):
        if text.lines[number - 1][:1].isalpha():
            last = number - 1
            break
    while last > first and (not text.lines[last - 1].strip() or text.lines[last - 1].lstrip().startswith("#")):
        last -= 1
    return last


def _nodes(text: DecodedText, brain: str, items: Sequence[Item]) -> tuple[Node, ...]:
    names = distinct((slug(item.labels.preferred), _body(item)) for item in items)
    known = {name: slug_ for item, slug_ in zip(items, names, strict=True) for name in map(slug, item.labels.all())}
    known |= {slug(item.labels.preferred): slug_ for item, slug_ in zip(reversed(items), reversed(names), strict=True)}
    return tuple(_node(text, brain, name, item, known) for name, item in zip(names, items, strict=True))


def _node(text: DecodedText, brain: str, name: str, item: Item, known: dict[str, str]) -> Node:
    body = _body(item)
    tags = map(normal, item.term.tags)
    return Node(
        id=f"{brain}/{name}",
        brain=brain,
        kind=Kind.TERM,
        title=item.labels.preferred,
        body=body,
        tags=tuple(dict.fromkeys(tag for tag in tags if tag)),
        sources=tuple(source_of(url) for url in item.term.sources if url),
        citations=link_citations(body),
        labels=item.labels,
        relations=tuple(_relations(brain, item, known)),
        origin=", ".join(item.term.origin) or None,
        provenance=text.provenance(item.first, item.last),
    )


def _body(item: Item) -> str:
    term = item.term
    differs = f"**Definitions differ.** {term.differs}" if term.differs else ""
    parts = (term.definition, differs, f"**Note.** {term.note}" if term.note else "")
    return "\n\n".join(part for part in parts if part)


def _relations(brain: str, item: Item, known: dict[str, str]) -> Iterator[Relation]:
    """The stated relations; `ingest.linking.link_resolution` checks their ids."""
    for kind in _KINDS:
        for name in getattr(item.term, kind):
            if name:
                by_id = "/" in name and " " not in name
                target = name if by_id else f"{brain}/{known.get(slug(name), slug(name))}"
                yield Relation(kind=kind, target=target, reason="stated in the glossary")


def _skips(text: DecodedText, items: Sequence[Item]) -> Iterator[Skip]:
    inside = {number for item in items for number in range(item.first, item.last + 1)}
    for number, line in enumerate(text.lines, 1):
        if line.strip() and number not in inside:
            if line.lstrip().startswith("#"):
                yield text.skip(number, number, "comment")
            elif line[:1].isalpha() or line.startswith(("---", "...")):
                yield text.skip(number, number, "field of the file")


FORMAT = Format("terms", "YAML: a list of terms with labels, definitions and relations", parse, key="terms")
