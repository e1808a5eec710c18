"""Pictures drawn by hand as SVG: one palette for both schemes, text, and the frame that every picture has.

A picture for the page follows the scheme of its reader. One that is saved or posted has the colours of one scheme:
other programs know no variables.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping
from enum import StrEnum

from compute.record.life_models import LifeState

SVG, PNG, CSV = "image/svg+xml", "image/png", "text/csv; charset=utf-8"
"""The types of the files that a chart can be had as."""

SANS = "'Helvetica Neue', 'Liberation Sans', Arial, sans-serif"
SERIF = "Charter, 'Bitstream Charter', Georgia, 'Liberation Serif', serif"


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

STATE_COLOURS = {LifeState.HELD: "good", LifeState.FAILED: "bad", LifeState.UNKNOWN: "unknown"}
"""The colour of each state of a life line."""


def picture(
    size: tuple[int, int], title: str, description: str, parts: Iterable[str], scheme: Scheme = Scheme.AUTO
) -> bytes:
    """An SVG of a size in pixels with a title and a description for screen readers."""
    width, height = size
    frame = f'<rect width="{width}" height="{height}" fill="var(--paper)"/>'
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="t d" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="{SANS}"><title id="t">{html.escape(title)}</title>'
        f'<desc id="d">{html.escape(description)}</desc>{_style(scheme)}{frame}{"".join(parts)}</svg>'
    )
    if scheme is Scheme.AUTO:
        return svg.encode()
    colours = DARK if scheme is Scheme.DARK else LIGHT
    return re.sub(r"var\(--(\w+)\)", lambda found: colours[found[1]], svg).encode()


def _style(scheme: Scheme) -> str:
    if scheme is not Scheme.AUTO:
        return ""
    light, dark = (";".join(f"--{name}:{colour}" for name, colour in one.items()) for one in (LIGHT, DARK))
    return f"<style>svg{{{light}}}@media(prefers-color-scheme:dark){{svg{{{dark}}}}}</style>"


def text(
    at: tuple[float, float], words: str, size: float, colour: str = "ink", *, anchor: str = "start", more: str = ""
) -> str:
    """A line of text with its base line at a point, in pixels."""
    x, y = at
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:g}" fill="var(--{colour})" text-anchor="{anchor}"{more}>'
        f"{html.escape(words)}</text>"
    )


def line(start: tuple[float, float], end: tuple[float, float], colour: str = "line", width: float = 1) -> str:
    """A straight line."""
    return (
        f'<line x1="{start[0]:.1f}" y1="{start[1]:.1f}" x2="{end[0]:.1f}" y2="{end[1]:.1f}" '
        f'stroke="var(--{colour})" stroke-width="{width:g}"/>'
    )


def wrapped(words: str, letters: int, most: int) -> list[str]:
    """A text in at most so many lines of about so many letters; what is left over ends in an ellipsis."""
    lines = [""]
    for word in words.split():
        longer = f"{lines[-1]} {word}".strip()
        if len(longer) <= letters or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(word)
    if len(lines) <= most:
        return [cut(one, letters) for one in lines]
    return [*(cut(one, letters) for one in lines[: most - 1]), cut(" ".join(lines[most - 1 :]), letters)]


def cut(words: str, letters: int) -> str:
    """A text of at most so many letters, with an ellipsis where it is cut."""
    return words if len(words) <= letters else words[: letters - 1].rstrip(" ,;:–—") + "…"
