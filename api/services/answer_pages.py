"""Pages of a JSON answer that is too large for one message.

answer ─▶ pieces in order, each with its place ─▶ as many as fit on a page ─▶ the part of the answer that has them

A page has `next`, the cursor of the following one. That one says in `continues` where its first value belongs, as a
JSON Pointer (RFC 6901) into the complete answer. Together the pages have every value exactly once: objects merge, lists
append, a text that was cut continues.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Any, NamedTuple, Self

from graph.store.store_errors import CursorError, StoreError
from graph.values import dumps, loads

PAGE = 23_000  # the most bytes of values on one page, as they appear in a message: JSON text inside a JSON string

_WHOLE = PAGE // 2  # a value of at most so many bytes is one piece

_PART = re.compile(r"(?s).{150,299}[ \n]|.{1,300}")
"""A piece of a longer text: up to 300 characters, between words if they are not too long."""

Piece = tuple[tuple[str | int, ...], Any]
"""A value, or a part of a text, with the names and numbers of the members that lead to it."""


class Answer(NamedTuple):
    """The answer of a tool; `after` is the position in its list where the next answer begins."""

    value: object
    after: str | None = None


class ChangedAnswerError(CursorError):
    """The answer has changed since the cursor was made."""

    def __init__(self) -> None:
        StoreError.__init__(
            self,
            "the cursor belongs to another answer: the arguments differ or the brain has changed since; "
            "ask again without the cursor",
        )


class Cursor(NamedTuple):
    """A page begins at a piece of the `answer` (digest) behind `after`; `question` is the digest of the call."""

    question: str
    after: str | None = None
    answer: str = ""
    piece: int = 0

    def text(self) -> str:
        """The cursor as text, for `next`."""
        return base64.urlsafe_b64encode(dumps(list(self)).encode()).decode().rstrip("=")

    @classmethod
    def read(cls, text: str | None, question: str) -> Self:
        """The cursor of a text, else the first page. Raises `CursorError`; `ChangedAnswerError` of another question."""
        if text is None:
            return cls(question)
        try:
            asked, after, answer, piece = loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
            found = cls(str(asked), after if after is None else str(after), str(answer), int(piece))
        except (ValueError, TypeError, RecursionError) as error:
            raise CursorError(text) from error
        if found.question != question:
            raise ChangedAnswerError
        return found


def digest(thing: object) -> str:
    """A short name of a value, the same for equal values."""
    return hashlib.sha256(dumps(thing).encode()).hexdigest()[:16]


def page(answer: Answer, at: Cursor) -> str:
    """The page at a cursor, as JSON text. Raises `CursorError`; `ChangedAnswerError` if the answer has changed."""
    name = digest(answer.value)
    if at.piece and at.answer != name:
        raise ChangedAnswerError
    pieces = list(_pieces(loads(dumps(answer.value))))
    if not 0 <= at.piece < len(pieces):
        raise CursorError(at.text())
    pointer = "".join(f"/{str(one).replace('~', '~0').replace('/', '~1')}" for one in pieces[at.piece][0])
    stop = at.piece + _fitting(pieces[at.piece :], PAGE - _size(pointer))
    shown = _joined(pieces[at.piece : stop])
    if at.piece:
        shown["continues"] = pointer
    if stop < len(pieces):
        shown["next"] = at._replace(answer=name, piece=stop).text()
    elif answer.after is not None:
        shown["next"] = Cursor(at.question, answer.after).text()
    return dumps(shown)


def _pieces(value: Any, place: tuple[str | int, ...] = ()) -> Iterator[Piece]:  # noqa: ANN401  # any JSON
    """The pieces of a value at a place, in order."""
    if isinstance(value, (dict, list, str)) and _size(value) > _WHOLE:
        if isinstance(value, str):
            yield from ((place, part) for part in _PART.findall(value))
        else:
            for name, member in value.items() if isinstance(value, dict) else enumerate(value):
                yield from _pieces(member, (*place, name))
    else:
        yield place, value


def _fitting(pieces: Sequence[Piece], room: int) -> int:
    """How many of the pieces fit into so many bytes, at least one."""
    before: tuple[str | int, ...] = ()
    for number, (place, value) in enumerate(pieces):
        same = takewhile(lambda pair: pair[0] == pair[1], zip(before, place, strict=False))
        fresh = place[len(list(same)) :]
        room -= _size(value) + sum(_size(name) + 6 for name in fresh)  # the colon, the comma and the brackets
        if room < 0 and number:
            return number
        before = place
    return len(pieces)


def _joined(pieces: Sequence[Piece]) -> Any:  # noqa: ANN401  # any JSON
    """The part of a value that has some of its pieces."""
    if not pieces[0][0]:
        return "".join(part for _, part in pieces) if len(pieces) > 1 else pieces[0][1]
    groups: dict[str | int, list[Piece]] = {}
    for (name, *rest), value in pieces:
        groups.setdefault(name, []).append((tuple(rest), value))
    members = {name: _joined(some) for name, some in groups.items()}
    return members if isinstance(pieces[0][0][0], str) else list(members.values())


def _size(value: object) -> int:
    """The bytes of the JSON of a value inside a JSON string."""
    return len(json.dumps(dumps(value), ensure_ascii=False).encode()) - 2
