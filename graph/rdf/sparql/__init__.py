"""SPARQL 1.1 queries over the exported graph, read-only, each in a process that can be stopped."""
