"""Fetches a catalogue file, with limits on size, time and redirects; an unchanged one costs an answer of 304."""

from __future__ import annotations

import http
import http.client
import ipaddress
import socket
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from contextlib import suppress
from email.message import Message
from threading import Timer
from typing import IO, Any, NamedTuple
from urllib.parse import unquote, urlsplit

from graph.values import Value

LARGEST = 64 * 1024 * 1024  # bytes of a file
SECONDS = 30.0  # until the server answers or sends the next bytes; the complete file may take 20 times as long
MOST_REDIRECTS = 5

_CHUNK = 64 * 1024
_LONGEST_HEADER = 1000
_TOO_LONG = "the file took too long"


class RefreshError(Exception):
    """A file at `address` could not be fetched, for the reason `why`; the current prices are unchanged.

    `others` are errors of other catalogues, `changes` the number of prices that changed in the fetched ones. `default`
    is the name of the list, if its address is the default one.
    """

    default = ""

    def __init__(
        self, address: str, cause: Exception | str, others: Sequence[RefreshError] = (), changes: int = 0
    ) -> None:
        said = str(cause).splitlines()
        self.address, self.why, self.changes = address, said[0] if said else type(cause).__name__, changes
        causes = "; from ".join(f"{error.address}: {error.why}" for error in (self, *others))
        stay = "their current prices stay in use" if others else "the current prices stay in use"
        super().__init__(f"could not fetch the latest prices from {causes}; {stay}")


def is_address(text: str) -> bool:
    """Whether a text is an http or https address."""
    return text.lower().startswith(("http://", "https://"))


class Validators(Value):
    """The ETag and Last-Modified headers of a file, empty if not sent."""

    etag: str = ""
    modified: str = ""

    def headers(self) -> dict[str, str]:
        """The headers of a conditional request."""
        asked = {"If-None-Match": self.etag, "If-Modified-Since": self.modified}
        return {name: value for name, value in asked.items() if value}


NONE = Validators()  # of a file that was not fetched yet


class Download(NamedTuple):
    """A fetched file; `data` is None if it did not change."""

    data: bytes | None
    validators: Validators


def download(
    address: str, known: Validators = NONE, *, largest: int = LARGEST, seconds: float = SECONDS, public: bool = False
) -> Download:
    """The file at an address if it changed since `known`. Raises RefreshError.

    A redirect may not leave http and https, go from https to http, or from a public host to one of a private network; a
    `public` address is of no private network itself.
    """
    sockets = _Sockets(outside=public or not _private(address))
    opener = urllib.request.build_opener(_Redirects(address), sockets)
    headers = {"User-Agent": "brain", "Accept": "*/*", **known.headers()}
    until = time.monotonic() + 20 * seconds
    timer = Timer(20 * seconds, sockets.end)
    timer.start()
    try:
        _check(address)
        if public and _private(address):
            raise ValueError("the name is that of a private network")
        request = urllib.request.Request(address, headers=headers)  # noqa: S310  # the scheme is checked
        with opener.open(request, timeout=seconds) as answer:
            return Download(_body(address, answer, largest, until), _validators(answer.headers))
    except urllib.error.HTTPError as error:
        error.close()
        if error.code == http.HTTPStatus.NOT_MODIFIED and known.headers():
            return Download(None, known)
        raise RefreshError(address, f"{error.code} {error.reason}") from error
    except (OSError, ValueError, http.client.HTTPException) as error:
        late = time.monotonic() > until  # the timer has ended the connection
        raise RefreshError(address, _TOO_LONG if late else _reason(error, seconds)) from error
    finally:
        timer.cancel()


def _reason(error: Exception, seconds: float) -> str:
    if isinstance(error, urllib.error.URLError):
        return getattr(error.reason, "strerror", "") or str(error.reason)
    if isinstance(error, TimeoutError):
        return f"no answer within {seconds:g} seconds"
    return str(error) or type(error).__name__


def _validators(headers: Message) -> Validators:
    """The validators of an answer, without those too long to be sent back."""
    etag, modified = (headers.get(name) or "" for name in ("ETag", "Last-Modified"))
    return Validators(
        etag=etag if len(etag) <= _LONGEST_HEADER else "", modified=modified if len(modified) <= _LONGEST_HEADER else ""
    )


def _body(address: str, answer: http.client.HTTPResponse, largest: int, until: float) -> bytes:
    parts: list[bytes] = []
    size = 0
    while chunk := answer.read(_CHUNK):
        size += len(chunk)
        parts.append(chunk)
        if size > largest:
            raise RefreshError(address, f"the file is larger than {largest} bytes")
    if time.monotonic() > until:
        raise RefreshError(address, _TOO_LONG)
    if answer.length:
        raise RefreshError(address, f"the file ends {answer.length} bytes early")
    return b"".join(parts)


def _check(address: str) -> None:
    """Raises ValueError for an address that is not fetched."""
    parts = urlsplit(address)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError("only http and https addresses are fetched")
    if parts.username or parts.password:
        raise ValueError("an address with a password in it is not fetched")


def _private(address: str) -> bool:
    """Whether the host is in a private network or this machine."""
    try:
        found = socket.getaddrinfo(unquote(urlsplit(address).hostname or ""), None)
    except (OSError, UnicodeError):
        return False
    return not all(_outside(one[4][0]) for one in found)


def _outside(host: object) -> bool:
    return ipaddress.ip_address(str(host).partition("%")[0]).is_global


class _Sockets(urllib.request.HTTPSHandler, urllib.request.HTTPHandler):
    """Connections that can be ended from another thread; `outside`: none leads into a private network.

    The name was checked before; its address may be another one by now. A proxy is the choice of whoever runs Brain.
    """

    def __init__(self, *, outside: bool) -> None:
        super().__init__()
        self._outside = outside
        self._open: list[socket.socket] = []

    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(self._checked(http.client.HTTPConnection, req), req)

    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(self._checked(http.client.HTTPSConnection, req), req)

    def end(self) -> None:
        """Ends every connection: its reader gets no more."""
        for one in self._open:
            with suppress(OSError):
                socket.socket.shutdown(one, socket.SHUT_RDWR)

    def _checked(self, kind: type[http.client.HTTPConnection], req: urllib.request.Request) -> Any:  # noqa: ANN401  # a class
        opened, direct = self._open, req.host == unquote(urlsplit(req.full_url).netloc)
        guarded = self._outside and direct

        class Connection(kind):  # type: ignore[misc,valid-type]  # a class of the standard library
            def connect(self) -> None:
                super().connect()
                opened.append(self.sock)
                if guarded and not _outside(self.sock.getpeername()[0]):
                    raise ValueError("the name is that of a private network")

        return Connection


class _Redirects(urllib.request.HTTPRedirectHandler):
    max_redirections = MOST_REDIRECTS

    def __init__(self, first: str) -> None:
        self._first = first

    def redirect_request(  # noqa: PLR0917  # the signature of the class above
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: Message, newurl: str
    ) -> urllib.request.Request | None:
        _check(newurl)
        if urlsplit(req.full_url).scheme == "https" and urlsplit(newurl).scheme == "http":
            raise ValueError(f"it redirects from https to {newurl[:200]}")
        if _private(newurl) and not _private(self._first):
            raise ValueError(f"it redirects into a private network: {newurl[:200]}")
        return super().redirect_request(req, fp, code, msg, headers, newurl)  # type: ignore[arg-type]  # the type of headers in typeshed
