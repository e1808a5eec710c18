"""Bracket markers resolved to the readings that they number."""
