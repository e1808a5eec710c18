"""The errors of the library, without what reads its folders."""

from __future__ import annotations

from graph.store.store_errors import NotFoundError


class UnknownFolderError(NotFoundError):
    """The library has no such folder."""

    noun = "folder in the library:"
