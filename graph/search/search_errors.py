"""The errors of a search."""

from __future__ import annotations


class SearchError(Exception):
    """The search cannot be used."""


class UnknownEngineError(SearchError):
    """No engine of that name."""

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        super().__init__(f"there is no search engine {name}: choose one of {', '.join(known)}")


class SearchInWriteError(SearchError):
    """The search was used inside a write, which may be rolled back."""

    def __init__(self) -> None:
        super().__init__("search is not available inside a write transaction; ask after the commit")


class SearchStoppedError(SearchError):
    """Closing the search cancelled the build of an index."""

    def __init__(self) -> None:
        super().__init__("the search index is not built: the program is ending")
