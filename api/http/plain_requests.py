"""Requests in their plainest form and answers as written text: what the most frequent requests need, and no more.

A request is plain if its answer is JSON and its address needs no escapes. A route may have a function for such requests
(`Route.plain`) beside its handler: both give the same answer, and the function leaves to the handler what it does not
know. It neither validates parameters by models nor makes a request or a response of Starlette, which takes longer than
to read a node.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, quote_plus

from graph.store import Revision

PLAIN_PATH = re.compile(r"[A-Za-z0-9/._~-]+")
"""A path without escapes."""
_WORDS = re.compile(r"[A-Za-z0-9._~-]*")
"""What a query has no escapes for."""

_USUAL = re.compile(r"[a-z_]+=(?:[A-Za-z0-9._~+-]|%20)*(?:&[a-z_]+=(?:[A-Za-z0-9._~+-]|%20)*)*")
"""A query of parameters with values, whose only escapes are spaces."""

Headers = list[tuple[bytes, bytes]]


class PlainRequest(NamedTuple):
    """A request for JSON: its path, the parts of that, its parameters, and the address of the service in links.

    `query_string` is the query as it was sent.
    """

    path: str
    parts: Mapping[str, str]
    query: Sequence[tuple[str, str]]
    site: str
    query_string: str

    def address(self) -> str:
        """The address, as links to other pages and forms begin; they add a parameter."""
        if not self.query:
            return f"{self.path}?"
        if _USUAL.fullmatch(self.query_string) is not None:
            return f"{self.path}?{self.query_string.replace('%20', '+')}&"
        return f"{self.path}?{'&'.join(f'{_escaped(name)}={_escaped(value)}' for name, value in self.query)}&"


class PlainAnswer(NamedTuple):
    """An answer as JSON text, and the state of the store that it was read in.

    `cite` is the address under which it should be cited, `next` the cursor of the following page.
    """

    text: str
    revision: Revision
    cite: str | None = None
    next: str | None = None


class WrittenAnswer(NamedTuple):
    """The headers and the body of an answer with status 200, and the state of the store that it was read in."""

    headers: Headers
    body: bytes
    revision: Revision


PlainHandler = Callable[[PlainRequest], PlainAnswer | None]
"""Answers a plain request; None leaves it to the handler of the route."""


def plain_request(scope: MutableMapping[str, Any], parts: Mapping[str, str], site: str) -> PlainRequest | None:
    """The request of a scope; None where its address needs escapes."""
    path = scope["path"]
    if PLAIN_PATH.fullmatch(path) is None:
        return None
    query_string = scope["query_string"].decode("latin-1")
    return PlainRequest(path, parts, _parameters(query_string), site, query_string)


def _parameters(query_string: str) -> list[tuple[str, str]]:
    """The parameters of a query; in the usual form they are read in a third of the time."""
    if _USUAL.fullmatch(query_string) is None:
        return parse_qsl(query_string, keep_blank_values=True)
    pairs = query_string.replace("%20", " ").replace("+", " ").split("&")
    return [(name, value) for name, _, value in [pair.partition("=") for pair in pairs]]


def _escaped(text: str) -> str:
    return text if _WORDS.fullmatch(text) else quote_plus(text)
