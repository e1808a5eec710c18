"""Parses tokens into a syntax tree.

    formula    = comparison
    comparison = range [ ("<" | "<=" | ">" | ">=" | "==" | "!=") range ]
    range      = sum [ ".." sum ]
    sum        = product { ("+" | "-") product }
    product    = sign { ("*" | "/") sign }
    sign       = "-" sign | power
    power      = primary [ "^" sign ]
    primary    = quantity | date | text | "true" | "false" | name | call | "(" comparison ")" | list
    quantity   = number [ unit ] | ("$" | "€" | "£") number [ unit without its lead ]
    unit       = lead { mark atom [ "^" integer ] }                 binds closer than any operator
    mark       = "/" | "*" | "per" [ number ] | "-"                 no space around "-": USD/GB-month, USD per 1k tokens
    call       = function "(" [ argument { "," argument } ] ")"
    argument   = [ keyword "=" ] comparison
    list       = "[" comparison { "," comparison } "]"

`lead` is any name of a unit, also a plural (`3 years`). After a mark a unit is singular (`USD/token`), so plurals can
be used as names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import cast

from compute.formula import formula_tree as tree
from compute.formula.formula_errors import TooMuchError, UnexpectedError, UnknownError
from compute.formula.lexer import Token, tokens
from compute.units import units
from compute.units.unit_table import CURRENCY_SIGNS

LONGEST_CHAIN = 60  # consecutive operators of one precedence
MOST_ARGUMENTS = 32
DEEPEST = 24  # nested brackets, calls and signs
_CHAINS = (("+", "-"), ("*", "/"))  # operators that may be repeated, those that bind closest last


def parse(text: str) -> tree.Node:
    """The syntax tree of a formula. Raises FormulaError, with the offset, if it is invalid or exceeds a limit."""
    return _parsed(text, units.vocabulary())


@lru_cache(maxsize=4_096)
def _parsed(text: str, _vocabulary: units.Vocabulary) -> tree.Node:
    parser = _Parser(text, tokens(text))
    found = parser.comparison()
    if parser.next.kind != "end":
        raise parser.unexpected("an operator or the end")
    return found


class _Parser:
    """Recursive descent over the tokens of one formula."""

    def __init__(self, text: str, found: list[Token]) -> None:
        self._text, self._found = text, found
        self._at = 0
        self._depth = 0

    @property
    def next(self) -> Token:
        """The next token; the end token at the end."""
        return self._found[self._at]

    @property
    def _end(self) -> int:
        """End of the last token taken."""
        return self._found[self._at - 1].end

    def _span(self, start: int, end: int) -> tuple[str, int, int]:
        """The fields of a part between two offsets."""
        return " ".join(self._text[start:end].split()), start, end

    def _binary(self, mark: Token, left: tree.Node, right: tree.Node) -> tree.Binary:
        return tree.Binary(*self._span(left.at, right.end), mark.text, left, right, mark.start)

    def _take(self) -> Token:
        token = self.next
        self._at += token.kind != "end"
        return token

    def _mark(self, *marks: str) -> Token | None:
        """Take the next token if it is one of these marks."""
        token = self._found[self._at]
        if token.kind != "mark" or token.text not in marks:
            return None
        self._at += 1
        return token

    def _need(self, mark: str, wanted: str) -> None:
        if not self._mark(mark):
            raise self.unexpected(wanted)

    def unexpected(self, wanted: str) -> UnexpectedError:
        """The error to raise for an unexpected token."""
        found = "the end" if self.next.kind == "end" else f"‘{self.next.text}’"
        return UnexpectedError(found, wanted, self.next.start, _hint(self.next))

    def _deeper(self) -> None:
        self._depth += 1
        if self._depth > DEEPEST:
            raise TooMuchError("the formula is nested too deeply", DEEPEST, self.next.start)

    def comparison(self) -> tree.Node:
        self._deeper()
        left = self._range()
        if mark := self._mark(*tree.COMPARISONS):
            left = self._binary(mark, left, self._range())
            if self.next.marks(*tree.COMPARISONS):
                raise UnexpectedError("a second comparison", "the end", self.next.start, "compare two sides only")
        self._depth -= 1
        return left

    def _range(self) -> tree.Node:
        low = self._chain(_CHAINS)
        if not self._mark(".."):
            return low
        high = self._chain(_CHAINS)
        if (
            isinstance(low, tree.Number)
            and isinstance(high, tree.Number)
            and low.unit is None
            and high.unit is not None
        ):
            low = replace(low, unit=high.unit)
        return tree.Range(*self._span(low.at, high.end), low, high)

    def _chain(self, levels: Sequence[tuple[str, ...]]) -> tree.Node:
        if not levels:
            return self._sign()
        left = self._chain(levels[1:])
        for _ in range(LONGEST_CHAIN):
            mark = self._mark(*levels[0])
            if mark is None:
                return left
            left = self._binary(mark, left, self._chain(levels[1:]))
        raise TooMuchError("too many operators in a row", LONGEST_CHAIN, self.next.start)

    def _sign(self) -> tree.Node:
        mark = self._mark("-")
        if mark is None:
            base = self._primary()
            power = self._mark("^")
            return self._binary(power, base, self._nested_sign()) if power else base
        of = self._nested_sign()
        return tree.Negative(*self._span(mark.start, of.end), of)

    def _nested_sign(self) -> tree.Node:
        self._deeper()
        node = self._sign()
        self._depth -= 1
        return node

    def _primary(self) -> tree.Node:  # noqa: PLR0911 one answer for each kind of token
        token = self._take()
        span = self._span(token.start, token.end)
        match token.kind, token.text:
            case "number", _:
                return self._quantity(token)
            case "date", _:
                return tree.Day(*span, cast("date", token.value))
            case "text", text:
                return tree.Text(*span, text)
            case "word", "true" | "false":
                return tree.Truth(*span, token.text == "true")
            case "word", name:
                return self._call(token) if self._mark("(") else tree.Name(*span, name)
            case "mark", "(":
                inner = self.comparison()
                self._need(")", "a closing bracket")
                text, at, end = self._span(token.start, self._end)
                return replace(inner, text=text, at=at, end=end)
            case "mark", "[":
                items = [self.comparison() for _ in self._separated("]", "a comma or ]", "the list is too long")]
                return tree.Listing(*self._span(token.start, self._end), tuple(items))
            case "mark", sign if sign in CURRENCY_SIGNS and self.next.kind == "number":
                return self._quantity(self._take(), token)
        self._at -= token.kind != "end"
        raise self.unexpected("a number, a name or a bracket")

    def _call(self, function: Token) -> tree.Call:
        arguments: list[tree.Node] = []
        keywords: list[tree.Keyword] = []
        for _ in self._separated(")", "a comma or a closing bracket", f"{function.text} has too many arguments"):
            name = self.next
            if name.kind == "word" and self._found[self._at + 1].marks("="):
                self._at += 2
                value = self.comparison()
                keywords.append(tree.Keyword(name.start, name.text, value))
            elif keywords:
                raise UnexpectedError("an argument without a keyword", "a keyword", name.start, "keywords come last")
            else:
                arguments.append(self.comparison())
        span = self._span(function.start, self._end)
        return tree.Call(*span, function.text, tuple(arguments), tuple(keywords))

    def _separated(self, close: str, wanted: str, too_many: str) -> Iterator[int]:
        """Stop before each part of a comma-separated list; take its closing mark."""
        count = 0
        while not self._mark(close):
            if count:
                self._need(",", wanted)
            if count >= MOST_ARGUMENTS:
                raise TooMuchError(too_many, MOST_ARGUMENTS, self.next.start)
            yield count
            count += 1

    def _quantity(self, number: Token, sign: Token | None = None) -> tree.Number:
        unit, end = units.ONE if sign else None, number.end
        if sign or self.next.kind == "word" or self.next.marks("%", *CURRENCY_SIGNS):
            lead = units.atom(CURRENCY_SIGNS[sign.text]) if sign else units.ONE
            try:
                unit, end = units.unit_at(self._text, end, lambda part: self._is_of_unit(part, number, sign), lead)
            except units.UnitError as error:
                hint = error.hint or f"a name after a number needs an operator: * {error.found}"
                raise UnknownError("unit", error.found, error.at, hint) from None
        while self.next.start < end and self.next.kind != "end":
            self._at += 1
        if unit and self.next.marks("^"):
            hint = "put a quantity in brackets to raise it: (3 USD) ^ 2"
            raise UnexpectedError("‘^’", "a whole power of a unit", self.next.start, hint)
        span = self._span((sign or number).start, self._end)
        return tree.Number(*span, cast("Decimal", number.value), unit)

    def _is_of_unit(self, part: re.Match[str], number: Token, sign: Token | None) -> bool:
        """Whether a part belongs to the unit and is no other term after an operator."""
        mark, text = part["mark"], self._text
        if mark is None:
            return part.start() == number.end and sign is None
        if mark == "per":
            return True
        if part["count"] or not units.reserved(part["name"]) or text[part.end() : part.end() + 1] == "(":
            return False
        first = part.start() == number.end and sign is None
        return not first and (mark != "-" or text[part.start("mark") : part.start("name")] == "-" == part[0][0])


def _hint(token: Token) -> str:
    if token.text == "per":
        return "write a unit after per"
    if token.kind in {"word", "number"}:
        return "an operator is missing before it"
    return _HINTS.get(token.text, "") if token.kind == "mark" else ""


_HINTS = {
    "=": "write == for an equation",
    ",": "a comma separates arguments; group digits by _: 30_000",
    "$": "$ goes before a number: $2.50",
}
