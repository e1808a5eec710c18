"""The description of the API: `/openapi.json` for programs, `/docs`, Swagger UI, for people, and for new clients.

Swagger UI comes from the package `fastapi-offline`, which ships its files: the page loads nothing from another host.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from typing import Any

from fastapi import APIRouter, Response
from starlette.responses import HTMLResponse

from api.http.responses.problem_details import ProblemError
from graph.values import dumps

Json = dict[str, Any]
PACKAGE = "fastapi_offline"
MEDIA = {"swagger-ui.css": "text/css; charset=utf-8", "swagger-ui-bundle.js": "text/javascript; charset=utf-8"}
START = "start.js"
ASSETS = f"/docs/{version(PACKAGE)}"
"""The folder of the assets; the version is in it, so browsers may keep them."""

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Swagger UI writes style attributes; scripts run only from our own files."""

PAGE = f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Brain API</title>
<meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,"><link rel="stylesheet" href="{ASSETS}/swagger-ui.css"></head>
<body><main id="docs"></main>
<noscript><p>This page needs JavaScript. The same description: <a href="/openapi.json">OpenAPI 3.1</a>,
<a href="/llms.txt">llms.txt</a>.</p></noscript>
<script src="{ASSETS}/swagger-ui-bundle.js"></script><script src="{ASSETS}/{START}"></script></body></html>
"""
SCRIPT = """\
SwaggerUIBundle({
  url: "/openapi.json", dom_id: "#docs", deepLinking: true, tryItOutEnabled: true, validatorUrl: null,
  layout: "BaseLayout", defaultModelsExpandDepth: 0, docExpansion: "list",
});
"""


def manual(describe: Callable[[], Json]) -> APIRouter:
    """The routes; `describe` makes the document when it is first requested."""
    made, document = APIRouter(include_in_schema=False), cache(describe)

    @made.get("/openapi.json")
    def described() -> Response:
        """The description as OpenAPI 3.1."""
        return Response(dumps(document()).encode(), media_type="application/json")

    @made.get("/docs")
    def page() -> Response:
        """The description as a page."""
        return HTMLResponse(PAGE, headers={"Content-Security-Policy": POLICY})

    @made.get(f"{ASSETS}/{{name}}")
    def asset(name: str) -> Response:
        """A file of Swagger UI, or the script that starts it."""
        headers = {"Cache-Control": "public, max-age=31536000, immutable"}
        if name == START:
            return Response(SCRIPT, headers=headers, media_type="text/javascript; charset=utf-8")
        if name not in MEDIA:
            raise ProblemError("not-found", f"There is no file {name}.")
        return Response((files(PACKAGE) / "static" / name).read_bytes(), headers=headers, media_type=MEDIA[name])

    return made


def api_catalog(site: str) -> bytes:
    """The API and its descriptions as a link set (RFC 9727, RFC 9264)."""
    links = {
        "anchor": f"{site}/v1/",
        "service-desc": [{"href": f"{site}/openapi.json", "type": "application/vnd.oai.openapi+json;version=3.1"}],
        "service-doc": [
            {"href": f"{site}/docs", "type": "text/html"},
            {"href": f"{site}/llms.txt", "type": "text/plain"},
        ],
        "status": [{"href": f"{site}/readyz", "type": "application/json"}],
    }
    sparql = {
        "anchor": f"{site}/sparql",
        "service-desc": [{"href": f"{site}/.well-known/void", "type": "text/turtle"}],
        "describedby": [
            {"href": f"{site}/ns", "type": "text/turtle"},
            {"href": f"{site}/shapes", "type": "text/turtle"},
        ],
    }
    return dumps({"linkset": [links, sparql]}).encode()


def void(site: str) -> bytes:
    """The dataset in VoID (https://www.w3.org/TR/void/)."""
    return f"""\
@prefix void: <http://rdfs.org/ns/void#> .
@prefix dcterms: <http://purl.org/dc/terms/> .
@prefix brain: <{site}/ns#> .

<{site}/.well-known/void> a void:DatasetDescription ; void:documents <{site}/.well-known/void#brain> .
<{site}/.well-known/void#brain> a void:Dataset ;
    dcterms:title "Brain" ;
    void:sparqlEndpoint <{site}/sparql> ;
    void:dataDump <{site}/v1/export?format=ntriples>, <{site}/v1/export?format=trig> ;
    void:uriSpace "{site}/" ;
    void:vocabulary brain:, <http://www.w3.org/2004/02/skos/core#>, <http://www.w3.org/ns/prov#>,
        <http://purl.org/spar/cito/>, <https://schema.org/> .
""".encode()


def service(site: str) -> bytes:
    """What the SPARQL endpoint can do (https://www.w3.org/TR/sparql11-service-description/)."""
    formats = ("SPARQL_Results_JSON", "SPARQL_Results_XML", "SPARQL_Results_CSV", "SPARQL_Results_TSV", "Turtle")
    told = ", ".join(f"<http://www.w3.org/ns/formats/{name}>" for name in (*formats, "N-Triples", "JSON-LD"))
    return f"""\
@prefix sd: <http://www.w3.org/ns/sparql-service-description#> .

<{site}/sparql> a sd:Service ;
    sd:endpoint <{site}/sparql> ;
    sd:supportedLanguage sd:SPARQL11Query ;
    sd:resultFormat {told} ;
    sd:defaultDataset [ a sd:Dataset ; sd:defaultGraph [ a sd:Graph ] ] .
""".encode()


def llms(site: str, about: Mapping[str, object]) -> bytes:
    """The service in one page for language models."""
    return f"""\
# Brain

> {about["nodes"]} nodes of analysts' theses, readings, methods and glossary terms, cross-cited; {about["claims"]}
> claims whose figures are computed again from dated prices and flagged when they no longer hold.

Every answer under /v1 is JSON, lists also CSV, single things also Turtle and JSON-LD (`?format=` or Accept). Lists
have `items`, `total` and `next`; give `next` back as `cursor`. Errors are application/problem+json with advice at
their type.

## Ask

- [Search]({site}/v1/nodes?q=batch+discount): `q` takes words, "phrases", tag:x, kind:x, brain:x, -not, prefix*
- [Nodes with a tag]({site}/v1/nodes?tag=inference-optimization): `tag` may be repeated
- [Tags]({site}/v1/tags), [sources]({site}/v1/sources), [terms]({site}/v1/terms)
- One node: {site}/v1/nodes/BRAIN/SLUG, below it /citations /backlinks /related /dependents /claims /health
- [Claims]({site}/v1/claims?verdict=stale): one at /v1/claims/ID, with your own numbers below it at
  /evaluate?NAME=VALUE
- [Changed verdicts]({site}/v1/changes), [runs]({site}/v1/runs), [prices]({site}/v1/prices)

## Read

- [OpenAPI 3.1]({site}/openapi.json)
- [SPARQL]({site}/sparql), [vocabulary]({site}/ns), [everything as N-Triples]({site}/v1/export?format=ntriples)
- [Feed of changed verdicts]({site}/feed.atom)
""".encode()
