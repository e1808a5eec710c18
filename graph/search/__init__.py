"""Search: a query language, two engines behind one protocol, filters, facets, snippets, synonyms, completion."""

from graph.search.engine_table import ENGINES, MissingEngineError, UnknownEngineError
from graph.search.index_files import Progress, SearchBusyError, SearchError, SearchNotReadyError, SearchUnwritableError
from graph.search.search import Search
from graph.search.search_models import Answer, Completion, Hit, Synonym

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
    "UnknownEngineError",
]
