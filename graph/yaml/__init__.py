"""YAML with positions: one reader, and models of files that report mistakes with line, column and hint."""
