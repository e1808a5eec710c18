"""The context pack: YAML front matter, then headings with text, lists, tables and formulas under them.

A heading with content is a `reference`, and its tables are also data; one that only groups others adds to their path.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from graph.ids import distinct, slug
from graph.models.node_models import Kind, Node
from graph.problems import Problem
from graph.text.code_blocks import CodeBlocks
from graph.yaml.reader import Word
from ingest.formats.format_protocol import Format, front_word, marks
from ingest.markdown.front_matter import Front, front_matter
from ingest.markdown.markdown_tables import ragged, tables_in
from ingest.terms.glossary_terms import Headings, markdown_heading
from ingest.text.decoding import DecodedText, Parsed, as_brain

_UNDERLINE = re.compile(r" {0,3}(=|-)(?:\1){2,}\s*")
_WORDS = re.compile(r" {0,3}(?:\*\*)?[^\W_].{0,118}", re.S)


class Section(NamedTuple):
    """A heading from line `first` to `line` (two if underlined), and the last line of its text."""

    first: int
    line: int
    level: int
    name: str
    path: tuple[str, ...]
    last: int


def parse(text: DecodedText) -> Parsed:
    """The sections of a pack; the first node is the pack itself."""
    front = front_matter(text)
    sections = list(sections_of(text, front.end + 1))
    title = next((section.name for section in sections if section.level == 1), "")
    name = front.word("name") or front.word("title") or title
    brain = text.brain or as_brain(name or text.stem)
    filled = [section for index, section in enumerate(sections) if _filled(text, section, index)]
    overview = _overview(text, brain, front, title or name or text.stem, sections)
    unnamed = [*overview, *(_node(text, brain, section) for section in filled)]
    names = distinct((slug(node.title), node.body) for node in unnamed)
    nodes = [node.model_copy(update={"id": f"{brain}/{name}"}) for node, name in zip(unnamed, names, strict=True)]
    title_leads = bool(overview and sections and sections[0].level <= 1)  # then it is part of the overview
    groups = sorted(set(sections[title_leads:]) - set(filled))
    skips = [text.skip(section.first, section.line, "heading of a group of sections") for section in groups]
    about = tuple((str(key), str(value)) for key, value in front.fields.items() if isinstance(value, Word) and value)
    problems = (*front.problems, *_unclosed(text), *ragged(text, tables_in(text.lines, "")))
    return Parsed(brain, tuple(nodes), (*skips, *front.skips(text)), problems, about=about)


def sections_of(text: DecodedText, start: int) -> Iterator[Section]:
    """The sections from line `start` on; the first may be unnamed."""
    headings = Headings()
    found = list(_headings(text, start))
    first = found[0][0] if found else len(text.lines) + 1
    if any(line.strip() for line in text.lines[start - 1 : first - 1]):
        yield Section(start - 1, start - 1, 0, "", (), first - 1)
    for index, (number, line, level, name) in enumerate(found):
        headings.enter(level, name)
        last = found[index + 1][0] - 1 if index + 1 < len(found) else len(text.lines)
        path = headings.path()
        yield Section(number, line, level, name, path if level == 1 and name == headings.title else path[:-1], last)


def _headings(text: DecodedText, start: int) -> Iterator[tuple[int, int, int, str]]:
    """Headings outside code: first line, last line, level and name."""
    code = CodeBlocks()
    for number in range(start, len(text.lines) + 1):
        line = text.lines[number - 1]
        if code.holds(line):
            continue
        if found := markdown_heading(line):
            yield number, number, *found
        elif number > start and (rule := _UNDERLINE.fullmatch(line)) and _names(text, number - 1, start):
            yield number - 1, number, 1 if rule[1] == "=" else 2, text.lines[number - 2].strip("*_ ")


def _names(text: DecodedText, number: int, start: int) -> bool:
    """Whether a line can be an underlined heading."""
    line = text.lines[number - 1]
    alone = number <= start or not text.lines[number - 2].strip()
    return alone and "|" not in line and _WORDS.fullmatch(line) is not None


def _filled(text: DecodedText, section: Section, index: int) -> bool:
    """Whether a section has content and is not the title."""
    leads = index == 0 and section.level <= 1
    return not leads and any(line.strip() for line in text.lines[section.line : section.last])


def _body(text: DecodedText, section: Section) -> str:
    return "\n".join(line.rstrip() for line in text.lines[section.line : section.last]).strip("\n")


def _node(text: DecodedText, brain: str, section: Section) -> Node:
    lines = text.lines[section.line : section.last]
    last = section.line + max(index for index, line in enumerate(lines, 1) if line.strip())
    return Node(
        id="",
        brain=brain,
        kind=Kind.REFERENCE,
        title=section.name,
        body=_body(text, section),
        tables=tuple(found.table for found in tables_in(lines, section.name, section.line + 1)),
        section=section.path,
        provenance=text.provenance(section.first, last),
    )


def _overview(text: DecodedText, brain: str, front: Front, title: str, sections: Sequence[Section]) -> list[Node]:
    """The node of the pack; none without front matter and title."""
    leading = [section for section in sections[:1] if section.level <= 1]
    if not (front.end or leading):
        return []
    body = "\n\n".join(part for part in (front.word("description"), *(_body(text, own) for own in leading)) if part)
    last = max([front.end, *(section.last for section in leading)])
    while last > 1 and not text.lines[last - 1].strip():
        last -= 1
    node = Node(
        id="",
        brain=brain,
        kind=Kind.REFERENCE,
        title=title,
        body=body,
        tags=front.tags(),
        provenance=text.provenance(1, last),
    )
    return [node]


def _unclosed(text: DecodedText) -> Iterator[Problem]:
    code, opened = CodeBlocks(), 0
    for number, line in enumerate(text.lines, 1):
        was_open = code.is_open
        code.holds(line)
        opened = opened if was_open and code.is_open else number
    if code.is_open:
        yield text.problem(opened, "code-unclosed", "a code block that is never closed; the rest was read as code")


_TABLE = marks((1, r"^[ \t]{0,40}\|?[ \t]{0,12}:?-{3,}:?[ \t]*\|"))


def _sign(text: DecodedText) -> bool:
    """Whether a text has a pack's fields and, in Markdown, a table."""
    named = bool(front_word(text, "name") and front_word(text, "description"))
    return named and (not text.is_markdown or _TABLE(text))


FORMAT = Format("context-pack", "front matter, sections with tables and formulas", parse, sign=_sign, printed=True)
