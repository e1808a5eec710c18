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
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Literal

from compute.formula.formula_errors import TooMuchError, UnreadableError

LONGEST_FORMULA = 2_000
MOST_TOKENS = 400
MOST_DIGITS = 40
LARGEST_EXPONENT = 60
LONGEST_TEXT = 160

SCALES = {"k": 3, "K": 3, "M": 6, "B": 9, "T": 12}

TokenKind = Literal["number", "date", "text", "word", "mark", "end"]


@dataclass(frozen=True, slots=True)
class Token:
    """One token: its kind, text, start and end; `value` of a number or date; `glued` if no space precedes it."""

    kind: TokenKind
    text: str
    start: int
    end: int
    value: Decimal | date | None = None
    glued: bool = False


_SPACE = re.compile(r"[ \t\r\n]*")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?![0-9A-Za-z_.-])")
_NUMBER = re.compile(r"(?:[0-9][0-9_]*(?:\.(?!\.)[0-9_]*)?|\.[0-9][0-9_]*)(?:[eE][+-]?[0-9]+)?")
_GROUPED = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+(?![0-9,])")
_SPELLED = re.compile(r"[ ]?(?P<scale>thousand|million|billion|trillion)(?![A-Za-z0-9_])")
_SPELLED_SCALES = {"thousand": 3, "million": 6, "billion": 9, "trillion": 12}
_TIMES = re.compile(r"×[ \t\r\n]*(?:$|(?=[),\]]|\.\.))")
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_MARK = re.compile(r"==|!=|<=|>=|\.\.|[-+*/^()\[\],=<>%$€£]")
_TEXT = re.compile(r"\"[^\"\r\n]*\"|'[^'\r\n]*'")
_TWINS = {"×": "*", "·": "*", "÷": "/", "−": "-"}
_OPERATORS_ELSEWHERE = {
    "**": "powers are written with ^",
    ".": "formulas have no attributes: write a single name",
    "{": "formulas have no braces",
    "}": "formulas have no braces",
    ";": "a formula is one expression",
    "\\": "formulas have no escapes",
    "`": "put texts in quotes",
    "&": "formulas have no such operator",
    "|": "formulas have no such operator",
    "~": "formulas have no such operator",
    "@": "formulas have no such operator",
    ":": "formulas have no colon",
    "!": "formulas have no such operator",
    "#": "formulas have no comments: use the field note",
    "?": "formulas have no such operator: use if(condition, then, otherwise)",
    "≤": "write <=",
    "≥": "write >=",
    "≠": "write !=",
    "–": "that is a dash: write - to subtract, .. for a range",
    "—": "that is a dash: write - to subtract, .. for a range",
    "“": 'write plain quotes: "',
    "”": 'write plain quotes: "',
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
    at = _skip(text, 0)
    last, depth = -1, 0
    while at < len(text):
        token = (_grouped(text, at) if depth == 0 else None) or _token(text, at, glued=at == last)
        found.append(token)
        depth += (token.kind == "mark") * ((token.text in "([") - (token.text in ")]"))
        if len(found) > MOST_TOKENS:
            raise TooMuchError("the formula has too many parts", MOST_TOKENS, at)
        last = token.end
        at = _skip(text, last)
    found.append(Token("end", "", len(text), len(text)))
    return found


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _token(text: str, at: int, *, glued: bool) -> Token:
    character = text[at]
    if character in _TWINS:
        times = glued and _TIMES.match(text, at)
        return Token("word" if times else "mark", "x" if times else _TWINS[character], at, at + 1, glued=glued)
    if match := _DATE.match(text, at):
        return _date(match)
    if match := _NUMBER.match(text, at):
        return _number(text, match)
    if match := _WORD.match(text, at):
        return _word(match, glued=glued)
    if character in "\"'":
        return _text(text, at)
    if text.startswith("**", at):
        raise UnreadableError("‘**’ is not an operator", at, _OPERATORS_ELSEWHERE["**"])
    if match := _MARK.match(text, at):
        return Token("mark", match.group(), at, match.end(), glued=glued)
    raise _unreadable(character, at)


def _date(match: re.Match[str]) -> Token:
    try:
        day = date.fromisoformat(match.group())
    except ValueError:
        raise UnreadableError(f"{match.group()} is not a day of the calendar", match.start()) from None
    return Token("date", match.group(), match.start(), match.end(), day)


def _grouped(text: str, at: int) -> Token | None:
    """A number whose digits are grouped by commas, as in print; inside brackets a comma separates arguments."""
    match = _GROUPED.match(text, at)
    if match is None:
        return None
    plain = text[:at] + match.group().replace(",", "_") + text[match.end() :]
    found = _NUMBER.match(plain, at)
    return _number(plain, found) if found else None


def _number(text: str, match: re.Match[str]) -> Token:
    written = match.group()
    mantissa, _, exponent = written.lower().partition("e")
    if sum(character.isdigit() for character in mantissa) > MOST_DIGITS:
        raise TooMuchError("the number has too many digits", MOST_DIGITS, match.start())
    if len(exponent) > 3 or abs(int(exponent or 0)) > LARGEST_EXPONENT:
        raise TooMuchError("the exponent of the number is too large", LARGEST_EXPONENT, match.start())
    if "__" in written or mantissa.endswith("_"):
        raise UnreadableError(f"‘{written}’ is not a number", match.start(), "one _ between digits groups them: 30_000")
    value = Decimal(written.replace("_", ""))
    end = match.end()
    suffix = _WORD.match(text, end)
    if suffix and suffix.group() in SCALES:
        value, end = value.scaleb(SCALES[suffix.group()]), suffix.end()
    elif spelled := _SPELLED.match(text, end):
        value, end = value.scaleb(_SPELLED_SCALES[spelled["scale"]]), spelled.end()
    return Token("number", text[match.start() : end], match.start(), end, value)


def _word(match: re.Match[str], *, glued: bool) -> Token:
    word = match.group()
    if word.startswith("_") or "__" in word:
        raise UnreadableError(f"‘{word}’ is not a name", match.start(), "names start with a letter and have single _")
    return Token("word", word, match.start(), match.end(), glued=glued)


def _text(text: str, at: int) -> Token:
    match = _TEXT.match(text, at)
    if match is None:
        raise UnreadableError("the text has no closing quote", at)
    if len(match.group()) > LONGEST_TEXT + 2:
        raise TooMuchError("the text is too long: characters", LONGEST_TEXT, at)
    if not match.group().isprintable():
        raise UnreadableError("the text has a character that cannot be printed", at)
    return Token("text", match.group()[1:-1], at, match.end())


def _unreadable(character: str, at: int) -> UnreadableError:
    if character in _OPERATORS_ELSEWHERE:
        return UnreadableError(f"‘{character}’ cannot be used", at, _OPERATORS_ELSEWHERE[character])
    name = unicodedata.name(character, f"character {ord(character):#x}").lower()
    shown = f"‘{character}’ ({name})" if character.isprintable() else name
    twin = unicodedata.normalize("NFKC", character)
    hint = f"write a plain {twin}" if twin != character and twin.isascii() else "formulas are written in plain ASCII"
    return UnreadableError(f"{shown} cannot be used", at, hint)
