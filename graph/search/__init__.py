"""Search: a query language, two engines, filters, facets, snippets, synonyms, completion."""

from __future__ import annotations

from graph.search.search_errors import SearchError

__all__ = ["SearchError"]
