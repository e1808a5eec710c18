"""A place in the tokens of a formula, and what is said when the grammar wants something else there."""

from __future__ import annotations

from compute.formula.formula_errors import TooMuchError, UnexpectedError
from compute.formula.lexer import Token

DEEPEST = 24
"""How deep brackets, calls and signs may stand in each other."""


class Cursor:
    """A place in the tokens of one formula."""

    def __init__(self, found: list[Token]) -> None:
        self.found = found
        self.at = 0
        self.depth = 0

    @property
    def next(self) -> Token:
        """The token that comes next; at the end, the end."""
        return self.found[self.at]

    def take(self) -> Token:
        """The next token, and go on."""
        token = self.next
        self.at += token.kind != "end"
        return token

    def mark(self, *marks: str) -> Token | None:
        """The next token where it is one of these marks, and go on; else None."""
        token = self.next
        return self.take() if token.kind == "mark" and token.text in marks else None

    def need(self, mark: str, wanted: str) -> Token:
        """A mark that must come next.

        Raises:
            UnexpectedError: something else does.
        """
        token = self.mark(mark)
        if token is None:
            raise self.unexpected(wanted)
        return token

    def unexpected(self, wanted: str) -> UnexpectedError:
        """What was found where something else is wanted, as an error to raise."""
        token = self.next
        return UnexpectedError(named(token), wanted, token.start, _hint(token))

    def finish(self) -> None:
        """Nothing may follow.

        Raises:
            UnexpectedError: something does.
        """
        if self.next.kind != "end":
            raise self.unexpected("an operator or the end")

    def deeper(self) -> None:
        """One level down.

        Raises:
            TooMuchError: that is too deep.
        """
        self.depth += 1
        if self.depth > DEEPEST:
            raise TooMuchError("the formula is nested too deeply", DEEPEST, self.next.start)


def named(token: Token) -> str:
    """A token in a sentence."""
    return "the end" if token.kind == "end" else f"‘{token.text}’"


def _hint(token: Token) -> str:
    if token.kind == "mark" and token.text == "=":
        return "write == for an equation"
    if token.kind == "mark" and token.text == ",":
        return "a comma separates arguments; group digits by _: 30_000"
    if token.kind == "mark" and token.text == "$":
        return "$ stands before a number: $2.50"
    if token.kind in {"word", "number"}:
        return "an operator is missing before it"
    return ""
