"""The command line, `brain [--home DIR] COMMAND`, and its exit codes."""

from __future__ import annotations

FAILED, USAGE, UNREADABLE, UNDELIVERED = 1, 2, 3, 4
"""A check failed; the command line is wrong; an input cannot be read; a notice is not delivered."""
