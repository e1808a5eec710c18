"""The routes under `/v1`, by subject; each asks the brain, wraps, and answers."""
