"""Fetches a catalogue file from an address: http and https only, with limits on size, time and redirects."""

from __future__ import annotations

import http.client
import ipaddress
import socket
import time
import urllib.error
import urllib.request
from email.message import Message
from typing import IO
from urllib.parse import urlsplit

from compute.catalogs.genai_prices_catalog import RefreshError

LARGEST = 64 * 1024 * 1024
"""The most bytes of a file."""

SECONDS = 30.0
"""How long the server may take to answer or to send the next bytes; the complete file may take 20 times as long."""

MOST_REDIRECTS = 5

_CHUNK = 64 * 1024


class DownloadError(RefreshError):
    """A file could not be fetched; nothing was imported."""

    def __init__(self, address: str, why: str) -> None:
        super().__init__(address, ValueError(why))


def is_address(text: str) -> bool:
    """Whether a text is an http or https address."""
    return text.lower().startswith(("http://", "https://"))


def download(address: str, *, largest: int = LARGEST, seconds: float = SECONDS) -> bytes:
    """The bytes at an address.

    A redirect may not leave http and https, go from https to http, or from a public host to one of a private network.

    Raises:
        DownloadError: the server cannot be reached, refuses, redirects elsewhere, or sends too much or too slowly.
    """
    opener = urllib.request.build_opener(_Redirects(address))
    request = urllib.request.Request(address, headers={"User-Agent": "brain", "Accept": "*/*"})  # noqa: S310  # the scheme is checked
    until = time.monotonic() + 20 * seconds
    try:
        _check(address)
        with opener.open(request, timeout=seconds) as answer:
            return _body(address, answer, largest, until)
    except urllib.error.HTTPError as error:
        raise DownloadError(address, f"{error.code} {error.reason}") from error
    except urllib.error.URLError as error:
        raise DownloadError(address, str(error.reason)) from error
    except TimeoutError as error:
        raise DownloadError(address, f"no answer within {seconds:g} seconds") from error
    except (OSError, ValueError, http.client.HTTPException) as error:
        raise DownloadError(address, str(error) or type(error).__name__) from error


def _body(address: str, answer: IO[bytes], largest: int, until: float) -> bytes:
    parts: list[bytes] = []
    size = 0
    while chunk := answer.read(_CHUNK):
        size += len(chunk)
        parts.append(chunk)
        if size > largest:
            raise DownloadError(address, f"the file is larger than {largest} bytes")
        if time.monotonic() > until:
            raise DownloadError(address, "the file took too long")
    return b"".join(parts)


def _check(address: str) -> None:
    """Raises ValueError for an address that is not fetched."""
    parts = urlsplit(address)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError("only http and https addresses are fetched")
    if parts.username or parts.password:
        raise ValueError("an address with a password in it is not fetched")


def _private(address: str) -> bool:
    """Whether the host of an address is in a private network, or on this machine."""
    try:
        found = socket.getaddrinfo(urlsplit(address).hostname, None)
    except (OSError, UnicodeError):
        return False
    return any(not ipaddress.ip_address(str(one[4][0]).partition("%")[0]).is_global for one in found)


class _Redirects(urllib.request.HTTPRedirectHandler):
    max_redirections = MOST_REDIRECTS

    def __init__(self, first: str) -> None:
        self._first = first

    def redirect_request(  # noqa: PLR0917  # the signature of the class above
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: Message, newurl: str
    ) -> urllib.request.Request | None:
        """The next request, where the redirect is allowed."""
        _check(newurl)
        if urlsplit(req.full_url).scheme == "https" and urlsplit(newurl).scheme == "http":
            raise ValueError(f"it redirects from https to {newurl[:200]}")
        if _private(newurl) and not _private(self._first):
            raise ValueError(f"it redirects into a private network: {newurl[:200]}")
        return super().redirect_request(req, fp, code, msg, headers, newurl)  # type: ignore[arg-type]  # the type of headers in typeshed
