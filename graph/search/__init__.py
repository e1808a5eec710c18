"""Search: a query language, engines behind one protocol, filters, facets, snippets, synonyms, completion."""

from graph.search.engine_table import ENGINES, MissingEngineError, UnknownEngineError
from graph.search.index_files import Progress, SearchBusyError, SearchError, SearchNotReadyError, SearchUnwritableError
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
