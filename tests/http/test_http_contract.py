"""The requests of the contract, their keys, their forms and their errors, over the content that ships."""

import csv
import io
import json
from decimal import Decimal
from xml.etree import ElementTree as ET

import pytest
from pyoxigraph import RdfFormat, parse

NODE = "/v1/nodes/analyst/caching-and-batch-stack"
CLAIM = "/v1/claims/sonnet-cached-batch-discount"
ATOM = "{http://www.w3.org/2005/Atom}"
PARTS = ("citations", "backlinks", "related", "dependents", "claims", "health")


def exact(answer):
    return json.loads(answer.content, parse_float=Decimal)


def test_answers_have_the_keys_of_the_contract(shipped):
    found = shipped.get("/v1/nodes", params={"limit": 2}).json()
    assert {"items", "total", "facets", "next"} <= found.keys()
    assert len(found["items"]) == 2 < found["total"]
    assert set(found["facets"]) == {"tag", "kind", "brain"}
    assert {"id", "brain", "kind", "title", "tags", "url"} <= found["items"][0].keys()
    assert sum(one["count"] for one in found["facets"]["kind"]) == found["total"]
    node, verdict = shipped.get(NODE).json(), exact(shipped.get(CLAIM))
    keys = "id brain kind title body tags sources citations provenance health url"
    assert set(keys.split()) <= node.keys()
    assert {"document", "first_line", "last_line", "sha256"} == node["provenance"].keys()
    assert all({"marker", "kind", "resolution", "confidence"} <= one.keys() for one in node["citations"])
    keys = "claim node says verdict value expected unit margin then now inputs steps flips reason run evaluated_at"
    assert set(keys.split()) <= verdict.keys()
    assert {"as_of", "value", "holds"} <= verdict["then"].keys()
    keys = "name value unit kind item catalog source valid_from checked"
    assert set(keys.split()) <= verdict["inputs"][0].keys()
    assert verdict["state"]["id"] == verdict["stated"]["id"] == verdict["claim"]


def test_a_search_scores_marks_and_says_its_synonyms_and_tags_that_are_repeated_must_all_hold(shipped):
    found = shipped.get("/v1/nodes", params={"q": "batch discount", "limit": 5}).json()
    scores = [item["score"] for item in found["items"]]
    assert scores == sorted(scores, reverse=True)
    assert "<mark>" in found["items"][0]["snippet"]
    spelled = shipped.get("/v1/nodes", params={"q": "TTFT"}).json()
    assert "TTFT" in "".join(spelled["synonyms"]).upper()
    one = shipped.get("/v1/nodes", params={"tag": "batching"}).json()
    both = shipped.get("/v1/nodes", params={"tag": ["batching", one["items"][0]["tags"][-1]]}).json()
    assert 0 < both["total"] <= one["total"]
    for item in both["items"]:
        assert {"batching", one["items"][0]["tags"][-1]} <= set(item["tags"])


def test_related_nodes_come_with_reasons_and_a_path_joins_two(shipped):
    related = shipped.get(f"{NODE}/related").json()["items"]
    assert all(one["reasons"] for one in related)
    ends = {"from": "analyst/caching-and-batch-stack", "to": related[0]["id"]}
    path = shipped.get("/v1/path", params=ends).json()["path"]
    assert [path["nodes"][0]["id"], path["nodes"][-1]["id"]] == list(ends.values())
    assert len(path["links"]) == len(path["nodes"]) - 1


