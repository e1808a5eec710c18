"""Links of a text rewritten to other names, with what is needed to undo that exactly.

    [[gpu-prices]]         ─rewritten─▶  [[GPU prices|gpu-prices]]   and the pair of both texts
    [words](../a/note.md)  ─rewritten─▶  [words](mara/Note.md)       and the pair of both texts

`restored` undoes this in the order of the text; links edited in between stay.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from urllib.parse import quote

from ingest.markdown.wikilinks import linked_spans

_WIKILINK = re.compile(r"\[\[[^\[\]\n]{0,800}\]\]")

Pair = tuple[str, str]  # the new and the old text of one link
NewName = Callable[
    [str], tuple[str, str] | None
]  # the new name and path for a link's target as written; None if it stays


def rewritten(body: str, new_name: NewName) -> tuple[str, tuple[Pair, ...]]:
    """The text with new targets, and the pairs that undo it."""
    changed: list[tuple[re.Match[str], str]] = []
    for match in linked_spans(body):
        found = new_name(body[match.start("target") : match.end("target")])
        changed.append((match, _link(body, match, *found) if found else match[0]))
    new_texts = {new for match, new in changed if new != match[0]}
    pairs = tuple((new, match[0]) for match, new in changed if new in new_texts)
    return _replaced(body, changed), pairs


def restored(body: str, pairs: Sequence[Pair]) -> str:
    """The text before `rewritten`."""
    waiting = list(reversed(pairs))
    changed: list[tuple[re.Match[str], str]] = []
    for match in linked_spans(body):
        index = next((at for at in reversed(range(len(waiting))) if waiting[at][0] == match[0]), None)
        if index is not None:
            changed.append((match, waiting[index][1]))
            del waiting[index:]
    return _replaced(body, changed)


def _replaced(body: str, changed: Sequence[tuple[re.Match[str], str]]) -> str:
    pieces, end = list[str](), 0
    for match, new in changed:
        pieces += (body[end : match.start()], new)
        end = match.end()
    return "".join((*pieces, body[end:]))


def _link(body: str, match: re.Match[str], name: str, path: str) -> str:
    """The link with its new target; wikilinks show the old one."""
    start, end = match.start("target") - match.start(), match.end("target") - match.start()
    head, written, tail = match[0][:start], match[0][start:end], match[0][end:]
    if not head.endswith("[["):
        return f"{head}{quote(path)}{tail}"
    if head.startswith("!") or "|" in tail:
        return f"{head}{name}{tail}"
    bar = "\\|" if _in_table(body, match) else "|"  # in a table a bare | would begin a cell
    words = written + tail.removesuffix("]]")
    return f"{head}{name}{tail.removesuffix(']]')}{bar}{words}]]"


def _in_table(body: str, match: re.Match[str]) -> bool:
    """Whether the line of a link has a | outside links."""
    start, end = body.rfind("\n", 0, match.start()) + 1, body.find("\n", match.end())
    line = body[start : end if end >= 0 else len(body)]
    return "|" in _WIKILINK.sub("", line)
