"""The brain page: the text of a contributor's page, as copied from a browser.

    @handle · role                    the head (`page_header`)
    169 nodes
    Reading149 nodes                  a section and its count (`sections`)
      • Title                         an entry (`entry`)
        body …

An entry begins at a bullet no deeper than the first bullet of its section. Where copying has lost the indents, it
begins at a bullet behind a heading, a line of tags or a list of sources.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from graph.documents import Skip
from graph.ids import distinct, slug
from graph.nodes import Kind, Node
from graph.problems import Problem, Severity
from ingest.batches import resolve as resolve_markers
from ingest.formats.entry import BULLET, Entry, is_tags, read_entry, sources_in
from ingest.formats.page_header import Header, read_header
from ingest.formats.sections import Heading, bare_heading, heading
from ingest.marks import bracket_markers
from ingest.quotes import resolve_page
from ingest.tags import header_tags
from ingest.texts import Parsed, Text, as_brain, indent

LONGEST_FOOTER = 120
"""Characters beyond which a line at the end of a page is text."""

_UNNAMED = Heading(0, "", None, Kind.READING)


class Section(NamedTuple):
    """A heading, the last line before the next one, and the lines of its entries as (title line, last line)."""

    heading: Heading
    last: int
    entries: tuple[tuple[int, int], ...]
    skips: tuple[Skip, ...]


def parse(text: Text) -> Parsed:
    """The nodes of a brain page, their quotations and citations resolved."""
    sections = list(_sections(text))
    start = min((section.heading.line or _first_line(section) for section in sections), default=len(text.lines) + 1)
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


def _first_line(section: Section) -> int:
    return section.entries[0][0] if section.entries else section.last


def _sections(text: Text) -> Iterator[Section]:
    """The sections in order; entries before the first heading form one without a name."""
    headings = list(_headings(text))
    usual = _usual_margin(text, headings)
    first = headings[0].line if headings else len(text.lines) + 1
    if not headings:
        begin = next((number for number, line in enumerate(text.lines, 1) if BULLET.fullmatch(line)), first)
        yield _section(text, _UNNAMED, begin - 1, len(text.lines), usual)
    for index, found in enumerate(headings):
        last = headings[index + 1].line - 1 if index + 1 < len(headings) else len(text.lines)
        yield _section(text, found, found.line, last, usual)


def _headings(text: Text) -> Iterator[Heading]:
    """Lines with a count that stand unindented; without a count only directly above an entry."""
    margin = min((indent(line) for line in text.lines if line.strip()), default=0)
    for number, line in enumerate(text.lines, 1):
        if not line.strip() or len(line) > 120 or indent(line) > margin + 1:
            continue
        found = heading(line, number)
        if found is None and _above_bullet(text.lines, number):
            found = bare_heading(line, number)
        if found:
            yield found


def _above_bullet(lines: Sequence[str], number: int) -> bool:
    following = next((line for line in lines[number : number + 4] if line.strip()), "")
    return BULLET.fullmatch(following) is not None and not sources_in(following)


def _usual_margin(text: Text, headings: Iterable[Heading]) -> int:
    """The indent at which most sections begin their first entry."""
    margins = Counter(
        indent(line)
        for found in headings
        if (line := next((line for line in text.lines[found.line : found.line + 5] if BULLET.fullmatch(line)), ""))
    )
    return (
        margins.most_common(1)[0][0]
        if margins
        else min((indent(line) for line in text.lines if BULLET.fullmatch(line)), default=0)
    )


def _section(text: Text, found: Heading, start: int, last: int, usual: int) -> Section:
    """One section: where its entries begin and end, and what of it is left out."""
    margin = _margin(text, start, last, usual)
    flat = not any(indent(line) > margin for line in text.lines[start:last] if line.strip())
    begins: list[int] = []
    loose: list[int] = []
    before = "heading"
    for number in range(start + 1, last + 1):
        line = text.lines[number - 1]
        if not line.strip():
            continue
        if _opens(line, before, margin, flat):
            begins.append(number)
            before = "title"
        elif not begins or (before in {"tags", "loose"} and not flat and indent(line) <= margin and not is_tags(line)):
            loose.append(number)
            before = "loose" if begins else before
        else:
            before = "tags" if is_tags(line) else "source" if flat and sources_in(line) else "text"
    if not flat and last == len(text.lines):
        loose += _footer(text, max([start, *begins, *loose]), margin)
    skips = [text.skip(found.line, found.line, "section heading")] if found.line else []
    skips += [text.skip(number, number, "page furniture around the entries") for number in loose]
    return Section(found, last, tuple(_spans(text, begins, loose, last)), tuple(skips))


def _footer(text: Text, start: int, margin: int) -> list[int]:
    """The lines at the end of a page that stand outside its last entry: short, unindented, below a blank line."""
    found: list[int] = []
    for number in range(len(text.lines), start, -1):
        line = text.lines[number - 1]
        if line.strip() and (indent(line) > margin or len(line) > LONGEST_FOOTER or is_tags(line)):
            return found if number < len(text.lines) and not text.lines[number].strip() else []
        found += [number] if line.strip() else []
    return []


def _margin(text: Text, start: int, last: int, usual: int) -> int:
    """The indent of a section's entries: that of its first line where this is a bullet."""
    first = next((line for line in text.lines[start:last] if line.strip()), "")
    return indent(first) if BULLET.fullmatch(first) else usual


