"""The description is true: every operation answers as it says, whatever is sent; the documentation names it all."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import httpx
import jsonschema
import pytest

from api.http.responses.content_negotiation import MEDIA
from api.http.responses.problem_details import KINDS, MISTAKES
from graph.rdf.sparql.sparql_errors import SparqlError

pytestmark = pytest.mark.usefixtures("exports_here")

CONFIG = Path(__file__).with_name("schemathesis.toml")
HOOKS = Path(__file__).with_name("schemathesis_media.py")
FEW = 2
"""Up to this many examples of each operation, neither sequences nor the examples of the description are tried."""
SECONDS = 900
"""After this long schemathesis hangs."""


@pytest.mark.slow
def test_schemathesis_finds_nothing_in_a_live_service(live_part, bearer, pytestconfig):
    """Over a part of the content: `test_the_examples_are_answered_as_their_schemas_say` reads all of it."""
    with httpx.Client(base_url=live_part, headers=bearer, timeout=60) as caller:
        caller.get("/sparql", params={"query": "ASK {}"})  # the first query waits until the data are laid out
        everything = sum(1 for _ in operations(caller))
    examples = pytestconfig.getoption("--api-examples")
    command = [
        *(sys.executable, "-m", "schemathesis.cli", "--config-file", str(CONFIG), "run", f"{live_part}/openapi.json"),
        *("--header", f"Authorization: {bearer['Authorization']}", "--seed", "1", "--max-examples", str(examples)),
        *("--phases", "coverage,fuzzing" + ",examples,stateful" * (examples > FEW)),
        *("--checks", "all", "--continue-on-failure"),
    ]
    told = os.environ | {"SCHEMATHESIS_HOOKS": str(HOOKS)}
    limit = SECONDS * max(1, examples // 10)
    found = subprocess.run(command, env=told, capture_output=True, text=True, timeout=limit, check=False)
    assert found.returncode == 0, found.stdout[-6000:]
    assert f"Selected: {everything}/{everything}" in found.stdout
    assert f"Tested: {everything}" in found.stdout


def test_every_operation_has_examples_bounds_and_problems(shipped):
    listed = tomllib.loads(CONFIG.read_text("utf-8"))["operations"]
    explained = {name for one in listed for name in one["include-operation-id"]}
    assert explained <= {one["operationId"] for _, _, one in operations(shipped)}
    bare = [
        f"{method} {path}: {given['name']}"
        for path, method, one in operations(shipped)
        for given in one.get("parameters", [])
        if given.get("required") and "example" not in given
    ]
    assert not bare
    for path, _, one in operations(shipped):
        for given in one.get("parameters", []):
            if given["schema"].get("type") in {"integer", "number"}:
                assert {"minimum", "maximum"} <= given["schema"].keys(), (path, given)
        assert list(one["responses"]["default"]["content"]) == ["application/problem+json"], path
        forms = one["responses"].get("200", {}).get("content", {})
        assert forms.get("text/csv", {"schema": {"type": "string"}}) == {"schema": {"type": "string"}}, path


def test_the_examples_are_answered_as_their_schemas_say(shipped):
    """Over all content: every item of every list."""
    told = shipped.get("/openapi.json").json()
    checked = set()
    for path, method, one in operations(shipped):
        if method != "get" or "security" in one:
            continue
        given = {g["name"]: g["example"] for g in one.get("parameters", []) if g.get("required")}
        address = path
        for name in [name for name in given if f"{{{name}}}" in path]:
            address = address.replace(f"{{{name}}}", str(given.pop(name)))
        answer = shipped.get(address, params=given)
        assert answer.status_code == 200, address
        media = answer.headers["content-type"].partition(";")[0]
        content = one["responses"]["200"]["content"]
        assert media in {name.partition(";")[0] for name in content}, address
        if media == "application/json":
            validator(told, content[media]["schema"]).validate(answer.json())
            checked.add(path)
    assert len(checked) > 40


def test_every_kind_of_problem_that_may_come_is_known_and_described(shipped):
    told = {item["type"] for item in shipped.get("/problems").json()["items"]}
    assert told == {f"/problems/{name}" for name in KINDS}
    for name, kind in KINDS.items():
        assert shipped.get(f"/problems/{name}").json()["status"] == kind.status


def test_the_docs_page_loads_its_own_files_and_cannot_be_framed(shipped):
    page = shipped.get("/docs")
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "://" not in page.text
    for address in re.findall(r'(?:src|href)="(/docs/[^"]+)"', page.text):
        file = shipped.get(address)
        assert (file.status_code, "immutable" in file.headers["cache-control"]) == (200, True)
    assert shipped.get(address.rpartition("/")[0] + "/none.js").status_code == 404


def validator(description, schema):
    """What checks a body: the schema may refer to the components of the description."""
    whole = {**schema, "components": description["components"]}
    return jsonschema.Draft202012Validator(whole, format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER)


def operations(client):
    for path, methods in client.get("/openapi.json").json()["paths"].items():
        for method, one in methods.items():
            yield path, method, one


PAGE = Path(__file__).parents[2] / "docs/api.md"
OTHERS = {"results", "atom", "feed", "linkset", "text", "metrics"}
"""Forms that one address has, and no other."""


@pytest.fixture(scope="module")
def manual():
    return PAGE.read_text("utf-8")


def test_every_request_and_parameter_is_in_the_docs_and_every_route_has_a_sentence(shipped, manual):
    found = re.finditer(r"^\| `((?:GET|POST|DELETE) [^`]+)`.*", manual, re.MULTILINE)
    rows = {row.group(1): row.group(0) for row in found}
    there = {f"{method.upper()} {path}": one for path, method, one in operations(shipped)}
    assert rows.keys() == there.keys(), "docs/api.md, Requests"
    for name, one in there.items():
        assert one["description"].partition("\n")[0].endswith(".")
        for given in one.get("parameters", []):
            assert given.get("description") or given["in"] == "header", given["name"]
            if given["in"] == "query" and given["name"] != "format":
                assert f"`{given['name']}`" in rows[name], f"docs/api.md, Requests: {name} needs `{given['name']}`"


def test_every_form_and_every_problem_of_a_query_is_in_the_docs(manual):
    assert [form for form in MEDIA.keys() - OTHERS if f"`{form}`" not in manual] == []
    page = PAGE.with_name("sparql.md").read_text("utf-8")
    assert all(f"`{kind}`" in page for error, kind in MISTAKES.items() if issubclass(error, SparqlError))
