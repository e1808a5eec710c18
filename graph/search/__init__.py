"""Search: a query language, two engines, filters, facets, snippets, synonyms, completion."""
