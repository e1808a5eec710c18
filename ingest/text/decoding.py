"""Decodes bytes to text in lines numbered from 1; every parser takes a `DecodedText` and returns a `Parsed`."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Sequence
from pathlib import PurePath
from typing import NamedTuple
from urllib.parse import unquote

from graph.ids import ascii_slug
from graph.models.document_models import Skip
from graph.models.node_models import Node, Provenance
from graph.older_ids import NOTES
from graph.problems import Problem, Severity
from graph.text.characters import CONTROLS, REPLACED, safe

MOST = 20  # maximum number of separate problems of one type; one more counts the rest
MOST_ACCENTS = 0.3  # maximum share of bytes beyond ASCII in Western text

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


class DecodedText(NamedTuple):
    """A document as the parsers read it; `lines[0]` is line 1, `brain` what the caller requests."""

    name: str
    content: str
    lines: tuple[str, ...]
    sha256: str
    brain: str | None = None
    default_brain: str = "notes"
    folder_format: str = ""

    @property
    def is_markdown(self) -> bool:
        """Whether its name is of a Markdown file."""
        return self.name.lower().endswith(NOTES)

    @property
    def is_data(self) -> bool:
        """Whether its name is of a data file, which is never prose."""
        return self.name.lower().endswith((".yaml", ".yml", ".json"))

    @property
    def stem(self) -> str:
        """The file name without folder and suffix; Logseq's `gpu___H100` is `gpu/H100`."""
        return page_name(PurePath(self.name.replace("\\", "/")).stem) or self.name

    @property
    def front_end(self) -> int:
        """The line that closes the front matter; 0 if none."""
        return front_end(self.lines)

    def problem(
        self,
        line: int | None,
        code: str,
        message: str,
        *,
        severity: Severity = Severity.WARNING,
        column: int | None = None,
        hint: str | None = None,
    ) -> Problem:
        """A problem of this document, with the line as written."""
        written = self.lines[line - 1] if line and line <= len(self.lines) else None
        return Problem(
            document=self.name,
            line=line,
            column=column,
            severity=severity,
            code=code,
            message=message,
            text=written,
            hint=hint,
        )

    @property
    def note_brain(self) -> str:
        """The brain of notes that name none."""
        return self.brain or self.default_brain

    @property
    def last_line(self) -> int:
        """The last line that is not blank."""
        return max((number for number, line in enumerate(self.lines, 1) if line.strip()), default=1)

    def provenance(self, first: int = 1, last: int | None = None) -> Provenance:
        """Lines `first` to `last`, from 1, inclusive; by default all."""
        return Provenance(document=self.name, first_line=first, last_line=last or self.last_line, sha256=self.sha256)

    def skip(self, first: int, last: int, reason: str) -> Skip:
        """Lines left out, and why."""
        return Skip(first_line=first, last_line=last, reason=reason)

    def without(self, numbers: Iterable[int], reason: str) -> tuple[DecodedText, tuple[Skip, ...]]:
        """The text with these lines blank, and their skips."""
        gone = frozenset(numbers)
        if not gone:
            return self, ()
        lines = tuple("" if number in gone else line for number, line in enumerate(self.lines, 1))
        skips = tuple(self.skip(number, number, reason) for number in sorted(gone))
        return self._replace(lines=lines, content="\n".join(lines)), skips


TOML = "+++"
FRONT_ENDS = {"---": frozenset({"---", "..."}), TOML: frozenset({TOML})}
"""The line above front matter, and the lines that close it."""


def front_end(lines: Sequence[str]) -> int:
    """The line (from 1) that closes the front matter; 0 if none."""
    ends = FRONT_ENDS.get(lines[0].rstrip(), frozenset()) if lines else frozenset()
    return next((number for number, line in enumerate(lines[1:], 2) if line.rstrip() in ends), 0) if ends else 0


_NAMESPACE = re.compile(r"(?<=[^_])___(?=[^_])")
_ESCAPED = re.compile(r"%(?:2[23AF5]|3[ACEF]|5C|7C)", re.I)


def page_name(stem: str) -> str:
    """The page in a Logseq file name, where `/` is `___` or `%2F`."""
    return _ESCAPED.sub(lambda found: unquote(found[0]), _NAMESPACE.sub("/", stem))