def _opens(line: str, before: str, margin: int, flat: bool) -> bool:
    """Whether a line is the title of a new entry."""
    if BULLET.fullmatch(line) is None:
        return False
    if before in {"heading", "tags"}:
        return not sources_in(line) or indent(line) <= margin
    if flat:
        return before == "source" and not sources_in(line)
    return indent(line) <= margin


def _spans(text: Text, begins: Sequence[int], loose: Sequence[int], last: int) -> Iterator[tuple[int, int]]:
    """First and last line of each entry; loose lines behind an entry are none of its lines."""
    cut = set(loose)
    for index, first in enumerate(begins):
        end = begins[index + 1] - 1 if index + 1 < len(begins) else last
        while end > first and (not text.lines[end - 1].strip() or end in cut):
            end -= 1
        yield first, end


def _kind(section: Section, entries: Iterable[tuple[Section, tuple[int, int], Entry]]) -> Kind:
    """The kind that the name of a section means; without one, what most of its entries have tells it."""
    if section.heading.kind:
        return section.heading.kind
    own = [entry for owner, _, entry in entries if owner is section]
    if 2 * sum(bool(entry.sources) for entry in own) >= max(1, len(own)):
        return Kind.READING
    argued = 2 * sum(bool(bracket_markers(entry.body)) for entry in own) >= len(own)
    return Kind.THESIS if argued else Kind.REFERENCE


def _nodes(
    text: Text,
    brain: str,
    entries: Sequence[tuple[Section, tuple[int, int], Entry]],
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
            section=(section.heading.name,) if section.heading.name else (),
            provenance=text.provenance(first, last),
        )
        for name, (section, (first, last), entry) in zip(slugs, entries, strict=True)
    )


def _about(
    text: Text, header: Header, nodes: Iterable[Node]
) -> tuple[tuple[tuple[str, str], ...], tuple[Skip, ...], tuple[Problem, ...]]:
    """What the page says of itself, its own tags divided by the vocabulary of its nodes; what that cannot divide."""
    if header.tags is None:
        return header.about, (), ()
    line, written = header.tags
    tags, problems = header_tags(written, Counter(tag for node in nodes for tag in node.tags), text.name, line)
    reason = "tags of the contributor: " + ", ".join(tags)
    return (*header.about, *(("tag", tag) for tag in tags)), (text.skip(line, line, reason),), problems


def _counts(text: Text, header: Header, sections: Sequence[Section]) -> Iterator[Problem]:
    """A warning for each count that the page states and does not hold."""
    held = sum(len(section.entries) for section in sections)
    if header.declared is not None and header.declared != held:
        line = next((skip.first_line for skip in header.skips if skip.reason.startswith("declared")), None)
        yield text.problem(
            line,
            "declared-nodes",
            f"the page declares {header.declared} nodes and holds {held}",
            hint="the page may show only a part of the brain: copy it again with everything unfolded",
        )
    for section in sections:
        declared, line = section.heading.declared, section.heading.line
        if declared is not None and declared != len(section.entries):
            message = f"the section {section.heading.name!r} declares {declared} nodes and holds {len(section.entries)}"
            yield text.problem(line, "declared-nodes", message)


def _kinds_unknown(text: Text, sections: Iterable[Section], kinds: Mapping[Heading, Kind]) -> Iterator[Problem]:
    for section in sections:
        found = section.heading
        if found.kind is None:
            message = f"the section name {found.name!r} says no kind; its nodes are read as {kinds[found].value}"
            yield text.problem(found.line, "section-unknown", message)
        elif not found.line and section.entries:
            message = f"the page has no section headings; its nodes are read as {found.kind.value}"
            yield text.problem(section.entries[0][0], "section-missing", message)


def _gaps(text: Text, nodes: Iterable[Node]) -> Iterator[Problem]:
    """What an author may have forgotten: a body, tags, the sources of a reading; and what stands twice."""
    seen: dict[str, Node] = {}
    for node in nodes:
        line = node.provenance.first_line
        lacks = [
            name
            for name, there in (
                ("body", node.body),
                ("tags", node.tags),
                ("sources", node.sources or node.kind is not Kind.READING),
            )
            if not there
        ]
        if lacks:
            message = f"{node.title!r} has no {' and no '.join(lacks)}"
            yield text.problem(line, "incomplete", message, severity=Severity.NOTE)
        twin = seen.setdefault(node.title.casefold(), node)
        if twin is not node:
            message = f"the title stands at line {twin.provenance.first_line} too; this node is {node.id!r}"
            yield text.problem(line, "title-twice", message, severity=Severity.NOTE)
