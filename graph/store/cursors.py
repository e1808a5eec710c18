"""Cursors: positions in a list as opaque text, valid only for that list."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from dataclasses import dataclass

from graph.store.store_errors import CursorError


@dataclass(frozen=True, slots=True)
class Cursor:
    """Sort key and id of the last entry returned."""

    key: str | int
    id: str

    def text(self, scope: str) -> str:
        """The cursor as text, valid only for the list `scope`."""
        packed = json.dumps([_seal(scope), self.key, self.id], separators=(",", ":"))
        return base64.urlsafe_b64encode(packed.encode()).decode().rstrip("=")


def read(text: str, scope: str, key: type[str] | type[int]) -> Cursor:
    """Read what `Cursor.text` wrote for the same scope. Raises `CursorError` for anything else."""
    try:
        packed = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        seal, at, name = json.loads(packed)
    except (ValueError, TypeError, binascii.Error, RecursionError) as error:
        raise CursorError(text) from error
    beyond = isinstance(at, int) and abs(at) >= 2**63  # the databases' integers
    if seal != _seal(scope) or type(at) is not key or not isinstance(name, str) or beyond:
        raise CursorError(text)
    return Cursor(at, name)


def _seal(scope: str) -> str:
    return hashlib.sha256(scope.encode("utf-8", "surrogatepass")).hexdigest()[:8]
