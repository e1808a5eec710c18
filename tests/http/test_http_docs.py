"""The documentation names every request, parameter, form, kind of problem and setting of the API."""

import re
from pathlib import Path

import pytest

from api.http.responses.content_negotiation import MEDIA
from api.http.responses.problem_details import KINDS, MISTAKES
from graph.rdf.sparql.sparql_errors import SparqlError

PAGE = Path(__file__).parents[2] / "docs/api.md"
OTHERS = {"results", "atom", "feed", "linkset", "text", "metrics"}
"""Forms that one address has, and no other."""


@pytest.fixture(scope="module")
def manual():
    return PAGE.read_text("utf-8")


def test_every_request_is_in_the_docs_and_no_other(shipped, manual):
    paths = shipped.get("/openapi.json").json()["paths"]
    there = {f"{method.upper()} {path}" for path, methods in paths.items() for method in methods}
    assert set(re.findall(r"^\| `((?:GET|POST|DELETE) [^`]+)`", manual, re.MULTILINE)) == there


def test_every_parameter_is_in_the_docs(shipped, manual):
    for path, methods in shipped.get("/openapi.json").json()["paths"].items():
        for method, one in methods.items():
            row = next(line for line in manual.splitlines() if line.startswith(f"| `{method.upper()} {path}`"))
            for given in one.get("parameters", []):
                if given["in"] == "query" and given["name"] != "format":
                    assert f"`{given['name']}`" in row, (path, given["name"])


def test_every_kind_of_problem_and_every_form_is_in_the_docs(manual):
    for name, kind in KINDS.items():
        assert f"| `/problems/{name}` | {kind.status} |" in manual
    for form in MEDIA.keys() - OTHERS:
        assert f"`{form}`" in manual


def test_every_problem_of_a_query_is_on_its_page():
    page = PAGE.with_name("sparql.md").read_text("utf-8")
    assert all(f"`{kind}`" in page for error, kind in MISTAKES.items() if issubclass(error, SparqlError))


def test_the_bound_on_statements_is_the_one_that_is_tested(manual):
    source = (Path(__file__).parent / "test_http_lists.py").read_text("utf-8")
    bound = re.search(r"^BOUND = (\d+)", source, re.MULTILINE).group(1)
    assert f"at most {bound} statements" in manual


def test_every_route_has_a_sentence(shipped):
    for methods in shipped.get("/openapi.json").json()["paths"].values():
        for one in methods.values():
            assert one["description"].partition("\n")[0].endswith(".")
            for given in one.get("parameters", []):
                assert given.get("description") or given["in"] == "header", given["name"]
