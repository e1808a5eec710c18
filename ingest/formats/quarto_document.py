"""A Quarto document (`.qmd`): a Markdown note with cells of code and blocks between colons.

    ```{python}                            ```python
    ::: {.callout-note title="Dues"}       > [!note] Dues
    They rise in May.                      > They rise in May.
    :::
    ::: {.column-margin}                   other blocks: the lines inside
    [words](tides.qmd#sec-spring)          [words](tides.md#^sec-spring)
    ## Spring tides {#sec-spring}          ## Spring tides ^sec-spring

A heading at the top of a callout is its title. `categories` are tags.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from graph.problems import Problem
from graph.text.code_blocks import CodeBlocks, verbatim_masked
from ingest.formats import markdown_note
from ingest.formats.format_protocol import Format, marks
from ingest.markdown.front_matter import front_matter
from ingest.terms.glossary_terms import markdown_heading
from ingest.terms.tag_parsing import normal
from ingest.text.decoding import DecodedText, Parsed

FENCE = "a fence of a Quarto block"
_DEEPEST = 20  # maximum number of callouts around a line
_CELL = re.compile(
    r"(?P<mark>[ \t>]*(?:`{3,}|~{3,}))[ \t]*\{\.?(?P<language>\w[\w+-]*+)[ ,]*+(?P<options>[^{}]*+)\}[ \t]*"
)
_OPEN = re.compile(r" {0,3}:{3,}[ \t]*(?:\{(?P<attributes>[^{}]*)\}|(?P<name>[\w.-]+))[ \t]*:*[ \t]*")
_CLOSE = re.compile(r" {0,3}:{3,}[ \t]*")
_CALLOUT = re.compile(r"(?:\A|\.|\s)callout-(?P<kind>\w+)")
_TITLE = re.compile(r"\btitle=(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)')")
_COLLAPSE = re.compile(r"\bcollapse=[\"']?(?P<folded>true|false)")
_FILE = re.compile(r"(?<=\]\()<?(?![a-zA-Z][a-zA-Z0-9+.-]{1,14}:)[^()<>\n#\x00]{1,200}\.qmd(?=[#)>\s])")
_PLACE = re.compile(r"(?:(?<=\]\()|(?<=\.md))#(?=(?:sec|fig|tbl|eq|lst)-[A-Za-z0-9-]{1,80}\))")
_ATTRIBUTES = re.compile(
    r"(?:(?<=[\])\x00])|(?<=\S)[ \t]++(?=\{[^{}\n]{0,400}\}[ \t]*$))\{(?:[#.]|[\w-]{1,80}=)[^{}\n\x00]{0,400}\}", re.M
)
_NAME = re.compile(r"(?<=#)[A-Za-z0-9-]{1,80}(?!\w)")


def parse(text: DecodedText) -> Parsed:
    """The document as a note, with callouts of Obsidian in place of those of Quarto; each line stays on its line."""
    front = front_matter(text)
    blocks = _Blocks(text, front.end)
    content = _inline("\n".join((*text.lines[: front.end], *blocks.run())))
    parsed = markdown_note.parse(text._replace(content=content, lines=tuple(content.split("\n"))))
    categories = front.listed("categories", separators=r",")
    tags = tuple(tag for name in categories if (tag := normal(name.strip())))
    nodes = tuple(
        node.model_copy(update={"tags": tuple(dict.fromkeys((*tags, *node.tags))), "provenance": text.provenance()})
        for node in parsed.nodes
    )
    fences = tuple(text.skip(line, line, FENCE) for line in blocks.fences)
    return parsed._replace(nodes=nodes, skips=(*parsed.skips, *fences), problems=(*parsed.problems, *blocks.unclosed()))


class _Blocks:
    """Converts the lines below the front matter; `fences` are the lines that only begin or end a block."""

    def __init__(self, text: DecodedText, start: int) -> None:
        self._text, self._start = text, start
        self._code = CodeBlocks()
        self._open: list[tuple[int, bool]] = []  # the line of each open block, and whether it is a callout
        self._depth = 0  # the number of open callouts
        self._untitled = ""  # the mark of a callout that waits for its heading
        self.fences: list[int] = []

    def run(self) -> Iterator[str]:
        """Each line as converted."""
        for index in range(self._start, len(self._text.lines)):
            depth = self._depth
            line = self._line(index)
            if line is None:
                self.fences.append(index + 1)
            quoted = "> " * min(depth, self._depth)
            yield f"{quoted}{line or ''}".rstrip() if quoted else line or ""

    def _line(self, index: int) -> str | None:
        """A line inside its quotation; None for a fence."""
        line = self._text.lines[index]
        is_open = self._code.is_open
        if self._code.holds(line):
            cell = None if is_open else _CELL.fullmatch(line)
            return _cell(cell) if cell else line
        if opened := _OPEN.fullmatch(line):
            return self._begin(index, opened)
        if self._open and _CLOSE.fullmatch(line):
            self._depth -= self._open.pop()[1]
            return None
        if self._untitled and line.strip():
            heading, mark, self._untitled = markdown_heading(line), self._untitled, ""
            return f"{mark} {heading[1]}" if heading else line
        return line

    def _begin(self, index: int, opened: re.Match[str]) -> str | None:
        attributes = opened["attributes"] or opened["name"] or ""
        callout = _CALLOUT.search(attributes) if self._depth < _DEEPEST else None
        self._open.append((index + 1, callout is not None))
        self._depth += callout is not None
        if callout is None:
            return None
        folded, title = _COLLAPSE.search(attributes), _TITLE.search(attributes)
        mark = f"[!{callout['kind']}]{'' if folded is None else '-' if folded['folded'] == 'true' else '+'}"
        below = (self._text.lines[at] for at in range(index + 1, len(self._text.lines)))
        if title is None and markdown_heading(next(filter(str.strip, below), "")):
            self._untitled = mark
            return None
        words = (title["double"] or title["single"] or "") if title else ""
        self._untitled = ""
        return f"> {mark} {words}"

    def unclosed(self) -> Iterator[Problem]:
        """A warning for each block that is never closed."""
        for line, _ in self._open:
            yield self._text.problem(line, "block-unclosed", "the block is never closed by a line ':::'", column=1)


def _cell(cell: re.Match[str]) -> str:
    return f"{cell['mark']}{cell['language']}{' {' + cell['options'] + '}' if cell['options'].strip() else ''}"


def _inline(content: str) -> str:
    """The text with links to `.qmd` files as links to notes, names of places as those of blocks, and no attributes."""
    content = _spliced(content, _FILE, lambda found, _: f"{found[0].removesuffix('qmd')}md")
    content = _spliced(content, _PLACE, lambda _, __: "#^")
    return _spliced(content, _ATTRIBUTES, _block_name)


def _spliced(content: str, pattern: re.Pattern[str], new: Callable[[re.Match[str], str], str]) -> str:
    """The text with new words for each match outside code and mathematics."""
    pieces, last = list[str](), 0
    for found in pattern.finditer(verbatim_masked(content)):
        pieces += (content[last : found.start()], new(found, content[found.start() - 1]))
        last = found.end()
    return "".join((*pieces, content[last:]))


def _block_name(found: re.Match[str], before: str) -> str:
    """The name of a block at the end of its line, in place of its attributes; none for a formula."""
    name = _NAME.search(found[0])
    return f" ^{name[0]}" if name and before != "$" and found.string[found.end() :][:1] in {"", "\n"} else ""


FORMAT = Format(
    "quarto-document",
    "a Quarto document (`.qmd`): Markdown with `{python}` cells and `::: {.callout-note}` blocks",
    parse,
    sign=marks((1, r"^ {0,3}:{3,}[ \t]*\{[^{}\n]{0,200}\.callout-\w"), (1, r"^`{3,}\{(?:python|r|julia|ojs)\b")),
    named=re.compile(r"\.qmd\Z", re.I),
    one_note=True,
)
