"""SPARQL over the exported graph (SPARQL 1.1 Protocol, read-only), and the graph's vocabulary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from email.message import Message
from threading import Lock
from typing import Annotated, Literal, Self
from urllib.parse import parse_qsl

from fastapi import Depends, Query, Request, Response

from api.http.api_route import ApiRoute
from api.http.responses import rdf_responses
from api.http.responses.problem_details import ProblemError
from api.http.responses.rdf_responses import LINKED, written
from api.http.responses.request_body import body_of, media_of
from api.http.responses.request_context import AppContext, Ask
from api.services.linked_data import LinkedData
from graph.rdf.claim_triples import ontology
from graph.rdf.sparql.endpoint import Endpoint

FORM, QUERY = "application/x-www-form-urlencoded", "application/sparql-query"
EXAMPLE = "SELECT ?node ?title WHERE { ?node dcterms:title ?title } ORDER BY ?title LIMIT 10"
PROTOCOL = frozenset({"query", "update", "default-graph-uri", "named-graph-uri"})
"""The parameters of the SPARQL 1.1 Protocol."""
MOST_FIELDS = 1000
"""The most parameters that a request may have."""
MOST_ROWS = 10_000
"""The rows, or triples, after which an answer is cut."""
PREPARING = 60.0
"""Seconds that the data may take to be laid out for the first query."""

Form = Annotated[
    Literal["json", "xml", "csv", "tsv", "turtle", "jsonld", "ntriples"] | None,
    Query(description="The form of a table (the first four) or of a graph, in place of the Accept header."),
]
Default = Annotated[
    list[str] | None,
    Query(
        alias="default-graph-uri",
        description="A graph to query as the default graph, in place of FROM; may be repeated.",
    ),
]
Named = Annotated[
    list[str] | None,
    Query(
        alias="named-graph-uri",
        description="A graph to query by GRAPH, in place of FROM NAMED; may be repeated.",
    ),
]


@dataclass(frozen=True)
class QueryRequest:
    """A query operation of the SPARQL 1.1 Protocol: the query, and the dataset to ask where it names one."""

    query: str
    default: Sequence[str] = ()
    named: Sequence[str] = ()

    @classmethod
    def of(cls, pairs: Sequence[tuple[str, str]], body: str | None = None) -> Self:
        """The operation of these parameters; `body` is the query where it is not among them.

        Raises:
            ProblemError: there is not exactly one query, or an update.
        """
        if any(name == "update" for name, _ in pairs):
            raise ProblemError("query-refused", "This service answers queries and takes no update.")
        queries = [*_all("query", pairs), *([] if body is None else [body])]
        if len(queries) != 1:
            raise ProblemError("query-request", f"Expected one `query`, found {len(queries)}.")
        return cls(queries[0], _all("default-graph-uri", pairs), _all("named-graph-uri", pairs))


def _all(name: str, pairs: Sequence[tuple[str, str]]) -> list[str]:
    return [value for key, value in pairs if key == name]


def _pairs(encoded: bytes) -> list[tuple[str, str]]:
    """The parameters of a query string or a form."""
    try:
        text = encoded.decode("ascii")
        return parse_qsl(text, keep_blank_values=True, errors="strict", max_num_fields=MOST_FIELDS)
    except ValueError as error:
        raise ProblemError("query-request", "The parameters are not percent-encoded UTF-8.") from error


def _utf8(request: Request, body: bytes) -> str:
    """The body as text; the protocol's only encoding is UTF-8."""
    said = Message()
    said["content-type"] = request.headers["content-type"]
    charset = said.get_content_charset("utf-8")
    if charset not in {"utf-8", "utf8", "us-ascii"}:
        raise ProblemError(
            "unsupported-media-type", f"Expected a body in UTF-8, found {charset[:40]}.", accepted=[QUERY]
        )
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ProblemError("query-request", "The body is not UTF-8.") from error


async def _operation(request: Request) -> QueryRequest:
    """The query in a body."""
    if "content-type" not in request.headers:
        raise ProblemError("unsupported-media-type", "The request has no Content-Type.", accepted=[QUERY, FORM])
    media = media_of(request, (QUERY, FORM))
    body = await body_of(request, request.app.state.desk.brain.settings.max_body)
    pairs = _pairs(request.scope["query_string"])
    return QueryRequest.of([*pairs, *_pairs(body)]) if media == FORM else QueryRequest.of(pairs, _utf8(request, body))


