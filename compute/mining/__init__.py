"""Finds checkable statements in prose: figures, the relations between them, and whether these hold."""
