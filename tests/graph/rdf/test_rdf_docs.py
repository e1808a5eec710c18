import contextlib
import csv
import io
import re
from pathlib import Path

import pyoxigraph
import pytest

from graph.models.claim_models import VerdictName
from graph.rdf.claim_triples import RATINGS
from graph.rdf.glossary_labels import EXACT
from graph.rdf.rdf_formats import FORMATS
from graph.rdf.sparql import endpoint as limits
from graph.rdf.sparql.endpoint import Endpoint
from graph.rdf.sparql.sparql_answers import LARGEST

DOCS = Path(__file__).parents[3] / "docs"
RDF = (DOCS / "rdf.md").read_text("utf-8")
SPARQL = (DOCS / "sparql.md").read_text("utf-8")
QUERIES = dict(re.findall(r"(?:^|\n\n)([A-Z][^`|]+?\?)\n\n```sparql\n(.*?)```", SPARQL, re.S))
LONG = 60.0

BASE = "https://farm.example/brain/"
OATS, SURVEY = [BASE + "nodes/ada/oats-pay", "Oats pay"], [BASE + "nodes/ada/survey", "Survey"]
STALE = [BASE + "claims/oats-at-200", BASE + "ns#stale"]
EXPECTED = {
    "Which theses depend on": [[*OATS, *STALE]],
    "Which readings quote a paper on arXiv": [[*SURVEY, BASE + "sources/arxiv%3A1907.00001", "1", "1"]],
    "Which terms do two glossaries": [["tonne", "scales", "2,240 pounds.", "words", "1,000 kilograms."]],
    "Which claims are closest": [[*STALE, "oats", "192.5", "203", "EUR/t", "0.054545"]],
}


@pytest.fixture(scope="module")
def endpoint(export):
    with contextlib.closing(Endpoint(export, workers=1, patience=LONG)) as opened:
        yield opened


def question(start):
    (found,) = [text for name, text in QUERIES.items() if " ".join(name.split()).startswith(start)]
    return found


def test_every_query_of_the_documentation_is_tested():
    assert len(QUERIES) == SPARQL.count("```sparql") == len(EXPECTED) + 1
    for start in EXPECTED:
        question(start)


@pytest.mark.parametrize("start", sorted(EXPECTED))
def test_a_documented_query_answers_its_question(endpoint, start):
    answer = endpoint.query(question(start), seconds=LONG, accept="csv")
    found = list(csv.reader(io.StringIO(answer.body.decode(), newline="")))[1:]
    assert [[cell.removesuffix(".0") for cell in row] for row in found] == EXPECTED[start]


def test_the_documented_graph_has_the_place_where_a_node_was_written(endpoint, names):
    answer = endpoint.query(question("Which document contains a node"), seconds=LONG, accept="ntriples")
    told = {quad.triple for quad in pyoxigraph.parse(answer.body, format=pyoxigraph.RdfFormat.N_TRIPLES)}
    documents = {t.object.value for t in told if t.predicate.value.endswith("wasDerivedFrom")}
    assert documents == {f"{names.base}documents/farm.md/{'a' * 64}"}
    assert len({t.subject for t in told if t.predicate == names.own.claim}) == 3


def test_formats_ratings_limits_and_prefixes_are_documented(names):
    rows = re.findall(r"^\| `(\w+)` \| `([\w/+-]+)` \| `(\.\w+)` \|", RDF, re.M)
    assert {(name, form.media_type, f".{form.file_extension}") for name, form in FORMATS.items()} == set(rows)
    rows = dict(re.findall(r"^\| `(\w+)` \| (\d|none) \|$", RDF, re.M))
    assert rows == {word.value: str(RATINGS[word] or "none") for word in VerdictName}
    assert f"`exactMatch` from a confidence of {EXACT}" in RDF
    assert f"{limits.LONGEST:,} characters" in SPARQL
    assert f"{LARGEST // 2**20} MB" in SPARQL
    listed = re.search(r"^\| prefixes \| (.*?) need", SPARQL, re.M)[1]
    assert set(re.findall(r"`(\w+):`", listed)) == set(names.prefixes)
