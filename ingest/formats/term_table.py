"""The term table: Markdown tables whose columns are a term and its definition, under headings.

| Term     | Definition                     |
|----------|--------------------------------|
| **TTFT** | Time To First Token — …        |

Further columns may give the abbreviation, the expansion or other names; any other column is kept in the definition.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from graph.documents import Skip
from graph.nodes import Labels, Table
from ingest.formats.terms import RULE, Draft, Headings, glossary_name, markdown_heading, term_nodes, twice, undefined
from ingest.labels import labels_of
from ingest.tables import Found, tables_in
from ingest.texts import Parsed, Text

_ROLES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (role, re.compile(rf"\W*(?:{words})\W*", re.I))
    for role, words in (
        ("term", r"terms?|names?|concepts?|words?|entry|entries|expression|keyword"),
        ("definition", r"definitions?|meanings?|descriptions?|explanations?|what it (?:means|is)|in short|gloss"),
        ("abbreviation", r"abbreviations?|acronyms?|abbr\.?|short(?: form)?|symbol"),
        ("expansion", r"expansions?|full (?:name|form|term)|stands for|long form|expanded"),
        ("variants", r"variants?|synonyms?|aliases|aka|also (?:known as|called)|other names?"),
    )
)


def roles(header: Sequence[str]) -> dict[str, int] | None:
    """Which column plays which part, or None where the table is no table of terms.

    A table of acronyms has no column `term`: there the abbreviation is the term.
    """
    found: dict[str, int] = {}
    for index, cell in enumerate(header):
        for role, words in _ROLES:
            if role not in found and words.fullmatch(cell):
                found[role] = index
                break
    if "term" not in found and "abbreviation" in found:
        found["term"] = found.pop("abbreviation")
    if "definition" not in found and "expansion" in found:
        found["definition"] = found["expansion"]
    return found if "term" in found and "definition" in found else None


def parse(text: Text) -> Parsed:
    """The terms of every table of terms; a table of other columns is a reference, with its data."""
    headings = Headings()
    tables = {found.first: found for found in tables_in(text.lines, "terms")}
    drafts: list[Draft] = []
    skips: list[Skip] = []
    number = 1
    while number <= len(text.lines):
        found = tables.get(number)
        if found:
            drafts += _drafts(found, headings.path())
            skips += _frame(text, found)
            number = found.last + 1
            continue
        skips += _line(text, number, headings)
        number += 1
    brain = glossary_name(headings.title, text)
    nodes = term_nodes(text, brain, drafts)
    about = (("title", headings.title),) if headings.title else ()
    return Parsed(brain, nodes, tuple(skips), (*twice(text, nodes), *undefined(text, nodes)), about=about)


def _line(text: Text, number: int, headings: Headings) -> Iterator[Skip]:
    """What stands between the tables."""
    line = text.lines[number - 1]
    heading = markdown_heading(line)
    if heading:
        headings.enter(*heading)
        yield text.skip(number, number, "document title" if heading[0] == 1 else "section heading")
    elif RULE.fullmatch(line):
        yield text.skip(number, number, "rule")
    elif line.strip() and "|" not in line:
        yield text.skip(number, number, "text between the tables")


def _frame(text: Text, found: Found) -> Iterator[Skip]:
    if roles(found.table.header):
        yield text.skip(found.first, found.first + 1, "table header")
        for number, row in zip(found.row_lines, found.table.rows, strict=True):
            if not any(row):
                yield text.skip(number, number, "empty table row")


def _drafts(found: Found, section: tuple[str, ...]) -> Iterator[Draft]:
    parts = roles(found.table.header)
    if parts is None:
        table = found.table.model_copy(update={"name": section[-1] if section else "Table"})
        yield Draft(table.name, found.source, found.first, found.last, section, table=table)
        return
    for number, row in zip(found.row_lines, found.table.rows, strict=True):
        if any(row):
            head = row[parts["term"]] or next(cell for cell in row if cell)
            definition = "\n\n".join(_definition(found.table, row, parts))
            labels = _labels(head, row[parts["definition"]], row, parts)
            yield Draft(head, definition, number, number, section, labels=labels)


def _definition(table: Table, row: Sequence[str], parts: dict[str, int]) -> Iterator[str]:
    """The definition, and each column of no known part as a paragraph under its name."""
    if row[parts["definition"]]:
        yield row[parts["definition"]]
    for index, cell in enumerate(row):
        if cell and index not in parts.values():
            yield f"**{table.header[index].strip('*_: ') or 'Note'}:** {cell}"


def _labels(head: str, definition: str, row: Sequence[str], parts: dict[str, int]) -> Labels:
    """The names that the head implies, and those that columns of their own state."""
    labels = labels_of(head, definition)
    stated: dict[str, object] = {
        role: row[parts[role]].strip("*_` ")
        for role in ("abbreviation", "expansion")
        if role in parts and row[parts[role]].strip("*_` -–—")
    }
    others = re.split(r"\s*[,;]\s*", row[parts["variants"]]) if "variants" in parts else []
    named = tuple(name.strip("*_` ") for name in others if name.strip("*_` -–—"))
    return labels.model_copy(update={**stated, "variants": tuple(dict.fromkeys((*labels.variants, *named)))})
