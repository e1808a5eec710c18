"""A sentence with carets under its figure, on a screen of any width and in a file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, zip_longest

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions
from rich.text import Text

BAR = "  | "
"""What stands before each line."""

LEAST = 12
"""The least columns of a sentence that are shown, however narrow the screen is."""

MOST = 100
"""The most columns of a sentence that are shown on a screen."""


@dataclass(frozen=True)
class MarkedLine:
    """A sentence with carets from `start` to `end`.

    A screen shows the part around the figure, on one line. A file gets all of it, on as many lines as it takes.
    """

    text: str
    start: int
    end: int

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        width = max(options.max_width - len(BAR), LEAST)
        if console.is_terminal:
            yield from _with_carets(*self._part(min(width, MOST)))
            return
        for begin, finish in _lines(self.text, width):
            start, end = (min(max(at, begin), finish) for at in (self.start, self.end))
            yield from _with_carets(self.text[begin:finish], start - begin, end - begin)

    def _part(self, width: int) -> tuple[str, int, int]:
        """The part of this width around the figure, with the figure's place."""
        text, start, end = self.text, self.start, self.end
        if cell_len(text) <= width:
            return text, start, end
        room = width - 2  # there is a … at one end or at both
        begin = finish = start
        sides = zip_longest(range(end, len(text)), range(start - 1, -1, -1))
        for at in chain(range(start, end), chain.from_iterable(sides)):
            if at is not None:
                room -= cell_len(text[at])
                if room < 0:
                    break
                begin, finish = min(begin, at), max(finish, at + 1)
        head, tail = "…" if begin else "", "…" if finish < len(text) else ""
        shift = len(head) - begin
        return f"{head}{text[begin:finish]}{tail}", start + shift, min(end, finish) + shift


def _with_carets(text: str, start: int, end: int) -> Iterator[Text]:
    """A line above its carets; some characters are two columns wide."""
    yield Text(f"{BAR}{text}", no_wrap=True, overflow="ignore")
    if carets := cell_len(text[start:end].rstrip()):
        yield Text(f"{BAR}{' ' * cell_len(text[:start])}{'^' * carets}", no_wrap=True, overflow="ignore")


def _lines(text: str, width: int) -> Iterator[tuple[int, int]]:
    """Where lines of at most this width begin and end; longer words are cut."""
    begin = finish = 0
    for word in re.finditer(rf"\S{{1,{width // 2}}}" if _long(text, width) else r"\S+", text):
        if finish > begin and cell_len(text[begin : word.end()]) > width:
            yield begin, finish
            begin = word.start()
        finish = word.end()
    if finish > begin:
        yield begin, finish


def _long(text: str, width: int) -> bool:
    """Whether a word may be wider than a line."""
    return re.search(rf"\S{{{width // 2 + 1}}}", text) is not None
