"""The engines by name; an engine that is not installed is an error only when it is selected."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from graph.search.engine_protocol import Engine, Opener
from graph.search.search_errors import SearchError

ENGINES: dict[str, tuple[str, str]] = {
    "whoosh": ("graph.search.whoosh_engine", "WhooshEngine"),
    "tantivy": ("graph.search.tantivy_engine", "TantivyEngine"),
}
"""Module and class of each engine."""


class UnknownEngineError(SearchError):
    """No engine of that name."""

    def __init__(self, name: str) -> None:
        super().__init__(f"there is no search engine {name}: choose one of {', '.join((BY_SIZE, *ENGINES))}")


class MissingEngineError(SearchError):
    """The engine's library is not installed."""

    def __init__(self, name: str) -> None:
        super().__init__(f"the search engine {name} is not installed; pip install 'brain-claims[{name}]'")


BY_SIZE = "auto"
"""In place of a name: the first engine, and the second one for large brains."""


def openers(name: str) -> tuple[str, Opener, tuple[str, Opener] | None]:
    """An engine with its opener, and, for `BY_SIZE`, the one for large brains where it is installed.

    Raises:
        SearchError: as `opener`.
    """
    if name != BY_SIZE:
        return name, opener(name), None
    small, large = ENGINES
    with suppress(MissingEngineError):
        return small, opener(small), (large, opener(large))
    return small, opener(small), None


def opener(name: str) -> Opener:
    """The function that opens an index of the engine `name`.

    Raises:
        UnknownEngineError: no engine of that name.
        MissingEngineError: its library is not installed.
    """
    if name not in ENGINES:
        raise UnknownEngineError(name)
    module, attribute = ENGINES[name]
    try:
        found: Callable[[Path], Engine] = getattr(import_module(module), attribute)
    except ModuleNotFoundError as error:
        raise MissingEngineError(name) from error
    return found
