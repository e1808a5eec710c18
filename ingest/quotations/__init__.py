"""Cite spans resolved to the sources that a page lists."""
