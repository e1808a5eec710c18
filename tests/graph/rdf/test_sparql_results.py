"""Answers in the formats of the W3C, read again by another reader."""

import csv
import io
import json

import pyoxigraph
import pytest
from pyoxigraph import BlankNode, Literal, NamedNode

from graph.rdf.iris import XSD
from graph.rdf.sparql.sparql_answers import boolean, table

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


def test_csv_is_what_a_spreadsheet_reads():
    lines = list(csv.reader(io.StringIO(table("csv", ["thing", "n"], ROWS).decode(), newline="")))
    assert lines[0] == ["thing", "n"]
    words = ["_:b1" if isinstance(term, BlankNode) else term.value if term else "" for term in TERMS]
    assert [line[0] for line in lines[1:]] == words
    assert table("csv", ["a"], []) == b"a\r\n"


def test_xml_has_no_character_that_xml_forbids():
    data = table("xml", ["x"], [(Literal("a\x00b\x0bc\ufffe]]>"),)])
    (row,) = pyoxigraph.parse_query_results(data, format=FORMATS["xml"])
    assert row[0].value == "a\ufffdb\ufffdc\ufffd]]>"


@pytest.mark.parametrize("answer", [True, False])
def test_yes_and_no(answer):
    found = pyoxigraph.Store().query("ASK {}" if answer else "ASK { ?s ?p ?o }")
    assert json.loads(boolean("json", found)) == {"head": {}, "boolean": answer}
    assert bool(pyoxigraph.parse_query_results(boolean("xml", found), format=FORMATS["xml"])) is answer
    assert boolean("csv", found) == boolean("tsv", found) == (b"true\n" if answer else b"false\n")
