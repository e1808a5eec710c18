"""The description of the API as a document for programs, `/openapi.json`, and as a page for people, `/docs`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from html import escape
from typing import Any

from fastapi import APIRouter, Response
from starlette.responses import HTMLResponse

from graph.values import dumps

Json = dict[str, Any]
POLICY = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'"}
STYLE = """
:root{color-scheme:light dark;--line:color-mix(in srgb,currentColor 18%,transparent)}
body{font:16px/1.55 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.9rem;margin:0}h2{margin:2.5rem 0 .5rem;text-transform:capitalize}
details{border-top:1px solid var(--line);padding:.45rem 0}summary{cursor:pointer}
code,pre{font:.88em/1.5 ui-monospace,monospace}pre{overflow:auto;padding:.6rem;border:1px solid var(--line)}
.verb{display:inline-block;min-width:3.2rem;font-weight:600}table{border-collapse:collapse;width:100%}
td,th{text-align:left;vertical-align:top;padding:.25rem .8rem .25rem 0;border-top:1px solid var(--line)}
"""


def manual(describe: Callable[[], Json]) -> APIRouter:
    """Both, from the document of `api.http.openapi`, which is made when it is first asked for."""
    made, document = APIRouter(include_in_schema=False), cache(describe)

    @made.get("/openapi.json")
    def described() -> Response:
        """The description as OpenAPI 3.1."""
        return Response(dumps(document()).encode(), media_type="application/json")

    @made.get("/docs")
    def read() -> Response:
        """The description as a page; it needs no script."""
        return HTMLResponse(_page(document()), headers=POLICY)

    return made


def _page(document: Json) -> str:
    info = document["info"]
    about = "".join(f"<p>{_prose(part)}</p>" for part in info["description"].split("\n\n"))
    parts = "".join(_subject(tag, document) for tag in document["tags"])
    title = escape(info["title"])
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title} API</title>'
        f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style>'
        f'<main><h1>{title} API</h1>{about}<p><a href="/openapi.json">OpenAPI 3.1</a> · '
        f'<a href="/llms.txt">llms.txt</a> · <a href="/problems">kinds of problem</a> · <a href="/">pages</a></p>'
        f"{parts}</main></html>"
    )


def _subject(tag: Json, document: Json) -> str:
    rows = "".join(_operation(*one) for one in _operations(document, tag["name"]))
    return f"<h2>{escape(tag['name'])}</h2><p>{_prose(tag['description'])}</p>{rows}"


def _operations(document: Json, tag: str) -> Iterator[tuple[str, str, Json]]:
    for path, methods in document["paths"].items():
        yield from ((method.upper(), path, one) for method, one in methods.items() if tag in one["tags"])


def _operation(method: str, path: str, one: Json) -> str:
    first, _, rest = one.get("description", "").partition("\n")
    forms = ", ".join(one["responses"][min(one["responses"])]["content"])
    statuses = ", ".join(sorted(one["responses"]))
    return (
        f'<details id="{escape(one["operationId"])}"><summary><code><span class="verb">{method}</span> {escape(path)}'
        f"</code> — {_prose(first)}</summary><p>{_prose(rest.strip())}</p>{_parameters(one)}"
        f"<p>Answers: {escape(forms)}. Statuses: {statuses}.</p><pre>{escape(_call(method, path, one))}</pre></details>"
    )


def _parameters(one: Json) -> str:
    rows = "".join(map(_row, one.get("parameters", [])))
    return f"<table><tr><th>Parameter<th>In<th>Meaning</tr>{rows}</table>" if rows else ""


def _row(given: Json) -> str:
    place = f"{given['in']}, required" if given.get("required") else given["in"]
    meaning = f"{_prose(given.get('description', ''))} <code>{escape(_kind(given['schema']))}</code>"
    return f"<tr><td><code>{escape(given['name'])}</code></td><td>{place}</td><td>{meaning}</td></tr>"


def _kind(schema: Json) -> str:
    words = schema.get("enum") or schema.get("items", {}).get("enum")
    if words:
        return " | ".join(map(str, words))
    default = f", default {schema['default']}" if schema.get("default") not in {None, ""} else ""
    return f"{schema.get('format') or schema.get('type', '')}{default}"


def _call(method: str, path: str, one: Json) -> str:
    for given in one.get("parameters", []):
        if given["in"] == "path":
            path = path.replace(f"{{{given['name']}}}", str(given.get("example", "NAME")))
    if method == "GET":
        return f"curl {path}"
    media = next(iter(one.get("requestBody", {}).get("content", {})), None)
    token = " -H 'Authorization: Bearer TOKEN'" if "security" in one else ""
    body = f" -H 'Content-Type: {media}' --data-binary @FILE" if media else ""
    return f"curl -X {method}{token}{body} {path}"


def _prose(text: str) -> str:
    """Plain text with `code`."""
    parts = escape(text).split("`")
    return "".join(f"<code>{part}</code>" if index % 2 else part for index, part in enumerate(parts))
