"""Pages of prices: the list, and one item."""
