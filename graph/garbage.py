"""Pauses Python's garbage collector, which looks for objects in circles, where much is made and little of it is one."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """Pause the collector: rows make no circles, and to go through all that is cached takes a third of the time.

    One process computes a million claims in such a block, a worker one chunk of them.
    """
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()
