"""Charts, cards and drawings as SVG, and as PNG and CSV."""
