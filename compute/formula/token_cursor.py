"""A cursor over the tokens of a formula, and the errors for tokens that the grammar does not expect."""

from __future__ import annotations

from compute.formula.formula_errors import TooMuchError, UnexpectedError
from compute.formula.lexer import Token

DEEPEST = 24
"""The maximum nesting of brackets, calls and signs."""


class Cursor:
    """A cursor over the tokens of one formula."""

    def __init__(self, found: list[Token]) -> None:
        self.found = found
        self.at = 0
        self.depth = 0

    @property
    def next(self) -> Token:
        """The next token; the end token at the end."""
        return self.found[self.at]

    def take(self) -> Token:
        """Returns the next token and advances."""
        token = self.next
        self.at += token.kind != "end"
        return token

    def mark(self, *marks: str) -> Token | None:
        """Returns the next token and advances if it is one of these marks; else None."""
        token = self.next
        return self.take() if token.kind == "mark" and token.text in marks else None

    def need(self, mark: str, wanted: str) -> Token:
        """Returns a mark that must come next, and advances.

        Raises:
            UnexpectedError: another token comes next.
        """
        token = self.mark(mark)
        if token is None:
            raise self.unexpected(wanted)
        return token

    def unexpected(self, wanted: str) -> UnexpectedError:
        """The error to raise for an unexpected token."""
        token = self.next
        return UnexpectedError(named(token), wanted, token.start, _hint(token))

    def finish(self) -> None:
        """Checks that no token follows.

        Raises:
            UnexpectedError: a token follows.
        """
        if self.next.kind != "end":
            raise self.unexpected("an operator or the end")

    def deeper(self) -> None:
        """Enters one level of nesting.

        Raises:
            TooMuchError: the nesting is too deep.
        """
        self.depth += 1
        if self.depth > DEEPEST:
            raise TooMuchError("the formula is nested too deeply", DEEPEST, self.next.start)


def named(token: Token) -> str:
    """A token as shown in a message."""
    return "the end" if token.kind == "end" else f"‘{token.text}’"


def _hint(token: Token) -> str:
    if token.kind == "mark" and token.text == "=":
        return "write == for an equation"
    if token.kind == "mark" and token.text == ",":
        return "a comma separates arguments; group digits by _: 30_000"
    if token.kind == "mark" and token.text == "$":
        return "$ goes before a number: $2.50"
    if token.kind in {"word", "number"}:
        return "an operator is missing before it"
    return ""
