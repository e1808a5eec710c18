"""Standard output as a console."""

from __future__ import annotations

import os
import re
from typing import IO, Any

from rich.console import Console

WIDE = 120
"""Columns of what goes into a file or another program."""
_BLANKS = re.compile(r"(?<![ \t])[ \t]++$", re.M)


class FileConsole(Console):
    """What goes into a file or another program: no colours, and no blanks that fill the lines."""

    def __init__(self, file: IO[str] | None = None) -> None:
        wide = None if os.environ.get("COLUMNS") else WIDE
        super().__init__(file=file, highlight=False, color_system=None, width=wide)

    def print(self, *objects: Any, **options: Any) -> None:  # noqa: ANN401  # the signature of the class above
        """Print without the blanks at the ends of lines."""
        with self.capture() as captured:
            super().print(*objects, **options)
        self.file.write(_BLANKS.sub("", captured.get()))


def output() -> Console:
    """Standard output, as wide as the terminal, or as COLUMNS says, or `WIDE`."""
    console = Console(highlight=False)
    return console if console.is_terminal else FileConsole()
