"""The complete brain as one file, streamed."""

from __future__ import annotations

from collections.abc import Sequence

from fastapi import Response

from api.http.api_route import ApiRoute
from api.http.middleware.concurrency_limits import Limit
from api.http.responses.content_negotiation import media_type
from api.http.responses.request_context import AppContext, Ask
from api.http.responses.streaming import Stream

FORMS = ("turtle", "trig", "jsonld", "ntriples", "graphml", "csv", "json")
ENDINGS = {"turtle": "ttl", "ntriples": "nt"}
AT_ONCE = 2
"""How many exports are sent at the same time: each takes time from all readers, and holds database connections."""


class Exports:
    """The route over an open brain."""

    def __init__(self, desk: AppContext) -> None:
        self._exporter = desk.brain.exporter
        self._limit = Limit(AT_ONCE, 0, f"{AT_ONCE} exports are running")

    def export(self, ask: Ask) -> Response:
        """Everything: as RDF, GraphML, CSV, or as JSON that another brain takes in."""
        name = f"brain.{ENDINGS.get(ask.form, ask.form)}"
        headers = {**ask.headers(), "Content-Disposition": f'attachment; filename="{name}"'}
        pieces = self._exporter.at(ask.site).forms[ask.form]
        return Stream(pieces, self._limit, headers=headers, media_type=media_type(ask.form))


def routes(desk: AppContext) -> Sequence[ApiRoute]:
    """The route."""
    return (ApiRoute("/v1/export", Exports(desk).export, None, FORMS, ("unavailable",)),)
