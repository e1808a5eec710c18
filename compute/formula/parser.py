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

from dataclasses import replace
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import cast

from compute.formula.formula_errors import TooMuchError, UnexpectedError, UnknownError, UnreadableError
from compute.formula.lexer import Token, tokens
from compute.formula.syntax_tree import (
    COMPARISONS,
    Binary,
    Call,
    Day,
    Keyword,
    Listing,
    Name,
    Negative,
    Node,
    Number,
    Operator,
    Range,
    Text,
    Truth,
)
from compute.formula.token_cursor import Cursor, named
from compute.units import units
from compute.units.unit_table import CURRENCY_SIGNS

LONGEST_CHAIN = 60
"""The maximum number of consecutive operators of one precedence."""

MOST_ARGUMENTS = 32


@lru_cache(maxsize=4_096)
def parse(text: str) -> Node:
    """The syntax tree of a formula.

    Raises:
        FormulaError: the text is not a formula or exceeds a limit; the error holds the offset.
    """
    parser = _Parser(tokens(text))
    tree = parser.comparison()
    parser.finish()
    return tree


class _Parser(Cursor):
    """Recursive descent over the tokens of one formula."""

    def comparison(self) -> Node:
        self.deeper()
        left = self._range()
        if mark := self.mark(*COMPARISONS):
            left = _binary(mark, left, self._range())
            if self.next.text in COMPARISONS and self.next.kind == "mark":
                raise UnexpectedError("a second comparison", "the end", self.next.start, "compare two sides only")
        self.depth -= 1
        return left

    def _range(self) -> Node:
        low = self._sum()
        if not self.mark(".."):
            return low
        high = self._sum()
        if isinstance(low, Number) and isinstance(high, Number) and low.unit is None and high.unit is not None:
            low = replace(low, unit=high.unit, value=low.value)
        return Range(low.start, high.end, low, high)

    def _sum(self) -> Node:
        left = self._product()
        for _ in range(LONGEST_CHAIN):
            mark = self.mark("+", "-")
            if mark is None:
                return left
            left = _binary(mark, left, self._product())
        raise TooMuchError("too many operators in a row", LONGEST_CHAIN, self.next.start)

    def _product(self) -> Node:
        left = self._sign()
        for _ in range(LONGEST_CHAIN):
            mark = self.mark("*", "/")
            if mark is None:
                return left
            left = _binary(mark, left, self._sign())
        raise TooMuchError("too many operators in a row", LONGEST_CHAIN, self.next.start)

    def _sign(self) -> Node:
        if mark := self.mark("-"):
            self.deeper()
            of = self._sign()
            self.depth -= 1
            return Negative(mark.start, of.end, of)
        return self._power()

    def _power(self) -> Node:
        base = self._primary()
        mark = self.mark("^")
        if mark is None:
            return base
        self.deeper()
        exponent = self._sign()
        self.depth -= 1
        return _binary(mark, base, exponent)

    def _primary(self) -> Node:
        token = self.take()
        match token.kind:
            case "number":
                return self._quantity(token)
            case "date":
                return Day(token.start, token.end, cast("date", token.value))
            case "text":
                return Text(token.start, token.end, token.text)
            case "word":
                return self._word(token)
            case _:
                return self._bracket(token)

    def _bracket(self, token: Token) -> Node:
        if token.kind == "mark" and token.text == "(":
            inner = self.comparison()
            end = self.need(")", "a closing bracket").end
            return replace(inner, start=token.start, end=end)
        if token.kind == "mark" and token.text == "[":
            items = self._listed("]")
            return Listing(token.start, self.found[self.at - 1].end, tuple(items))
        if token.kind == "mark" and token.text in CURRENCY_SIGNS and self.next.kind == "number":
            return self._money(token)
        self.at -= token.kind != "end"
        raise self.unexpected("a number, a name or a bracket")

    def _word(self, token: Token) -> Node:
        if token.text in {"true", "false"}:
            return Truth(token.start, token.end, token.text == "true")
        if self.next.kind == "mark" and self.next.text == "(":
            return self._call(token)
        return Name(token.start, token.end, token.text)

    def _quantity(self, token: Token) -> Number:
        value = cast("Decimal", token.value)
        if not self._starts_unit():
            return Number(token.start, token.end, value)
        if self.next.text == "per":
            return Number(token.start, self.found[self.at - 1].end, value, self._tail(units.ONE))
        lead = self.take()
        unit = self._tail(_atom(lead))
        return Number(token.start, self.found[self.at - 1].end, value, unit)

    def _starts_unit(self) -> bool:
        token = self.next
        return token.kind == "word" or (token.kind == "mark" and token.text in {"%", *CURRENCY_SIGNS})

    def _money(self, sign: Token) -> Number:
        token = self.take()
        unit = self._tail(units.atom(CURRENCY_SIGNS[sign.text]))
        return Number(sign.start, self.found[self.at - 1].end, cast("Decimal", token.value), unit)

    def _tail(self, unit: units.Unit) -> units.Unit:
        power = self._exponent()
        if power != 1:
            unit = _joined(units.ONE, unit, power, self.next.start)
        side = 1
        while self._continues_unit():
            mark = self.take().text
            side = -1 if mark in {"/", "per"} else side if mark == "-" else 1
            atom, at = self._counted() if mark == "per" else _named_atom(self.take())
            unit = _joined(unit, atom, side * self._exponent(), at)
        return unit

    def _continues_unit(self) -> bool:
        mark, word = self.next, self.found[min(self.at + 1, len(self.found) - 1)]
        if mark.kind == "word" and mark.text == "per":
            return True
        if mark.kind != "mark" or mark.text not in {"/", "*", "-"} or (mark.text == "-" and not mark.glued):
            return False
        behind = self.found[min(self.at + 2, len(self.found) - 1)]
        called = behind.kind == "mark" and behind.text == "("
        spaced = mark.text == "-" and not word.glued
        return word.kind == "word" and units.reserved(word.text) and not called and not spaced

    def _counted(self) -> tuple[units.Unit, int]:
        """What comes after `per`: a unit, also a plural, or a thousand or a million of a thing."""
        count = self.take() if self.next.kind == "number" and self.next.value != 1 else None
        if count is None and self.next.kind == "number":
            self.take()
        token = self.take()
        try:
            if token.kind != "word":
                raise units.UnitError(token.text, "write a unit after per")
            name = units.singular(token.text)
            return (units.atom(name) if count is None else units.thousands(f"{count.value:f}", name)), token.start
        except units.UnitError as error:
            raise UnknownError("unit", token.text, token.start, error.hint) from None

    def _exponent(self) -> int:
        if not self.mark("^"):
            return 1
        sign = -1 if self.mark("-") else 1
        token = self.take()
        if token.kind != "number" or not token.text.isdigit() or len(token.text) > 2:
            raise UnexpectedError(named(token), "a whole power of the unit", token.start)
        return sign * int(token.text)

    def _call(self, function: Token) -> Call:
        self.take()
        arguments: list[Node] = []
        keywords: list[Keyword] = []
        while not self.mark(")"):
            if arguments or keywords:
                self.need(",", "a comma or a closing bracket")
            if len(arguments) + len(keywords) >= MOST_ARGUMENTS:
                raise TooMuchError(f"{function.text} has too many arguments", MOST_ARGUMENTS, self.next.start)
            self._argument(arguments, keywords)
        end = self.found[self.at - 1].end
        return Call(function.start, end, function.text, tuple(arguments), tuple(keywords))

    def _argument(self, arguments: list[Node], keywords: list[Keyword]) -> None:
        name, equals = self.next, self.found[min(self.at + 1, len(self.found) - 1)]
        if name.kind == "word" and equals.kind == "mark" and equals.text == "=":
            self.at += 2
            value = self.comparison()
            keywords.append(Keyword(name.start, value.end, name.text, value))
        elif keywords:
            raise UnexpectedError("an argument without a keyword", "a keyword", name.start, "keywords come last")
        else:
            arguments.append(self.comparison())

    def _listed(self, close: str) -> list[Node]:
        items: list[Node] = []
        while not self.mark(close):
            if items:
                self.need(",", f"a comma or {close}")
            if len(items) >= MOST_ARGUMENTS:
                raise TooMuchError("the list is too long", MOST_ARGUMENTS, self.next.start)
            items.append(self.comparison())
        return items


def _binary(mark: Token, left: Node, right: Node) -> Binary:
    return Binary(left.start, right.end, cast("Operator", mark.text), left, right, mark.start)


def _named_atom(token: Token) -> tuple[units.Unit, int]:
    return _atom(token), token.start


def _atom(token: Token) -> units.Unit:
    try:
        return units.atom(CURRENCY_SIGNS.get(token.text, token.text))
    except units.UnitError as error:
        hint = error.hint or f"a name after a number needs an operator: * {token.text}"
        raise UnknownError("unit", token.text, token.start, hint) from None


def _joined(left: units.Unit, right: units.Unit, power: int, at: int) -> units.Unit:
    try:
        return units.combined(left, right, power)
    except units.UnitError as error:
        raise UnreadableError(str(error), at) from None
