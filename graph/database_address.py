"""Checks the address of a PostgreSQL server without a library that takes time to load."""

from __future__ import annotations

from urllib.parse import urlsplit


def address_fault(text: str) -> str | None:
    """What is wrong with a server's address, not quoting it: it may contain a password; None if nothing."""
    scheme, separator, rest = text.partition("://")
    if not separator or scheme.partition("+")[0] not in {"postgresql", "postgres"}:  # a driver may follow after +
        return "expected the address of a PostgreSQL server, postgresql://user@host/database"
    if rest.count("@") > 1:
        return "write @ as %40 and / as %2F in a user name or a password: only one @ is allowed, before the host"
    host = rest.rpartition("@")[2]
    try:
        urlsplit(f"//{host}").port  # noqa: B018  # reading the port checks it
    except ValueError:
        return "the host is not valid, or its port is not a number from 0 to 65535"
    return None
