"""Pages of a JSON answer that is too large for one message.

A page is as much of the answer as fits, in order, with `next`, the cursor of the following page. That one says in
`continues` where its first value belongs, as a JSON Pointer (RFC 6901) into the complete answer. Together the pages
have every value exactly once: objects merge, lists append, a text that was cut continues.
"""

from __future__ import annotations

import base64
import hashlib
import json
from bisect import bisect_right
from collections.abc import Sequence
from typing import Any, NamedTuple, Self

from graph.store.store_errors import CursorError, StoreError
from graph.values import dumps, loads

PAGE = 23_000  # the most bytes of values on one page, as they appear in a message: JSON text inside a JSON string

_WHOLE = PAGE // 2  # a value of fewer bytes is not split: it moves to the next page

_SHORTEST_TEXT = 1_000  # a text is not split into a part for which fewer bytes are left

Path = tuple[int, ...]
"""A place in a tree: the index of a member at each level, and at last the offset in a text, in characters."""


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
    """Where a page begins: at `path` of the `answer` (digest) behind `after`; `question` is the digest of the call."""

    question: str
    after: str | None = None
    answer: str = ""
    path: Path = ()

    def text(self) -> str:
        """The cursor as text, for `next`."""
        return base64.urlsafe_b64encode(dumps(list(self)).encode()).decode().rstrip("=")

    @classmethod
    def read(cls, text: str | None, question: str) -> Self:
        """The cursor of a text, else the first page. Raises `CursorError`; `ChangedAnswerError` of another question."""
        if text is None:
            return cls(question)
        try:
            asked, after, answer, path = loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
            found = cls(str(asked), after if after is None else str(after), str(answer), tuple(map(int, path)))
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
    tree, name = loads(dumps(answer.value)), digest(answer.value)
    if at.path and at.answer != name:
        raise ChangedAnswerError
    belongs = {"continues": _pointer(tree, at)} if at.path else {}
    part = _part(tree, at.path, PAGE - _size(belongs))
    if part is None or not isinstance(part.value, dict):
        raise CursorError(at.text())
    following = {}
    if part.stop is not None:
        following = {"next": at._replace(answer=name, path=part.stop).text()}
    elif answer.after is not None:
        following = {"next": Cursor(at.question, answer.after).text()}
    return dumps({**part.value, **belongs, **following})


class _Part(NamedTuple):
    """A part of a value, its size, and where the rest begins; None if there is no rest."""

    value: object
    size: int
    stop: Path | None


def _part(value: object, start: Path, room: int) -> _Part | None:
    """As much of `value` from `start` as fits into `room` bytes; None if nothing fits."""
    if not start and (size := _size(value)) <= room:
        return _Part(value, size, None)
    if isinstance(value, str):
        return _text(value, start[0] if start else 0, room)
    if isinstance(value, (dict, list)):
        return _members(value, start, room)
    return None


def _text(text: str, start: int, room: int) -> _Part | None:
    if room < _SHORTEST_TEXT:
        return None
    window = text[start : start + room]
    count = bisect_right(range(len(window)), room, key=lambda last: _size(window[: last + 1]))
    if start + count < len(text):
        count = max(window.rfind(end, count // 2, count) for end in "\n ") + 1 or count
    stop = start + count
    return _Part(window[:count], _size(window[:count]), None if stop == len(text) else (stop,))


def _members(value: dict[str, Any] | list[Any], start: Path, room: int) -> _Part | None:
    """The members of an object or list from `start` that fit; the last may be a part."""
    members: Sequence[tuple[Any, Any]] = tuple(value.items() if isinstance(value, dict) else enumerate(value))
    first, within = (start[0], start[1:]) if start else (0, ())
    kept: list[tuple[Any, Any]] = []
    used, stop = _size(type(value)()), None
    for index, (name, member) in enumerate(members[first:], first):
        beside = 2 + (_size(name) + 2 if isinstance(name, str) else 0)  # the comma; in an object the name and its colon
        part = _part(member, within, room - used - beside)
        if part is None or (part.stop and not within and _size(member) <= _WHOLE):
            stop = (index, *within)
            break
        kept.append((name, part.value))
        used += beside + part.size
        if part.stop:
            stop = (index, *part.stop)
            break
        within = ()
    if not kept:
        return None
    return _Part(dict(kept) if isinstance(value, dict) else [member for _, member in kept], used, stop)


def _size(value: object) -> int:
    """The bytes of the JSON of a value inside a JSON string."""
    return len(json.dumps(dumps(value), ensure_ascii=False).encode()) - 2


def _pointer(tree: object, at: Cursor) -> str:
    """The JSON Pointer of the value at which a page begins."""
    names: list[str] = []
    for depth, index in enumerate(at.path, 1):
        last = depth == len(at.path)
        if (
            not isinstance(tree, (dict, list, str))
            or not 0 <= index < len(tree)
            or (isinstance(tree, str) and not last)
        ):
            raise CursorError(at.text())
        if isinstance(tree, str):
            break
        name, tree = list(tree.items())[index] if isinstance(tree, dict) else (str(index), tree[index])
        names.append(name.replace("~", "~0").replace("/", "~1"))
    return "".join(f"/{name}" for name in names)