def test_a_claim_is_evaluated_with_numbers_of_the_callers_own_also_for_the_claim_it_is_compared_with(shipped):
    given = exact(shipped.get(CLAIM))["inputs"][0]
    name, double = given["name"], given["value"] * 2
    before = shipped.get("/readyz").json()["version"]
    found = exact(shipped.get(f"{CLAIM}/evaluate", params={name: str(double)}))
    assert next(one["value"] for one in found["inputs"] if one["name"] == name) == double
    assert shipped.get("/readyz").json()["version"] == before
    for text, why in (("3 USD/", name), ("4 W", f"value of {name}: 4 W is in another unit than USD/Mtok")):
        wrong = shipped.get(f"{CLAIM}/evaluate", params={name: text})
        assert (wrong.status_code, wrong.json()["type"]) == (422, "/problems/invalid-number")
        assert why in wrong.json()["detail"]
    claim = "/v1/claims/two-break-evens-are-one/evaluate"
    own = {"price:market/h100-sxm/purchase": "60000 USD/GPU"}
    plain, told = (shipped.get(claim, params=params).json() for params in ({}, own))
    assert plain["margin"] != told["margin"]


def test_a_day_is_requested_by_parameter_or_by_header_and_node_lists_are_always_current(shipped):
    by_query = shipped.get(CLAIM, params={"as_of": "2025-02-01"})
    by_header = shipped.get(CLAIM, headers={"Accept-Datetime": "Sat, 01 Feb 2025 12:00:00 GMT"})
    assert by_query.json()["now"] == by_header.json()["now"]
    assert by_header.headers["memento-datetime"] == "Sat, 01 Feb 2025 00:00:00 GMT"
    assert by_header.headers["content-location"] == f"{CLAIM}?as_of=2025-02-01"
    assert "Accept-Datetime" in by_header.headers["vary"]
    assert shipped.get(CLAIM, headers={"Accept-Datetime": "yesterday"}).status_code == 400
    assert shipped.get(CLAIM, params={"as_of": "1"}).status_code == 422
    current = shipped.get("/v1/nodes?limit=3").json()["items"]
    assert shipped.get("/v1/nodes?limit=3&as_of=2026-11-21").json()["items"] == current
    refused = shipped.get("/v1/nodes?limit=3&as_of=2026-11-20")
    assert (refused.status_code, refused.json()["type"]) == (422, "/problems/invalid-request")
    assert "always current" in refused.json()["detail"]
    by_header = shipped.get("/v1/nodes?limit=3", headers={"Accept-Datetime": "Sat, 01 Feb 2025 12:00:00 GMT"})
    assert "memento-datetime" not in by_header.headers


@pytest.mark.parametrize("name", ["rat", "assume:pua", "price:acme/large/input", "known_on"])
def test_a_name_that_the_claim_does_not_read_is_refused_with_the_names_that_exist(shipped, name):
    answer = shipped.get(f"{CLAIM}/evaluate", params={name: "2.00"})
    told = answer.json()
    assert (answer.status_code, told["type"]) == (422, "/problems/unknown-input")
    assert name in told["detail"]
    for known in told["names"]:
        assert shipped.get(f"{CLAIM}/evaluate", params={known: "2"}).status_code == 200


@pytest.mark.parametrize("text", ["%2B5", "1%20", "%201", "%D9%A5", "1_0", "5.0", "0x5", "1e2", "٥"])
def test_a_number_in_another_writing_is_refused_by_every_parameter(shipped, text):
    asked = 0
    for path, methods in shipped.get("/openapi.json").json()["paths"].items():
        get = methods.get("get", {})
        for given in [] if "security" in get else get.get("parameters", []):  # else the caller is refused before
            kind = given["schema"].get("type")
            if kind == "integer" or (kind == "number" and text != "5.0"):
                address = path.replace(f"{{{given['name']}}}", text)
                for name, value in (("brain", "analyst"), ("slug", "caching-and-batch-stack"), ("claim", "x")):
                    address = address.replace(f"{{{name}}}", value)
                address += f"?{given['name']}={text}" if given["in"] == "query" else ""
                assert shipped.get(address).status_code == 422, address
                asked += 1
    assert asked > 15


