"""The JSON export of Roam Research: a list of pages, each with nested blocks.

    [{"title": "Batching", "children": [{"string": "Half price, see [[Cache]]", "uid": "a1", "children": [...]}]}]

A page becomes a note with a list. `((uid))` becomes the text of that block, with a link to its page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from graph.ids import distinct, slug
from ingest.formats.converted_notes import converted_note, load, objects, unreadable, words
from ingest.formats.format_protocol import Format, marks
from ingest.text.decoding import DecodedText, Parsed

_REFERENCE = re.compile(r"(?:\{\{(?:\[\[)?embed(?:\]\])?:\s{0,5})?\(\((?P<uid>[\w-]{1,40})\)\)(?:\s{0,5}\}\})?")
_ALIAS = re.compile(r"\[(?P<words>[^\[\]\n]{1,300})\]\(\[\[(?P<page>[^\[\]\n]{1,200})\]\]\)")
_TAG = re.compile(r"#\[\[(?P<tag>[^\[\]\n]{1,100})\]\]")
_TASK = re.compile(r"\A\{\{(?:\[\[)?(?P<state>TODO|DONE)(?:\]\])?\}\}\s{0,5}")
_COMPONENT = re.compile(r"\{\{\[\[(?P<name>[^\[\]\n]{1,40})\]\](?=\s{0,5}[:}])")
_ITALIC = re.compile(r"(?<!\w)__(?=\S)([^_\n]{1,500})(?<=\S)__(?!\w)")
_MARKED = re.compile(r"\^\^(?=\S)([^^\n]{1,500})\^\^")
_DEEPEST = 100
_Block = tuple[int, dict[str, object]]  # the depth of a block, and the block
_Known = dict[str, tuple[str, str]]  # the blocks of an export by uid: text, and title of the page


def parse(text: DecodedText) -> Parsed:
    """A note for each page that has a title."""
    pages, failed = load(text, "roam")
    if failed:
        return failed
    titled = [page for page in objects(pages) if words(page.get("title")).strip()]
    if not titled:
        return unreadable(text, "roam", "an export without pages")
    blocks = [list(_blocks(page)) for page in titled]
    titles = [words(page.get("title")) for page in titled]
    known = {
        words(block.get("uid")): (words(block.get("string")), title)
        for title, listed in zip(titles, blocks, strict=True)
        for _, block in listed
    }
    lost = set[str]()
    salts = (words(page.get("uid")) or str(page.get("create-time")) for page in titled)
    names = distinct(zip(map(slug, titles), salts, strict=True))
    notes = []
    for title, listed, name in zip(titles, blocks, names, strict=True):
        lines = (line for depth, block in listed for line in _lines(depth, block, title, known, lost))
        notes.append(converted_note(text, title, "\n".join(lines), name=name))
    problems = [problem for _, found in notes for problem in found]
    problems += [text.problem(None, "roam-block", f"(({uid})) names no block of this export") for uid in sorted(lost)]
    return Parsed(text.note_brain, tuple(node for node, _ in notes), problems=tuple(problems))


def _blocks(page: dict[str, object]) -> Iterator[_Block]:
    """The blocks from top to bottom, at most `_DEEPEST` deep."""
    waiting = [(0, block) for block in reversed(objects(page.get("children")))]
    while waiting:
        depth, block = waiting.pop()
        yield depth, block
        waiting += [(min(depth + 1, _DEEPEST), child) for child in reversed(objects(block.get("children")))]


def _lines(depth: int, block: dict[str, object], page: str, known: _Known, lost: set[str]) -> Iterator[str]:
    written = words(block.get("string"))
    task = _TASK.match(written)
    box = {"TODO": "[ ] ", "DONE": "[x] "}[task["state"]] if task else ""
    plain = _markdown(written[task.end() :] if task else written, page, known, lost)
    level = block.get("heading")
    strong = f"**{plain}**" if isinstance(level, int) and level and plain and "\n" not in plain else plain
    first, *rest = strong.split("\n")
    lead = "  " * depth
    yield f"{lead}- {box}{first}"
    yield from (f"{lead}  {line}" for line in rest)


def _markdown(written: str, page: str, known: _Known, lost: set[str]) -> str:
    """A block in Markdown; adds unknown references to `lost`."""

    def quoted(match: re.Match[str]) -> str:
        if match["uid"] not in known:
            lost.add(match["uid"])
            return match[0]
        said, title = known[match["uid"]]
        flat = " ".join(_REFERENCE.sub("…", said).split())
        return flat if title == page else f"{flat} ([[{title}]])"

    text = _REFERENCE.sub(quoted, written)
    text = _COMPONENT.sub(r"{{\g<name>", text)  # `{{[[TODO]]}}` names a part of Roam, no page
    text = _ALIAS.sub(lambda match: f"[[{match['page']}|{match['words']}]]", text)
    text = _TAG.sub(lambda match: f"#{slug(match['tag'])}", text)
    return _MARKED.sub(r"==\1==", _ITALIC.sub(r"*\1*", text))


FORMAT = Format(
    "roam-export",
    "the JSON export of Roam Research: a note for each page, its blocks as a list, `((references))` with their text",
    parse,
    sign=marks((1, r'\A\s{0,100}[\[{](?s:.*?)"string"\s{0,20}:\s{0,20}"')),
)
