"""An author's mistake as a value with file, line and caret."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Self

from pydantic import model_validator

from graph.values import Value

LONGEST_TEXT = 2000  # maximum characters of a line; of a longer line only a part is stored
_WIDTH = 100  # characters of a line in a terminal


class Severity(StrEnum):
    """How serious a problem is: an `error` loses data, a `warning` may mislead, a `note` informs."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Problem(Value):
    """One thing that an author should check.

    `line` and `column` count from 1, `end_column` is the column after the last character; `text` is the line as
    written; `code` is the short name of the rule (kebab-case, stable, the rule id in SARIF); `hint` says what to do
    next. For a very long line, `text` is the part around the column, and `offset` the number of characters before it.
    """

    document: str
    line: int | None = None
    column: int | None = None
    end_column: int | None = None
    severity: Severity = Severity.ERROR
    code: str = "problem"
    message: str
    text: str | None = None
    offset: int = 0
    hint: str | None = None

    @classmethod
    def of(
        cls,
        document: str,
        code: str,
        message: str,
        hint: str | None = None,
        severity: Severity = Severity.WARNING,
        *,
        line: int | None = None,
        column: int | None = None,
        text: str | None = None,
    ) -> Self:
        """A problem of a document, or of one of its lines."""
        where = {"document": document, "line": line, "column": column, "text": text}
        return cls(severity=severity, code=code, message=message, hint=hint, **where)

    @model_validator(mode="before")
    @classmethod
    def _cut(cls, given: Any) -> Any:  # noqa: ANN401  # the arguments of any caller
        """Shorten a very long line: it may have thousands of problems."""
        text = given.get("text") if isinstance(given, dict) else None
        if not isinstance(text, str) or len(text) <= LONGEST_TEXT:
            return given
        start = max(0, (given.get("column") or 1) - 1 - LONGEST_TEXT // 2)
        return {**given, "text": text[start : start + LONGEST_TEXT], "offset": given.get("offset", 0) + start}

    def where(self) -> str:
        """`file:line:column`, as far as known."""
        return ":".join(str(part) for part in (self.document, self.line, self.column) if part is not None)

    def render(self) -> str:
        """Text for a terminal: message, line, caret, hint."""
        lines = [f"{self.where()}: {self.severity.value}: {self.message}"]
        if self.text is not None:
            lines += _caret(self.text, self.column and self.column - self.offset, whole=not self.offset)
        if self.hint:
            lines.append(f"  hint: {self.hint}")
        return "\n".join(lines)


def _caret(text: str, column: int | None, *, whole: bool) -> list[str]:
    """The line around a column, and a caret below."""
    text = text.expandtabs(1)
    at = (column or 1) - 1
    start = max(0, at - _WIDTH // 2)
    cut = bool(start) or not whole
    shown = "…" * cut + text[start : start + _WIDTH].rstrip()
    if column is None:
        return [f"  | {shown}"]
    return [f"  | {shown}", "  | " + " " * (at - start + cut) + "^"]
