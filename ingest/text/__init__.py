"""Text: bytes decoded into numbered lines, and what of them is prose."""
