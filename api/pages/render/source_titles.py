"""What kind of source an address is, and a title for one that has none: read from the address alone."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from graph.models.node_models import Source


class SourceKind(NamedTuple):
    """A kind of source: its name in addresses, its title, and what the work id or the address of one contains."""

    name: str
    title: str
    pattern: re.Pattern[str]


def _hosts(*names: str) -> str:
    return r"//(?:[\w-]+\.)*(?:" + "|".join(re.escape(name) for name in names) + r")(?:[/:]|$)"


_TABLE = (
    ("paper", "paper", r"^arxiv:|^doi:|//(?:papers|proceedings)\.|\.edu/.*\.pdf|" + _hosts(
        "arxiv.org", "doi.org", "sciencedirect.com", "dl.acm.org", "energy.acm.org", "aclanthology.org",
        "openreview.net", "ieeexplore.ieee.org", "researchgate.net", "ncbi.nlm.nih.gov", "frontiersin.org",
        "springer.com", "nature.com",
        "cowles.yale.edu", "elischolar.library.yale.edu", "ssrn.com", "semanticscholar.org")),
    ("video", "video", _hosts("youtube.com", "youtu.be", "vimeo.com")),
    ("reference", "encyclopedia", _hosts("wikipedia.org", "wikidata.org", "britannica.com")),
    ("code", "code", _hosts("github.com", "gitlab.com", "codeberg.org")),
    ("prices", "price list", r"/[\w-]*pricing/?(?:$|[?#])|/prices?/?(?:$|[?#])"),
    ("docs", "documentation", r"//(?:[\w-]+\.)*(?:docs|developer|platform)\.|/docs?/|\.readthedocs\.io"),
    ("official", "public body", r"//[^/]*\.(?:gov|europa\.eu|int)(?:\.\w\w)?(?:/|$)"),
    ("news", "news", _hosts(
        "cnbc.com", "venturebeat.com", "hpcwire.com", "infoq.com", "siliconangle.com", "techtarget.com", "reuters.com",
        "datacenterknowledge.com", "semiengineering.com", "designnews.com", "bloomberg.com", "ft.com", "wsj.com",
        "nytimes.com", "theverge.com", "techcrunch.com", "theregister.com", "natlawreview.com")),
    ("blog", "blog", r"//(?:[\w-]+\.)*blogs?\.|/blogs?/|//newsletter\.|\.github\.io|" + _hosts(
        "medium.com", "substack.com", "dev.to", "linkedin.com", "beehiiv.com", "hashnode.dev", "wordpress.com")),
    ("page", "web page", r""),
)  # fmt: skip  # one list

SOURCE_KINDS = tuple(SourceKind(name, title, re.compile(pattern, re.IGNORECASE)) for name, title, pattern in _TABLE)
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
    """The words in the last part of an address that has some: `GPU cloud pricing 2026`; empty if it has none."""
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


def source_name(source: Source) -> str:
    """The title of a source; without one the words of its address, else its id: `arXiv 2308.04623`, `host/path`."""
    if source.title:
        return source.title
    scheme, colon, rest = source.id.partition(":")
    if colon and not rest.startswith("/"):
        return f"{_SCHEMES.get(scheme, scheme)} {rest}"
    return title_of_address(source.url) or _cut(rest.strip("/").removeprefix("www.") or source.id)


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1].rstrip()}…"
