"""SPARQL over the exported graph (SPARQL 1.1 Protocol, read-only), and its vocabulary."""

from __future__ import annotations

from typing import Annotated, Literal
from urllib.parse import parse_qsl

from fastapi import Depends, Request, Response

from api.http.api_route import ApiRoutes
from api.http.openapi.api_reference import reference
from api.http.parameters import Ask
from api.http.parameters import query as parameter
from api.http.responses.content_negotiation import MEDIA
from api.http.responses.problem_details import ProblemError
from api.http.responses.request_context import AppContext, body_of, media_of, site_of
from api.services.linked_data import names_at
from graph.rdf.claim_triples import ontology, vocabulary
from graph.rdf.rdf_formats import context_document, shapes
from graph.values import dumps

SPARQL = ApiRoutes("linked data")
FORM, QUERY = "application/x-www-form-urlencoded", "application/sparql-query"
EXAMPLE = "SELECT ?node ?title WHERE { ?node dcterms:title ?title } ORDER BY ?title LIMIT 10"
PROTOCOL = frozenset({"query", "update", "default-graph-uri", "named-graph-uri"})
"""The parameters of the SPARQL 1.1 Protocol."""
MOST_FIELDS = 1000  # the most parameters of a request
MOST_ROWS = 10_000  # the most rows or triples of an answer
FORMS = "results xml csv tsv turtle jsonld ntriples"

Text = Annotated[str | None, parameter("The query; without one the service is described.", EXAMPLE, max_length=4000)]
TO_QUERY = "A graph to query as the default graph, in place of FROM; may be repeated."
Default = Annotated[list[str] | None, parameter(TO_QUERY, alias="default-graph-uri")]
TO_NAME = "A graph to query by GRAPH, in place of FROM NAMED; may be repeated."
Named = Annotated[list[str] | None, parameter(TO_NAME, alias="named-graph-uri")]
FORM_OF = "The form of a table (the first four) or of a graph, in place of the Accept header."
FormName = Literal["json", "xml", "csv", "tsv", "turtle", "jsonld", "ntriples"]
Format = Annotated[FormName | None, parameter(FORM_OF)]
Pairs = list[tuple[str, str]]


class QueryRequest:
    """A query operation of the SPARQL 1.1 Protocol; `body` is a query that is not among the parameters."""

    def __init__(self, pairs: Pairs, *body: str) -> None:
        """Read the parameters. Raises ProblemError unless there is exactly one query, and no update."""
        given = {name: [value for key, value in pairs if key == name] for name in PROTOCOL}
        if given["update"]:
            raise ProblemError("query-refused", "This service answers queries and takes no update.")
        queries = [*given["query"], *body]
        if len(queries) != 1:
            raise ProblemError("query-request", f"Expected one `query`, found {len(queries)}.")
        self.query, self.default, self.named = queries[0], given["default-graph-uri"], given["named-graph-uri"]


async def _form(default: Default = None, named: Named = None, format: Format = None) -> str | None:  # noqa: A002, ARG001  # names of the protocol, described here; `QueryRequest` reads the graphs
    """The format that `?format=` names."""
    return format


Form = Annotated[str | None, Depends(_form)]


def _pairs(encoded: bytes) -> Pairs:
    """The parameters of a query string or a form."""
    try:
        text = encoded.decode("ascii")
        return parse_qsl(text, keep_blank_values=True, errors="strict", max_num_fields=MOST_FIELDS)
    except ValueError as error:
        raise ProblemError("query-request", "The parameters are not percent-encoded UTF-8.") from error


async def _operation(request: Request) -> QueryRequest:
    """The query in a body."""
    if "content-type" not in request.headers:
        raise ProblemError("unsupported-media-type", "The request has no Content-Type.", accepted=[QUERY, FORM])
    media = media_of(request, (QUERY, FORM))
    body = await body_of(request, request.state.app_context.brain.settings.max_body)
    pairs = _pairs(request.scope["query_string"])
    if media == FORM:
        return QueryRequest([*pairs, *_pairs(body)])
    try:
        return QueryRequest(pairs, body.decode("utf-8"))  # the protocol allows only UTF-8, whatever the header names
    except UnicodeDecodeError as error:
        raise ProblemError("query-request", "The body is not UTF-8.") from error


@SPARQL("/sparql", None, FORMS)
def sparql_query(request: Request, form: Form, query: Text = None) -> Response:
    """The answer to a SPARQL query: SELECT and ASK as a table, CONSTRUCT and DESCRIBE as a graph.

    Without a query, what the service can do, as a SPARQL Service Description in Turtle.
    """
    pairs = _pairs(request.scope["query_string"])
    if query is None and not PROTOCOL & dict(pairs).keys():
        return Response(reference("sparql_service.ttl", site=site_of(request)), media_type=MEDIA["turtle"])
    return _answer(request, QueryRequest(pairs), form)


@SPARQL("/sparql", None, FORMS, method="POST", takes={QUERY: EXAMPLE, FORM: "query=ASK%20%7B%7D"})
def sparql_post(request: Request, asked: Annotated[QueryRequest, Depends(_operation)], form: Form) -> Response:
    """The same for a query in the body: as it is, or as the field `query` of a form.

    A form holds its dataset too; with a plain query body, `default-graph-uri` and `named-graph-uri` are parameters
    of the address.
    """
    return _answer(request, asked, form)


def _answer(request: Request, asked: QueryRequest, form: str | None) -> Response:
    app_context: AppContext = request.state.app_context
    found = app_context.sparql.query(
        asked.query,
        seconds=app_context.brain.settings.sparql_seconds,
        rows=MOST_ROWS,
        accept=form or request.headers.get("accept"),
        default=asked.default,
        named=asked.named,
    )
    remark = {"X-Remark": found.warning} if found.warning else {}
    headers = {"X-Rows": str(found.rows), "Cache-Control": "no-cache", **remark}
    return Response(found.body, headers=headers, media_type=found.media_type)


@SPARQL("/ns", None, "turtle jsonld ntriples")
def sparql_ns(ask: Ask) -> Response:
    """The vocabulary `brain:`."""
    names = ask.linked.names
    return ask.record(None, {**ask.rdf(lambda: vocabulary(names)), "turtle": lambda: ontology(names)})


@SPARQL("/shapes", None, "turtle")
def sparql_shapes(request: Request) -> Response:
    """The SHACL shapes of a complete export, as Turtle."""
    return Response(shapes(names_at(site_of(request))), media_type=MEDIA["turtle"])


@SPARQL("/context.jsonld", None, "jsonld")
def sparql_context(request: Request) -> Response:
    """The JSON-LD context that every JSON-LD answer names."""
    return Response(dumps(context_document(names_at(site_of(request))), indent=2), media_type=MEDIA["jsonld"])
