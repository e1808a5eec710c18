"""The description of the API: `/openapi.json` for programs, `/docs`, Swagger UI, for people, and for new clients.

Swagger UI comes from the package `fastapi-offline`, which ships its files: the page loads nothing from another host.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from string import Template
from typing import Any

from fastapi import APIRouter, Response
from starlette.responses import HTMLResponse

from api.http.responses.problem_details import ProblemError
from graph.values import dumps

Json = dict[str, Any]
PACKAGE = "fastapi_offline"
OWN = files(__package__) / "files"
SCRIPT = "text/javascript; charset=utf-8"
MEDIA = {"swagger-ui.css": "text/css; charset=utf-8", "swagger-ui-bundle.js": SCRIPT, "start.js": SCRIPT}
ASSETS = f"/docs/{version(PACKAGE)}"
"""The folder of the assets; the version is in it, so browsers may keep them."""

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Swagger UI writes style attributes; scripts run only from our own files."""


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
        return HTMLResponse(reference("docs.html", assets=ASSETS), headers={"Content-Security-Policy": POLICY})

    @made.get(f"{ASSETS}/{{name}}")
    def asset(name: str) -> Response:
        """A file of Swagger UI, or the script that starts it."""
        if name not in MEDIA:
            raise ProblemError("not-found", f"There is no file {name}.")
        folder = OWN if name == "start.js" else files(PACKAGE) / "static"
        headers = {"Cache-Control": "public, max-age=31536000, immutable"}
        return Response((folder / name).read_bytes(), headers=headers, media_type=MEDIA[name])

    return made


def reference(name: str, **values: object) -> str:
    """A text that describes the service, with values in the place of its `$names`."""
    return Template((OWN / name).read_text("utf-8")).substitute(values)


def api_catalog(site: str) -> str:
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
    return dumps({"linkset": [links, sparql]})
