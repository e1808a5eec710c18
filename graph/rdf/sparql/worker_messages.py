"""Messages between the service and its workers: a JSON head and a body of bytes, each after its length."""

from __future__ import annotations

import struct
from typing import IO, Any

from graph.values import dumps, loads

_LENGTHS = struct.Struct("!II")


def send(stream: IO[bytes], head: dict[str, Any], body: bytes = b"") -> None:
    """Write one message and flush it.

    Raises:
        OSError: the other end is closed.
    """
    told = dumps(head).encode()
    stream.write(_LENGTHS.pack(len(told), len(body)) + told + body)
    stream.flush()


def receive(stream: IO[bytes]) -> tuple[dict[str, Any], bytes]:
    """Read one message.

    Raises:
        EOFError: the other end is closed.
    """
    head, body = _LENGTHS.unpack(_exactly(stream, _LENGTHS.size))
    return loads(_exactly(stream, head)), _exactly(stream, body)


def _exactly(stream: IO[bytes], count: int) -> bytes:
    found = stream.read(count)
    if len(found) < count:
        raise EOFError
    return found
