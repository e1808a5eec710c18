"""Read-only SPARQL 1.1 over the exported graph, in processes that can be stopped."""
