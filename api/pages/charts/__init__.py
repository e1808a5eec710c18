"""Charts and drawings as SVG, and as PNG and CSV."""
