"""The properties of a note: the fields of its front matter that have no meaning of their own here."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from graph.models.node_models import Property
from graph.yaml import Tree, Word
from ingest.markdown.front_matter import Front

MOST = 100
"""A note has at most so many properties."""

LONGEST = 2000
"""A value is cut after this many characters."""

DISPLAY = frozenset({"cssclass", "cssclasses", "publish", "permalink", "position"})
"""Settings of the editor; they say nothing about the note."""


def properties_of(front: Front, read: Collection[str]) -> tuple[Property, ...]:
    """The fields of the front matter other than `read`, with their values as one line of text."""
    found = (
        Property(name=str(name), value=_text(value)[:LONGEST])
        for name, value in front.fields.items()
        if str(name) not in read and str(name).lower() not in DISPLAY
    )
    return tuple(one for one in found if one.value)[:MOST]


def _text(value: Tree) -> str:
    """A scalar as it is, a list with commas."""
    if isinstance(value, Word) or value is None:
        return " ".join(str(value or "").split())
    return ", ".join(_parts(value))


def _parts(value: Tree) -> Iterator[str]:
    if isinstance(value, dict):
        yield from (f"{name}: {_text(item)}" for name, item in value.items())
    elif isinstance(value, list):
        yield from filter(None, map(_text, value))
