"""The notes of statements, for places that show the computed figure next to the stated one."""

from __future__ import annotations

import re

_COMPUTED = re.compile(r"(^|; )computed (?:[^;:,]|,(?=\d))+(?:, (?=as of )|: |; |$)")
"""`computed 3 USD/Mtok, ` and `computed 75%; `; not two figures, as in `computed 3× for input, 5× for output`."""


def without_computed(note: str) -> str:
    """A note without the computed figure; what explains the figure stays.

    `computed 75%; the text may mean another relation` → `the text may mean another relation`
    """
    return _COMPUTED.sub(r"\1", note, count=1).removesuffix("; ")
