"""Opens a brain for one command; it imports nothing that only an unknown name needs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime

from api.brain import Brain
from api.services.task_mapper import HERE, Mapper
from api.settings import Settings
from graph.store.store_errors import NotFoundError


@contextmanager
def opened(
    settings: Settings, clock: Callable[[], datetime], reader: str | None = None, mapper: Mapper = HERE
) -> Iterator[Brain]:
    """An open brain, closed at the end; an error about a name that is not there gets a note of those near it.

    `clock` gives the current time. `reader` is the only private brain that is visible, "" for none; None: everything is
    visible.
    """
    with Brain.open(settings, mapper=mapper) as everything:
        everything.use_clock(clock)
        hidden = frozenset() if reader is None else everything.brains.private() - {reader}
        brain = everything.views.without(hidden) if hidden else everything
        try:
            yield brain
        except NotFoundError as error:
            from api.services.name_lookup import meant  # noqa: PLC0415  # brings in prices and claims

            if (near := meant(brain, error)) and not getattr(error, "renamed", None):
                error.add_note(f"near it: {', '.join(near)}")
            raise
