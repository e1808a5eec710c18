"""The notes of a run as the ledger stores them, and as a reader sees them for whom some brains do not exist.

    ["no network", {"text": "/srv/vault: left out because of errors: plan.md", "brain": "mara"}]

A note with a brain is on its documents: it may have names of files and folders. What it says is the operator's and the
brain's own; if its brain is not known, it is the operator's only.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable

from graph.models.verdict_models import RunNote
from graph.text.similar_names import names_any

_ON_FILES = re.compile(r": left out because of errors: | was not read: ")
"""Notes on folders by earlier programs, which stored no brain with them."""


def note_text(note: str | RunNote) -> str:
    """What a note says."""
    return note if isinstance(note, str) else note.text


def stored_notes(notes: Iterable[str | RunNote]) -> str:
    """Notes as the ledger stores them."""
    return json.dumps([note if isinstance(note, str) else note.model_dump() for note in notes])


def shown_notes(stored: str, hidden: Collection[str]) -> tuple[str, ...]:
    """The stored notes that may be shown to a reader for whom the `hidden` brains do not exist."""
    notes = [one if isinstance(one, str) else RunNote(**one) for one in json.loads(stored)]
    return tuple(note_text(one) for one in notes if not hidden or _public(one, hidden))


def _public(note: str | RunNote, hidden: Collection[str]) -> bool:
    owned = _ON_FILES.search(note) is None if isinstance(note, str) else note.brain not in {None, *hidden}
    return owned and not names_any(note_text(note), hidden)
