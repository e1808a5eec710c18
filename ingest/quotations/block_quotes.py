"""Quotations of a note: its block quotes, each with the source that it names.

    > The discount is half the list price.
    > — [Batch guide](https://example.org/batch)

The last line, after a dash, or the line after the quotation names the source: by a link, a footnote, or the title or
host of a source. Without either, the sources of the front matter are candidates. Of callouts, only the kinds `quote`
and `cite` are quotations.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from graph.models.node_models import Certainty, Quotation, Source
from graph.text.code_blocks import fenced
from ingest.quotations.publication_ids import publication_id

_QUOTED = re.compile(r" {0,3}>[ \t]?(?P<text>.*)")
_CALLOUT = re.compile(r"\[!(?P<kind>[\w-]++)[^\]\n]*\]")
_SIGNED = re.compile(r"\s*(?:—|–|―|--)\s*(?P<who>\S.*)")
_ADDRESS = re.compile(r"https?://[^\s<>\]\"]+")
_FOOTNOTE = re.compile(r"\[\^(?P<key>[^\]\n]{1,40})\]")
_NOTED = re.compile(r"^\[\^(?P<key>[^\]\n]{1,40})\]:[ \t]*(?P<text>[^\n]+)", re.MULTILINE)
_LINK = r"\[[^\[\]\n]*\]\([^()\s]+(?:\([^()\s]*\)[^()\s]*)*\)"
_ONLY_LINK = re.compile(
    rf"[ \t]*(?:(?:source|from|via)\s*+(?::\s*+)?)?[(\[<]*(?:{_LINK}|https?://\S++|\[\^[^\[\]\n]+\])[)\]>.]*+\s*", re.I
)
_MARK = re.compile(r"(?:[-*+]|\d{1,9}[.)]|#{1,6})[ \t]+")


class _Block(NamedTuple):
    """A block quote: offset and text of each line after its `>`, and the next line."""

    lines: tuple[tuple[int, str], ...]
    after: str


def block_quotes(body: str, sources: Sequence[Source], listed: Sequence[Source]) -> tuple[Quotation, ...]:
    """The quotations of a text from `sources`; `listed` are those of the front matter."""
    if not sources or ">" not in body:
        return ()
    notes = {found["key"]: found["text"] for found in _NOTED.finditer(body)}
    evidence, made = _Evidence(notes, sources, listed), list[Quotation]()
    for block in _blocks(body):
        if quotation := _quotation(body, block, evidence, len(made)):
            made.append(quotation)
    return tuple(made)


def _blocks(body: str) -> Iterator[_Block]:
    run: list[tuple[int, str]] = []
    at = 0
    lines = body.split("\n")
    code = fenced(lines)
    for index, line in enumerate([*lines, ""]):
        quoted = None if index < len(lines) and code[index] else _QUOTED.fullmatch(line)
        if quoted:
            run.append((at + quoted.start("text"), quoted["text"]))
        elif run:
            following = next((one for one in lines[index : index + 2] if one.strip()), "")
            yield from _quoting(run, following)
            run = []
        at += len(line) + 1


def _quoting(run: Sequence[tuple[int, str]], following: str) -> Iterator[_Block]:
    callout = _CALLOUT.match(run[0][1])
    if callout and callout["kind"].lower() not in {"quote", "cite"}:
        return
    lines = tuple(run[1:] if callout else run)
    if any(text.strip() for _, text in lines) and not any(text.lstrip().startswith("|") for _, text in lines):
        yield _Block(lines, following)


class _Evidence(NamedTuple):
    """Evidence for a source: footnotes by key, all sources, those of the front matter."""

    notes: dict[str, str]
    sources: Sequence[Source]
    listed: Sequence[Source]

    def addressed(self, words: str) -> tuple[Source, ...] | None:
        """The sources named by link or footnote; None without these."""
        told = " ".join((words, *(self.notes.get(one["key"], "") for one in _FOOTNOTE.finditer(words))))
        works = {publication_id(one[0].rstrip(").,;:*_")) for one in _ADDRESS.finditer(told)}
        return tuple(one for one in self.sources if one.id in works) if works else None

    def named(self, words: str) -> tuple[Source, ...]:
        """The sources named by title or host."""
        said = words.casefold()
        return tuple(
            one for one in self.sources
            if (one.title and one.title.casefold() in said) or (one.host and one.host in said)
        )  # fmt: skip  # one expression

    def decide(self, signed: str, quote: str, after: str) -> tuple[tuple[Source, ...], Certainty]:
        """The possible sources of a quotation, and how certain they are."""
        following = after if _ONLY_LINK.fullmatch(after) or _SIGNED.fullmatch(after) else ""
        for words in (signed, following, quote):
            found = self.addressed(words)
            if found is not None:
                return found[:1], "exact" if found else "unresolved"
        signature = signed or following
        named = self.named(signature) if signature else tuple(self.listed)
        if len(named) == 1:
            return named, "likely"
        return (named, "ambiguous") if named else ((), "unresolved")


def _quotation(body: str, block: _Block, evidence: _Evidence, span: int) -> Quotation | None:
    lines = [line for line in block.lines if line[1].strip()]
    signature = _SIGNED.fullmatch(lines[-1][1])
    quoted = lines[:-1] if signature else lines
    if not quoted:
        return None
    mark = _MARK.match(quoted[0][1].lstrip())
    begin = quoted[0][0] + len(quoted[0][1]) - len(quoted[0][1].lstrip()) + (mark.end() if mark else 0)
    quote = body[begin : quoted[-1][0] + len(quoted[-1][1].rstrip())]
    found, certainty = evidence.decide(signature["who"] if signature else "", quote, block.after)
    source = found[0] if len(found) == 1 else None
    order = [one.url for one in evidence.sources]
    return Quotation(
        span=span,
        marker=">",
        document=order.index(source.url) + 1 if source else 0,
        quote=quote,
        source=source.url if source else None,
        candidates=tuple(one.url for one in found),
        resolution=certainty,
        confidence={"exact": 1.0, "likely": 0.9}.get(certainty, 1 / len(found) if found else 0.0),
    )
