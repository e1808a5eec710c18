"""The format of the index in files; imports no library, for programs that must start quickly."""

from __future__ import annotations

FORMAT = 5
"""Increase it when the tokenizer or the file layout changes: an index of another format is rebuilt."""
