"""The build step that makes the typefaces of the pages, from font packages that only the build needs.

Source Serif 4 and Source Sans 3 (SIL Open Font License 1.1) are cut down to Latin letters and three weights, renamed,
because the licence reserves their name for the unchanged fonts, and written into `api/pages/static`: as WOFF2 with the
licence and the stylesheet that names them, and as TrueType for pictures. The repository holds none of these files.
Without them the pages are shown in the fonts of the reader's system.
"""

from __future__ import annotations

import hashlib
import importlib
from pathlib import Path
from typing import NamedTuple

from setuptools import setup
from setuptools.command.build_py import build_py

STATIC = Path(__file__).resolve().parent / "api/pages/static"
STYLE, LICENCE = "fonts.css", "fonts-licence.txt"

LETTERS = (
    *range(0x20, 0x7F), *range(0xA0, 0x180), *range(0x2010, 0x2016), *range(0x2018, 0x201F), *range(0x2020, 0x2023),
    0x2026, 0x2030, 0x2032, 0x2033, 0x2039, 0x203A, 0x2044, *range(0x2074, 0x207A), *range(0x2080, 0x208A), 0x20AC,
    0x2122, *range(0x2190, 0x2194), 0x2197, 0x2212, 0x221E, 0x2248, 0x2260, 0x2264, 0x2265, 0x3A9, 0x3BC, 0x3C0,
)  # fmt: skip  # ranges of Unicode, a block on a line
FEATURES = ("ccmp", "kern", "liga", "lnum", "locl", "mark", "mkmk", "tnum")


class Typeface(NamedTuple):
    """One file to make; `size` makes its small letters about as high as those of the system fonts."""

    file: str
    family: str
    package: str
    source: str
    sha256: str
    axes: dict[str, float | tuple[float, float]]
    style: str = "normal"
    weights: str = "400 600"
    size: str = "100%"


TYPEFACES = (
    Typeface(
        "brain-serif.woff2", "Brain Serif", "fontpkg_source_serif_4", "SourceSerif4[opsz,wght].ttf",
        "97b2d4da6e3cb494b5a1e66ae176914d852ccabef49e0c02c0df25f3e39aca0b", {"opsz": 18, "wght": (400, 600)},
    ),
    Typeface(
        "brain-serif-italic.woff2", "Brain Serif", "fontpkg_source_serif_4", "SourceSerif4-Italic[opsz,wght].ttf",
        "15fbc7e4679489a501998c3669272637a6646388ef7e4bd77eebb5bf967a1f42", {"opsz": 18, "wght": 400}, "italic", "400",
    ),
    Typeface(
        "brain-sans.woff2", "Brain Sans", "fontpkg_source_sans_3", "SourceSans3[wght].ttf",
        "042fe2cc0b933e328410d7acbd0aa6a1873dca5aef81875f4bc214b08825c7b9", {"wght": (400, 600)}, size="107%",
    ),
)  # fmt: skip  # a row for each file


def make_typefaces() -> None:
    """Write the files, unless those that are there were made by this very recipe.

    Raises:
        ValueError: a font package holds another font than the one that was looked at.
    """
    recipe = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:16]
    style = STATIC / STYLE
    if style.exists() and recipe in style.read_text("utf-8") and all((STATIC / one.file).exists() for one in TYPEFACES):
        return
    for one in TYPEFACES:
        _cut(one)
    licences = dict.fromkeys(_folder(one).joinpath("LICENSE").read_text("utf-8") for one in TYPEFACES)
    (STATIC / LICENCE).write_text("\n\n".join(licences), "utf-8")
    style.write_text(f"/* Made by setup.py, recipe {recipe}. */\n" + "".join(map(_rule, TYPEFACES)), "utf-8")


def _folder(one: Typeface) -> Path:
    return Path(importlib.import_module(one.package).__file__ or "").parent


def _cut(one: Typeface) -> None:
    """One font with fewer letters, features and weights."""
    from fontTools import subset, ttLib  # noqa: PLC0415  # needed to build fonts, not to run setup.py for another job
    from fontTools.varLib import instancer  # noqa: PLC0415  # as above

    path = _folder(one) / "files" / one.source
    if hashlib.sha256(path.read_bytes()).hexdigest() != one.sha256:
        raise ValueError(f"{path.name} of {one.package} is not the font that this build was written for")
    font = ttLib.TTFont(path, recalcTimestamp=False)  # the same file on every day
    options = subset.Options(layout_features=list(FEATURES), hinting=False, notdef_outline=True, name_IDs=[0, 13, 14])
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=LETTERS)
    subsetter.subset(font)
    font = instancer.instantiateVariableFont(font, one.axes)
    for number, text in {
        1: one.family,
        2: "Regular",
        3: one.file,
        4: one.family,
        6: one.family.replace(" ", ""),
    }.items():
        font["name"].setName(text, number, 3, 1, 0x409)
    font.flavor = "woff2"
    font.save(STATIC / one.file)
    if one.style == "normal":  # pictures in pixels are set in these
        font.flavor = None
        font.save((STATIC / one.file).with_suffix(".ttf"))


def _rule(one: Typeface) -> str:
    """The style rule; `optional` means that a font that comes late is used from the next page on, so nothing moves."""
    return (
        f'@font-face {{ font-family: "{one.family}"; src: url("{one.file}") format("woff2"); font-style: {one.style}; '
        f"font-weight: {one.weights}; size-adjust: {one.size}; font-display: optional; }}\n"
    )


class BuildWithTypefaces(build_py):
    """Makes the typefaces before the files of the packages are collected."""

    def run(self) -> None:
        """Make the typefaces, then build as always."""
        make_typefaces()
        super().run()


if __name__ == "__main__":
    setup(cmdclass={"build_py": BuildWithTypefaces})
