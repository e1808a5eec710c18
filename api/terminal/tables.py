"""Standard output, and the table of all listings; on a narrow screen each row is several lines:

verdict  claim             value  says                      stale  relay-discount  60%
stale    relay-discount      60%  A relayed parcel costs      A relayed parcel costs 40%
                                  40% less …                  less …
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import IO, Any

from rich import table as rich_table
from rich.console import Console, ConsoleOptions, RenderableType
from rich.padding import Padding
from rich.text import Text

NO_RUN = "no run yet: brain verify makes one"
LEAST = 30  # the fewest columns of prose: narrower, it is a tower of single words
GAP = 2  # the columns between two cells


def table(titles: str, rows: Iterable[Iterable[object]], empty: str = "", *, header: bool = True) -> RenderableType:
    """A table of rows, or the sentence `empty` if there are none; a cell that is None is empty.

    `titles` names the columns, separated by ` | `. Signs after a name: `>` right-aligned; `~` prose, which may be
    wrapped as other cells may not; `=` name before the value on a narrow screen.
    """
    found = [tuple(map(_cell, row)) for row in rows]
    columns = [(name.rstrip(">~="), name[len(name.rstrip(">~=")) :]) for name in titles.split(" | ")]
    return FittedTable(columns, found, header) if found or not empty else Text(empty)


def styled(style: str, *cells: object) -> Iterator[Text]:
    """The cells of a row in one style."""
    return (_cell(cell, style) for cell in cells)


def _cell(cell: object, style: str = "") -> Text:
    return cell if isinstance(cell, Text) else Text("" if cell is None else str(cell), style)


@dataclass(frozen=True)
class FittedTable:
    """Rows as a table if the width allows it; `columns` are titles with their signs, shown with `header`."""

    columns: Sequence[tuple[str, str]]
    rows: Sequence[Sequence[Text]]
    header: bool

    def __rich_console__(self, _console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        if sum(self._needs()) + GAP * (len(self.columns) - 1) <= options.max_width:
            yield self._table()
            return
        for row in self.rows:
            yield from self._lines(row, options.max_width)

    def _needs(self) -> Iterator[int]:
        """The least width of each column, for prose at most `LEAST`."""
        for place, (title, signs) in enumerate(self.columns):
            wide = max((line.cell_len for row in self.rows for line in row[place].split()), default=0)
            yield max(len(title) if self.header else 0, min(wide, LEAST) if "~" in signs else wide)

    def _table(self) -> rich_table.Table:
        made = rich_table.Table(box=None, pad_edge=False, header_style="bold dim", show_header=self.header)
        for title, signs in self.columns:
            side, whole = "right" if ">" in signs else "left", "~" not in signs
            made.add_column(title, justify=side, overflow="fold", no_wrap=whole)  # type: ignore[arg-type]  # one of two words
        for row in self.rows:
            made.add_row(*row)
        return made

    def _lines(self, row: Sequence[Text], width: int) -> Iterator[RenderableType]:
        """A row as lines: short cells together, then each prose."""
        lines: list[Text] = []
        prose: list[Text] = []
        for (title, signs), cell in zip(self.columns, row, strict=True):
            if not cell.plain.strip():
                continue
            told = Text.assemble((f"{title} ", "dim"), cell) if "=" in signs else cell.copy()
            if "~" in signs:
                prose.append(told)
            elif lines and lines[-1].cell_len + GAP + told.cell_len <= width - GAP:
                lines[-1] = Text.assemble(lines[-1], " " * GAP, told)
            else:
                lines.append(told)
        for number, line in enumerate([*lines, *prose]):
            yield Padding(line, (0, 0, 0, GAP if number else 0), expand=False)


WIDE = 120  # the columns of output to a file or a pipe
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
