"""Which queries run on the data, and the error messages of the others."""

import pytest

from graph.rdf.sparql.sparql_answers import GRAPHS, TABLES, SparqlAnswer, choose
from graph.rdf.sparql.sparql_errors import (
    NotAcceptableError,
    QueryFailedError,
    QuerySyntaxError,
    RefusedError,
    ServiceRefusedError,
    UpdateRefusedError,
)
from graph.rdf.sparql.worker import form_of


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("SELECT * { ?s ?p ?o }", "SELECT"),
        ("PREFIX x: <http://x/>\nASK { ?s x:y ?o }", "ASK"),
        ("CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }", "CONSTRUCT"),
        ("CONSTRUCT WHERE { ?s ?p ?o }", "CONSTRUCT"),
        ("DESCRIBE <http://x/y>", "DESCRIBE"),
        ("SELECT ('SERVICE <http://x/> { INSERT DATA }' AS ?text) {}", "SELECT"),
        ("# LOAD <http://x/>\nSELECT ?service { ?service ?load <http://x/SERVICE> }", "SELECT"),
        ("SELECT * { ?s (^<http://x/a>/!<http://x/b>)* ?o MINUS { ?s a ?o } } GROUP BY ?s", "SELECT"),
    ],
)
def test_what_only_reads_goes_through(text, form):
    assert form_of(text) == form


@pytest.mark.parametrize(
    ("text", "operation"),
    [
        ("INSERT DATA { <http://x/a> <http://x/b> 1 }", "INSERT DATA"),
        ("DELETE DATA { <http://x/a> <http://x/b> 1 }", "DELETE DATA"),
        ("DELETE WHERE { ?s ?p ?o }", "DELETE WHERE"),
        ("PREFIX x: <http://x/> DELETE { ?s ?p ?o } INSERT { ?s x:y 1 } WHERE { ?s ?p ?o }", "DELETE/INSERT"),
        ("load <http://x/data.ttl>", "LOAD"),
        ("LOAD SILENT <http://x/> INTO GRAPH <http://x/g>", "LOAD"),
        ("CLEAR ALL", "CLEAR"),
        ("DROP GRAPH <http://x/g>", "DROP"),
        ("CREATE GRAPH <http://x/g>", "CREATE"),
        ("COPY DEFAULT TO <http://x/g>", "COPY"),
        ("MOVE DEFAULT TO <http://x/g>", "MOVE"),
        ("ADD DEFAULT TO <http://x/g>", "ADD"),
    ],
)
def test_updates_are_refused_by_name(text, operation):
    with pytest.raises(UpdateRefusedError) as caught:
        form_of(text)
    assert caught.value.args == (operation,)
    assert isinstance(caught.value, RefusedError)