@pytest.mark.parametrize(
    ("form", "media"),
    [("turtle", "text/turtle"), ("jsonld", "application/ld+json"), ("ntriples", "application/n-triples")],
)
@pytest.mark.parametrize("path", [NODE, CLAIM, "/v1/tags/batching", "/v1/runs/1", "/v1/sources/arxiv:1706.03762"])
def test_one_thing_comes_as_rdf_by_header_or_by_parameter(shipped, path, form, media):
    by_header, by_query = shipped.get(path, headers={"Accept": media}), shipped.get(path, params={"format": form})
    assert by_header.content == by_query.content
    assert by_header.headers["content-type"].startswith(media)
    if form != "jsonld":
        assert list(parse(by_header.content, RdfFormat.from_media_type(media)))
    else:
        assert by_header.json()["@context"].endswith("/context.jsonld")


def test_a_verdict_comes_as_nanopublication_and_as_claim_review_and_a_node_as_a_note(shipped):
    path = "/v1/runs/1/claims/sonnet-cached-batch-discount"
    quads = list(parse(shipped.get(path, headers={"Accept": "application/trig"}).content, RdfFormat.TRIG))
    parts = {str(quad.graph_name).rpartition("#")[2].rstrip(">") for quad in quads}
    assert parts == {"head", "assertion", "provenance", "pubinfo"}
    review = shipped.get(path, headers={"Accept": "application/ld+json"}).json()
    assert (review["@context"], review["@type"]) == ("https://schema.org", "ClaimReview")
    assert shipped.get(path).json()["run"] == 1
    note = shipped.get(NODE, headers={"Accept": "text/markdown"})
    assert note.headers["content-type"] == "text/markdown; charset=utf-8"
    assert note.text.startswith("---\n")
    assert "id: analyst/caching-and-batch-stack\n" in note.text
    assert shipped.get("/v1/claims?verdict=error&format=csv").text.startswith("id,node,says,severity,")


LISTS = (
    "/v1/nodes", "/v1/tags", "/v1/sources", "/v1/terms", "/v1/claims", f"{CLAIM}/history", "/v1/prices", "/v1/runs",
    "/v1/changes", "/v1/documents", f"{NODE}/citations", f"{NODE}/backlinks", "/v1/assumptions", "/problems",
)  # fmt: skip


@pytest.mark.parametrize("path", LISTS)
def test_every_list_comes_as_csv_with_the_same_rows(shipped, path):
    as_json = shipped.get(path).json()["items"]
    answer = shipped.get(path, headers={"Accept": "text/csv"})
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert len(rows) == len(as_json)
    for row, item in zip(rows, as_json, strict=True):
        assert set(item) <= set(row)
        for key, value in item.items():
            if isinstance(value, str):
                assert row[key].replace("\r\n", "\n") == value.replace("\r\n", "\n")


def test_links_lead_to_next_to_other_forms_to_the_description_and_to_what_to_cite(shipped):
    listed, node = shipped.get("/v1/tags?limit=2&prefix=b"), shipped.get(NODE)
    links = listed.links
    assert shipped.get(links["next"]["url"]).json()["items"] != listed.json()["items"]
    assert "prefix=b" in links["next"]["url"]
    assert links["describedby"]["url"] == "/openapi.json"
    assert node.links["cite-as"]["url"].endswith("/nodes/analyst/caching-and-batch-stack")
    assert 'type="text/turtle"' in node.headers["link"]


