"""Answers in the formats of the W3C and as the caller prefers (RFC 9110); which queries run, and the errors of others."""

import csv
import io
import json

import pyoxigraph
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pyoxigraph import BlankNode, Literal, NamedNode

from graph.rdf.accept_header import quality
from graph.rdf.iris import XSD
from graph.rdf.sparql import sparql_errors as errors
from graph.rdf.sparql.sparql_answers import GRAPHS, TABLES, SparqlAnswer, boolean, choose, table
from graph.rdf.sparql.worker import form_of

TERMS = (
    NamedNode("https://x/é?a=1&b='2'"),
    BlankNode("b1"),
    Literal('say "no", \\ and\ttab\r\nend'),
    Literal("bonjour", language="fr"),
    Literal("0.500", datatype=XSD.decimal),
    Literal("7", datatype=XSD.integer),
    Literal("true", datatype=XSD.boolean),
    Literal("x", datatype=NamedNode("https://x/type")),
    Literal(""),
    None,
)
ROWS = [(term, Literal(str(number), datatype=XSD.integer)) for number, term in enumerate(TERMS)]
FORMATS = {name: getattr(pyoxigraph.QueryResultsFormat, name.upper()) for name in ("json", "xml", "tsv")}


@pytest.mark.parametrize("form", sorted(FORMATS))
def test_oxigraph_reads_the_same_rows(form):
    found = pyoxigraph.parse_query_results(table(form, ["thing", "n"], ROWS), format=FORMATS[form])
    assert [variable.value for variable in found.variables] == ["thing", "n"]
    assert [tuple(row) for row in found] == ROWS
    assert list(pyoxigraph.parse_query_results(table(form, ["x"], []), format=FORMATS[form])) == []


def test_csv_is_what_a_spreadsheet_reads_and_xml_has_no_character_that_xml_forbids():
    lines = list(csv.reader(io.StringIO(table("csv", ["thing", "n"], ROWS).decode(), newline="")))
    assert lines[0] == ["thing", "n"]
    words = ["_:b1" if isinstance(term, BlankNode) else term.value if term else "" for term in TERMS]
    assert [line[0] for line in lines[1:]] == words
    assert table("csv", ["a"], []) == b"a\r\n"
    data = table("xml", ["x"], [(Literal("a\x00b\x0bc\ufffe]]>"),)])
    (row,) = pyoxigraph.parse_query_results(data, format=FORMATS["xml"])
    assert row[0].value == "a\ufffdb\ufffdc\ufffd]]>"


@pytest.mark.parametrize("answer", [True, False])
def test_yes_and_no(answer):
    found = pyoxigraph.Store().query("ASK {}" if answer else "ASK { ?s ?p ?o }")
    assert json.loads(boolean("json", found)) == {"head": {}, "boolean": answer}
    assert bool(pyoxigraph.parse_query_results(boolean("xml", found), format=FORMATS["xml"])) is answer
    assert boolean("csv", found) == boolean("tsv", found) == (b"true\n" if answer else b"false\n")


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
    with pytest.raises(errors.UpdateRefusedError) as caught:
        form_of(text)
    assert caught.value.args == (operation,)
    assert isinstance(caught.value, errors.RefusedError)


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
    with pytest.raises(errors.ServiceRefusedError):
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
    with pytest.raises(errors.QuerySyntaxError) as caught:
        form_of(text)
    assert (caught.value.line, caught.value.column, caught.value.message) == (line, column, message)
    assert str(caught.value).splitlines()[-1] == "  " + " " * (column - 1) + "^"


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
    with pytest.raises(errors.NotAcceptableError) as caught:
        choose(accept, form)
    assert len(caught.value.offered) >= 3


def test_an_answer_says_what_is_missing_from_it():
    whole = SparqlAnswer(media_type="x/y", body=b"", form="SELECT", rows=3, truncated=False, version=1, fresh=True)
    assert whole.warning is None
    assert whole.model_copy(update={"truncated": True}).warning == "cut after 3 rows: there are more"
    assert "up to date" in whole.model_copy(update={"fresh": False}).warning


EXAMPLE = "text/*;q=0.3, text/plain;q=0.7, text/plain;format=flowed, text/plain;format=fixed;q=0.4, */*;q=0.5"
"""The example of the RFC."""


@pytest.mark.parametrize(
    ("media", "accept", "expected"),
    [
        ("text/plain", EXAMPLE, 0.7),
        ("text/html", EXAMPLE, 0.3),
        ("image/jpeg", EXAMPLE, 0.5),
        ("text/turtle", "", 1),
        ("text/turtle", " , ,", 1),
        ("text/turtle", "*/*", 1),
        ("text/turtle", "TEXT/Turtle ; Q=0.25", 0.25),
        ("text/turtle", "text/*;q=0.9, text/turtle;q=0, */*", 0),
        ("text/turtle", "*/*;q=0.1, text/*;q=0.2", 0.2),
        ("text/turtle", "text/turtle;q=0.1, text/turtle;q=0.2", 0.2),
        ("text/turtle", "text/html", 0),
        ("text/turtle", "text/turtle;charset=UTF-8;q=0.3", 0.3),
        ("text/turtle", "text/turtle;q=0.3;charset=utf-8, text/turtle;version=2", 0.3),
        ("text/turtle", "text/turtle;version=2;q=0.6, text/*", 0.6),
        ("application/ld+json", 'application/ld+json;profile="http://x/a,b;q=0";q=0.4, */*;q=0.1', 0.4),
        ("text/turtle", "text/turtle;q=oops", 0),
        ("text/turtle", "text/turtle;q=nan", 0),
        ("text/turtle", "text/turtle;q=2", 0),
        ("text/turtle", "text/turtle;q=-1", 0),
        ("text/turtle", "text/turtle;q=0.1234", 0),
        ("text/turtle", "text/turtle;q=1.000", 1),
        ("text/turtle", ";q=1, text/turtle", 1),
    ],
)
def test_the_most_specific_range_decides(media, accept, expected):
    assert quality(media, accept) == expected


@given(st.text(alphabet='at/*;,q=01." \\-', max_size=60))
@example('"' * 200_000).via("each quote was looked at up to the end of the header: a long one took seconds")
@example('"\\' * 200_000)
def test_whatever_a_header_says_is_a_quality(accept):
    assert 0 <= quality("a/t", accept) <= 1
