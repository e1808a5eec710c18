"""A day in an argument of the API and of tools."""

from __future__ import annotations

import re
from datetime import date
from typing import Annotated

from pydantic import BeforeValidator

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def _iso(given: object) -> object:
    """Rejects other texts: a number would be read as seconds since 1970."""
    if isinstance(given, str) and not _DAY.fullmatch(given):
        raise ValueError("write a day as 2026-11-21")
    return given


IsoDay = Annotated[date, BeforeValidator(_iso)]
"""A day, written as 2026-11-21."""
