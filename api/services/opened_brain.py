"""Opens a brain for one command; it imports nothing that only an unknown name needs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from api.brain import Brain
from api.settings import Settings
from graph.store.store_errors import NotFoundError


@contextmanager
def opened(settings: Settings) -> Iterator[Brain]:
    """An open brain, closed at the end; an error about a name that is not there gets a note of those near it."""
    with Brain.open(settings) as brain:
        try:
            yield brain
        except NotFoundError as error:
            from api.services.name_lookup import meant  # noqa: PLC0415  # brings in prices and claims

            if near := meant(brain, error):
                error.add_note(f"near it: {', '.join(near)}")
            raise
