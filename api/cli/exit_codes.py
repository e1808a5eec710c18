"""The exit codes, and how a night that ran to its end ends."""

from __future__ import annotations

from collections.abc import Mapping

FAILED, USAGE, UNREADABLE, UNDELIVERED = 1, 2, 3, 4

OUTCOMES: Mapping[str, int] = {
    "done": 0,
    "below the bar": FAILED,
    "not read": UNREADABLE,
    "not refreshed": UNREADABLE,
    "held": UNREADABLE,
    "not delivered": UNDELIVERED,
}
"""How a night that ran to its end ends."""
