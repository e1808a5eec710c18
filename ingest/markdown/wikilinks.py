"""Markup inside the text of a Markdown note: wikilinks, tags, and footnotes with an address.

[[slug]]   [[slug|words]]   [[Title#heading]]   ![[embedded]]   [words](folder/note.md)   [words]: folder/note.md
#tag   [^1]: Author, title. https://…
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import NamedTuple
from urllib.parse import unquote

from graph.models.node_models import Citation, Source
from graph.text.code_blocks import verbatim_masked
from ingest.brain_page.page_entry import sources_in
from ingest.terms.tag_parsing import normal
from ingest.text.name_checks import EMBEDDED
from ingest.text.prose_masks import addresses_masked, sentence_at, sentence_borders

_LINK = re.compile(
    r"!?\[\[(?P<target>[^\[\]|#^\n\\]{0,200})(?P<place>[#^][^\[\]|\n\\]{0,200})?(?:\\?\|[^\[\]\n]{0,300})?\]\]"
)
_PATH_SIGN = r"[^()<>\n#]|\([^()<>\n#]{0,80}\)"
_FILE_PATH = (
    rf"<?(?P<target>(?![a-zA-Z][a-zA-Z0-9+.-]{{1,14}}:|[/#])(?:{_PATH_SIGN}){{1,200}}?\.md)"
    r"(?P<place>#[^()<>\n]{0,200})?>?"
)
_TITLE = r"(?:[ \t]{1,9}(?:\"[^\"\n]{0,300}\"|'[^'\n]{0,300}'))?"
_PATH = re.compile(rf"!?\[[^\[\]\n]{{0,300}}\]\({_FILE_PATH}{_TITLE}\)")
_DEFINED = re.compile(rf"^[ ]{{0,3}}\[(?!\^)[^\[\]\n]{{1,200}}\]:[ \t]{{0,9}}{_FILE_PATH}{_TITLE}[ \t]*$", re.M)
_PICTURE = "\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff"
_VOWEL_SIGNS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0900-\u0963\u0981-\u0df3"
    "\u0e31-\u0e4e\u0eb1-\u0ecd\u0f18-\u0fbc\u102b-\u109d\u17b4-\u17d3\u3099\u309a"
)
"""Marks of the letter before them, which `\\w` leaves out."""
_TAG = re.compile(
    rf"(?<![\w&/#\[(`=.:\\-])#(?P<tag>(?=[\d/-]*(?:[^\W\d_]|[{_PICTURE}]))"  # a number alone is none: #12
    rf"(?:[^\W_]|[{_PICTURE}])[\w/{_PICTURE}{_VOWEL_SIGNS}\ufe0f\u200d-]{{0,60}})(?![\w#])"
)
_COLOUR = re.compile(r"(?=[a-f]*\d)(?:[0-9a-f]{6}|[0-9a-f]{8})")
_FOOTNOTE = re.compile(r"^\[\^(?P<key>[^\]\n]{1,40})\]:[ \t]*(?P<text>[^\n]+(?:\n(?:[ \t]{2,})[^\n]+)*)", re.M)
_NEVER_NOTES = (*EMBEDDED, ".zip", ".base")
_OFTEN_NOTES = (".canvas", ".excalidraw", ".csv")
_NO_NOTE, ATTACHMENT = (
    re.compile(rf"(?:{'|'.join(map(re.escape, ends))})$", re.I) for ends in (_NEVER_NOTES, _NEVER_NOTES + _OFTEN_NOTES)
)
"""The end of a link to a file that is no note; the same with drawings, canvases and tables, which may be notes."""


class Link(NamedTuple):
    """A link: its target as written, and its sentence."""

    target: str
    context: str


def links_in(body: str) -> Iterator[Link]:
    """The links to other notes in order, outside code and mathematics."""
    spans = linked_spans(body)
    borders = sentence_borders(body) if spans else []
    for match in spans:
        written = body[match.start("target") : match.end("target")]
        target = (written if match.re is _LINK else unquote(written)).strip()
        if target and not _NO_NOTE.search(target):
            yield Link(target.removesuffix(".md"), sentence_at(body, borders, match.start()))


def linked_spans(body: str) -> list[re.Match[str]]:
    """All links outside code and mathematics, with groups `target` and `place`."""
    if "[[" not in body and ".md" not in body:
        return []
    prose = verbatim_masked(body)
    paths = (*_PATH.finditer(prose), *_DEFINED.finditer(prose)) if ".md" in body else ()
    return sorted((*_LINK.finditer(prose), *paths), key=lambda each: each.start())


def tags_in(body: str) -> Iterator[str]:
    """The tags in a text, outside code, mathematics, addresses and links."""
    if "#" in body:
        text = unicodedata.normalize("NFC", body)  # in a decomposed text a tag would end at its first accent
        for match in _TAG.finditer(_LINK.sub(" ", addresses_masked(verbatim_masked(text)))):
            tag = normal(match["tag"])
            if tag and not _COLOUR.fullmatch(tag):
                yield tag


def footnotes_in(body: str) -> Iterator[Source]:
    """The sources in footnotes."""
    if "[^" in body:
        for match in _FOOTNOTE.finditer(body):
            yield from sources_in(" ".join(match["text"].split()))


def link_citations(body: str, typed: Iterable[tuple[str, str]] = ()) -> tuple[Citation, ...]:
    """An unresolved citation for each target, those of typed links (target, CiTO name) first."""
    found: dict[str, Citation] = {}
    for target, cito in typed:
        known = found.setdefault(target.casefold(), Citation(marker=f"[[{target}]]", cito=cito or "cites"))
        if known.cito == "cites" and cito:
            found[target.casefold()] = known.model_copy(update={"cito": cito})
    for link in links_in(body):
        key = link.target.casefold()
        known = found.get(key) or Citation(marker=f"[[{link.target}]]")
        found[key] = known if known.context else known.model_copy(update={"context": link.context})
    return tuple(found.values())
