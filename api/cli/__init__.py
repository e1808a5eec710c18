"""The command line: `brain [--home DIR] COMMAND`. A command asks the brain, renders, and ends with an exit code."""

from __future__ import annotations

FAILED, USAGE, UNREADABLE, UNDELIVERED = 1, 2, 3, 4
"""Exit codes: a check failed; the command line is wrong; an input cannot be read; a notice is not delivered."""
