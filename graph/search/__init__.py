"""Search: a query language, engines behind one protocol, filters, facets, snippets, synonyms, completion."""

from __future__ import annotations

from graph.search.search_errors import SearchError, SearchNotReadyError

__all__ = ["SearchError", "SearchNotReadyError"]
