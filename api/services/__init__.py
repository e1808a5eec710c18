"""The operations of a brain, by subject: imports, prices, claims. Each takes open parts and returns values."""
