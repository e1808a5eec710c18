"""Responses: request context, content negotiation, problem details, CSV, RDF."""
