"""Discovery documents: where a new client finds everything."""

from __future__ import annotations

from collections.abc import Mapping

from graph.values import dumps


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
