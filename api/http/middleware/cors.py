"""CORS: which pages of other sites may read from a browser (https://fetch.spec.whatwg.org/#http-cors-protocol)."""

from __future__ import annotations

from api.http.middleware.answer_cache import Headers

EXPOSED = b"ETag, Link, Content-Location, Memento-Datetime, X-Request-Id, X-Total, X-Rows, X-Remark, Retry-After"
READING = [
    (b"access-control-allow-methods", b"GET, HEAD, POST"),
    (b"access-control-allow-headers", b"Accept-Datetime, Content-Type, If-None-Match, X-Request-Id"),
    (b"access-control-max-age", b"86400"),
]


class CorsPolicy:
    """The origins of a setting: separated by commas, `*` for all, none where it is empty."""

    def __init__(self, setting: str) -> None:
        self._allowed = {part.strip().rstrip("/").encode() for part in setting.split(",") if part.strip()}

    def allows(self, origin: bytes | None) -> bool:
        """Whether pages of this origin may send requests."""
        return b"*" in self._allowed or origin in self._allowed

    def headers(self, origin: bytes | None) -> Headers:
        """What an answer says to a page of this origin."""
        if not self._allowed:
            return []
        if b"*" in self._allowed:
            return [(b"access-control-allow-origin", b"*"), (b"access-control-expose-headers", EXPOSED)]
        varies = [(b"vary", b"Origin")]
        if origin is None or origin not in self._allowed:
            return varies
        return [*varies, (b"access-control-allow-origin", origin), (b"access-control-expose-headers", EXPOSED)]

    def preflight(self, origin: bytes | None) -> Headers:
        """What is said before a page of this origin asks; without a token nothing can be written from there."""
        return list(READING) if self.allows(origin) else []
