"""HTTP: the API under `/v1`, and the middleware in front of everything that the service answers."""
