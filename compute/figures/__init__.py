"""Figures of texts about the economics of AI: read, checked by prices and named relations."""
