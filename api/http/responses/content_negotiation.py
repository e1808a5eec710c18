"""The formats of answers, the one that an Accept header prefers, and lists as CSV."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, get_args

from pydantic import BaseModel

from graph.rdf.accept_header import quality
from graph.text.csv_text import csv_row
from graph.values import dumps, plain

MEDIA = {
    "json": "application/json",
    "csv": "text/csv",
    "html": "text/html",
    "markdown": "text/markdown",
    "turtle": "text/turtle",
    "jsonld": "application/ld+json",
    "trig": "application/trig",
    "ntriples": "application/n-triples",
    "atom": "application/atom+xml",
    "feed": "application/feed+json",
    "linkset": "application/linkset+json",
    "text": "text/plain",
    "graphml": "application/graphml+xml",
    "metrics": "text/plain",
    "results": "application/sparql-results+json",
    "xml": "application/sparql-results+xml",
    "tsv": "text/tab-separated-values",
}
"""Media types by the name that `?format=` takes; `Response` adds the charset of texts."""


@lru_cache(maxsize=1024)
def preferred(accept: str, forms: tuple[str, ...]) -> str | None:
    """The first of the formats that an Accept header weighs highest; None if it accepts none (RFC 9110, 12.5.1)."""
    weighed = [(quality(MEDIA[form], accept), -place) for place, form in enumerate(forms)]
    best, place = max(weighed)
    return forms[-place] if best > 0 else None


def columns(listing: Any) -> list[str]:  # noqa: ANN401  # a type: a model, or a list model over another one
    """The keys of the items of a list model."""
    field = getattr(listing, "model_fields", {}).get("items")
    inner = next((one for one in get_args(field.annotation) if one is not Ellipsis), None) if field else None
    return list(getattr(inner, "model_fields", {}))


def csv_table(items: Iterable[object], first: Sequence[str] = ()) -> bytes:
    """Items as CSV (RFC 4180), a column for each key; the columns `first` are there even without an item."""
    found = (item.model_dump() if isinstance(item, BaseModel) else item for item in items)
    rows: list[Mapping[str, object]] = [one if isinstance(one, Mapping) else {"value": one} for one in found]
    names = list(dict.fromkeys([*first, *(key for row in rows for key in row)]))
    lines = (csv_row(_cell(row.get(name)) for name in names) for row in rows)
    return "".join((csv_row(names), *lines)).encode("utf-8", "replace")


def _cell(value: object) -> str:
    """Text, numbers with every digit, words joined by spaces, anything else as JSON."""
    if isinstance(value, (list, tuple)) and all(isinstance(one, str) and " " not in one for one in value):
        return " ".join(value)
    if value is None or isinstance(value, str):
        return str(value or "")
    if isinstance(value, (bool, dict, list, tuple)):
        return dumps(value)
    try:
        return str(value if isinstance(value, (int, float)) else plain(value))
    except TypeError:
        return str(value)
