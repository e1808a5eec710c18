"""Splits the text of a formula into tokens.

number   = digits [ "." digits ] [ ("e"|"E") ["+"|"-"] digits ] [ "k" | "K" | "M" | "B" | "T" | [" "] scale ]
           digits may be grouped by "_", outside of brackets also by ",";  k = 1e3, M = 1e6, B = 1e9, T = 1e12,
           directly after the number;  scale is thousand, million, billion or trillion
date     = YYYY-MM-DD
text     = '"' characters '"'  |  "'" characters "'"          no escapes, one line
word     = letter { letter | digit | "_" }                     ASCII
mark     = + - * / ^ ( ) [ ] , = == != < <= > >= .. % $ € £    "×", "÷" and "−" are read as * / -
           "×" directly after a number, with no factor behind it, is the unit x: 60×
"""

from __future__ import annotations

import re
import unicodedata
from datetime import date
from decimal import Decimal
from typing import Literal, NamedTuple

from compute.formula.formula_errors import TooMuchError, UnreadableError

LONGEST_FORMULA = 2_000
MOST_TOKENS = 400
MOST_DIGITS = 40
LARGEST_EXPONENT = 60
LONGEST_TEXT = 160

SCALES = {"k": 3, "K": 3, "M": 6, "B": 9, "T": 12}
_SCALES = {**SCALES, "thousand": 3, "million": 6, "billion": 9, "trillion": 12}


class Token(NamedTuple):
    """One token; `value` is that of a number or date."""

    kind: Literal["number", "date", "text", "word", "mark", "end"]
    text: str
    start: int
    end: int
    value: Decimal | date | None = None

    def marks(self, *marks: str) -> bool:
        """Whether this is one of these marks."""
        return self.kind == "mark" and self.text in marks


def _tokens(digits: str) -> re.Pattern[str]:
    return re.compile(
        rf"""[ \t\r\n]*(?:
        (?P<date>[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}(?![0-9A-Za-z_.-]))
        |(?P<number>
            (?P<mantissa>(?:{digits})(?:\.(?!\.)[0-9_]*)?|\.[0-9][0-9_]*)(?:[eE](?P<exponent>[+-]?[0-9]+))?
            (?:(?P<scale>[kKMBT]|[ ]?(?:thousand|million|billion|trillion))(?![A-Za-z0-9_]))?)
        |(?P<word>[A-Za-z_][A-Za-z0-9_]*)
        |(?P<text>"[^"\r\n]*"|'[^'\r\n]*')
        |(?P<times>×(?=[ \t\r\n]*(?:$|[),\]]|\.\.)))
        |(?P<mark>==|!=|<=|>=|\.\.|\*(?!\*)|[-+/^()\[\],=<>%$€£×·÷−])
        |(?P<other>.)|$)""",
        re.VERBOSE | re.DOTALL,
    )


_TOKEN = _tokens(r"[0-9][0-9_]*")
# outside of brackets digits may be grouped by commas, as in print; 0,125 is no group
_TOKEN_OUTSIDE = _tokens(r"[1-9][0-9]{0,2}(?:,[0-9]{3})+(?![0-9,])[0-9_]*|[0-9][0-9_]*")

_NESTING = {"(": 1, "[": 1, ")": -1, "]": -1}
_TWINS = {"×": "*", "·": "*", "÷": "/", "−": "-"}
_INSTEAD = {  # what to write instead of a character that formulas do not have
    **dict.fromkeys("{}", "formulas have no braces"),
    **dict.fromkeys("&|~@!", "formulas have no such operator"),
    **dict.fromkeys("–—", "that is a dash: write - to subtract, .. for a range"),
    **dict.fromkeys("“”", 'write plain quotes: "'),
    ".": "formulas have no attributes: write a single name",
    ";": "a formula is one expression",
    "\\": "formulas have no escapes",
    "`": "put texts in quotes",
    ":": "formulas have no colon",
    "#": "formulas have no comments: use the field note",
    "?": "formulas have no such operator: use if(condition, then, otherwise)",
    "≤": "write <=",
    "≥": "write >=",
    "≠": "write !=",
}


