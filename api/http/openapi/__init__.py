"""OpenAPI: the description of the API and its page."""
