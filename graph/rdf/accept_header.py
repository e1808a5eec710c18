"""The quality of a media type in an Accept header (RFC 9110, section 12.5.1)."""

from __future__ import annotations

import re
from functools import lru_cache

_PARTS = {separator: re.compile(rf'(?:"(?:[^"\\]|\\.)*+"?|[^"{separator}])+') for separator in ",;"}
_QUALITY = re.compile(r"0(?:\.\d{0,3})?|1(?:\.0{0,3})?")


def quality(media: str, accept: str) -> float:
    """The quality (0 to 1) of a media type by the most specific range; an empty header accepts everything.

    A range with a parameter, such as `text/html;level=1`, counts as its type, but less than one without.
    """
    kind = media.partition("/")[0]
    ranks = {"*/*": 0, f"{kind}/*": 1, media: 3}
    found = (-1, 0.0)
    for wanted, extra, weight in _ranges(accept):
        if wanted in ranks:
            found = max(found, (2 if extra and wanted == media else ranks[wanted], weight))
    return found[1]


@lru_cache(maxsize=256)
def _ranges(accept: str) -> tuple[tuple[str, bool, float], ...]:
    """Type, whether it has parameters (except charset), and quality."""
    found = []
    for entry in _split(accept, ","):
        kind, *rest = _split(entry, ";") or [""]
        parameters = {name.strip().lower(): value.strip() for name, _, value in (part.partition("=") for part in rest)}
        weight = parameters.pop("q", "1")
        if parameters.get("charset", "").strip('"').lower() in {"utf-8", "utf8"}:
            parameters.pop("charset")
        found.append((kind.lower(), bool(parameters), float(weight) if _QUALITY.fullmatch(weight) else 0.0))
    return tuple(found) or (("*/*", False, 1.0),)


def _split(text: str, separator: str) -> list[str]:
    """Parts between separators outside quotes."""
    return [part.strip() for part in _PARTS[separator].findall(text) if part.strip()]
