"""Units: parsing, dimensions, exact conversion, and number formatting."""
