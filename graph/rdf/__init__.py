"""The graph as RDF, and SPARQL over it: SKOS, PROV-O, CiTO, schema.org, nanopublications and a small own vocabulary."""
