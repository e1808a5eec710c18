"""YAML documents of rules and figures: recognised here by their key, read elsewhere."""

from __future__ import annotations

from ingest.formats.format_protocol import Format

NAMES = ("claims", "prices", "assumptions", "families", "decisions", "tags", "freshness", "scenarios", "silences")

FORMATS = tuple(
    Format(name, "YAML of rules and figures, told apart by their top-level key", key=name) for name in NAMES
)
