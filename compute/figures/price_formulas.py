"""The price lookups of formulas."""
