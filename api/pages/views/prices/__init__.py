"""Pages of prices: the list, one item, comparisons."""
