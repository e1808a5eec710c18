"""What can be wrong with a formula, one class per cause; each builds its own sentence.

FormulaError
├── UnreadableError          a character, number, text or date that is not one
├── UnexpectedError          the grammar wants something else here
├── TooMuchError             a bound of the language is passed
├── UnknownError             a name, function or keyword that does not exist
├── WrongArgumentsError      a function is called with what it does not take
└── MismatchError            units that do not fit together
"""

from __future__ import annotations


class FormulaError(ValueError):
    """Something is wrong at `at` (characters from 0) in a formula; `hint` says what to write instead."""

    code = "formula"

    def __init__(self, message: str, at: int, hint: str = "") -> None:
        super().__init__(message)
        self.message, self.at, self.hint = message, at, hint

    def render(self, text: str) -> str:
        """The message with the line of the formula and a caret."""
        start = text.rfind("\n", 0, self.at) + 1
        line = text[start:].partition("\n")[0]
        hint = [f"  hint: {self.hint}"] if self.hint else []
        return "\n".join([self.message, f"  | {line}", "  | " + " " * (self.at - start) + "^", *hint])

    def sentence(self) -> str:
        """The message with its hint, on one line."""
        return self.message + (f" ({self.hint})" if self.hint else "")


class UnreadableError(FormulaError):
    """A character, number, text or date that is not one."""

    code = "formula-unreadable"


class UnexpectedError(FormulaError):
    """The grammar wants something else here."""

    code = "formula-syntax"

    def __init__(self, found: str, wanted: str, at: int, hint: str = "") -> None:
        super().__init__(f"found {found} where {wanted} is wanted", at, hint)


class TooMuchError(FormulaError):
    """A bound of the language is passed."""

    code = "formula-too-much"

    def __init__(self, what: str, most: int, at: int) -> None:
        super().__init__(f"{what}: at most {most} are allowed", at)


class UnknownError(FormulaError):
    """A name, function, keyword or unit that does not exist."""

    code = "formula-unknown"

    def __init__(self, kind: str, name: str, at: int, hint: str = "") -> None:
        super().__init__(f"there is no {kind} ‘{name}’", at, hint)


class WrongArgumentsError(FormulaError):
    """A function is called with what it does not take."""

    code = "formula-arguments"


class MismatchError(FormulaError):
    """Units that do not fit together; names both."""

    code = "formula-units"

    def __init__(self, doing: str, left: str, right: str, at: int, hint: str = "") -> None:
        super().__init__(f"cannot {doing} {left} and {right}", at, hint)
        self.left, self.right = left, right
