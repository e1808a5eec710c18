"""SPARQL over the exported graph (SPARQL 1.1 Protocol, read-only), and the graph's vocabulary."""

from __future__ import annotations

from collections.abc import Sequence
from email.message import Message
from typing import Annotated, Literal, NamedTuple
from urllib.parse import parse_qsl

from fastapi import Depends, Request, Response

from api.http.api_route import ApiRoutes
from api.http.openapi.api_reference import service
from api.http.parameters import query as parameter
from api.http.responses.problem_details import ProblemError
from api.http.responses.request_context import AppContext, Ask
from api.http.responses.request_parts import body_of, media_of, site_of
from api.services.linked_data import names_at
from graph.rdf.claim_triples import ontology
from graph.rdf.iris import IriFactory
from graph.rdf.rdf_formats import context_document, shapes
from graph.values import dumps

SPARQL = ApiRoutes("linked data")
FORM, QUERY = "application/x-www-form-urlencoded", "application/sparql-query"
EXAMPLE = "SELECT ?node ?title WHERE { ?node dcterms:title ?title } ORDER BY ?title LIMIT 10"
PROTOCOL = frozenset({"query", "update", "default-graph-uri", "named-graph-uri"})
"""The parameters of the SPARQL 1.1 Protocol."""
MOST_FIELDS = 1000
"""The most parameters that a request may have."""
MOST_ROWS = 10_000
"""The rows, or triples, after which an answer is cut."""
FORMS = "results xml csv tsv turtle jsonld ntriples"
TURTLE = "text/turtle; charset=utf-8"

Form = Annotated[
    Literal["json", "xml", "csv", "tsv", "turtle", "jsonld", "ntriples"] | None,
    parameter("The form of a table (the first four) or of a graph, in place of the Accept header."),
]
Default = Annotated[
    list[str] | None,
    parameter("A graph to query as the default graph, in place of FROM; may be repeated.", alias="default-graph-uri"),
]
Named = Annotated[
    list[str] | None,
    parameter("A graph to query by GRAPH, in place of FROM NAMED; may be repeated.", alias="named-graph-uri"),
]
Text = Annotated[str | None, parameter("The query; without one the service is described.", EXAMPLE, max_length=4000)]

Pairs = list[tuple[str, str]]


class QueryRequest(NamedTuple):
    """A query operation of the SPARQL 1.1 Protocol: the query, and the dataset to ask where it names one."""

    query: str
    default: Sequence[str]
    named: Sequence[str]


def _query_of(pairs: Pairs, *body: str) -> QueryRequest:
    """The operation of these parameters; `body` is the query where it is not among them.

    Raises:
        ProblemError: there is not exactly one query, or an update.
    """
    given = {name: [value for key, value in pairs if key == name] for name in PROTOCOL}
    if given["update"]:
        raise ProblemError("query-refused", "This service answers queries and takes no update.")
    queries = [*given["query"], *body]
    if len(queries) != 1:
        raise ProblemError("query-request", f"Expected one `query`, found {len(queries)}.")
    return QueryRequest(queries[0], given["default-graph-uri"], given["named-graph-uri"])


def _pairs(encoded: bytes) -> Pairs:
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
        detail = f"Expected a body in UTF-8, found {charset[:40]}."
        raise ProblemError("unsupported-media-type", detail, accepted=[QUERY])
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ProblemError("query-request", "The body is not UTF-8.") from error


async def _operation(request: Request) -> QueryRequest:
    """The query in a body."""
    if "content-type" not in request.headers:
        raise ProblemError("unsupported-media-type", "The request has no Content-Type.", accepted=[QUERY, FORM])
    media = media_of(request, (QUERY, FORM))
    body = await body_of(request, request.state.desk.brain.settings.max_body)
    pairs = _pairs(request.scope["query_string"])
    return _query_of([*pairs, *_pairs(body)]) if media == FORM else _query_of(pairs, _utf8(request, body))


@SPARQL("/sparql", None, FORMS)
def sparql_query(
    request: Request,
    query: Text = None,
    default: Default = None,  # noqa: ARG001  # read from the request, once for GET and POST
    named: Named = None,  # noqa: ARG001  # as above
    format: Form = None,  # noqa: A002  # the name that all routes use
) -> Response:
    """The answer to a SPARQL query: SELECT and ASK as a table, CONSTRUCT and DESCRIBE as a graph.

    Without a query, what the service can do, as a SPARQL Service Description in Turtle.
    """
    pairs = _pairs(request.scope["query_string"])
    if query is None and not PROTOCOL & dict(pairs).keys():
        return Response(service(site_of(request.state.desk.brain, request)), media_type=TURTLE)
    return _answer(request, _query_of(pairs), format)


@SPARQL("/sparql", None, FORMS, method="POST", takes=((QUERY, EXAMPLE), (FORM, "query=ASK%20%7B%7D")))
def sparql_post(
    request: Request,
    asked: Annotated[QueryRequest, Depends(_operation)],
    default: Default = None,  # noqa: ARG001  # read from the request, once for GET and POST
    named: Named = None,  # noqa: ARG001  # as above
    format: Form = None,  # noqa: A002  # the name that all routes use
) -> Response:
    """The same for a query in the body: as it is, or as the field `query` of a form.

    A form holds its dataset too; with a plain query body, `default-graph-uri` and `named-graph-uri` are parameters
    of the address.
    """
    return _answer(request, asked, format)


def _answer(request: Request, asked: QueryRequest, form: str | None) -> Response:
    desk: AppContext = request.state.desk
    found = desk.sparql.query(
        asked.query,
        seconds=desk.brain.settings.sparql_seconds,
        rows=MOST_ROWS,
        accept=form or request.headers.get("accept"),
        default=asked.default,
        named=asked.named,
    )
    remark = {"X-Remark": found.warning} if found.warning else {}
    headers = {"X-Rows": str(found.rows), "Cache-Control": "no-cache", **remark}
    return Response(found.body, headers=headers, media_type=found.media_type)


@SPARQL("/ns", None, "turtle jsonld ntriples html")
def sparql_ns(ask: Ask) -> Response:
    """The vocabulary `brain:`."""
    told = ask.linked
    return ask.record(None, {**ask.rdf(told.vocabulary), "turtle": lambda: ontology(told.names)})


@SPARQL("/shapes", None, "turtle")
def sparql_shapes(request: Request) -> Response:
    """The SHACL shapes of a complete export, as Turtle."""
    return Response(shapes(_names(request)), media_type=TURTLE)


@SPARQL("/context.jsonld", None, "jsonld")
def sparql_context(request: Request) -> Response:
    """The JSON-LD context that every JSON-LD answer names."""
    return Response(dumps(context_document(_names(request)), indent=2), media_type="application/ld+json")


def _names(request: Request) -> IriFactory:
    return names_at(site_of(request.state.desk.brain, request))
