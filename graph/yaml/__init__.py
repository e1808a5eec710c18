"""YAML with positions: one reader, and file models that report each mistake with line, column and hint."""
