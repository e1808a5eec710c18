"""Middleware: allowed hosts, limits, caching, metrics, linked data."""
