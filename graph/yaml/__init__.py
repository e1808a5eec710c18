"""YAML with positions: one reader, and file models that report each mistake with line, column and hint."""

from graph.yaml.fields import Day, FromText, Line, Texts, Whole, after_from, choice, mistake, patterned, whole_number
from graph.yaml.reader import Fault, load
from graph.yaml.source import Codes, Source
from graph.yaml.tree import (
    Listing,
    Mapping,
    Position,
    Tree,
    Word,
    at,
    field,
    key_position,
    mappings,
    place,
    position,
    position_at,
    word,
    words,
)
from graph.yaml.validation import Entry, Written, entries, entry, head, known_fields, listed

__all__ = [
    "Codes", "Day", "Entry", "Fault", "FromText", "Line", "Listing", "Mapping", "Position", "Source", "Texts", "Tree",
    "Whole", "Word", "Written", "after_from", "at", "choice", "entries", "entry", "field", "head", "key_position",
    "known_fields", "listed", "load", "mappings", "mistake", "patterned", "place", "position", "position_at",
    "whole_number", "word", "words",
]  # fmt: skip
