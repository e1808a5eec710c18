"""Checkable statements found in prose: figures, the relations between them, and whether these hold."""
