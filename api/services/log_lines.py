"""Log lines on standard error as key and value; structlog is loaded when the first line is written."""

from __future__ import annotations

import sys
from typing import Any


def configure_logs() -> None:
    """Set up structlog for this process."""
    import structlog  # noqa: PLC0415  # commands that only read a brain write no log

    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.LogfmtRenderer(key_order=["timestamp", "level", "event"], bool_as_flag=False),
        ],
        logger_factory=lambda *_: structlog.PrintLogger(sys.stderr),  # the stream of the moment, not of the start
    )


def logger(name: str) -> Any:  # noqa: ANN401  # structlog's loggers have no type of their own
    """A logger; sets up structlog if nothing has."""
    import structlog  # noqa: PLC0415  # see `configure_logs`

    if not structlog.is_configured():
        configure_logs()
    return structlog.get_logger(name)
