"""Formula errors, one class per cause, and why a valid formula has no value."""

from __future__ import annotations


class FormulaError(ValueError):
    """An error at character `at`, from 0, of a formula; `hint` says what to write instead."""

    code = "formula"

    def __init__(self, message: str, at: int, hint: str = "") -> None:
        super().__init__(message)
        self.message, self.at, self.hint = message, at, hint

    def sentence(self) -> str:
        """The message with its hint, on one line."""
        return self.message + (f" ({self.hint})" if self.hint else "")


class UnreadableError(FormulaError):
    """An invalid character, number, text or date."""

    code = "formula-unreadable"


class UnexpectedError(FormulaError):
    """The grammar expects something else here."""

    code = "formula-syntax"

    def __init__(self, found: str, wanted: str, at: int, hint: str = "") -> None:
        super().__init__(f"expected {wanted}, found {found}", at, hint)


class TooMuchError(FormulaError):
    """A limit of the language is exceeded."""

    code = "formula-too-much"

    def __init__(self, what: str, most: int, at: int) -> None:
        super().__init__(f"{what}: at most {most} are allowed", at)


class UnknownError(FormulaError):
    """A name, function, keyword or unit that does not exist."""

    code = "formula-unknown"

    def __init__(self, kind: str, name: str, at: int, hint: str = "") -> None:
        super().__init__(f"there is no {kind} ‘{name}’", at, hint)
        self.kind, self.name = kind, name


class WrongArgumentsError(FormulaError):
    """A function is called with wrong arguments."""

    code = "formula-arguments"


class MismatchError(FormulaError):
    """Units that do not fit together; the message names both."""

    code = "formula-units"

    def __init__(self, doing: str, left: str, right: str, at: int, hint: str = "") -> None:
        super().__init__(f"cannot {doing} {left} and {right}", at, hint)


class Undefined(ArithmeticError):  # noqa: N818 it is an outcome, not an error
    """The figure has no value; the message says why, in terms of the formula."""


class NoRoot(Undefined):
    """No value between the bounds solves the equation."""
