"""Search: a query language, two engines behind one protocol, filters, facets, snippets, synonyms, completion."""

from graph.search.answers import Answer, Completion, Hit, Synonym
from graph.search.engines import ENGINES, MissingEngineError, UnknownEngineError
from graph.search.files import Progress, SearchBusyError, SearchError, SearchNotReadyError, SearchUnwritableError
from graph.search.search import Search

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
