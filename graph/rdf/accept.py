"""What an Accept header says of a media type (RFC 9110, section 12.5.1)."""

from __future__ import annotations

from collections.abc import Sequence


def quality(media: str, accept: str) -> float:
    """The quality from 0 to 1 that an Accept header gives to a media type: the most specific range decides."""
    found: tuple[int, float] = (-1, 0.0)
    for entry in accept.split(",") if accept.strip() else ("*/*",):
        wanted, *parameters = (part.strip().lower() for part in entry.split(";"))
        ranks = {"*/*": 0, f"{media.partition('/')[0]}/*": 1, media: 2}
        if wanted in ranks:
            found = max(found, (ranks[wanted], _weight(parameters)))
    return found[1]


def _weight(parameters: Sequence[str]) -> float:
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip() == "q":
            try:
                return min(1.0, max(0.0, float(value)))
            except ValueError:
                return 0.0
    return 1.0
