"""The SPARQL 1.1 Protocol, query part: the cases of the W3C's protocol test suite, and what it leaves open.

https://www.w3.org/2009/sparql/docs/tests/data-sparql11/protocol/ asks servers to load two graphs from the web. This
service takes no graphs from requests, so the cases on datasets query the graphs of its nanopublications.
"""

from urllib.parse import urlencode

import pyoxigraph
import pytest

from api.settings import Settings
from tests.web_client import home_client

ASK = "ASK {}"
QUERY, FORM = "application/sparql-query", "application/x-www-form-urlencoded"
GRAPHS = "SELECT DISTINCT ?g { GRAPH ?g { ?s ?p ?o } }"
COUNT = "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }"


@pytest.fixture(scope="module")
def service(part_home):
    with home_client(Settings(home=part_home, sparql_seconds=60), pages=False) as client:
        yield client


@pytest.fixture(scope="module")
def graphs(service):
    found = rows(get(service, "SELECT ?g { GRAPH ?head { ?paper np:hasAssertion ?g } } ORDER BY ?g LIMIT 2"), "g")
    assert len(found) == 2
    inside = (f"SELECT (COUNT(*) AS ?n) {{ GRAPH <{graph}> {{ ?s ?p ?o }} }}" for graph in found)
    counted = [counted_in(get(service, query)) for query in inside]
    assert min(counted) > 0
    return dict(zip(found, counted, strict=True))


def get(client, query, **headers):
    return client.get("/sparql", params={"query": query}, headers=headers)


def post(client, content, media=None, query=""):
    headers = {"Content-Type": media} if media else {}
    return client.post(f"/sparql{query and '?'}{query}", content=content, headers=headers)


def rows(response, name):
    assert response.status_code == 200, response.text
    return [row[name]["value"] for row in response.json()["results"]["bindings"]]


def counted_in(response):
    return int(rows(response, "n")[0])


def query_by(client, way, pairs):
    """The query and its dataset by GET, by a form, or as it is with the dataset in the address."""
    if way == "get":
        return client.get("/sparql", params=pairs)
    if way == "form":
        return post(client, urlencode(pairs), FORM)
    body = dict(pairs)["query"]
    return post(client, body, QUERY, urlencode([pair for pair in pairs if pair[0] != "query"]))


WAYS = ("get", "form", "direct")


@pytest.mark.parametrize("way", WAYS)
def test_a_query_is_answered_by_get_by_form_and_as_it_is(service, way):
    assert query_by(service, way, [("query", ASK)]).json() == {"head": {}, "boolean": True}


def test_parameters_of_the_media_type_change_nothing_an_unknown_graph_is_empty_and_no_query_gets_a_description(service):
    assert get(service, "SELECT ?a WHERE {").json()["line"] == 1
    assert post(service, ASK, f"{QUERY}; charset=UTF-8").status_code == 200
    assert post(service, urlencode({"query": ASK}), f"{FORM}; charset=utf-8").status_code == 200
    found = service.get("/sparql", params={"query": COUNT, "default-graph-uri": "http://x/none"})
    assert counted_in(found) == 0
    found = service.get("/sparql")
    assert found.headers["content-type"].startswith("text/turtle")
    assert len(list(pyoxigraph.parse(found.content, format=pyoxigraph.RdfFormat.TURTLE))) > 5


RESULTS = ("application/sparql-results+json", "application/sparql-results+xml")
TRIPLES = ("text/turtle", "application/n-triples", "application/ld+json")


@pytest.mark.parametrize(
    ("query", "media"),
    [
        ("SELECT (1 AS ?one) {}", (*RESULTS, "text/csv", "text/tab-separated-values")),
        ("ASK {}", RESULTS),
        ("CONSTRUCT { <http://x/s> <http://x/p> 1 } WHERE {}", TRIPLES),
        ("DESCRIBE <http://x/s>", TRIPLES),
    ],
)
def test_the_content_type_is_one_that_was_accepted(service, query, media):
    """query_content_type_select, _ask, _construct, _describe."""
    for wanted in media:
        found = get(service, query, Accept=wanted)
        assert (found.status_code, found.headers["content-type"].partition(";")[0]) == (200, wanted)
    assert get(service, query, Accept=f"image/png, {media[-1]};q=0.5").headers["content-type"].startswith(media[-1])
    assert get(service, query, Accept="image/png").status_code == 406


