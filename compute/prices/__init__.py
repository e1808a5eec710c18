"""Prices: what they are, where they are valid, which one answers a question."""
