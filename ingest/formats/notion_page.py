"""A page of a Notion export: a Markdown note whose file name, and those in its links, end with a number of 32 digits.

    Batching 0123456789abcdef0123456789abcdef.md        Batching
    [Cache](Folder%200123…/Cache%20fedc….md)            [[Cache]], with the words of the link

The lines `Name: value` under its title are the properties of the page; `Tags` are tags.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from urllib.parse import unquote

from graph.ids import slug
from ingest.formats import markdown_note
from ingest.formats.format_protocol import Format, marks
from ingest.terms.tag_parsing import normal
from ingest.text.decoding import DecodedText, Parsed

_NUMBER = re.compile(r"(?<![ _-])[ _-]++[0-9a-f]{32}(?P<all>_all)?\Z")
_LINK = re.compile(
    r"(?<!!)\[(?P<words>[^\[\]\n]{0,300})\]\((?P<target>[^()\s]{0,500}[0-9a-f]{32}(?:_all)?\.(?:md|csv))\)"
)
_PROPERTY = re.compile(r"(?P<name>[A-Z][\w /-]{0,40}): (?P<value>\S.*)")


def titled(stem: str) -> str:
    """A name without its number: `Tasks 0123…_all` is `Tasks (all)`."""
    found = _NUMBER.search(stem)
    if found is None or not stem[: found.start()].strip():
        return stem
    return stem[: found.start()].strip() + (" (all)" if found["all"] else "")


def parse(text: DecodedText) -> Parsed:
    """The page as a note, its name and links without numbers."""
    content = _LINK.sub(_wikilink, text.content)
    path = PurePosixPath(text.name.replace("\\", "/"))
    plain = text._replace(name=f"{titled(text.stem)}{path.suffix}", content=content, lines=tuple(content.split("\n")))
    parsed = markdown_note.parse(plain)
    nodes = []
    for node in parsed.nodes:
        name, tags = f"{node.brain}/{slug(titled(text.stem))}", tuple(dict.fromkeys((*node.tags, *_tags(text))))
        nodes.append(node.model_copy(update={"id": name, "provenance": text.provenance(), "tags": tags}))
    problems = tuple(problem.model_copy(update={"document": text.name}) for problem in parsed.problems)
    return parsed._replace(nodes=tuple(nodes), problems=problems)


def _wikilink(match: re.Match[str]) -> str:
    target = titled(PurePosixPath(unquote(match["target"])).stem)
    if re.search(r"[\[\]|#^\\\n]", target):
        return match[0]
    return f"[[{target}]]" if match["words"] in {"", target} else f"[[{target}|{match['words']}]]"


def _tags(text: DecodedText) -> Iterator[str]:
    lines = [line.strip() for line in text.lines]
    start = next((index + 1 for index, line in enumerate(lines) if line.startswith("# ")), 0)
    while start < len(lines) and not lines[start]:
        start += 1
    for line in lines[start:]:
        found = _PROPERTY.fullmatch(line[:500])
        if found is None:
            return
        if found["name"].casefold() in {"tags", "tag"}:
            yield from (tag for word in found["value"].split(",") if (tag := normal(word.strip())))


FORMAT = Format(
    "notion-page",
    "a page of a Notion export: a Markdown note; the numbers in its file name and links are left out",
    parse,
    sign=marks((1, r"\]\([^()\s]{0,500}%20[0-9a-f]{32}(?:_all)?\.(?:md|csv)\)")),
    named=re.compile(r"[ _-][0-9a-f]{32}\.md\Z"),
    one_note=True,
)
