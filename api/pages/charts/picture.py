"""SVG drawn by hand: one palette for both schemes, text and lines, the frame of a picture; and its pixels.

A picture for the page follows the scheme of its reader. One that is saved or posted has the colours of one scheme:
other programs know no variables. PNGs are set in our own typefaces.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from pathlib import Path

from api.pages.request.page_request import PageRequest, RawResponse
from api.pages.views.claim_table import PageContext
from graph.store.store_errors import NotFoundError
from graph.text.csv_text import csv_row

SANS = "'Brain Sans', 'Helvetica Neue', 'Liberation Sans', Arial, sans-serif"
FONTS = [str(path) for path in sorted((Path(__file__).parents[1] / "static").glob("*.ttf"))]
"""Our typefaces for PNGs, made by the build (`setup.py`); without them PNGs are set in fonts of the system."""

SHARP = 2
"""The pixels of a PNG of a chart for each unit of its picture."""

Corner = tuple[float, float]


class Scheme(StrEnum):
    """The colours of a picture: those of the reader's scheme, or of one scheme."""

    AUTO = "auto"
    LIGHT = "light"
    DARK = "dark"


LIGHT: Mapping[str, str] = {
    "paper": "#fcfaf6", "ink": "#24211c", "soft": "#625c52", "line": "#ddd7cb", "good": "#2b6a46", "bad": "#a32a2f",
    "unknown": "#a9a398", "one": "#1f5673", "two": "#8a5a00", "three": "#2b6a46", "four": "#8c2f6b", "five": "#5d4f8c",
    "genai": "#0b5fa5", "cards": "#c2500a", "litellm": "#0096a5", "ecb": "#87001e",
    "skypilot": "#4b0078", "imported": "#b400ff",
}  # fmt: skip
DARK: Mapping[str, str] = {
    "paper": "#171715", "ink": "#e9e5dc", "soft": "#a9a296", "line": "#3a3834", "good": "#7cc79a", "bad": "#ef8e8b",
    "unknown": "#6d6960", "one": "#7fb8d8", "two": "#dca94a", "three": "#7cc79a", "four": "#e59bc6", "five": "#b5a8e3",
    "genai": "#5aa9e6", "cards": "#f0a23c", "litellm": "#3cf0d2", "ecb": "#b44b00",
    "skypilot": "#961ef0", "imported": "#1e7887",
}  # fmt: skip


class NothingToDrawError(NotFoundError):
    """There is no such chart: nothing is known that could be drawn, or it has no such form."""

    noun = "chart"


def image(
    context: PageContext,
    request: PageRequest,
    draw: Callable[[Scheme], bytes],
    rows: Callable[[], Iterable[Iterable[object]]] | None = None,
) -> RawResponse:
    """A picture in the form that the address ends with, svg, png, or the `rows` as csv.

    Pictures are kept until the store or the day changes.

    Raises:
        NothingToDrawError: there is no such form.
        PageRequestError: `scheme` is neither light nor dark.
    """
    form, chosen = request.parts["form"], request.one_of("scheme", [Scheme.LIGHT, Scheme.DARK])
    if form not in ({"svg", "png", "csv"} if rows else {"svg", "png"}):
        raise NothingToDrawError(f"{request.path.rpartition('/')[2]}")
    if form == "csv" and rows:
        return RawResponse("".join(map(csv_row, rows())).encode(), "text/csv; charset=utf-8")
    scheme = Scheme(chosen) if chosen else Scheme.LIGHT if form == "png" else Scheme.AUTO

    def drawn() -> RawResponse:
        svg = draw(scheme)
        return RawResponse(_png(svg), "image/png") if form == "png" else RawResponse(svg, "image/svg+xml")

    return context.recall((request.path, tuple(request.query), request.today, request.site), drawn)


def _png(svg: bytes) -> bytes:
    """A picture of one scheme in pixels, `SHARP` for each of its units."""
    import resvg_py  # noqa: PLC0415  # only PNGs need it: a service that shows none does not load it

    return resvg_py.svg_to_bytes(svg_string=svg.decode(), zoom=SHARP, font_files=FONTS)


def picture(
    size: tuple[int, int], title: str, description: str, parts: Iterable[str], scheme: Scheme = Scheme.AUTO
) -> bytes:
    """An SVG of a size in pixels with a title and a description for screen readers."""
    (width, height), style = size, ""
    if scheme is Scheme.AUTO:
        light, dark = (";".join(f"--{name}:{colour}" for name, colour in one.items()) for one in (LIGHT, DARK))
        style = f"<style>svg{{{light}}}@media(prefers-color-scheme:dark){{svg{{{dark}}}}}</style>"
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="t d" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="{SANS}"><title id="t">{html.escape(title)}</title>'
        f'<desc id="d">{html.escape(description)}</desc>{style}'
        f'<rect width="{width}" height="{height}" fill="var(--paper)"/>{"".join(parts)}</svg>'
    )
    if scheme is Scheme.AUTO:
        return svg.encode()
    colours = DARK if scheme is Scheme.DARK else LIGHT
    return re.sub(r"var\(--(\w+)\)", lambda found: colours[found[1]], svg).encode()


def text(
    at: Corner,
    words: str,
    size: float,
    colour: str = "ink",
    *,
    anchor: str = "start",
    bold: bool = False,
    more: str = "",
) -> str:
    """A line of text with its base line at a point, in pixels."""
    weight = ' font-weight="600"' if bold else ""
    return (
        f'<text x="{at[0]:.1f}" y="{at[1]:.1f}" font-size="{size:g}" fill="var(--{colour})" text-anchor="{anchor}"'
        f"{weight}{more}>{html.escape(words)}</text>"
    )


def line(start: Corner, end: Corner, colour: str = "line", width: float = 1, dash: str = "") -> str:
    """A straight line; `dash` is the pattern of its dashes."""
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return (
        f'<line x1="{start[0]:.1f}" y1="{start[1]:.1f}" x2="{end[0]:.1f}" y2="{end[1]:.1f}" '
        f'stroke="var(--{colour})" stroke-width="{width:g}"{dashes}/>'
    )


def keys(at: Corner, entries: Iterable[tuple[str, str]], size: float, width: float) -> tuple[list[str], float]:
    """A legend of coloured squares with their words, in as many rows as it takes; and where the next row begins."""
    parts, (left, y) = [], at
    x = left
    for colour, words in entries:
        wide = 1.5 * size + 0.52 * size * len(words)
        if x > left and x + wide > left + width:
            x, y = left, y + 1.6 * size
        parts += [
            f'<rect x="{x:.1f}" y="{y - 0.8 * size:.1f}" width="{0.9 * size:.1f}" height="{0.9 * size:.1f}" '
            f'fill="var(--{colour})"/>',
            text((x + 1.35 * size, y), words, size, "soft"),
        ]
        x += wide + 1.4 * size
    return parts, y + 1.6 * size


def wrapped(words: str, letters: int, most: int) -> list[str]:
    """A text in at most so many lines of about so many letters; what is left over ends in an ellipsis."""
    lines = [""]
    for word in words.split():
        longer = f"{lines[-1]} {word}".strip()
        if len(longer) <= letters or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(word)
    kept: Sequence[str] = lines if len(lines) <= most else [*lines[: most - 1], " ".join(lines[most - 1 :])]
    return [cut(one, letters) for one in kept]


def cut(words: str, letters: int) -> str:
    """A text of at most so many letters, with an ellipsis where it is cut."""
    return words if len(words) <= letters else words[: letters - 1].rstrip(" ,;:–—") + "…"
