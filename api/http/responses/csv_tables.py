"""Lists as CSV (RFC 4180): a row for each item, a column for each key, what is nested as JSON in its cell.

No cell is a formula (`graph.text.csv_text`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, get_args

from pydantic import BaseModel

from graph.text.csv_text import csv_row
from graph.values import dumps, plain


def columns(listing: Any) -> list[str]:  # noqa: ANN401  # a type: a model, or a list model over another one
    """The keys of the items of a list model."""
    field = getattr(listing, "model_fields", {}).get("items")
    inner = next((one for one in get_args(field.annotation) if one is not Ellipsis), None) if field else None
    return list(getattr(inner, "model_fields", {}))


def render(items: Iterable[object], first: Sequence[str] = ()) -> bytes:
    """The items as CSV; `first` are columns that are present even without an item."""
    rows = [_row(item) for item in items]
    names = list(dict.fromkeys([*first, *(key for row in rows for key in row)]))
    lines = (csv_row(row.get(name) for name in names) for row in rows)
    return "".join((csv_row(names), *lines)).encode("utf-8", "replace")


def _row(item: object) -> dict[str, str]:
    given: Any = item.model_dump() if isinstance(item, BaseModel) else item
    told: Mapping[str, Any] = given if isinstance(given, Mapping) else {"value": given}
    return {key: _cell(value) for key, value in told.items()}


def _cell(value: object) -> str:
    """Text as it is, numbers with every digit, a list of words with spaces between, anything else as JSON."""
    if value is None:
        return ""
    if isinstance(value, str):
        return str(value)
    if isinstance(value, (list, tuple)) and value and all(isinstance(one, str) and " " not in one for one in value):
        return " ".join(value)
    if isinstance(value, (list, tuple)) and not value:
        return ""
    if isinstance(value, (bool, dict, list, tuple)):
        return dumps(value)
    return str(plain(value)) if not isinstance(value, (int, float)) and _has_form(value) else str(value)


def _has_form(value: object) -> bool:
    try:
        plain(value)
    except TypeError:
        return False
    return True