@pytest.mark.parametrize(("method", "path", "headers", "status", "kind"), [
    ("GET", "/v1/nodes/analyst/caching-and-batch-stak", {}, 404, "not-found"),
    ("GET", "/nowhere", {}, 404, "not-found"),
    *(("GET", f"/v1/nodes/no/such/{part}", {}, 404, "not-found") for part in PARTS),
    ("DELETE", "/v1/nodes", {}, 405, "method-not-allowed"), ("PUT", "/v1/documents", {}, 405, "method-not-allowed"),
    ("GET", "/v1/tags", {"Accept": "image/png"}, 406, "not-acceptable"),
    ("GET", "/v1/terms?format=turtle", {}, 406, "not-acceptable"),
    ("GET", "/v1/nodes?kind=essay", {}, 422, "invalid-request"),
    ("GET", "/v1/nodes?cursor=abc", {}, 422, "invalid-cursor"),
    ("GET", "/v1/claims?verdict=wrong", {}, 422, "invalid-request"),
    ("GET", "/v1/claims?verdict=stale&verdict=holds", {}, 422, "invalid-request"),
    ("GET", "/v1/nodes/a/b/claims?limit=5&limit=6", {}, 422, "invalid-request"),
    ("GET", f"{CLAIM}/evaluate?list=2&list=3", {}, 422, "invalid-request"),
    ("GET", "/v1/nodes?tag=none&tag=other&format=json&format=csv", {}, 422, "invalid-request"),
    ("GET", "/feed.json?tag=batch&tag=rent", {}, 422, "invalid-request"),
    ("GET", "/v1/runs/99999999999999999999", {}, 422, "invalid-request"),
    ("GET", "/v1/runs/12345", {}, 404, "not-found"), ("GET", "/v1/prices/no/such/history", {}, 404, "not-found"),
    ("POST", "/v1/documents?name=a", {}, 403, "read-only"),
    ("POST", "/sparql", {"Content-Type": "image/png"}, 415, "unsupported-media-type"),
])  # fmt: skip  # rows
def test_every_error_is_a_problem_document(shipped, method, path, headers, status, kind):
    answer = shipped.request(method, path, headers=headers)
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    told = answer.json()
    assert {"type", "title", "status", "detail", "instance"} <= told.keys()
    assert (told["type"], told["status"]) == (f"/problems/{kind}", status)
    assert "no-store" in answer.headers["cache-control"]


def test_errors_say_what_to_do(shipped):
    assert "analyst/caching-and-batch-stack" in shipped.get("/v1/nodes/analyst/caching-and-batch-stak").json()["near"]
    assert "anthropic/sonnet" in shipped.get("/v1/prices/antropic/sonet/impact").json()["near"]
    assert shipped.put("/v1/documents").headers["allow"] == "DELETE, GET, HEAD, POST"
    assert "text/csv" in shipped.get("/v1/terms?format=turtle").json()["available"]
    assert shipped.get("/v1/nodes?limit=0").json()["errors"][0]["where"] == "query.limit"


def test_feeds_are_well_formed_and_say_whose_they_are(shipped):
    feed = ET.fromstring(shipped.get("/feed.atom").content)
    assert feed.tag == f"{ATOM}feed"
    for name in ("id", "title", "updated", "author"):
        assert feed.find(f"{ATOM}{name}") is not None
    told = shipped.get("/feed.json", params={"claim": "sonnet-cached-batch-discount"}).json()
    assert told["version"] == "https://jsonfeed.org/version/1.1"
    assert "claim=sonnet-cached-batch-discount" in told["feed_url"]
    assert shipped.get("/feed.atom?claim=no-such").status_code == 404


def test_programs_that_come_for_the_first_time_find_everything(shipped):
    catalog = shipped.get("/.well-known/api-catalog").json()["linkset"]
    addresses = [link["href"] for one in catalog for key in one if key != "anchor" for link in one[key]]
    for address in addresses:
        assert shipped.get(address.removeprefix("http://testserver")).status_code == 200, address
    assert list(parse(shipped.get("/.well-known/void").content, RdfFormat.TURTLE))
    text = shipped.get("/llms.txt").text
    for line in text.splitlines():
        if "](http://testserver" in line:
            path = line.partition("](http://testserver")[2].partition(")")[0]
            assert shipped.get(path).status_code == 200, path


def test_metrics_count_answers_and_describe_the_store(shipped):
    shipped.get("/healthz")
    plain = shipped.get("/metrics")
    assert 'brain_http_requests_total{method="GET",status="200"}' in plain.text
    assert 'brain_nodes{kind="thesis"}' in plain.text
    open_metrics = shipped.get("/metrics", headers={"Accept": "application/openmetrics-text; version=1.0.0"})
    assert open_metrics.headers["content-type"].startswith("application/openmetrics-text")
    assert open_metrics.text.endswith("# EOF\n")
