"""The frame of a chart of a claim: its title and subtitle above the plot; its source, day and address below it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from api.pages.charts.picture import Scheme, cut, picture, text, wrapped
from api.pages.render.figure_format import short_day

MARGIN = 16
_TITLE, _SMALL = 17, 12
_TITLE_STEP, _SMALL_STEP = 22, 17
_TITLE_LETTER, _SMALL_LETTER = 11.2, 7.3
"""The mean width of a letter in DejaVu Sans, the widest of the fonts, in pixels: a line fits in every font."""


@dataclass(frozen=True, slots=True)
class ChartFrame:
    """The words around a chart; `address` is that of the page without its scheme."""

    title: str
    subtitle: str
    source: str
    day: date
    address: str

    def top(self, width: int) -> float:
        """The pixels above the plot."""
        return 14 + _TITLE_STEP * len(self._title_lines(width)) + _SMALL_STEP * len(self._subtitle_lines(width)) + 12

    def bottom(self) -> float:
        """The pixels below the plot and its axis."""
        return 2 * _SMALL_STEP + 10

    def _title_lines(self, width: int) -> list[str]:
        return wrapped(self.title, int((width - 2 * MARGIN) / _TITLE_LETTER), 3)

    def _subtitle_lines(self, width: int) -> list[str]:
        return wrapped(self.subtitle, int((width - 2 * MARGIN) / _SMALL_LETTER), 2)

    def words(self, size: tuple[int, int]) -> Iterator[str]:
        """The lines of text for a picture of a size in pixels."""
        width, height = size
        y = 14.0
        for one in self._title_lines(width):
            y += _TITLE_STEP
            yield text((MARGIN, y - 4), one, _TITLE, more=' font-weight="600"')
        for one in self._subtitle_lines(width):
            y += _SMALL_STEP
            yield text((MARGIN, y - 2), one, _SMALL, "soft")
        letters = int((width - 2 * MARGIN) / _SMALL_LETTER)
        day = f" · {short_day(self.day)}"
        source = cut(f"Source: {self.source}", letters - len(day)) + day
        yield text((MARGIN, height - 10 - _SMALL_STEP), source, _SMALL, "soft")
        yield text((MARGIN, height - 10), cut(self.address, letters), _SMALL, "soft")


def framed(
    frame: ChartFrame, size: tuple[int, int], parts: Iterable[str], says: str, scheme: Scheme = Scheme.AUTO
) -> bytes:
    """A chart with its frame, as SVG; `says` describes it for screen readers."""
    return picture(size, frame.title, says, [*frame.words(size), *parts], scheme)
