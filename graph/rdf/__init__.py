"""The graph as RDF, and SPARQL over it: SKOS, PROV-O, CiTO, schema.org, nanopublications and our own terms.

    values ─nodes, edges, claims, library─▶ triples ─formats, jsonld─▶ bytes
    store ──export──▶ statements ──sparql.datasets──▶ a dataset on disk ──sparql.worker──▶ answers

Nothing is imported here: a worker of `graph.rdf.sparql` must start fast and needs no store.
"""
