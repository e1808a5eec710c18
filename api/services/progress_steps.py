"""The callback that receives how far a long operation is."""

from __future__ import annotations

from collections.abc import Callable

ProgressStep = Callable[[str, int, int], None]
"""Progress callback: the name of the step, how much is done, and the total."""


def no_progress(_doing: str, _done: int, _total: int) -> None:
    """Ignores progress."""
