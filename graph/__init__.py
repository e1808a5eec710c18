"""Frozen values for nodes, citations, claims and verdicts; the store, the search index, links and RDF."""
