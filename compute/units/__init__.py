"""Units: parsing, dimensions, exact conversion, and how figures are printed."""
