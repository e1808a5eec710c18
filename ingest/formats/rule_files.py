"""YAML documents of rules and figures: detected here by their key, read by other packages."""

from __future__ import annotations

from ingest.formats.format_protocol import Format

NAMES = (
    "claims",
    "prices",
    "assumptions",
    "families",
    "decisions",
    "tags",
    "freshness",
    "scenarios",
    "silences",
    "units",
)

FORMATS = tuple(Format(name, "YAML rules and figures, identified by the top-level key", key=name) for name in NAMES)
