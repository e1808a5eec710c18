"""The kind of a source, and a title if it has none, from its address."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from graph.models.node_models import Source
from graph.store.source_queries import SourceCount


class SourceKind(NamedTuple):
    """A kind of source: name, title, and patterns of its addresses or work ids."""

    name: str
    title: str
    pattern: re.Pattern[str]


def _source_kinds(text: str) -> Iterator[SourceKind]:
    """Kinds of a file: name and title, then hosts, and patterns after a tilde."""
    for block in text.split("\n\n")[1:]:
        head, *lines = block.splitlines()
        patterns = [line.removeprefix("~").strip() for line in lines if line.startswith("~")]
        hosts = [re.escape(host) for line in lines if not line.startswith("~") for host in line.split()]
        patterns += [rf"//(?:[\w-]+\.)*(?:{'|'.join(hosts)})(?:[/:]|$)"] if hosts else []
        name, _, title = head.partition(", ")
        yield SourceKind(name, title, re.compile("|".join(patterns), re.IGNORECASE))


SOURCE_KINDS = tuple(_source_kinds(Path(__file__).with_name("source_kinds.txt").read_text("utf-8")))
"""The kinds in the order in which they are tried; the last has what no other has."""

_SPELLED = {word.lower(): word for word in (
    "AI", "API", "APIs", "AWS", "CPU", "GPT", "GPU", "GPUs", "HBM", "LLM", "LLMs", "MoE", "PUE", "RAG", "RLHF", "ROI",
    "SLA", "TCO", "TPU", "A100", "H100", "H200", "B200", "MI300X", "NVIDIA", "OpenAI", "vLLM", "LoRA")}  # fmt: skip
"""Words that have capitals in a sentence, and none in an address."""

_SCHEMES = {"arxiv": "arXiv", "doi": "DOI"}
_LONGEST = 90


@lru_cache(maxsize=1 << 15)
def source_kind(source: str, url: str = "") -> SourceKind:
    """The kind of a work, by its id and its address."""
    found = (kind for kind in SOURCE_KINDS if kind.pattern.search(source) or (url and kind.pattern.search(url)))
    return next(found, SOURCE_KINDS[-1])


@lru_cache(maxsize=1 << 15)
def title_of_address(url: str) -> str:
    """The words in the last part of an address: `GPU cloud pricing 2026`; may be empty."""
    try:
        path = unquote(urlsplit(url).path)
    except ValueError:
        return ""
    parts = (re.sub(r"\.(?:html?|pdf|aspx?|php|md)$", "", part, flags=re.IGNORECASE) for part in path.split("/"))
    for part in reversed(list(parts)):
        words = re.sub(r"-?\b[0-9a-f]{8,}$", "", re.sub(r"[-_+\s]+", " ", part).strip()).strip()
        if len(re.findall(r"[^\W\d_]{2,}", words)) > 1:
            spelled = " ".join(_SPELLED.get(word.lower(), word) for word in words.split())
            return _cut(spelled[:1].upper() + spelled[1:])
    return ""


def source_name(source: Source | SourceCount) -> str:
    """The title, else the words of the address, else the id."""
    if source.title:
        return source.title
    scheme, colon, rest = source.id.partition(":")
    if colon and not rest.startswith("/"):
        return f"{_SCHEMES.get(scheme, scheme)} {rest}"
    return title_of_address(source.url) or _cut(rest.strip("/").removeprefix("www.") or source.id)


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1].rstrip()}…"
