"""JSON documents of other programs, read with the place of an error."""

from __future__ import annotations

import json

from ingest.formats.converted_notes import unreadable
from ingest.text.decoding import DecodedText, Parsed


def load(text: DecodedText, code: str) -> tuple[object, Parsed | None]:
    """The value of a JSON document; or None and the document with its error, at its line."""
    try:
        return json.loads(text.content), None
    except json.JSONDecodeError as error:
        return None, unreadable(text, code, f"not valid JSON: {error.msg}", error.lineno)
    except (RecursionError, ValueError):
        return None, unreadable(text, code, "not readable JSON: nested too deeply, or a number with too many digits")


def words(value: object) -> str:
    """A JSON value as text: a string, or the strings of a list joined; anything else is empty."""
    if isinstance(value, list):
        return "".join(part for part in value if isinstance(part, str))
    return value if isinstance(value, str) else ""


def objects(value: object) -> list[dict[str, object]]:
    """The objects in a JSON list; none if it is no list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
