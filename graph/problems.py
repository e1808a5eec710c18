"""What an author got wrong: a value with file, line and caret, collected beside the results and shown at the door."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from graph.values import Value


class Severity(StrEnum):
    """How much a problem matters: an `error` loses something, a `warning` may mislead, a `note` informs."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Problem(Value):
    """One thing an author should look at.

    `line` and `column` count from 1; `text` is the line as written; `code` is the short name of the rule
    (kebab-case, stable, the rule id in SARIF); `hint` says what to do next.
    """

    document: str
    line: int | None = None
    column: int | None = None
    severity: Severity = Severity.ERROR
    code: str = "problem"
    message: str
    text: str | None = None
    hint: str | None = None

    def where(self) -> str:
        """`file:line:column`, as far as it is known."""
        return ":".join(str(part) for part in (self.document, self.line, self.column) if part is not None)

    def render(self) -> str:
        """The message for a terminal, with the line and a caret under the column."""
        lines = [f"{self.where()}: {self.severity.value}: {self.message}"]
        if self.text is not None:
            lines += _caret(self.text, self.column)
        if self.hint:
            lines.append(f"  hint: {self.hint}")
        return "\n".join(lines)


def _caret(text: str, column: int | None, width: int = 100) -> list[str]:
    """The line cut to a window around the column, and a caret below it."""
    text = text.expandtabs(1)
    at = (column or 1) - 1
    start = max(0, at - width // 2)
    shown = ("…" if start else "") + text[start : start + width].rstrip()
    if column is None:
        return [f"  | {shown}"]
    return [f"  | {shown}", "  | " + " " * (at - start + (1 if start else 0)) + "^"]


def worst(problems: Iterable[Problem]) -> Severity | None:
    """The gravest severity among `problems`, or None where there are none."""
    order = (Severity.ERROR, Severity.WARNING, Severity.NOTE)
    found = {problem.severity for problem in problems}
    return next((severity for severity in order if severity in found), None)
