"""Log lines on standard error: `timestamp=… level=info event=refresh changes=3`."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from typing import Literal


def log(level: Literal["info", "warning", "error"], event: str, **fields: object) -> None:
    """Write one line."""
    stamp = datetime.now(UTC).isoformat().replace("+00:00", "Z")
    line = {"timestamp": stamp, "level": level, "event": event, **fields}
    sys.stderr.write(" ".join(f"{name}={_text(value)}" for name, value in line.items()) + "\n")


def _text(value: object) -> str:
    if value is None or isinstance(value, bool):
        return "" if value is None else str(value).lower()
    text = str(value)
    quoted = any(sign in text for sign in ' ="')
    text = text.replace("\\", "\\\\") if quoted else text
    text = text.replace('"', '\\"').replace("\n", "\\n")
    return f'"{text}"' if quoted else text
