"""The graph as RDF, and SPARQL over it: SKOS, PROV-O, CiTO, schema.org, nanopublications and our own terms.

values ─node_triples, claim_triples─▶ triples ─rdf_formats─▶ bytes
store ──rdf_export──▶ statements ──sparql.endpoint──▶ a dataset on disk ──sparql.worker──▶ answers
"""
