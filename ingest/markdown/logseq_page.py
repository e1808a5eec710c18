"""A page or journal of a Logseq graph, read as a Markdown note with Obsidian's constructs.

    alias:: rent, hire             properties of the page: fields, as in front matter
    - TODO Ask the vendor          - [ ] Ask the vendor
      id:: 63a1-…                  the name of the block: ^63a1-…
      collapsed:: true             a setting, left out
    - ((63a1-…)) #[[two words]]    a link to the block's page; #two-words

Every change keeps the number of lines; a line that is left out becomes `DROPPED`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import takewhile
from pathlib import PurePosixPath
from typing import NamedTuple

from graph.models.document_models import Skip
from graph.text.code_blocks import code_lines, verbatim_masked
from graph.yaml.reader import Listing, Mapping, Tree, Word
from ingest.markdown.head_date import written_day
from ingest.terms.tag_parsing import normal
from ingest.text.decoding import DecodedText

SETTING = "a setting of Logseq"

DROPPED = "\x00"  # a line that is not part of the text of the note

_FOLDERS = frozenset({"pages", "journals"})
_JOURNAL = re.compile(r"\d{4}_\d\d_\d\d")
_PROPERTY = re.compile(
    r"(?P<indent>[ \t]*)(?P<first>- )?(?P<name>[^\W\d_][\w.-]{0,60})::(?:[ \t]+(?P<value>\S.*))?[ \t]*"
)
_SETTINGS = re.compile(r"(?:collapsed|heading|background-color|icon|filters|created-at|updated-at|logseq\..+|query-.+)")
_BULLET = re.compile(r"[ \t]*[-*](?:[ \t]|$)")
_TASK = re.compile(r"(?P<bullet>[ \t]*- (?:#{1,6} )?)(?P<state>TODO|DONE|LATER|NOW|DOING|WAITING|CANCELED|CANCELLED) ")
_BOXES = {"TODO": "[ ] ", "DONE": "[x] ", "CANCELED": "[-] ", "CANCELLED": "[-] "}
_LISTS = frozenset({"tags", "alias", "aliases", "tag"})
_ITEM = re.compile(r"#?\[\[([^\[\]\n]{1,300})\]\]|#([\w/-]{1,100})|([^,，#\n]{1,300})")
_ID = r"[0-9A-Za-z](?=[\w-]{0,40}\d|[\w-]{30})[0-9A-Za-z-]{3,39}"
_MARK = re.compile(
    rf"\{{\{{\s?embed\s{{1,5}}(?:\(\((?P<shown>{_ID})\)\)|\[\[(?P<page>[^\[\]\n]{{1,300}})\]\])\s{{0,5}}\}}\}}"
    r"|(?P<query>\{\{query\b[^{}\n`]{0,2000}\}\})"
    rf"|\[(?P<words>[^\[\]\n]{{1,300}})\]\((?:\(\((?P<named>{_ID})\)\)|\[\[(?P<to>[^\[\]\n]{{1,300}})\]\])\)"
    rf"|\(\((?P<block>{_ID})\)\)"
    r"|#\[\[(?P<tag>[^\[\]\n]{1,100})\]\]"
    r"|\^\^(?=\S)(?P<lit>[^^\n]{1,500})(?<=\S)\^\^"
)
_PLAIN = re.compile(r"[\[\]|#^`*]")
_LONGEST = 80


class LogseqPage(NamedTuple):
    """A page as a note; the properties are fields, `day` is that of a journal."""

    text: DecodedText
    fields: Mapping
    skips: tuple[Skip, ...]
    day: date | None


def logseq_page(text: DecodedText, start: int) -> LogseqPage | None:
    """The page from line index `start` on; None if it is not Logseq's."""
    path = PurePosixPath(text.name)
    day = written_day(path.stem.replace("_", "-")) if _JOURNAL.fullmatch(path.stem) else None
    lines = list(text.lines)
    outline, properties = _shape(lines[start:])
    in_graph = path.parent.name in _FOLDERS or text.stem != path.stem
    if not (day or (outline and (in_graph or properties))):
        return None
    code = [*[False] * start, *code_lines(lines[start:])]
    fields, skips = Mapping(), list[int]()
    for index in _head(lines, start):
        _add_field(fields, lines[index], index + 1)
        lines[index] = DROPPED
    known = set(_name_blocks(lines, start, code, skips))
    for index in range(start, len(lines)):
        if not code[index] and (task := _TASK.match(lines[index])):
            box = _BOXES.get(task["state"], f"[ ] {task['state']} ")
            lines[index] = f"{task['bullet']}{box}{lines[index][task.end() :]}"
    body = _as_markdown("\n".join(lines[start:]), known)
    plain = (*lines[:start], *body.split("\n"))
    left = tuple(text.skip(number, number, SETTING) for number in skips)
    return LogseqPage(text._replace(lines=plain, content="\n".join(plain)), fields, left, day)


def _shape(lines: Sequence[str]) -> tuple[bool, bool]:
    """Whether a text is an outline, and whether it has properties."""
    at_margin = [line for line in lines if line.strip() and not line[0].isspace()]
    outline = all(_BULLET.match(line) or _PROPERTY.fullmatch(line) for line in at_margin)
    return outline and bool(at_margin), any("::" in line and _PROPERTY.fullmatch(line) for line in lines)


