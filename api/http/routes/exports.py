"""The whole brain as one file, sent piece by piece."""

from __future__ import annotations

from collections.abc import Sequence

from fastapi import Response
from starlette.responses import StreamingResponse

from api.http.answers import Ask, Desk
from api.http.negotiate import media_type
from api.http.table import Route

FORMS = ("turtle", "trig", "jsonld", "ntriples", "graphml", "csv", "json")
ENDINGS = {"turtle": "ttl", "ntriples": "nt"}


class Exports:
    """The route over an open brain."""

    def __init__(self, desk: Desk) -> None:
        self._exporter = desk.brain.exporter

    def export(self, ask: Ask) -> Response:
        """Everything: as RDF, GraphML, CSV, or as JSON that another brain takes in."""
        name = f"brain.{ENDINGS.get(ask.form, ask.form)}"
        headers = {**ask.headers(), "Content-Disposition": f'attachment; filename="{name}"'}
        pieces = self._exporter.at(ask.site).forms[ask.form]()
        return StreamingResponse(pieces, headers=headers, media_type=media_type(ask.form))


def routes(desk: Desk) -> Sequence[Route]:
    """The route."""
    return (Route("/v1/export", Exports(desk).export, None, FORMS),)
