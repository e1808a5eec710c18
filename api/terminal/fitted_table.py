"""A table where the screen has room for it; on a narrow screen each row as lines of its own.

verdict  claim             value  says                      stale  relay-discount  60%
stale    relay-discount      60%  A relayed parcel costs      A relayed parcel costs 40%
                                  40% less …                  less …
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from rich.console import Console, ConsoleOptions, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

LEAST = 30
"""The columns that prose needs next to others to be readable; a column with less is a tower of single words."""

GAP = 2
"""The columns between two cells."""

Cell = str | Text


@dataclass(frozen=True)
class Column:
    """A column: `prose` may be wrapped, any other is shown whole; `said`: on lines its title is before its value."""

    title: str
    justify: Literal["left", "right"] = "left"
    prose: bool = False
    said: bool = False


@dataclass
class FittedTable:
    """Rows that are a table if the width allows it; `header` says whether a table shows the titles."""

    columns: Sequence[Column]
    title: str = ""
    header: bool = True
    _rows: list[tuple[tuple[Text, ...], str]] = field(default_factory=list)

    def add_row(self, *cells: Cell, style: str = "") -> None:
        """Add a row; text is shown as it is written."""
        self._rows.append((tuple(Text(one) if isinstance(one, str) else one for one in cells), style))

    @property
    def row_count(self) -> int:
        """How many rows there are."""
        return len(self._rows)

    def __rich_console__(self, _console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        if sum(self._needs()) + GAP * (len(self.columns) - 1) <= options.max_width:
            yield self._table()
            return
        if self.title:
            yield Text(self.title, style="italic")
        for cells, style in self._rows:
            yield from self._lines(cells, style, options.max_width)

    def _needs(self) -> Iterator[int]:
        """The least width of each column: that of its widest cell, at most `LEAST` for prose."""
        for place, column in enumerate(self.columns):
            wide = max((_width(cells[place]) for cells, _ in self._rows), default=0)
            title = len(column.title) if self.header else 0
            yield max(title, min(wide, LEAST) if column.prose else wide)

    def _table(self) -> Table:
        table = Table(
            box=None, pad_edge=False, header_style="bold dim", show_header=self.header, title=self.title or None,
            title_justify="left",
        )  # fmt: skip
        for column in self.columns:
            table.add_column(column.title, justify=column.justify, overflow="fold", no_wrap=not column.prose)
        for cells, style in self._rows:
            table.add_row(*cells, style=style)
        return table

    def _lines(self, cells: Iterable[Text], style: str, width: int) -> Iterator[RenderableType]:
        """A row on lines: what is shown whole, as many to a line as fit, and then each prose."""
        short: list[Text] = []
        long: list[Text] = []
        for column, cell in zip(self.columns, cells, strict=True):
            if cell.plain.strip():
                (long if column.prose else short).append(_said(column, cell))
        for number, line in enumerate([*_filled(short, width - GAP), *long]):
            line.stylize_before(style)
            yield Padding(line, (0, 0, 0, GAP if number else 0), expand=False)


def _width(cell: Text) -> int:
    return max((line.cell_len for line in cell.split()), default=0)


def _said(column: Column, cell: Text) -> Text:
    return Text.assemble((f"{column.title} ", "dim"), cell) if column.said else cell.copy()


def _filled(parts: Iterable[Text], width: int) -> Iterator[Text]:
    """Parts on as few lines as possible, none broken that fits on a line."""
    line = Text()
    for part in parts:
        if line and line.cell_len + GAP + part.cell_len > width:
            yield line
            line = Text()
        line = Text.assemble(line, " " * GAP, part) if line else part
    if line:
        yield line
