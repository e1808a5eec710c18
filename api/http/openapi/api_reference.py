"""The description of the API: OpenAPI 3.1 at `/openapi.json`, Swagger UI at `/docs`.

Swagger UI comes from the package `fastapi-offline`, which ships its files: the page loads nothing from another host.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from importlib.metadata import version
from importlib.resources import files
from string import Template
from typing import Any

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.openapi.utils import get_openapi
from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema
from starlette.responses import HTMLResponse, JSONResponse

from api.http.api_route import ApiRoute
from api.http.responses.content_negotiation import MEDIA
from api.http.responses.problem_details import ProblemError
from api.models.response_models import ProblemDocument

Json = dict[str, Any]
PACKAGE = "fastapi_offline"
OWN = files(__package__) / "files"
FILES = {"swagger-ui.css": "text/css", "swagger-ui-bundle.js": "text/javascript", "start.js": "text/javascript"}
ASSETS = f"/docs/{version(PACKAGE)}"  # the folder of the assets; it has their version, so browsers may cache them

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Swagger UI writes style attributes; scripts run only from our files."""


MANUAL = APIRouter(include_in_schema=False)
"""The routes of the description."""


@MANUAL.get("/openapi.json")
def described(request: Request) -> Response:
    """The description as OpenAPI 3.1, made in a thread on the first request."""
    return JSONResponse(describe(request.app))


@MANUAL.get("/docs")
def page() -> Response:
    """The description as a page."""
    return HTMLResponse(reference("docs.html", assets=ASSETS), headers={"Content-Security-Policy": POLICY})


@MANUAL.get(f"{ASSETS}/{{name}}")
def asset(name: str) -> Response:
    """A file of Swagger UI, or the script that starts it."""
    if name not in FILES:
        raise ProblemError("not-found", f"There is no file {name}.")
    folder = OWN if name == "start.js" else files(PACKAGE) / "static"
    headers = {"Cache-Control": "public, max-age=31536000, immutable"}
    return Response((folder / name).read_bytes(), headers=headers, media_type=FILES[name])


def reference(name: str, **values: object) -> str:
    """A text of `files/` with values in place of its `$names`."""
    return Template((OWN / name).read_text("utf-8")).substitute(values)


FORMAT = "The form of the answer, in place of the Accept header."
PARTS: Json = json.loads((OWN / "openapi_parts.json").read_text("utf-8"))
"""Parts for all operations: the `headers` of every answer (ETag only of GET), the `problem`."""


_ITEMS = re.compile(r"Items\[(?:Union\[)?([\w, ]+)\]+")


class AnswerSchema(GenerateJsonSchema):
    """Schemas of answers: decimals are JSON numbers, objects may get more keys in a later version."""

    def normalize_name(self, name: str) -> str:
        """The name of a schema: `PriceList` for `Items[Price]`."""
        listed = _ITEMS.fullmatch(name)
        return "Or".join(listed[1].split(", ")) + "List" if listed else super().normalize_name(name)

    def decimal_schema(self, schema: core_schema.DecimalSchema) -> JsonSchemaValue:  # noqa: ARG002  # of the class above
        """A number."""
        return {"type": "number"}

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        """An object; clients must accept unknown keys, which our own values refuse."""
        made = super().model_schema(schema)
        return {key: value for key, value in made.items() if (key, value) != ("additionalProperties", False)}

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        """The schema without its default, which generators read as a promised key."""
        return self.generate_inner(schema["schema"])


@lru_cache(maxsize=1)
def describe(app: FastAPI) -> Json:
    """The OpenAPI document of the application."""
    routes = [route for route in app.routes if isinstance(route, ApiRoute)]
    found = get_openapi(
        title=app.title, version=app.version, description=PARTS["description"], routes=routes, tags=PARTS["tags"]
    )
    models = (ProblemDocument, *(route.answer for route in routes if route.answer is not None))
    adapters = {repr(one): TypeAdapter(one) for one in models}
    made, named = TypeAdapter.json_schemas(
        [(name, "serialization", adapter) for name, adapter in adapters.items()],
        ref_template="#/components/schemas/{model}",
        schema_generator=AnswerSchema,
    )
    schemas = {name: schema for (name, _), schema in made.items()}
    for route in routes:
        _complete(found["paths"][route.path_format][route.method.lower()], route, schemas)
    found["components"] = {
        "schemas": named["$defs"],
        "headers": PARTS["headers"],
        "securitySchemes": {"token": {"type": "http", "scheme": "bearer", "description": "BRAIN_TOKEN"}},
    }
    return found


def _complete(operation: Json, route: ApiRoute, schemas: Json) -> None:
    """Add what FastAPI does not know: formats, answers, bodies, problems, tokens."""
    parameters = [_parameter(one) for one in operation.pop("parameters", [])]
    if route.asks:
        schema = {"type": "string", "enum": list(route.forms)}
        listed = {"schema": schema, "description": FORMAT, "example": route.forms[0]}
        parameters.append({"name": "format", "in": "query", "required": False, **listed})
    answer, status = _answer(route, schemas), str(route.status_code)
    responses = {status: answer, "default": PARTS["problem"]}
    if route.method == "GET":
        responses["304"] = {"description": "Not changed since the entity tag was given."}
    elif status == "201":
        responses["200"] = answer
    operation |= {"summary": operation["description"].partition("\n")[0].rstrip("."), "responses": responses}
    operation |= {"parameters": parameters} if parameters else {}
    operation |= {"security": [{"token": []}]} if route.guard else {}
    if route.takes:
        bodies = {media: _body(route, media, example) for media, example in route.takes.items()}
        operation["requestBody"] = {"required": True, "content": bodies}


def _parameter(one: Json) -> Json:
    """A parameter with its first example; an optional one has the schema of its value."""
    schema = dict(one["schema"])
    example = one.get("example", next(iter(schema.pop("examples", [])), None))
    if nullable := schema.pop("anyOf", None):
        schema |= next(option for option in nullable if option.get("type") != "null")
    return {**one, "schema": schema, **({} if example is None else {"example": example})}


def _answer(route: ApiRoute, schemas: Json) -> Json:
    content: Json = {MEDIA[form]: {"schema": {"type": "string"}} if form in TEXTUAL else {} for form in route.forms}
    for media in {"application/json", "application/feed+json"} & content.keys():
        content[media] = {"schema": schemas[repr(route.answer)]} if route.answer is not None else {}
    names = (name for name in PARTS["headers"] if name != "ETag" or route.method == "GET")
    headers = {name: {"$ref": f"#/components/headers/{name}"} for name in names}
    return {"description": "The answer.", "headers": headers, "content": content}


TEXTUAL = frozenset({"csv", "html", "markdown", "turtle", "trig", "ntriples", "text", "metrics", "tsv"})


def _body(route: ApiRoute, media: str, example: str) -> Json:
    if route.body is not None:
        return {"schema": route.body.model_json_schema(), "example": json.loads(example)}
    schema = {"type": "string"} if media.startswith("application/sparql") else {}  # a document may be anything
    return {"schema": schema, "example": example}
