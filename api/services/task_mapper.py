"""Where the pure part of a command is computed: in this process, or in several.

items ─▶ chunks ─▶ function, wherever the mapper runs it ─▶ results, in the order of the items

Only pure functions and frozen values go through a mapper. The store is read and written by the calling process alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

Chunked = Callable[[Sequence[Item]], Sequence[Result]]
"""A pure function over some items: one result for each, which does not depend on the other items of the chunk."""


class Mapper(Protocol):
    """Computes a pure function over many items."""

    @property
    def remote(self) -> bool:
        """Whether other processes compute: then the function and the items are pickled."""

    def map(self, function: Chunked[Item, Result], items: Iterable[Item]) -> Iterator[Result]:
        """The result of each item, in their order; `items` is read as the results are taken.

        Raises:
            ClusterError: other processes were to compute, and they cannot; the subclass says why.
        """


class ProcessMapper:
    """Computes in this process."""

    remote = False

    def map(self, function: Chunked[Item, Result], items: Iterable[Item]) -> Iterator[Result]:
        """The result of each item, in their order."""
        for item in items:
            yield from function((item,))


HERE: Mapper = ProcessMapper()
"""The mapper of a process that was given no other."""
