"""The characters that every store, every format and RDF can write."""

from __future__ import annotations

import re

REPLACED = "\ufffd"  # replaces a character that cannot be stored

CONTROLS = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ufdd0-\ufdef\ufffe\uffff]")
_SURROGATES = re.compile("[\ud800-\udfff]")


def safe(text: str) -> str:
    """`text` without surrogates, control characters and CR."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if text.isascii() and text.isprintable():
        return text
    text = text.replace("\f", " ").replace("\v", " ")
    return CONTROLS.sub(REPLACED, _SURROGATES.sub(REPLACED, text))
