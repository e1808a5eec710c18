"""Days stated in a sentence: 13 May 2024, May 13, 2024, March 2024; a month counts as its last day."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date

MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
MONTH_PATTERN = "|".join(f"{name[:3]}(?:{name[3:]})?" if len(name) > 3 else name for name in MONTHS)
_DAY = re.compile(
    rf"\b(?:(?P<day>\d{{1,2}})\s+)?(?P<month>{MONTH_PATTERN})\.?\s+(?:(?P<after>\d{{1,2}})(?:st|nd|rd|th)?,\s*)?(?P<year>20\d\d)\b",
    re.I,
)


def day_of(text: str) -> date | None:
    """The last day stated in a text, or None."""
    found = None
    for match in _DAY.finditer(text):
        year, month = int(match["year"]), [name[:3] for name in MONTHS].index(match["month"][:3].lower()) + 1
        told = int(match["day"] or match["after"] or 0)
        last = monthrange(year, month)[1]
        found = date(year, month, told if 1 <= told <= last else last)
    return found
