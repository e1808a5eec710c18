"""Which form of an answer a caller wants: `?format=` decides, else the Accept header (RFC 9110, section 12.5.1)."""

from __future__ import annotations

from functools import lru_cache

from graph.rdf.accept_header import quality

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
"""The forms that answers come in, by the name that `?format=` takes."""

TEXTS = frozenset({"csv", "html", "markdown", "turtle", "text"})
"""Forms whose media type says that they are in UTF-8."""


def media_type(form: str) -> str:
    """The Content-Type of a form."""
    return f"{MEDIA[form]}; charset=utf-8" if form in TEXTS else MEDIA[form]


@lru_cache(maxsize=1024)
def preferred(accept: str, forms: tuple[str, ...]) -> str | None:
    """The form of `forms` (the one to prefer first) that an Accept header likes best; None where it takes none."""
    weighed = [(quality(MEDIA[form], accept), -place) for place, form in enumerate(forms)]
    best, place = max(weighed)
    return forms[-place] if best > 0 else None
