"""Ids of publications: addresses of the same one share an id.

    https://arxiv.org/pdf/2203.15556v1.pdf      arxiv:2203.15556        abs, pdf, html, versions
    https://dx.doi.org/10.1000/XYZ              doi:10.1000/xyz         a DOI by any resolver
    http://www.Example.com:80/a/?utm_source=x#b https://example.com/a   everything else, canonical

Parts that may select a different page stay: path case, other query parameters, sub-domains other than `www`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import SplitResult, quote, unquote, urlsplit

_ARXIV_HOST = re.compile(r"(?:^|\.)(?:arxiv\.org|ar5iv\.org|alphaxiv\.org|ar5iv\.labs\.arxiv\.org)$")
_ARXIV_PATH = re.compile(
    r"/(?:abs|pdf|html|format|e-print|src|ps|overview|papers)/(?:arxiv[:.])?"
    r"(\d{4}\.\d{4,5}|[a-z-]+(?:\.[a-z]{2})?/\d{7})(?:v\d+)?(?:\.pdf|\.html)?/?$",
    re.I,
)
_ARXIV_DOI = re.compile(r"^10\.48550/arxiv\.(\d{4}\.\d{4,5}|[a-z-]+(?:\.[a-z]{2})?/\d{7})(?:v\d+)?$", re.I)
_DOI = re.compile(r"^(10\.\d{4,9}(?:\.\d+)*/\S+)$")
_DOI_HOST = re.compile(r"(?:^|\.)(?:doi\.org)$")
_DOI_PATH = re.compile(r"/doi/(?:[A-Za-z]{2,12}/)?(?=10\.\d)")
_TRACKING = re.compile(
    r"utm_\w+|[a-z]{0,3}clid|mc_(?:cid|eid)|_hs\w+|hsctatracking|mkt_tok|igshid|ref_src|ref_url|_ga|_gl|vero_id"
    r"|oly_(?:anon|enc)_id|cmpid|trk|trkcampaign|sr_share|srsltid|guccounter|guce_\w+|s_cid|yclid|wbraid|gbraid",
    re.I,
)
_SPACE = re.compile(r"[\s\x00-\x1f]+")
_ARXIV_BARE = re.compile(r"arxiv:(\d{4}\.\d{4,5}|[a-z-]+(?:\.[a-z]{2})?/\d{7})(?:v\d+)?", re.I)
_DOI_BARE = re.compile(r"doi:\s*(10\.\S+)", re.I)
_DOI_VIEW = re.compile(r"/(?:abstract|epdf|full|fulltext|pdf|references)$")
_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*://")
_HOST = re.compile(r"[\w-]+(?:\.[\w-]+)+(?:[/:?#]|$)")
_WWW = re.compile(r"^(?:www\.)+(?=.)")
_CODE = re.compile(r"%([0-9a-fA-F]{2})")
_PORTS = {"http": 80, "https": 443}
_SAFE = "/:@!$&'()*+,;=~-._%?"


@lru_cache(maxsize=1 << 14)
def publication_id(url: str) -> str:
    """The id of the publication at an address; other text stripped."""
    text = _SPACE.sub("", url).strip("<>\"'“”")
    try:
        parts = urlsplit(_with_scheme(text))
        return _arxiv(text, parts) or _doi(text, parts) or _canonical(text, parts)
    except ValueError:
        return text


def _arxiv(text: str, parts: SplitResult) -> str | None:
    """`arxiv:` and its number, without the version."""
    bare = _ARXIV_BARE.fullmatch(text)
    if bare:
        return f"arxiv:{bare[1].lower()}"
    if not _ARXIV_HOST.search(parts.hostname or ""):
        return None
    match = _ARXIV_PATH.search(parts.path)
    return f"arxiv:{match[1].lower()}" if match else None


def _doi(text: str, parts: SplitResult) -> str | None:
    """`doi:` in lower case; of arXiv, its own id."""
    bare = _DOI_BARE.fullmatch(text)
    found = bare[1] if bare else _doi_of_address(parts)
    if found is None or not _DOI.match(found):
        return None
    own = _ARXIV_DOI.match(found)
    return f"arxiv:{own[1].lower()}" if own else f"doi:{found.lower()}"


def _doi_of_address(parts: SplitResult) -> str | None:
    path = unquote(parts.path)
    if _DOI_HOST.search(parts.hostname or ""):
        return path.strip("/")
    match = _DOI_PATH.search(path)
    found = path[match.end() :].strip("/") if match else None
    return _DOI_VIEW.sub("", found) if found else None


def _with_scheme(text: str) -> str:
    if text.startswith("//"):
        return f"https:{text}"
    if _SCHEME.match(text):
        return text
    return f"https://{text}" if _HOST.match(text) else text


def _canonical(text: str, parts: SplitResult) -> str:
    """An https address without `www.`, default port, tracking and closing slash. Raises ValueError for a bad port."""
    if parts.scheme.lower() not in _PORTS or not parts.hostname:
        return text
    host = _WWW.sub("", parts.hostname.rstrip("."))
    port = "" if parts.port in {None, _PORTS[parts.scheme.lower()]} else f":{parts.port}"
    path = _folder(_spelt(parts.path))
    fields = (pair for pair in parts.query.split("&") if pair and not _TRACKING.fullmatch(pair.partition("=")[0]))
    query = "&".join(fields)
    fragment = f"#{parts.fragment}" if parts.fragment.startswith("!") else ""
    return f"https://{host}{port}{path}" + (f"?{_spelt(query)}" if query else "") + fragment


def _folder(path: str) -> str:
    """A path without closing slashes and index page."""
    path = path.rstrip("/")
    while path.endswith(("/index.html", "/index.htm")):
        path = path.rpartition("/")[0].rstrip("/")
    return path


def _spelt(text: str) -> str:
    """Text with minimal percent-encoding, in capitals."""
    plain = _CODE.sub(lambda match: _decoded(match[1]), text) if "%" in text else text
    return quote(plain, safe=_SAFE, errors="surrogatepass")


def _decoded(code: str) -> str:
    letter = chr(int(code, 16))
    return letter if letter.isascii() and (letter.isalnum() or letter in "-._~") else f"%{code.upper()}"
