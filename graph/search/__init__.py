"""Search: a query language, engines behind one protocol, filters, facets, snippets, synonyms, completion.

The names below are loaded when they are first used: `quick_search` is imported without NumPy and SQLAlchemy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from graph.lazy_names import lazy_names

if TYPE_CHECKING:
    from graph.search.engine_table import ENGINES, MissingEngineError, UnknownEngineError
    from graph.search.index_files import (
        Progress,
        SearchBusyError,
        SearchError,
        SearchNotReadyError,
        SearchUnwritableError,
    )
    from graph.search.search import Search
    from graph.search.search_factory import open_search
    from graph.search.search_models import Answer, Completion, Hit, Synonym
    from graph.search.search_protocol import TextSearch

__all__ = [
    "ENGINES",
    "Answer",
    "Completion",
    "Hit",
    "MissingEngineError",
    "Progress",
    "Search",
    "SearchBusyError",
    "SearchError",
    "SearchNotReadyError",
    "SearchUnwritableError",
    "Synonym",
    "TextSearch",
    "UnknownEngineError",
    "open_search",
]

_MODULES = {
    "Answer": "search_models",
    "Completion": "search_models",
    "ENGINES": "engine_table",
    "Hit": "search_models",
    "MissingEngineError": "engine_table",
    "Progress": "index_files",
    "Search": "search",
    "SearchBusyError": "index_files",
    "SearchError": "index_files",
    "SearchNotReadyError": "index_files",
    "SearchUnwritableError": "index_files",
    "Synonym": "search_models",
    "TextSearch": "search_protocol",
    "UnknownEngineError": "engine_table",
    "open_search": "search_factory",
}
"""The module of each name."""

__getattr__ = lazy_names(__name__, _MODULES)
