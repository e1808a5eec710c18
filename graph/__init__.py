"""What there is: nodes, citations, claims, verdicts as frozen values; the store, the search index, the links, RDF."""
