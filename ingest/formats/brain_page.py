"""The brain page: the text of a contributor's page, as copied from a browser.

@handle · role                    the head (`page_layout`)
169 nodes
Reading149 nodes                  a section and its count
  • Title                         an entry (`page_entry`)
    body …
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from graph.ids import distinct, slug
from graph.models.document_models import Skip
from graph.models.node_models import Kind, Node, Table
from graph.problems import Problem, Severity
from ingest.brain_page.page_entry import PageEntry, read_entry
from ingest.brain_page.page_layout import Header, Heading, Section, read_header, sections_of
from ingest.citations.bracket_markers import bracket_markers
from ingest.citations.marker_resolution import resolve as resolve_markers
from ingest.formats.format_protocol import Format, marks
from ingest.markdown.markdown_tables import tables_in
from ingest.quotations.cite_spans import cite_spans
from ingest.quotations.source_resolution import resolve_page
from ingest.terms.tag_parsing import header_tags
from ingest.text.decoding import DecodedText, Parsed, as_brain


def parse(text: DecodedText) -> Parsed:
    """The nodes of a page, with quotations and citations resolved."""
    sections = list(sections_of(text))
    begins = (one.heading.line or (one.entries[0][0] if one.entries else one.last) for one in sections)
    start = min(begins, default=len(text.lines) + 1)
    header = read_header(text, start - 1)
    brain = text.brain or header.brain or as_brain(text.stem)
    entries = [(section, span, read_entry(text, *span)) for section in sections for span in section.entries]
    kinds = {section.heading: _kind(section, entries) for section in sections}
    nodes = _nodes(text, brain, entries, kinds)
    quoted = resolve_page(zip(nodes, (entry.spans for _, _, entry in entries), strict=True))
    resolved, unresolved = resolve_markers(quoted, text.content)
    about, tag_skip, undivided = _about(text, header, nodes)
    return Parsed(
        brain=brain,
        nodes=resolved,
        skips=(*header.skips, *tag_skip, *(skip for section in sections for skip in section.skips)),
        problems=(
            *_counts(text, header, sections),
            *_kinds_unknown(text, sections, kinds),
            *(problem for _, _, entry in entries for problem in entry.problems),
            *_gaps(text, resolved),
            *unresolved,
            *undivided,
        ),
        declared=header.declared,
        about=about,
    )


def _kind(section: Section, entries: Iterable[tuple[Section, tuple[int, int], PageEntry]]) -> Kind:
    """The kind by the section's name, else by most entries."""
    named = section.heading.kind
    if named and named is not Kind.REFERENCE:
        return named
    own = [entry for owner, _, entry in entries if owner is section]
    if 2 * sum(bool(entry.sources) for entry in own) >= max(1, len(own)):
        return Kind.READING
    argued = 2 * sum(bool(bracket_markers(entry.body)) for entry in own) >= len(own)
    return Kind.THESIS if argued and not named else Kind.REFERENCE


def _nodes(
    text: DecodedText,
    brain: str,
    entries: Sequence[tuple[Section, tuple[int, int], PageEntry]],
    kinds: Mapping[Heading, Kind],
) -> tuple[Node, ...]:
    slugs = distinct((slug(entry.title), entry.body) for _, _, entry in entries)
    return tuple(
        Node(
            id=f"{brain}/{name}",
            brain=brain,
            kind=kinds[section.heading],
            title=entry.title,
            body=entry.body,
            tags=entry.tags,
            sources=entry.sources,
            tables=_tables(text, entry, first, last),
            section=(section.heading.name,) if section.heading.name else (),
            provenance=text.provenance(first, last),
        )
        for name, (section, (first, last), entry) in zip(slugs, entries, strict=True)
    )


def _tables(text: DecodedText, entry: PageEntry, first: int, last: int) -> tuple[Table, ...]:
    if "|" not in entry.body:
        return ()
    clean, _, _ = cite_spans("\n".join(text.lines[first:last]))
    return tuple(found.table for found in tables_in(clean.split("\n"), entry.title, first + 1))


