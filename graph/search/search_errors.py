"""What can be wrong with a search index."""

from __future__ import annotations

from pathlib import Path


class SearchError(Exception):
    """The index cannot be used."""


class StoppedError(SearchError):
    """The build was cancelled because the search was closed; a progress callback raises it."""

    def __init__(self) -> None:
        super().__init__("the search index is not built: the program is ending")


class SearchNotReadyError(SearchError):
    """The index is being built or opened in the background; try again after `seconds`."""

    def __init__(self, done: int, total: int, seconds: int) -> None:
        """`total` is 0 while nothing is built, or before it begins."""
        self.seconds = seconds
        doing = f"built: {done:,} of {total:,} notes are read" if total else "opened"
        super().__init__(f"the search index is being {doing}; try again in {seconds} s")


class SearchInWriteError(SearchError):
    """The search was used inside a write, which may still be rolled back: the index must not contain it."""

    def __init__(self) -> None:
        super().__init__("search is not available inside a write transaction; ask after the commit")


class SearchFailedError(SearchError):
    """Building the index in the background failed."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"the search index cannot be built: {reason}")


class SearchBusyError(SearchError):
    """Another process locked the index for too long."""

    def __init__(self, folder: Path) -> None:
        super().__init__(f"the search index in {folder} is being built by another process; try again")


class SearchDamagedError(SearchError):
    """The index could not be read, even after a rebuild."""

    def __init__(self, folder: Path) -> None:
        super().__init__(f"the search index in {folder} cannot be read, although it was built again")


class SearchUnwritableError(SearchError):
    """The folder of the index is not writable."""

    def __init__(self, folder: Path, reason: str) -> None:
        super().__init__(f"the search index in {folder} cannot be written: {reason}")