BAD = {
    "bad_query_method": (lambda client: client.put("/sparql", params={"query": ASK}), 405),
    "bad_multiple_queries": (lambda client: client.get("/sparql", params=[("query", ASK), ("query", "SELECT * {}")]), 400),
    "bad_multiple_queries_form": (lambda client: post(client, urlencode([("query", ASK), ("query", "SELECT * {}")]), FORM), 400),
    "query_in_form_and_address": (lambda client: post(client, urlencode({"query": ASK}), FORM, urlencode({"query": ASK})), 400),
    "query_in_body_and_address": (lambda client: post(client, ASK, QUERY, urlencode({"query": ASK})), 400),
    "bad_query_wrong_media_type": (lambda client: post(client, ASK, "text/plain"), 415),
    "bad_query_missing_form_type": (lambda client: post(client, urlencode({"query": ASK})), 415),
    "bad_query_missing_direct_type": (lambda client: post(client, ASK), 415),
    "bad_query_non_utf8": (lambda client: post(client, ASK.encode("utf-16"), f"{QUERY}; charset=UTF-16"), 400),
    "bad_query_non_utf8_unsaid": (lambda client: post(client, ASK.encode("utf-16"), QUERY), 400),
    "form_non_utf8": (lambda client: post(client, b"query=ASK%20%7B%7D%FF", FORM), 400),
    "form_not_encoded": (lambda client: post(client, "query=ASK {é}".encode(), FORM), 400),
    "form_without_query": (lambda client: post(client, urlencode({"other": ASK}), FORM), 400),
    "empty_form": (lambda client: post(client, "", FORM), 400),
    "bad_query_syntax": (lambda client: client.get("/sparql", params={"query": "ASK {"}), 400),
    "empty_query": (lambda client: client.get("/sparql", params={"query": ""}), 400),
    "empty_body": (lambda client: post(client, "", QUERY), 400),
    "dataset_without_query": (lambda client: client.get("/sparql", params={"default-graph-uri": "http://x/g"}), 400),
    "graph_without_iri": (lambda client: client.get("/sparql", params={"query": ASK, "default-graph-uri": "no iri"}), 400),
}  # fmt: skip  # one a line


@pytest.mark.parametrize(("send", "status"), BAD.values(), ids=BAD)
def test_a_bad_request_is_refused_with_a_problem(service, send, status):
    found = send(service)
    assert found.status_code == status
    assert found.headers["content-type"] == "application/problem+json"
    assert found.json()["status"] == status


@pytest.mark.parametrize(
    "send",
    [
        lambda client: post(client, "CLEAR ALL", "application/sparql-update"),
        lambda client: post(client, urlencode({"update": "CLEAR ALL"}), FORM),
        lambda client: post(client, urlencode({"update": "CLEAR ALL", "using-graph-uri": "http://x/g"}), FORM),
        lambda client: client.get("/sparql", params={"update": "CLEAR ALL"}),
        lambda client: client.get("/sparql", params={"query": ASK, "update": "CLEAR ALL"}),
        lambda client: client.get("/sparql", params={"query": "CLEAR ALL"}),
        lambda client: post(client, "INSERT DATA { <http://x/a> <http://x/b> 1 }", QUERY),
    ],
)
def test_an_update_is_refused_wherever_it_occurs(service, send):
    before = counted_in(get(service, COUNT))
    refused = send(service)
    kind = refused.json()["type"].removeprefix("/problems/")
    assert (refused.status_code, kind) in {(403, "query-refused"), (415, "unsupported-media-type")}
    assert counted_in(get(service, COUNT)) == before > 0


@pytest.mark.parametrize("way", WAYS)
def test_a_dataset_is_that_of_the_request(service, graphs, way):
    """query_dataset_default_graph."""
    (first, count), (second, _) = graphs.items()
    assert counted_in(query_by(service, way, [("query", COUNT), ("default-graph-uri", first)])) == count
    assert rows(query_by(service, way, [("query", GRAPHS), ("default-graph-uri", first)]), "g") == []
    # query_dataset_default_graphs_get, _post.
    pairs = [("query", COUNT), *(("default-graph-uri", graph) for graph in graphs)]
    inside = " UNION ".join(f"{{ GRAPH <{graph}> {{ ?s ?p ?o }} }}" for graph in graphs)
    merged = counted_in(get(service, f"SELECT (COUNT(*) AS ?n) {{ SELECT DISTINCT ?s ?p ?o {{ {inside} }} }}"))
    assert counted_in(query_by(service, way, pairs)) == merged
    # query_dataset_named_graphs_get, _post: only those that are named, and an empty default graph.
    named = [("named-graph-uri", graph) for graph in graphs]
    assert sorted(rows(query_by(service, way, [("query", GRAPHS), *named]), "g")) == sorted(graphs)
    assert counted_in(query_by(service, way, [("query", COUNT), *named])) == 0
    # query_dataset_full.
    dataset = [("default-graph-uri", first), ("named-graph-uri", second)]
    assert counted_in(query_by(service, way, [("query", COUNT), *dataset])) == count
    assert rows(query_by(service, way, [("query", GRAPHS), *dataset]), "g") == [second]
    # query_multiple_dataset.
    query = f"SELECT (COUNT(*) AS ?n) FROM <{second}> {{ ?s ?p ?o }}"
    assert counted_in(query_by(service, way, [("query", query), ("default-graph-uri", first)])) == count


def test_a_large_construct_is_cut_as_a_select_is_and_says_so(service):
    """It was stopped at the time limit: all of its triples were made before the first was counted."""
    select = get(service, "SELECT * { ?s ?p ?o }")
    graph = get(service, "CONSTRUCT WHERE { ?s ?p ?o }", Accept="application/n-triples")
    assert graph.status_code == select.status_code == 200, graph.text
    assert len(list(pyoxigraph.parse(graph.content, format=pyoxigraph.RdfFormat.N_TRIPLES))) == 10_000
    assert graph.headers["x-rows"] == select.headers["x-rows"] == "10000"
    assert graph.headers["x-remark"] == select.headers["x-remark"] == "cut after 10,000 rows: there are more"