@pytest.mark.parametrize(
    "text",
    [
        "SELECT * { SERVICE <http://x/> { ?s ?p ?o } }",
        "SELECT * { service silent <http://x/> { ?s ?p ?o } }",
        "SELECT * { ?s ?p ?o . OPTIONAL { SERVICE ?s { ?a ?b ?c } } }",
        "SELECT * { { ?s ?p ?o } UNION { SERVICE <http://x/> { } } }",
        "SELECT * { ?s ?p ?o FILTER NOT EXISTS { SERVICE <http://x/> { ?s ?p ?o } } }",
        "SELECT * { ?s ?p ?o FILTER(1 = 2 || EXISTS { SERVICE <http://x/> { ?s ?p ?o } }) }",
        "SELECT * { { SELECT ?s { SERVICE <http://x/> { ?s ?p ?o } } } }",
        "SELECT (IF(EXISTS { SERVICE <http://x/> { ?s ?p ?o } }, 1, 2) AS ?x) { }",
        "SELECT * { GRAPH ?g { SERVICE <http://x/> { ?s ?p ?o } } }",
        "SELECT * { ?s ?p ?o MINUS { SERVICE <http://x/> { ?s ?p ?o } } }",
        "ASK { BIND(EXISTS { SERVICE <http://x/> { ?s ?p ?o } } AS ?b) }",
        "CONSTRUCT { ?s ?p ?o } { SERVICE <http://x/> { ?s ?p ?o } }",
        "DESCRIBE ?s { SERVICE <http://x/> { ?s ?p ?o } }",
        "SELECT ?s { ?s ?p ?o } GROUP BY ?s HAVING (EXISTS { SERVICE <http://x/> { ?s ?p ?o } })",
        "SELECT ?s { ?s ?p ?o } ORDER BY EXISTS { SERVICE <http://x/> { ?s ?p ?o } }",
    ],
)
def test_no_part_of_a_query_calls_another_service(text):
    with pytest.raises(ServiceRefusedError):
        form_of(text)


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("SELEC ?a { ?a ?b ?c }", 1, 1, "what begins with 'SELEC' cannot be read"),
        ("SELECT *\n{ ?a ?b ?c }\nORDR BY ?a", 3, 1, "what begins with 'ORDR' cannot be read"),
        ("SELECT * { ?a ?b ?c } LIMIT x", 1, 23, "what begins with 'LIMIT' cannot be read"),
        ("", 1, 1, "the query ends too early"),
    ],
)
def test_a_syntax_error_in_a_query_is_reported_with_its_place(text, line, column, message):
    with pytest.raises(QuerySyntaxError) as caught:
        form_of(text)
    assert (caught.value.line, caught.value.column, caught.value.message) == (line, column, message)
    assert str(caught.value).splitlines()[-1] == "  " + " " * (column - 1) + "^"


def test_a_query_nested_beyond_reason_is_refused():
    with pytest.raises(QueryFailedError, match="nested too deeply"):
        form_of("SELECT * " + "{" * 5000 + "}" * 5000)


@pytest.mark.parametrize(
    ("accept", "form", "name", "media"),
    [
        (None, "SELECT", "json", TABLES["json"].media_type),
        ("*/*", "ASK", "json", TABLES["json"].media_type),
        ("", "CONSTRUCT", "turtle", GRAPHS["turtle"].media_type),
        ("csv", "SELECT", "csv", TABLES["csv"].media_type),
        ("jsonld", "DESCRIBE", "jsonld", GRAPHS["jsonld"].media_type),
        ("text/csv", "SELECT", "csv", TABLES["csv"].media_type),
        ("text/*", "SELECT", "csv", TABLES["csv"].media_type),
        ("text/*;q=0.5, application/sparql-results+xml", "SELECT", "xml", TABLES["xml"].media_type),
        ("application/json", "SELECT", "json", "application/json"),
        ("text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8", "SELECT", "xml", "application/xml"),
        ("application/sparql-results+json;q=0, */*;q=0.1", "SELECT", "xml", TABLES["xml"].media_type),
        ("APPLICATION/N-TRIPLES", "CONSTRUCT", "ntriples", GRAPHS["ntriples"].media_type),
        ("text/turtle;q=0.2, application/ld+json;q=0.9", "CONSTRUCT", "jsonld", GRAPHS["jsonld"].media_type),
        ("text/csv; q=oops, application/json", "SELECT", "json", "application/json"),
    ],
)
def test_the_format_is_the_one_that_the_caller_weighs_most(accept, form, name, media):
    assert choose(accept, form) == (name, media)


NOTHING = {"image/png": "SELECT", "text/turtle": "SELECT", "text/csv": "CONSTRUCT", "*/*;q=0": "ASK", "csv": "DESCRIBE"}


@pytest.mark.parametrize(("accept", "form"), NOTHING.items())
def test_a_caller_who_takes_nothing_of_what_there_is_gets_the_list(accept, form):
    with pytest.raises(NotAcceptableError) as caught:
        choose(accept, form)
    assert len(caught.value.offered) >= 3


def test_an_answer_says_what_is_missing_from_it():
    whole = SparqlAnswer(media_type="x/y", body=b"", form="SELECT", rows=3, truncated=False, version=1, fresh=True)
    assert whole.warning is None
    assert whole.model_copy(update={"truncated": True}).warning == "cut after 3 rows: there are more"
    assert "up to date" in whole.model_copy(update={"fresh": False}).warning