def _about(
    text: DecodedText, header: Header, nodes: Iterable[Node]
) -> tuple[tuple[tuple[str, str], ...], tuple[Skip, ...], tuple[Problem, ...]]:
    """The page's own facts with tags, their line, and problems."""
    if header.tags is None:
        return header.about, (), ()
    line, written = header.tags
    tags, undivided = header_tags(written, Counter(tag for node in nodes for tag in node.tags))
    problems = []
    for tag in undivided:
        message = f"{tag!r} stays one tag: the tags of this document do not divide it"
        column = max(text.lines[line - 1].lower().find(tag), 0) + 1
        problems.append(text.problem(line, "tags-undivided", message, severity=Severity.NOTE, column=column))
    reason = "tags of the contributor: " + ", ".join(tags)
    return (*header.about, *(("tag", tag) for tag in tags)), (text.skip(line, line, reason),), tuple(problems)


def _counts(text: DecodedText, header: Header, sections: Sequence[Section]) -> Iterator[Problem]:
    count = sum(len(section.entries) for section in sections)
    if header.declared is not None and header.declared != count:
        line = next((skip.first_line for skip in header.skips if skip.reason.startswith("declared")), None)
        message = f"the page declares {header.declared} nodes and has {count}"
        hint = "the page may show only a part of the brain: copy it again with everything unfolded"
        yield text.problem(line, "declared-nodes", message, hint=hint)
    for section in sections:
        declared, line = section.heading.declared, section.heading.line
        if declared is not None and declared != len(section.entries):
            message = f"the section {section.heading.name!r} declares {declared} nodes and has {len(section.entries)}"
            yield text.problem(line, "declared-nodes", message)


def _kinds_unknown(text: DecodedText, sections: Iterable[Section], kinds: Mapping[Heading, Kind]) -> Iterator[Problem]:
    for section in sections:
        found = section.heading
        if found.kind is None:
            message = f"the section name {found.name!r} names no kind; its nodes are read as {kinds[found].value}"
            yield text.problem(found.line, "section-unknown", message)
        elif not found.line and section.entries:
            message = f"the page has no section headings; its nodes are read as {found.kind.value}"
            yield text.problem(section.entries[0][0], "section-missing", message)


def _gaps(text: DecodedText, nodes: Iterable[Node]) -> Iterator[Problem]:
    seen: dict[str, Node] = {}
    for node in nodes:
        line = node.provenance.first_line
        parts = {"body": node.body, "tags": node.tags, "sources": node.sources or node.kind is not Kind.READING}
        if lacks := [name for name, there in parts.items() if not there]:
            message = f"{node.title!r} has no {' and no '.join(lacks)}"
            yield text.problem(line, "incomplete", message, severity=Severity.NOTE)
        twin = seen.setdefault(node.title.casefold(), node)
        if twin is not node:
            message = f"the title is at line {twin.provenance.first_line} too; this node is {node.id!r}"
            yield text.problem(line, "title-twice", message, severity=Severity.NOTE)


_COUNTS = marks((1, r"^[ \t]{0,3}[^\W\d_][^\n.!?]{0,60}?\d[\d,.]*+[ \t]*+nodes?\)?[ \t]*$"))
_MARKS = (
    marks((1, r"^[ \t]{0,40}@\w[\w.-]*(?:[ \t]+[·•|-].*)?$")),
    marks((1, r"^.{1,60}[’'´`]s?[ \t]+brain\b")),
    marks((2, r"^[ \t]{0,40}#[^\s#]+(?:[ \t]?#[^\s#]+)+[ \t]*$")),
    marks((1, r"(?:<|\(|&lt;)cite[ \t]+index=")),
)


def _sign(text: DecodedText) -> bool:
    """Whether a text has two marks, in Markdown a count among them."""
    counted, others = _COUNTS(text), sum(mark(text) for mark in _MARKS)
    return counted and others > 0 if text.is_markdown else counted + others > 1


FORMAT = Format(
    "brain-page",
    "a contributor's page copied as text: card, sections with counts, nodes behind bullets, numbers or "
    "headings, cite spans, `Sources:`, `#tags#run#together`",
    parse,
    sign=_sign,
    printed=True,
)
