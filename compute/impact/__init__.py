"""Impact: what depends on a price, and the health of notes."""
