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
    "A100", "AI", "AMD", "Anthropic", "API", "APIs", "AWS", "Azure", "B200", "BF16", "ChatGPT", "Claude", "CPU",
    "CoreWeave", "CXL", "DeepSeek", "FP8", "Gemini", "Google", "GPT", "GPU", "GPUs", "H100", "H200", "HBM", "HBM3e",
    "HBM4", "HPC", "KV", "Llama", "LLM", "LLMOps", "LLMs", "LoRA", "MI250X", "MI300X", "MI350X", "Microsoft", "MoE",
    "NLP", "NVIDIA", "OpenAI", "PagedAttention", "PPO", "PUE", "RAG", "RAM", "RLHF", "ROI", "RouteLLM", "SGLang",
    "SLA", "SLAs", "TCO", "TDP", "TensorRT", "TPU", "Triton", "vLLM")}  # fmt: skip
"""Words that have capitals in a sentence, and none in an address."""

_NUMBERS = tuple((re.compile(pattern, re.IGNORECASE), by) for pattern, by in (
    (r"^20\d\d [01]\d( [0-3]\d)? ", ""),  # the day of a post
    (r"\bgpt ?(?=\d)", "GPT-"),
    (r"\b(gpt-|(?:claude|gemini|gemma|llama|qwen) )(\d) (\d)\b", r"\1\2.\3"),
    (r"\b(0|99) (\d+)\b", r"\1.\2"),
    (r"\b99(9+) (?=uptime|availability)", r"99.\1 "),
    (r"\bPUE 1(\d\d)\b", r"PUE 1.\1"),
))  # fmt: skip
"""Numbers and names as they were before an address took their dots and hyphens."""

_SCHEMES = {"arxiv": "arXiv", "doi": "DOI"}
_LONGEST = 90


@lru_cache(maxsize=1 << 15)
def source_kind(source: str, url: str = "") -> SourceKind:
    """The kind of a work, by its id and its address."""
    found = (kind for kind in SOURCE_KINDS if kind.pattern.search(source) or (url and kind.pattern.search(url)))
    return next(found, SOURCE_KINDS[-1])


@lru_cache(maxsize=1 << 15)
def title_of_address(url: str) -> str:
    """The words of the last part of an address: `GPU cloud pricing 2026`; empty if few or unclear."""
    try:
        path = unquote(urlsplit(url).path)
    except ValueError:
        return ""
    last = re.sub(r"\.(?:html?|pdf|aspx?|php|md)$", "", path.strip("/").rpartition("/")[2], flags=re.IGNORECASE)
    words = re.sub(r"(?:-?\b[0-9a-f]{8,}|\.\d{4,})$", "", re.sub(r"[-_+\s]+", " ", last).strip()).strip()
    for pattern, by in _NUMBERS:
        words = pattern.sub(by, words)
    if len(re.findall(r"[^\W\d_]{2,}", words)) < 2 or re.search(r"\d \d", words):
        return ""
    first, *rest = (_SPELLED.get(word.lower(), word) for word in words.split())
    return _cut(" ".join([first if first.lower() in _SPELLED else first[:1].upper() + first[1:], *rest]))


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
