"""Prices: the model, validity intervals, and selection of one price per query."""
