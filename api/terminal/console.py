"""Standard output as a console."""

from __future__ import annotations

import os
import re
from typing import IO, Any

from rich.console import Console

WIDE = 120
"""The columns of output to a file or a pipe."""
_BLANKS = re.compile(r"(?<![ \t])[ \t]++$", re.M)


class FileConsole(Console):
    """A console for a file or a pipe: no colours, no trailing blanks."""

    def __init__(self, file: IO[str] | None = None) -> None:
        wide = None if os.environ.get("COLUMNS") else WIDE
        super().__init__(file=file, highlight=False, color_system=None, width=wide)

    def print(self, *objects: Any, **options: Any) -> None:  # noqa: ANN401  # the signature of the class above
        """Print without trailing blanks."""
        with self.capture() as captured:
            super().print(*objects, **options)
        self.file.write(_BLANKS.sub("", captured.get()))


def output() -> Console:
    """Standard output: as wide as the terminal, else COLUMNS or `WIDE`."""
    console = Console(highlight=False)
    return console if console.is_terminal else FileConsole()