def _head(lines: Sequence[str], start: int) -> list[int]:
    """The indexes of properties of the page, not of a block."""
    first = next((index for index in range(start, len(lines)) if lines[index].strip()), len(lines))
    in_bullet = first < len(lines) and lines[first].startswith("- ")
    block = list(takewhile(lambda index: _is_head(lines[index], in_bullet, index == first), range(first, len(lines))))
    after = lines[block[-1] + 1] if block and block[-1] + 1 < len(lines) else ""
    more = in_bullet and after[:1].isspace() and after.strip() and not _BULLET.match(after)
    return [] if more else block


def _is_head(line: str, in_bullet: bool, is_first: bool) -> bool:
    found = _PROPERTY.fullmatch(line)
    if found is None:
        return False
    return (bool(found["first"]), bool(found["indent"])) == (in_bullet and is_first, in_bullet and not is_first)


def _add_field(fields: Mapping, line: str, number: int) -> None:
    found = _PROPERTY.fullmatch(line)
    if found and found["value"] and not _SETTINGS.fullmatch(found["name"].lower()) and found["name"] != "id":
        name, value = found["name"].lower(), found["value"].strip()
        fields[Word(name, number, found.start("name") + 1)] = _value(name, value, number, found.start("value") + 1)


def _value(name: str, value: str, number: int, column: int) -> Tree:
    if name not in _LISTS:
        return Word(value, number, column)
    items = Listing(number, column)
    for found in _ITEM.finditer(value):
        if item := (found[1] or found[2] or found[3] or "").strip():
            items.append(Word(item, number, column + found.start()))
    return items


def _name_blocks(lines: list[str], start: int, code: Sequence[bool], skips: list[int]) -> Iterator[str]:
    """Replaces properties of blocks; yields the ids."""
    bullet, drawer = -1, False
    for index in range(start, len(lines)):
        line = lines[index]
        drawer = drawer or line.strip() == ":LOGBOOK:"
        found = None if code[index] or drawer else _PROPERTY.fullmatch(line)
        if _BULLET.match(line) and not (code[index] and code[index - 1]):
            bullet = index  # also one that begins code
        own = found and (found["indent"] or found["first"])
        if drawer and not code[index]:
            lines[index], drawer = DROPPED, line.strip() != ":END:"
            skips.append(index + 1)
        elif found and own and found["value"] and found["name"] == "id" and bullet >= start:
            yield found["value"].strip()
            _name(lines, index, bullet, found["value"].strip())
        elif found and own and _SETTINGS.fullmatch(found["name"].lower()):
            lines[index] = f"{found['indent']}-" if found["first"] else DROPPED
            skips.append(index + 1)


def _name(lines: list[str], index: int, bullet: int, name: str) -> None:
    """Writes a block's name after its first line, before code on its own."""
    if index == bullet:
        below = next((at for at in range(index + 1, len(lines)) if not _PROPERTY.fullmatch(lines[at])), index)
        text, indent = lines[below].strip(), lines[index].partition("-")[0]
        if below > index and text[:3] not in {"", "```", "~~~"} and not _BULLET.match(lines[below]):
            lines[index], lines[below] = f"{indent}- {text} ^{name}", DROPPED
        else:
            lines[index] = f"{indent}- ^{name}"
    elif "```" in lines[bullet] or "~~~" in lines[bullet]:
        lines[index] = f"{lines[index][: len(lines[index]) - len(lines[index].lstrip())]}^{name}"
    else:
        lines[bullet], lines[index] = f"{lines[bullet].rstrip()} ^{name}", DROPPED


def _as_markdown(body: str, known: set[str]) -> str:
    said = _texts(body) if known else {}
    pieces, last = list[str](), 0
    masked = verbatim_masked(body.replace(DROPPED, " "))
    for found in _MARK.finditer(masked):
        words = body[slice(*found.span("words"))] if found["words"] else ""
        block = found["block"] or found["named"] or found["shown"]
        if block:
            new = _to_block(block, words or said.get(block, ""), known)
        elif found["page"] or found["to"]:
            new = f"[[{found['to']}|{words}]]" if words else f"![[{found['page']}]]"
        elif found["tag"]:
            new = f"#{normal(found['tag'])}"
        else:
            new = f"`{found['query']}`" if found["query"] else f"=={found['lit']}=="
        pieces += (body[last : found.start()], new)
        last = found.end()
    return "".join((*pieces, body[last:]))


def _to_block(block: str, words: str, known: set[str]) -> str:
    target = f"#^{block}" if block in known else f"(({block}))#^{block}"
    return f"[[{target}|{words}]]" if words else f"[[{target}]]"


def _texts(body: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in body.split("\n"):
        text, mark, name = line.rstrip().rpartition(" ^")
        if mark:
            words = " ".join(_PLAIN.sub(" ", text.strip().removeprefix("- ")).split())
            found[name] = words if len(words) <= _LONGEST else f"{words[:_LONGEST].rstrip()}…"
    return found
