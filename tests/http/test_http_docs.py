"""The documentation names every request, parameter and form of the API."""

import re
from pathlib import Path

import pytest

from api.http.responses.content_negotiation import MEDIA
from api.http.responses.problem_details import MISTAKES
from graph.rdf.sparql.sparql_errors import SparqlError

PAGE = Path(__file__).parents[2] / "docs/api.md"
OTHERS = {"results", "atom", "feed", "linkset", "text", "metrics"}
"""Forms that one address has, and no other."""


@pytest.fixture(scope="module")
def manual():
    return PAGE.read_text("utf-8")


def test_every_request_and_parameter_is_in_the_docs_and_every_route_has_a_sentence(shipped, manual):
    paths = shipped.get("/openapi.json").json()["paths"]
    there = {f"{method.upper()} {path}" for path, methods in paths.items() for method in methods}
    assert set(re.findall(r"^\| `((?:GET|POST|DELETE) [^`]+)`", manual, re.MULTILINE)) == there, "docs/api.md, Requests"
    for path, methods in shipped.get("/openapi.json").json()["paths"].items():
        for method, one in methods.items():
            begin = f"| `{method.upper()} {path}` |"
            row = next((line for line in manual.splitlines() if line.startswith(begin)), "")
            for given in one.get("parameters", []):
                if given["in"] == "query" and given["name"] != "format":
                    assert f"`{given['name']}`" in row, f"docs/api.md, Requests: {begin} needs `{given['name']}`"
    for methods in shipped.get("/openapi.json").json()["paths"].values():
        for one in methods.values():
            assert one["description"].partition("\n")[0].endswith(".")
            for given in one.get("parameters", []):
                assert given.get("description") or given["in"] == "header", given["name"]


def test_every_form_and_every_problem_of_a_query_is_in_the_docs(manual):
    assert [form for form in MEDIA.keys() - OTHERS if f"`{form}`" not in manual] == []
    page = PAGE.with_name("sparql.md").read_text("utf-8")
    assert all(f"`{kind}`" in page for error, kind in MISTAKES.items() if issubclass(error, SparqlError))
