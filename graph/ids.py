"""Slugs of titles, ids as `brain/slug`, and suffixes that are the same at every ingest."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

LONGEST = 80  # maximum characters of a slug, which is cut at a word border

_MARKS = str.maketrans({"$": " usd ", "×": "x", "&": " and ", "%": " percent ", "+": " plus "})
_APOSTROPHES = str.maketrans("", "", "'’ʼ")
_ASCII_WORD = re.compile(r"[a-z0-9]+")


def slug(text: str) -> str:
    """A title as a slug: in ASCII if that can write it (`Café` → `cafe`), else in NFC (`Аренда` → `аренда`).

    A title without a letter or digit becomes `n-` and a hash.
    """
    plain = _letters(text)
    if plain.isascii() or not any(sign.isalnum() and sign > "\x7f" for sign in unicodedata.normalize("NFKD", plain)):
        return ascii_slug(text)
    return _cut(_joined(plain))


def is_slug(part: str) -> bool:
    """Whether a text is a slug, of any length."""
    return part == _joined(_letters(part)) != ""


def ascii_slug(text: str) -> str:
    """A slug of ASCII letters and digits; without any, `n-` and a hash."""
    plain = text.translate(_MARKS)
    if not plain.isascii():
        plain = unicodedata.normalize("NFKD", plain).encode("ascii", "ignore").decode()
    words = _ASCII_WORD.findall(plain.lower().replace("'", ""))
    return _cut("-".join(words)) if words else "n-" + digest(text)


def _letters(text: str) -> str:
    """NFC in lower case; wide, raised and circled forms as plain letters."""
    if text.isascii():
        return text
    shown = "".join(map(_plain_form, text.translate(_MARKS).translate(_APOSTROPHES)))
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", shown).lower())


@lru_cache(maxsize=1 << 12)
def _plain_form(sign: str) -> str:
    """Letters without case (Thai, Korean …) stay if NFKC only decomposes them."""
    form = unicodedata.decomposition(sign)
    taken_apart = form.startswith("<compat>") and unicodedata.category(sign) == "Lo"
    return unicodedata.normalize("NFKC", sign) if form.startswith("<") and not taken_apart else sign


def _joined(plain: str) -> str:
    """Letters, digits and their marks as words joined by hyphens."""
    words, inside = "", False
    for sign in plain:
        category = unicodedata.category(sign)
        if category == "Cf" or _VARIANT.match(sign):
            continue
        inside = sign.isalnum() or (inside and category in {"Mn", "Mc"})
        words += sign if inside else " "
    return "-".join(words.split())


_VARIANT = re.compile("[\u3164\uffa0\u115f\u1160\ufe00-\ufe0f\U000e0100-\U000e01ef]")
"""Letters and marks without a shape of their own."""


def _cut(joined: str) -> str:
    if len(joined) <= LONGEST:
        return joined
    return joined[: LONGEST + 1].rpartition("-")[0] or joined[:LONGEST]


def run_together(part: str) -> str:
    """A slug without hyphens between letters and digits: `gpt-4o` is `gpt4o`, `llama-3-1b` `llama3-1b`."""
    return _LETTER_DIGIT.sub("", part)


_LETTER_DIGIT = re.compile(r"(?<=[^\W\d])-(?=\d)|(?<=\d)-(?=[^\W\d])")


def as_written(name: str) -> str:
    """A written id in its stored form: lower case, NFC."""
    return name if name.isascii() and name.islower() else unicodedata.normalize("NFC", name.lower())


def distinct(slugs: Iterable[tuple[str, str]]) -> list[str]:
    """A unique slug for each `(slug, salt)`; a repeated slug gets a suffix from its salt, the same at every ingest.

    The salt is the text of the entry, so suffixes do not depend on other entries; equal pairs are numbered.
    """
    taken: set[str] = set()
    tried: dict[str, int] = {}
    result = []
    for base, salt in slugs:
        candidate = base
        if base in taken:
            candidate = stem = f"{base}-{digest(salt)}"
            while candidate in taken:
                tried[stem] = tried.get(stem, 1) + 1
                candidate = f"{stem}-{tried[stem]}"
        taken.add(candidate)
        result.append(candidate)
    return result


def digest(text: str) -> str:
    """Six hexadecimal digits that identify a text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:6]