def tokens(text: str) -> list[Token]:
    """The tokens of a formula, with an end token.

    Raises:
        TooMuchError: the text is too long or has too many tokens.
        UnreadableError: part of the text is not a valid token.
    """
    if len(text) > LONGEST_FORMULA:
        raise TooMuchError(f"the formula has {len(text)} characters", LONGEST_FORMULA, LONGEST_FORMULA)
    found: list[Token] = []
    last, depth = 0, 0
    while (match := (_TOKEN if depth else _TOKEN_OUTSIDE).match(text, last)) and match.lastgroup:
        token = _token(match, match.lastgroup, last if found else -1)
        found.append(token)
        depth += _NESTING.get(token.text, 0) if token.kind == "mark" else 0
        if len(found) > MOST_TOKENS:
            raise TooMuchError("the formula has too many parts", MOST_TOKENS, token.start)
        last = token.end
    return [*found, Token("end", "", len(text), len(text))]


def _token(match: re.Match[str], kind: str, last: int) -> Token:
    """The token of a match; `last` is the end of the token before it."""
    found, (start, end) = match[kind], match.span(kind)
    match kind:
        case "date":
            return Token("date", found, start, end, _day(found, start))
        case "number":
            return Token("number", found, start, end, _value(match, start))
        case "text":
            if len(found) > LONGEST_TEXT + 2:
                raise TooMuchError("the text is too long: characters", LONGEST_TEXT, start)
            if not found.isprintable():
                raise UnreadableError("the text has a character that cannot be printed", start)
            return Token("text", found[1:-1], start, end)
        case "word":
            if found.startswith("_") or "__" in found:
                raise UnreadableError(f"‘{found}’ is not a name", start, "names start with a letter and have single _")
            return Token("word", found, start, end)
        case "times" if start == last:
            return Token("word", "x", start, end)
        case "times" | "mark":
            return Token("mark", _TWINS.get(found, found), start, end)
    raise _unreadable(found, start)


def _day(found: str, at: int) -> date:
    try:
        return date.fromisoformat(found)
    except ValueError:
        raise UnreadableError(f"{found} is not a day of the calendar", at) from None


def _value(match: re.Match[str], at: int) -> Decimal:
    mantissa, exponent, scale = match["mantissa"].replace(",", "_"), match["exponent"] or "", match["scale"] or ""
    if len(mantissa) > MOST_DIGITS and sum(map(str.isdigit, mantissa)) > MOST_DIGITS:
        raise TooMuchError("the number has too many digits", MOST_DIGITS, at)
    if len(exponent) > 3 or abs(int(exponent or 0)) > LARGEST_EXPONENT:
        raise TooMuchError("the exponent of the number is too large", LARGEST_EXPONENT, at)
    if "__" in mantissa or mantissa.endswith("_"):
        written = match["number"].removesuffix(scale).replace(",", "_")
        raise UnreadableError(f"‘{written}’ is not a number", at, "one _ between digits groups them: 30_000")
    value = Decimal(mantissa.replace("_", "") + (exponent and f"e{exponent}"))
    return value.scaleb(_SCALES.get(scale.strip(), 0))


def _unreadable(character: str, at: int) -> UnreadableError:
    if character in "\"'":
        return UnreadableError("the text has no closing quote", at)
    if character == "*":
        return UnreadableError("‘**’ is not an operator", at, "powers are written with ^")
    if character in _INSTEAD:
        return UnreadableError(f"‘{character}’ cannot be used", at, _INSTEAD[character])
    name = unicodedata.name(character, f"character {ord(character):#x}").lower()
    shown = f"‘{character}’ ({name})" if character.isprintable() else name
    twin = unicodedata.normalize("NFKC", character)
    hint = f"write a plain {twin}" if twin != character and twin.isascii() else "formulas are written in plain ASCII"
    return UnreadableError(f"{shown} cannot be used", at, hint)
