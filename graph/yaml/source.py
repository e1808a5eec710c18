"""A YAML document being read: its name, its lines, and the problems found so far."""

from __future__ import annotations

from collections.abc import Mapping as Table
from functools import cached_property

from graph.problems import Problem, Severity
from graph.yaml.reader import Fault, load
from graph.yaml.tree import Position, Tree

Codes = Table[str, tuple[str, Severity]]
"""For a kind of file: the code and the severity to report instead of a general code."""

_SHAPES = ("file-shape", "entry-shape")
"""A file that is not a list, an entry that is not a mapping: `yaml-shape`, unless `codes` distinguishes them."""


class Source:
    """Reports problems of one document with line number, column and the text of the line.

    The codes are `yaml-syntax`, `yaml-duplicate-key`, `yaml-empty`, `yaml-shape`, `missing-key`, `unknown-key` and
    those of the fields; `codes` replaces some of them.
    """

    def __init__(self, document: str, text: str, codes: Codes | None = None) -> None:
        self.document, self.text = document, text
        self.problems: list[Problem] = []
        self._codes = codes or {}

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the document."""
        return self.text.splitlines()

    def tree(self) -> Tree:
        """The content; None, with a problem, if the document is empty or is not YAML."""
        tree, faults = load(self.text)
        for fault in faults:
            self._fault(fault)
        if tree is None and not faults:
            hint = "write the entries, or delete the file"
            self.complain(None, "the file is empty", code="yaml-empty", hint=hint, severity=Severity.WARNING)
        return tree

    def _fault(self, fault: Fault) -> None:
        message = f"not readable as YAML: {fault.message}" if fault.fatal else fault.message
        code = "yaml-syntax" if fault.fatal else "yaml-duplicate-key"
        self.complain((fault.line, fault.column), message, code=code, hint=fault.hint)

    def complain(
        self,
        position: Position | None,
        message: str,
        *,
        code: str,
        hint: str | None = None,
        severity: Severity = Severity.ERROR,
    ) -> None:
        """Add a problem at a position."""
        general = "yaml-shape" if code in _SHAPES else code
        code, severity = self._codes.get(code) or self._codes.get(general, (general, severity))
        line, column = position or (None, None)
        text = self.lines[line - 1] if line and line <= len(self.lines) else None
        self.problems.append(
            Problem(
                document=self.document, line=line, column=column, severity=severity, code=code, message=message,
                text=text, hint=hint,
            )
        )  # fmt: skip
