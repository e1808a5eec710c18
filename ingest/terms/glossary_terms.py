"""Terms as glossary parsers find them, and the nodes that they become."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from graph.ids import distinct, slug
from graph.models.document_models import Skip
from graph.models.node_models import Kind, Labels, Node, Relation, Table
from graph.problems import Problem, Severity
from ingest.terms.term_labels import labels_of
from ingest.text.decoding import DecodedText, Parsed, as_brain, heading_name

BULLETS = r"[-*+•‣◦▪●–]"

RULE = re.compile(r"\s*([-_*=–—])(?:\s*\1)*\s*")  # a line of one sign only: a rule between sections

_LETTER = re.compile(r"[^\W\d_](?:\s*[-–—/&]\s*[^\W\d_])?|0\s*[-–—]\s*9|#|[Ss]ymbols|[Nn]umbers")
_HEADING = re.compile(r"\s{0,3}(?P<marks>#{1,6})\s+(?P<name>\S.*)")


class Draft(NamedTuple):
    """An entry of a glossary before it has an id, or a `table` among the terms.

    `parent` is the index of the entry that it has a `relation` to, `step` that of the previous step.
    """

    head: str
    definition: str
    first: int
    last: int
    section: tuple[str, ...] = ()
    parent: int | None = None
    relation: Relation | None = None
    step: int | None = None
    labels: Labels | None = None
    table: Table | None = None


class Headings:
    """The path of Markdown headings above a line; the first of level 1 is the title."""

    def __init__(self) -> None:
        self.title = ""
        self._path: list[tuple[int, str]] = []

    def enter(self, level: int, name: str) -> None:
        """Enters a heading, leaving those of its level and below."""
        if level == 1 and not self.title:
            self.title = name
        while self._path and self._path[-1][0] >= level:
            self._path.pop()
        self._path.append((level, name))

    def path(self) -> tuple[str, ...]:
        """The names from the top, without title and single letters."""
        return tuple(
            name for level, name in self._path if not (level == 1 and name == self.title) and not is_letter(name)
        )


def markdown_heading(line: str) -> tuple[int, str] | None:
    """Level and name of an ATX heading; None for other lines."""
    match = _HEADING.fullmatch(line) if "#" in line[:8] else None
    if match is None:
        return None
    name = heading_name(match["name"])
    return len(match["marks"]), name.strip("*_ ") or name


def is_letter(name: str) -> bool:
    """Whether a heading is one of an alphabet: `A`, `0–9`, `X-Z`, `#`."""
    return _LETTER.fullmatch(name.strip()) is not None


def glossary_name(title: str, text: DecodedText) -> str:
    """The brain of a glossary: the caller's, else by its title, else by its file."""
    lead = re.split(r"(?<!\s)\s++[-–—|]\s+|:\s", title, maxsplit=1)[0].strip()
    return text.brain or as_brain(lead if re.search(r"[A-Za-z0-9]", lead) else text.stem)


def glossary(
    text: DecodedText, title: str, drafts: Sequence[Draft], skips: Iterable[Skip], problems: Iterable[Problem] = ()
) -> Parsed:
    """A glossary with this title and these entries."""
    brain = glossary_name(title, text)
    nodes = term_nodes(text, brain, drafts)
    about = (("title", title),) if title else ()
    return Parsed(brain, nodes, tuple(skips), (*problems, *term_problems(text, nodes)), about=about)


def term_nodes(text: DecodedText, brain: str, drafts: Sequence[Draft]) -> tuple[Node, ...]:
    """The nodes of the drafts, related to their parents and next steps."""
    labels = [
        Labels(preferred=draft.head) if draft.table else draft.labels or labels_of(draft.head, draft.definition)
        for draft in drafts
    ]
    names = distinct(
        (slug(label.preferred), " ".join((*draft.section, draft.definition)))
        for label, draft in zip(labels, drafts, strict=True)
    )
    following = {draft.step: index for index, draft in enumerate(drafts) if draft.step is not None}
    ids = [f"{brain}/{name}" for name in names]
    return tuple(
        Node(
            id=ids[index],
            brain=brain,
            kind=Kind.REFERENCE if draft.table else Kind.TERM,
            title=labels[index].preferred,
            body=draft.definition,
            labels=None if draft.table else labels[index],
            tables=(draft.table,) if draft.table else (),
            relations=tuple(_relations(draft, ids, following.get(index))),
            section=draft.section,
            provenance=text.provenance(draft.first, draft.last),
        )
        for index, draft in enumerate(drafts)
    )


def _relations(draft: Draft, ids: Sequence[str], following: int | None) -> Iterator[Relation]:
    if draft.parent is not None and draft.relation is not None:
        yield draft.relation.model_copy(update={"target": ids[draft.parent]})
    if following is not None:
        yield Relation(kind="step", target=ids[following], reason="the next step of the flow")


class Entries:
    """The entries read so far, each under the last one that is less indented."""

    def __init__(self) -> None:
        self.drafts: list[Draft] = []
        self.open: list[tuple[int, int]] = []
        """Margins and indexes of entries that may have parts."""

    def enter(self, draft: Draft, margin: int) -> None:
        """Adds an entry, with its relation to the one above."""
        self.close(margin)
        if self.open:
            parent = self.open[-1][1]
            announced = self.drafts[parent].definition.endswith(":")
            draft = draft._replace(parent=parent, relation=PART if announced else BELOW)
        self.open.append((margin, len(self.drafts)))
        self.drafts.append(draft)

    def close(self, margin: int) -> None:
        """Closes the entries that are indented as much or more."""
        while self.open and self.open[-1][0] >= margin:
            self.open.pop()

    def extend(self, number: int, line: str, *, gap: bool) -> None:
        """Adds a line to the last entry; after a `gap` as a paragraph."""
        last = self.drafts[-1]
        item = re.match(r"\s*(?:[-*+•‣◦▪●]|\d{1,3}[.)])\s", line) is not None or "|" in line
        joint = "\n\n" if gap else "\n" if item else " "
        words = re.sub(r"^[•‣◦▪●]\s", "- ", line.strip())
        self.drafts[-1] = last._replace(definition=f"{last.definition}{joint}{words}".strip(), last=number)


PART = Relation(kind="broader", target="", reason="listed as one of its parts")
BELOW = Relation(kind="broader", target="", reason="indented under it", confidence=0.8)
"""Relations of an entry to the one above; the target is set later."""


def term_problems(text: DecodedText, nodes: Iterable[Node]) -> Iterator[Problem]:
    """A note for each repeated term, a warning for each without definition."""
    seen: dict[str, Node] = {}
    for node in nodes:
        line, other = node.provenance.first_line, seen.setdefault(node.title.casefold(), node)
        if other is not node:
            before = other.provenance.first_line
            message = f"{node.title!r} is defined at line {before} too; this definition is {node.id!r}"
            yield text.problem(line, "term-twice", message, severity=Severity.NOTE)
        if not node.body:
            yield text.problem(line, "term-empty", f"{node.title!r} has no definition")
