"""HTTP: the API under `/v1`, and the gate before everything that the service answers."""
