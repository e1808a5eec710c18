"""What the imports of price lists share: problems, and the numbers of figures that are left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from decimal import Decimal

from graph.problems import Problem, Severity
from graph.values import dumps

_LONGEST = 60


class ImportProblems:
    """The problems of one file; `code` is that of all of them."""

    def __init__(self, document: str, code: str) -> None:
        self._document, self._code = document, code
        self._found: list[Problem] = []
        self.zeros = 0
        self.unknown: Counter[str] = Counter()

    def add(self, message: str, severity: Severity = Severity.WARNING, line: int | None = None) -> None:
        """Report an entry, or the row on a line."""
        about = {"document": self._document, "severity": severity, "code": self._code}
        self._found.append(Problem.model_validate({**about, "message": message, "line": line}))

    def all(self, source: str = "", noun: str = "") -> tuple[Problem, ...]:
        """The problems; last in numbers the figures of zero, and the fields of other kinds.

        `source` is what wrote the zeros (`map`, `list`), `noun` what the other fields are called.
        """
        for message in self._left_out(source, noun):
            self.add(message, Severity.NOTE)
        return tuple(self._found)

    def _left_out(self, source: str, noun: str) -> Iterator[str]:
        if self.zeros:
            yield f"{self.zeros:,} figures of zero left out: the {source} writes 0 for free and for unknown alike"
        if self.unknown:
            kinds = ", ".join(key for key, _ in self.unknown.most_common(5))
            number = f"{self.unknown.total():,} {noun} of {len(self.unknown)} other kinds"
            yield f"{number} left out, such as {kinds}"


def as_written(value: object) -> str:
    """A value of a JSON file as the file has it, for a message: `-1.0`, `null`; a text in quotes; a long one is cut."""
    text = repr(value) if isinstance(value, str) else str(value) if isinstance(value, Decimal) else dumps(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