class Parsed(NamedTuple):
    """The result of parsing; `about` is what a document says about itself, as pairs of name and value."""

    brain: str
    nodes: tuple[Node, ...] = ()
    skips: tuple[Skip, ...] = ()
    problems: tuple[Problem, ...] = ()
    declared: int | None = None
    about: tuple[tuple[str, str], ...] = ()


def in_order(problem: Problem) -> tuple[int, int, str]:
    """The key by which problems are sorted."""
    return problem.line or 0, problem.column or 0, problem.code


def as_brain(name: str) -> str:
    """A brain's name as the first part of an id."""
    return ascii_slug(name.strip().lstrip("@"))


def indent(line: str) -> int:
    """The width of the white space before a line; tabs reach multiples of four."""
    blank = line[: len(line) - len(line.lstrip())]
    return len(blank.expandtabs(4)) if "\t" in blank else len(blank)


def heading_name(written: str) -> str:
    """The name of an ATX heading, without closing marks."""
    name = written.rstrip()
    return name.rstrip("#").rstrip() or name[:1]


def decode(data: bytes, name: str) -> tuple[str | None, tuple[Problem, ...]]:
    """The text and its problems; None and an error if binary, or empty and no note."""
    known = ((encoding, data[len(mark) :]) for mark, encoding in _BOMS if data.startswith(mark))
    encoding, body = next(known, ("utf-8", data))
    if encoding == "utf-8" and b"\x00" in body:
        return None, (_error(name, "binary", "this is not text: it contains NUL bytes; save it as UTF-8"),)
    try:
        raw, damaged = body.decode(encoding), False
    except UnicodeDecodeError:
        western = _western(body) if encoding == "utf-8" else None
        if western is not None:
            return safe(western), (_guessed(name, body, safe(western)),)
        raw, damaged = body.decode(encoding, "replace"), True
    if not raw.strip():
        is_note = name.lower().endswith(NOTES)  # a note without text, to which others may link
        return ("", ()) if is_note else (None, (_error(name, "empty", "the document is empty"),))
    content = safe(raw)
    sample = content[:20_000]
    if sample.count(REPLACED) > 0.2 * len(sample) + 2:
        return None, (_error(name, "binary", "this is not text: too many of its characters cannot be read"),)
    if damaged or content.count(REPLACED) > raw.count(REPLACED):
        return content, _damage(content, name, encoding)
    return content, ()


def _western(body: bytes) -> str | None:
    """The text of Windows-1252 bytes; None if they are not likely that."""
    beyond = sum(byte > 127 for byte in body)
    if beyond > MOST_ACCENTS * len(body) or any(REPLACED != sign > "\x7f" for sign in body.decode("utf-8", "replace")):
        return None
    try:
        text = body.decode("cp1252")
    except UnicodeDecodeError:
        return None
    return text if len(CONTROLS.findall(text)) * 100 <= len(text) else None


def _guessed(name: str, body: bytes, content: str) -> Problem:
    at = next(index for index, byte in enumerate(body) if byte > 127)
    number = len(safe(body[:at].decode("ascii")).split("\n"))
    line = content.split("\n")[number - 1]
    column = next((index for index, sign in enumerate(line, 1) if sign > "\x7f"), None)
    message = "this is not UTF-8; read as Windows-1252, the encoding of older Western systems"
    where = {"document": name, "line": number, "column": column, "text": line}
    return Problem(severity=Severity.WARNING, code="encoding", message=message, hint="save it as UTF-8", **where)


def _error(name: str, code: str, message: str) -> Problem:
    return Problem(document=name, severity=Severity.ERROR, code=code, message=message)


def _damage(content: str, name: str, encoding: str) -> tuple[Problem, ...]:
    lines = [(number, line) for number, line in enumerate(content.split("\n"), 1) if REPLACED in line]
    where = {"document": name, "severity": Severity.WARNING, "code": "encoding"}
    message = f"characters that are not {encoding.upper()} text were replaced by {REPLACED}"
    problems = [
        Problem(line=number, column=line.index(REPLACED) + 1, message=message, text=line, **where)
        for number, line in lines[:MOST]
    ]
    if len(lines) > MOST:
        message = f"{len(lines) - MOST} more lines with characters that could not be read"
        problems.append(Problem(line=lines[MOST][0], message=message, **where))
    return tuple(problems)
