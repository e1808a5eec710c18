"""The term table: Markdown tables whose columns are a term and its definition, under headings.

| Term     | Definition                     |
|----------|--------------------------------|
| **TTFT** | Time To First Token — …        |

Further columns may give the abbreviation, the expansion or other names; other columns become part of the definition.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from graph.models.document_models import Skip
from graph.models.node_models import Labels, Table
from graph.problems import Problem, Severity
from ingest.formats.format_protocol import Format, marks
from ingest.markdown.markdown_tables import FoundTable, cells, fitted, is_row, ragged, tables_in, unit_in
from ingest.terms.glossary_terms import RULE, Draft, Headings, glossary, markdown_heading
from ingest.terms.term_labels import labels_of
from ingest.text.decoding import DecodedText, Parsed
from ingest.text.line_accounting import BETWEEN_TABLES

NAMES: tuple[tuple[str, str], ...] = (
    (
        "term",
        r"terms?|names?|concepts?|(?:head)?words?|entry|entries|expressions?|keywords?|jargon|phrases?|notions?"
        r"|begriffe?|termes?|término|termo|termine",
    ),
    (
        "definition",
        r"definitions?|meanings?|descriptions?|explanations?|gloss|means|what (?:it|this) (?:means|is)"
        r"|in (?:short|plain (?:words|english|language|terms)|other words|one (?:line|sentence))"
        r"|bedeutung|erklärung|beschreibung|définition|signification|definición|significado|definição|definizione",
    ),
    ("abbreviation", r"abbreviations?|acronyms?|abbr\.?|short(?: form)?|symbol|initialism|abkürzung|sigles?|siglas?"),
    (
        "expansion",
        r"expansions?|full (?:name|form|term)|stands for|long form|expanded|(?:spelled|spelt|written) out|langform",
    ),
    ("variants", r"variants?|synonyms?|aliases|aka|also (?:known as|called)|other names?|synonyme|sinónimos"),
    ("number", r"#|№|n[or]\.?"),
)
"""Roles of columns, each with a regular expression of its names."""

_ROLES = tuple((role, re.compile(rf"\W*(?:{words})\W*" if role != "number" else words, re.I)) for role, words in NAMES)


def words_of(*roles: str) -> str:
    """The names of some roles as alternatives of a regular expression."""
    return "|".join(words for role, words in NAMES if role in roles)


def roles_of(header: Sequence[str]) -> dict[str, int] | None:
    """The column index of each role; None if it is no table of terms."""
    found: dict[str, int] = {}
    for index, cell in enumerate(header):
        for role, words in _ROLES:
            if role not in found and words.fullmatch(cell.strip()):
                found[role] = index
                break
    if "term" not in found and "abbreviation" in found:
        found["term"] = found.pop("abbreviation")
    if "definition" not in found and "expansion" in found:
        found["definition"] = found["expansion"]
    return found if "term" in found and "definition" in found else None


_BREAK = re.compile(r"(?<!\s)\s*+<br\s*+/?>\s*", re.I)
_HEADER = ("Term", "Definition")
_BOLD = re.compile(r"(\*\*|__).+\1")


def parse(text: DecodedText) -> Parsed:
    """The terms of term tables; other tables become references with data."""
    headings = Headings()
    tables = _tables(text)
    entries: list[Draft] = []
    skips: list[Skip] = []
    inside = {number for found in tables.values() for number in range(found.first, found.last + 1)}
    for number in range(1, len(text.lines) + 1):
        if found := tables.get(number):
            entries += drafts(found, headings.path())
            skips += _frame(text, found)
        elif number not in inside:
            skips += _line(text, number, headings)
    problems = (*_headless(text, tables.values()), *ragged(text, tables.values()))
    return glossary(text, headings.title, entries, skips, problems)


def _headless(text: DecodedText, tables: Iterable[FoundTable]) -> Iterator[Problem]:
    for found in tables:
        if found.first in found.row_lines:
            message = "a table without a header; its columns are read as term and definition"
            yield text.problem(found.first, "table-header", message, severity=Severity.NOTE)


def _tables(text: DecodedText) -> dict[int, FoundTable]:
    """The tables by first line, also without delimiter or header."""
    whole = {found.first: _headed(found) for found in tables_in(text.lines, "terms")}
    inside = {number for found in whole.values() for number in range(found.first, found.last + 1)}
    runs: list[list[int]] = []
    for number, line in enumerate(text.lines, 1):
        if number not in inside and is_row(line) and len(cells(line)) > 1:
            if not runs or runs[-1][-1] != number - 1:
                runs.append([])
            runs[-1].append(number)
    bare = (_bare(text, run) for run in runs if len(run) > 1)
    return whole | {found.first: found for found in bare if found}


def _bare(text: DecodedText, run: Sequence[int]) -> FoundTable | None:
    """Rows without delimiter as a table of terms, or None."""
    rows = [cells(text.lines[number - 1]) for number in run]
    header, lines = (rows[0], run[1:]) if roles_of(rows[0]) else ((*_HEADER, *[""] * (len(rows[0]) - 2)), run)
    if not roles_of(rows[0]) and not _bold(rows):
        return None
    body = tuple(fitted(row, len(header)) for row in rows[len(run) - len(lines) :])
    table = Table(name="terms", header=header, units=tuple(map(unit_in, header)), rows=body, line=run[0])
    return FoundTable(table, run[0], run[-1], tuple(lines), "\n".join(text.lines[n - 1].strip() for n in run))


def _headed(found: FoundTable) -> FoundTable:
    """The table, with a header added if its own is a term."""
    table = found.table
    if roles_of(table.header) or len(table.header) < 2 or not _bold([table.header, *table.rows]):
        return found
    if len(table.rows) < 2 or not _BOLD.fullmatch(table.header[0]):
        return found
    header = (*_HEADER, *[""] * (len(table.header) - 2))
    full = table.model_copy(update={"header": header, "rows": (table.header, *table.rows)})
    return found._replace(table=full, row_lines=(found.first, *found.row_lines))


def _bold(rows: Sequence[Sequence[str]]) -> bool:
    """Whether most rows begin with a bold term."""
    return 2 * sum(_BOLD.fullmatch(row[0]) is not None for row in rows) > len(rows)


def _line(text: DecodedText, number: int, headings: Headings) -> Iterator[Skip]:
    line = text.lines[number - 1]
    heading = markdown_heading(line)
    if heading:
        headings.enter(*heading)
        yield text.skip(number, number, "document title" if heading[0] == 1 else "section heading")
    elif RULE.fullmatch(line):
        yield text.skip(number, number, "rule")
    elif line.strip() and "|" not in line:
        yield text.skip(number, number, BETWEEN_TABLES)


def _frame(text: DecodedText, found: FoundTable) -> Iterator[Skip]:
    """The lines of a table of terms without a term."""
    if roles_of(found.table.header):
        for number in sorted({*range(found.first, found.last + 1)} - {*found.row_lines}):
            yield text.skip(number, number, "table header")
        for number, row in zip(found.row_lines, found.table.rows, strict=True):
            if not any(row):
                yield text.skip(number, number, "empty table row")


def drafts(found: FoundTable, section: tuple[str, ...]) -> list[Draft]:
    """The terms of a table; a row without one continues another."""
    parts = roles_of(found.table.header)
    if parts is None:
        table = found.table.model_copy(update={"name": section[-1] if section else "Table"})
        return [Draft(table.name, found.source, found.first, found.last, section, table=table)]
    entries: list[Draft] = []
    for number, row in zip(found.row_lines, found.table.rows, strict=True):
        if entries and not row[parts["term"]] and row[parts["definition"]]:
            more = " ".join(_definition(found.table, row, parts))
            entries[-1] = entries[-1]._replace(definition=f"{entries[-1].definition} {more}".strip(), last=number)
        elif any(row):
            head = row[parts["term"]] or next(cell for cell in row if cell)
            definition = "\n\n".join(_definition(found.table, row, parts))
            labels = _labels(head, row[parts["definition"]], row, parts)
            entries.append(Draft(head, definition, number, number, section, labels=labels))
    return entries


def _definition(table: Table, row: Sequence[str], parts: dict[str, int]) -> Iterator[str]:
    if row[parts["definition"]]:
        written = row[parts["definition"]]
        yield _BREAK.sub("\n\n", written) if "<" in written else written
    for index, cell in enumerate(row):
        if cell and index not in parts.values():
            yield f"**{table.header[index].strip('*_: ') or 'Note'}:** {cell}"


def _labels(head: str, definition: str, row: Sequence[str], parts: dict[str, int]) -> Labels:
    labels = labels_of(head, definition)
    stated: dict[str, object] = {
        role: row[parts[role]].strip("*_` ")
        for role in ("abbreviation", "expansion")
        if role in parts and row[parts[role]].strip("*_` -–—")
    }
    others = re.split(r"(?<!\s)\s*+[,;]\s*", row[parts["variants"]]) if "variants" in parts else []
    named = tuple(name.strip("*_` ") for name in others if name.strip("*_` -–—"))
    return labels.model_copy(update={**stated, "variants": tuple(dict.fromkeys((*labels.variants, *named)))})


_PAD = r"[ \t*_]{0,12}"


def _cell(words: str) -> str:
    """A lookahead for a cell with one of these words."""
    return rf"(?=(?:[^\n]*\|)?{_PAD}(?:{words}){_PAD}(?:\||$))"


FORMAT = Format(
    "term-table",
    "Markdown tables of terms under headings; columns identified by name, in any order",
    parse,
    sign=marks(
        (1, rf"^{_cell(words_of('term', 'abbreviation'))}{_cell(words_of('definition', 'expansion'))}[^\n]*\|"),
        (3, r"^[ \t]{0,40}\|[ \t]*\*\*[^|\n]+\*\*[ \t]*\|"),
    ),
    printed=True,
)
