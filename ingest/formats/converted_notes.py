"""Notes made from documents that are not Markdown."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import date

from graph.ids import slug
from graph.models.node_models import Kind, Node, Source, Table
from graph.problems import Problem, Severity
from graph.text.characters import safe
from ingest.markdown.markdown_tables import tables_in
from ingest.markdown.private_comments import UNCLOSED, public_text, uncommented
from ingest.markdown.wikilinks import footnotes_in, link_citations, tags_in
from ingest.terms.glossary_terms import markdown_heading
from ingest.text.decoding import DecodedText, Parsed


def converted_note(
    text: DecodedText,
    title: str,
    body: str,
    *,
    name: str | None = None,
    kind: Kind = Kind.READING,
    tags: Iterable[str] = (),
    sources: Iterable[Source] = (),
    published: date | None = None,
    tables: Sequence[Table] | None = None,
) -> tuple[Node, tuple[Problem, ...]]:
    """A note with a Markdown body, without private comments and a heading that repeats the title, and its problems.

    Its id comes from `name`, else from the file's name; its tables are those of the body unless given.
    """
    title, (lines, opened) = public_text(title), uncommented(body.split("\n"))
    title, body = " ".join(safe(title).split()) or text.stem, without_heading(title, safe("\n".join(lines)))
    brain = text.note_brain
    read = tuple(found.table.model_copy(update={"line": None}) for found in tables_in(body.split("\n"), title))
    unique = {source.url: source for source in (*sources, *footnotes_in(body))}
    node = Node(
        id=f"{brain}/{slug(name or text.stem)}",
        brain=brain,
        kind=kind,
        title=title,
        body=body,
        tags=tuple(dict.fromkeys((*tags, *tags_in(body)))),
        sources=tuple(unique.values()),
        citations=link_citations(body),
        tables=read if tables is None else tuple(tables),
        published=published,
        provenance=text.provenance(),
    )
    place = f"in {title!r}, after {lines[opened - 1].strip()[-40:]!r}" if opened else ""
    return node, (text.problem(None, "comment-unclosed", UNCLOSED, hint=place),) if opened else ()


def without_heading(title: str, body: str) -> str:
    """A body without a level-1 heading that repeats the title."""
    lines = [line.rstrip() for line in body.split("\n")]
    first = next((index for index, line in enumerate(lines) if line), 0)
    heading = markdown_heading(lines[first])
    if heading and heading[0] == 1 and heading[1].casefold() == " ".join(title.split()).casefold():
        lines = lines[first + 1 :]
    return "\n".join(lines).strip("\n")


def fenced(content: str, language: str = "") -> str:
    """A block of code, with a fence longer than any inside."""
    marks = "```"
    while marks in content:
        marks += "`"
    return f"{marks}{language}\n{content.rstrip()}\n{marks}"


def unreadable(text: DecodedText, code: str, message: str, line: int | None = None) -> Parsed:
    """A document that cannot be read, with its error."""
    problem = text.problem(line, code, message, severity=Severity.ERROR)
    return Parsed(text.note_brain, problems=(problem,))


def left_out(text: DecodedText, code: str, what: str, counts: Mapping[str, int]) -> tuple[Problem, ...]:
    """A note on what a conversion leaves out, if anything."""
    told = ", ".join(f"{count} × {kind}" for kind, count in sorted(counts.items()))
    return (text.problem(None, code, f"{what} are left out: {told}", severity=Severity.NOTE),) if told else ()


def load(text: DecodedText, code: str) -> tuple[object, Parsed | None]:
    """The value of a JSON document, or None and the failed document."""
    try:
        return json.loads(text.content), None
    except json.JSONDecodeError as error:
        return None, unreadable(text, code, f"not valid JSON: {error.msg}", error.lineno)
    except (RecursionError, ValueError):
        return None, unreadable(text, code, "not readable JSON: nested too deeply, or a number with too many digits")


def words(value: object) -> str:
    """A JSON string, or a list of them joined; else empty."""
    if isinstance(value, list):
        return "".join(part for part in value if isinstance(part, str))
    return value if isinstance(value, str) else ""


def objects(value: object) -> list[dict[str, object]]:
    """The objects in a JSON list; none for any other value."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