class Sparql:
    """The endpoint. Its workers start with the first query and end with the service."""

    def __init__(self, desk: AppContext, endpoint: Endpoint) -> None:
        self._desk, self._settings, self._endpoint = desk, desk.brain.settings, endpoint
        self._linked = LinkedData(desk.brain)
        self._preparing, self._prepared = Lock(), False

    def query(
        self,
        request: Request,
        query: Annotated[
            str | None,
            Query(max_length=4000, description="The query; without one the service is described.", examples=[EXAMPLE]),
        ] = None,
        default: Default = None,  # noqa: ARG002  # read from the request, once for GET and POST
        named: Named = None,  # noqa: ARG002  # as above
        format: Form = None,  # noqa: A002  # the name that all routes use
    ) -> Response:
        """The answer to a SPARQL query: SELECT and ASK as a table, CONSTRUCT and DESCRIBE as a graph.

        Without a query, what the service can do, as a SPARQL Service Description in Turtle.
        """
        pairs = _pairs(request.scope["query_string"])
        if query is None and not PROTOCOL & {name for name, _ in pairs}:
            return Response(
                rdf_responses.service_description(self._reported(request)), media_type="text/turtle; charset=utf-8"
            )
        return self._answer(QueryRequest.of(pairs), format or request.headers.get("accept"))

    def post(
        self,
        request: Request,
        asked: Annotated[QueryRequest, Depends(_operation)],
        default: Default = None,  # noqa: ARG002  # read from the request, once for GET and POST
        named: Named = None,  # noqa: ARG002  # as above
        format: Form = None,  # noqa: A002  # the name that all routes use
    ) -> Response:
        """The same for a query in the body: as it is, or as the field `query` of a form.

        A form holds its dataset too; with a plain query body, `default-graph-uri` and `named-graph-uri` are parameters
        of the address.
        """
        return self._answer(asked, format or request.headers.get("accept"))

    def _answer(self, asked: QueryRequest, accept: str | None) -> Response:
        self._prepare()
        found = self._endpoint.query(
            asked.query,
            seconds=self._settings.sparql_seconds,
            rows=MOST_ROWS,
            accept=accept,
            default=asked.default,
            named=asked.named,
        )
        headers = {"X-Rows": str(found.rows), "Cache-Control": "no-cache"}
        if found.warning:
            headers["X-Remark"] = found.warning
        return Response(found.body, headers=headers, media_type=found.media_type)

    def _prepare(self) -> None:
        """The first query waits until the data are laid out; the limit on queries is not for that."""
        with self._preparing:
            if not self._prepared:
                self._endpoint.query("ASK {}", seconds=PREPARING)
                self._prepared = True

    def _reported(self, request: Request) -> LinkedData:
        return self._linked.at(self._desk.site(request))

    def ns(self, ask: Ask) -> Response:
        """The vocabulary `brain:`."""
        told = self._linked.at(ask.site)
        turtle = {"turtle": lambda: ontology(told.names)}
        return ask.record(None, written(told, told.vocabulary) | turtle, page=VOCABULARY)

    def shapes(self, request: Request) -> Response:
        """The SHACL shapes of a complete export, as Turtle."""
        return Response(rdf_responses.shacl(self._reported(request)), media_type="text/turtle; charset=utf-8")

    def context(self, request: Request) -> Response:
        """The JSON-LD context that every JSON-LD answer names."""
        return Response(rdf_responses.context(self._reported(request)), media_type="application/ld+json")


VOCABULARY = "/vocabulary"
"""The page of the vocabulary; its IRI, `/ns`, has been Turtle by default from the beginning."""
WRONG = (
    "query-request",
    "query-syntax",
    "query-refused",
    "content-too-large",
    "query-limit",
    "invalid-request",
    "unavailable",
)


def routes(desk: AppContext, endpoint: Endpoint) -> Sequence[ApiRoute]:
    """The routes in their order."""
    of = Sparql(desk, endpoint)
    takes = ((QUERY, EXAMPLE), (FORM, "query=ASK%20%7B%7D"))
    return (
        ApiRoute("/sparql", of.query, None, SPARQL, WRONG),
        ApiRoute("/sparql", of.post, None, SPARQL, (*WRONG, "unsupported-media-type"), method="POST", takes=takes),
        ApiRoute("/ns", of.ns, None, (*LINKED, "html")),
        ApiRoute("/shapes", of.shapes, None, ("turtle",)),
        ApiRoute("/context.jsonld", of.context, None, ("jsonld",)),
    )


SPARQL = ("results", "xml", "csv", "tsv", "turtle", "jsonld", "ntriples")
