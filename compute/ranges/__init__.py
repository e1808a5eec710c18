"""Ranges of inputs: how often a claim holds within them, and which input matters most."""
