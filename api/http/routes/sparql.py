"""SPARQL over the exported graph (SPARQL 1.1 Protocol, read-only), and the graph's vocabulary."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from typing import Annotated, Literal
from urllib.parse import parse_qs

from fastapi import Query, Request, Response
from starlette.concurrency import run_in_threadpool

from api.http.answers import Desk
from api.http.bodies import body_of, media_of
from api.http.described import Described
from api.http.table import Route
from api.http.trouble import TroubleError
from graph.rdf.sparql.endpoint import Endpoint

FORM, QUERY = "application/x-www-form-urlencoded", "application/sparql-query"
EXAMPLE = "SELECT ?node ?title WHERE { ?node dcterms:title ?title } ORDER BY ?title LIMIT 10"
PREPARING = 60.0
"""Seconds that the data may take to be laid out for the first query."""

Form = Annotated[
    Literal["json", "xml", "csv", "tsv", "turtle", "jsonld", "ntriples"] | None,
    Query(description="The form of a table (the first four) or of a graph, in place of the Accept header."),
]


class Sparql:
    """The endpoint. Its workers start with the first query and end with the service."""

    def __init__(self, desk: Desk, endpoint: Endpoint) -> None:
        self._settings, self._endpoint, self._described = desk.brain.settings, endpoint, Described(desk)
        self._preparing, self._prepared = Lock(), False

    def query(
        self,
        request: Request,
        query: Annotated[
            str | None,
            Query(max_length=4000, description="The query; without one the service is described.", examples=[EXAMPLE]),
        ] = None,
        format: Form = None,  # noqa: A002  # the name that all routes use
    ) -> Response:
        """The answer to a SPARQL query: SELECT and ASK as a table, CONSTRUCT and DESCRIBE as a graph.

        Without a query, what the service can do, as a SPARQL Service Description in Turtle.
        """
        if query is None:
            return Response(self._described.service(), media_type="text/turtle; charset=utf-8")
        return self._answer(query, format or request.headers.get("accept"))

    async def post(
        self,
        request: Request,
        format: Form = None,  # noqa: A002  # the name that all routes use
    ) -> Response:
        """The same for a query in the body: as it is, or as the field `query` of a form."""
        media = media_of(request, (QUERY, FORM))
        text = (await body_of(request, self._settings.max_body)).decode("utf-8", "replace")
        if media == FORM:
            given = parse_qs(text).get("query")
            if not given:
                raise TroubleError("invalid-request", "body.query: the form has no field `query`")
            text = given[0]
        return await run_in_threadpool(self._answer, text, format or request.headers.get("accept"))

    def _answer(self, text: str, accept: str | None) -> Response:
        self._prepare()
        limits = self._settings
        found = self._endpoint.query(text, seconds=limits.sparql_seconds, rows=limits.sparql_rows, accept=accept)
        headers = {"X-Rows": str(found.rows), "Cache-Control": "no-cache"}
        if found.remark:
            headers["X-Remark"] = found.remark
        return Response(found.body, headers=headers, media_type=found.media_type)

    def _prepare(self) -> None:
        """The first query waits until the data are laid out; the limit on queries is not for that."""
        with self._preparing:
            if not self._prepared:
                self._endpoint.query("ASK {}", seconds=PREPARING)
                self._prepared = True

    def ns(self) -> Response:
        """The vocabulary `brain:` as Turtle."""
        return Response(self._described.published("ns"), media_type="text/turtle; charset=utf-8")

    def shapes(self) -> Response:
        """The SHACL shapes that a whole export has, as Turtle."""
        return Response(self._described.published("shapes"), media_type="text/turtle; charset=utf-8")

    def context(self) -> Response:
        """The JSON-LD context that every JSON-LD answer names."""
        return Response(self._described.published("context"), media_type="application/ld+json")


WRONG = ("query-syntax", "query-refused", "content-too-large", "query-limit", "invalid-request", "unavailable")


def routes(desk: Desk, endpoint: Endpoint) -> Sequence[Route]:
    """The routes in their order."""
    of = Sparql(desk, endpoint)
    takes = ((QUERY, EXAMPLE), (FORM, "query=ASK%20%7B%7D"))
    return (
        Route("/sparql", of.query, None, SPARQL, WRONG),
        Route("/sparql", of.post, None, SPARQL, (*WRONG, "unsupported-media-type"), method="POST", takes=takes),
        Route("/ns", of.ns, None, ("turtle",)),
        Route("/shapes", of.shapes, None, ("turtle",)),
        Route("/context.jsonld", of.context, None, ("jsonld",)),
    )


SPARQL = ("results", "xml", "csv", "tsv", "turtle", "jsonld", "ntriples")
