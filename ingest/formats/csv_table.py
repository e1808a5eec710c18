"""The CSV table (`.csv`, `.tsv`): a glossary if its header has columns for terms and definitions, else a table.

The first column of a database exported by Notion links to its pages.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable

from graph.models.node_models import Kind, Table
from graph.problems import Problem, Severity
from graph.text.characters import safe
from ingest.formats.converted_notes import converted_note, unreadable
from ingest.formats.format_protocol import Format, marks
from ingest.formats.notion_page import titled
from ingest.formats.term_table import drafts, roles_of, words_of
from ingest.markdown.markdown_tables import FoundTable, fitted, unit_in
from ingest.terms.glossary_terms import glossary, glossary_name
from ingest.text.decoding import DecodedText, Parsed

SEPARATORS = ",;\t|"
_SAMPLED = 30
_Row = tuple[int, tuple[str, ...]]  # a row that is not empty, with the number of its first line


def parse(text: DecodedText) -> Parsed:
    """The terms of a glossary, else one node with the table as data."""
    try:
        found = _rows(text, _separator(text))
    except csv.Error as error:
        return unreadable(text, "csv", f"not a CSV table: {error}")
    if len(found) < 2:
        return unreadable(text, "csv", "a table without rows")
    (first, header), *rows = found
    table = Table(
        name=titled(text.stem),
        header=header,
        units=tuple(map(unit_in, header)),
        rows=tuple(fitted(row, len(header)) for _, row in rows),
        line=first,
    )
    if roles_of(header):
        return _terms(text, FoundTable(table, first, text.last_line, tuple(line for line, _ in rows), ""))
    body = _markdown(table, linked=table.name != text.stem)
    node, problems = converted_note(text, table.name, body, name=table.name, kind=Kind.REFERENCE, tables=(table,))
    return Parsed(node.brain, (node,), problems=(*problems, *_ragged(text, len(header), rows)))


def _separator(text: DecodedText) -> str:
    """The separator with most rows as wide as the header."""
    sample = [line for line in text.lines if line.strip()][:_SAMPLED]

    def fit(separator: str) -> tuple[int, int]:
        widths = [len(row) for row in csv.reader(sample, delimiter=separator) if row]
        width = widths[0] if widths else 0
        return (sum(one == width for one in widths) if width > 1 else 0, width)

    return max(SEPARATORS, key=fit)


def _rows(text: DecodedText, separator: str) -> list[_Row]:
    """Raises csv.Error for a cell that is too long."""
    reader = csv.reader((f"{line}\n" for line in text.lines), delimiter=separator)
    found, before = list[_Row](), 0
    for row in reader:
        if any(cell.strip() for cell in row):
            found.append((before + 1, tuple(" ".join(safe(cell).split()) for cell in row)))
        before = reader.line_num
    return found


def _terms(text: DecodedText, found: FoundTable) -> Parsed:
    named = text._replace(brain=glossary_name("", text) if text.default_brain == "notes" else text.note_brain)
    ends = dict(zip(found.row_lines, (*(line - 1 for line in found.row_lines[1:]), found.last), strict=True))
    rows = [draft._replace(last=ends.get(draft.last, draft.last)) for draft in drafts(found, ())]
    return glossary(named, "", rows, (text.skip(found.first, found.first, "table header"),))


def _markdown(table: Table, *, linked: bool) -> str:
    """A table in Markdown; `linked`: its first column is links."""
    rows = [[_cell(cell) for cell in row] for row in table.rows]
    for row in rows if linked else ():
        row[0] = f"[[{row[0]}]]" if row[0] and not re.search(r"[\[\]|#^\\]", row[0]) else row[0]
    lines = [list(map(_cell, table.header)), ["---"] * len(table.header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(written: str) -> str:
    return written.replace("\\", "\\\\").replace("|", "\\|")


def _ragged(text: DecodedText, width: int, rows: Iterable[_Row]) -> tuple[Problem, ...]:
    odd = [number for number, row in rows if len(row) != width]
    message = f"{len(odd)} rows have more or fewer cells than the header, which has {width}"
    return (text.problem(odd[0], "table-row", message, severity=Severity.NOTE),) if odd else ()


_TERM, _MEANING = words_of("term", "abbreviation"), words_of("definition", "expansion")
_HEADER = (
    rf"\A(?=(?:[^\n|]{{0,200}}[,;\t])?\"?(?:{_TERM})\"?[,;\t\n])"
    rf"(?=[^\n|]{{0,200}}[,;\t]\"?(?:{_MEANING})\"?(?:[,;\t]|$))"
)
FORMAT = Format(
    "csv-table",
    "a CSV table (`.csv`, `.tsv`): terms if its columns say so, else one table as data",
    parse,
    sign=marks((1, _HEADER)),
    suffixes=(".csv", ".tsv"),
    one_note=True,
)
