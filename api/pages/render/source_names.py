"""A name for a source: its title, else the words of its address."""

from __future__ import annotations

import re
from urllib.parse import unquote

from graph.models.node_models import Source

_EXTENSION = re.compile(r"\.(?:html?|php|aspx?|pdf|md)$", re.IGNORECASE)
_BETWEEN = re.compile(r"[-_+\s]+")
_CODE = re.compile(r"(?=.*\d)[0-9a-f]{8,}")
_ACRONYMS = frozenset(
    {"ai", "api", "aws", "cpu", "gpt", "gpu", "hbm", "llm", "moe", "pue", "rag", "rlhf", "roi", "sla", "tco", "tpu"}
)
_SCHEMES = {"arxiv": "arXiv", "doi": "DOI"}
_LONGEST = 90
_FEWEST = 3
"""A name from an address has at least so many words: `pricing` alone names nothing."""


def source_name(source: Source) -> str:
    """The title of a source; without one the words of its address: `/blog/what-is-pue` → `What is PUE`; else its id."""
    if source.title:
        return source.title
    segments = [part for part in source.url.partition("//")[2].partition("?")[0].split("/")[1:] if part]
    last = _EXTENSION.sub("", unquote(segments[-1])) if segments else ""
    words = [word for word in _BETWEEN.split(last) if word and not _CODE.fullmatch(word)]
    if len(words) < _FEWEST or sum(word.isdigit() for word in words) * 2 > len(words):
        return _short(source)
    named = " ".join(word.upper() if word.casefold() in _ACRONYMS else word for word in words)
    return _cut(named[:1].upper() + named[1:])


def _short(source: Source) -> str:
    """What identifies a source that has no words: `arXiv 2308.04623`, `host/path`."""
    scheme, colon, rest = source.id.partition(":")
    if colon and not rest.startswith("/"):
        return f"{_SCHEMES.get(scheme, scheme)} {rest}"
    return _cut(rest.strip("/").removeprefix("www.") or source.id)


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1].rstrip()}…"
