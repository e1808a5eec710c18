"""Standard output as a console."""

from __future__ import annotations

import os

from rich.console import Console

WIDE = 120
"""Columns of what goes into a file or another program."""


def output() -> Console:
    """Standard output, as wide as the terminal, or as COLUMNS says, or `WIDE`."""
    console = Console(highlight=False)
    if not console.is_terminal and not os.environ.get("COLUMNS"):
        console.width = WIDE
    return console
