"""Allowed hosts: which names a request may give in its Host header.

A page on another site can make a browser send requests here under its own host name (DNS rebinding) and would then read
a private brain. The Host header still holds that name, so requests with an unknown name are refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import ip_address
from urllib.parse import urlsplit

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
EVERY_ADDRESS = frozenset({"0.0.0.0", "::"})  # noqa: S104  # compared with, not bound


class AllowedHosts:
    """The loopback names, the host of the public address, the address that the server listens on, and a setting.

    `setting` holds names separated by commas: `brain.example.org`, `*.example.org` for all below it, `*` for any.
    A server on every address of its machine (`bound` is 0.0.0.0 or ::) accepts any IP address as host: a rebinding
    needs a name.
    """

    def __init__(self, setting: str = "", *, url: str = "", bound: str | None = None) -> None:
        asked = (part.strip() for part in setting.split(","))
        names = [*LOOPBACK, urlsplit(url).netloc.rpartition("@")[2], *_address(bound), *asked]
        self._names = {found for name in names if name and (found := _name(name))}
        self._below = tuple(name.removeprefix("*") for name in self._names if name.startswith("*."))
        self._addresses = bound in EVERY_ADDRESS

    def allow(self, host: str) -> bool:
        """Whether a request may name this host, with or without a port."""
        name = _name(host)
        if not name:
            return False
        return bool({"*", name} & self._names) or name.endswith(self._below) or (self._addresses and _is_address(name))


def _address(bound: str | None) -> Iterator[str]:
    if bound:
        yield f"[{bound}]" if ":" in bound else bound


def _name(host: str) -> str:
    """A host without its port, in lower case; empty where it is malformed."""
    name, colon, port = host.strip().lower().rpartition(":")
    if not colon or port.endswith("]"):
        name, port = host.strip().lower(), ""
    if port and not (port.isascii() and port.isdigit()):
        return ""
    if ":" in name and not (name.startswith("[") and name.endswith("]")):
        return ""
    return name.removesuffix(".")


def _is_address(name: str) -> bool:
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True
