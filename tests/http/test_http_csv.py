"""Nothing that people download as CSV is a formula: lists, the export, answers to SPARQL."""

import csv
import io

import pytest

from graph.text.csv_text import FORMULA, text_cell

pytestmark = pytest.mark.usefixtures("exports_here")

FORMULAS = ("=HYPERLINK(1)", "+1+1", "-2+3", "@SUM(A1)", "=cmd|' /C calc'!A0")
NOTE = """\
---
title: "{title}"
kind: reading
tags: [a]
sources:
  - url: https://a.example/x
    title: "{title}"
---
A batch costs half. #b
"""
QUERY = "SELECT ?title WHERE { ?node <http://purl.org/dc/terms/title> ?title }"


@pytest.fixture
def filled(own, put):
    """A service over notes whose titles are formulas."""
    for number, title in enumerate(FORMULAS):
        assert put(f"n{number}.md", NOTE.format(title=title)).status_code == 201
    return own


@pytest.mark.parametrize(
    "address",
    ["/v1/nodes?format=csv", "/v1/export?format=csv", "/v1/sources?format=csv", "/v1/documents?format=csv", "/v1/nodes?format=csv&q=batch",
     "/v1/tags?format=csv"],
)  # fmt: skip  # one list
def test_no_cell_of_a_download_is_a_formula(filled, address):
    answer = filled.get(address)
    assert answer.status_code == 200
    rows = list(csv.reader(io.StringIO(answer.text, newline="")))
    assert len(rows) > 1
    for cell in (cell for row in rows for cell in row):
        assert not cell.startswith(FORMULA) or cell == text_cell(cell), cell


def test_the_titles_are_there_as_text(filled):
    rows = csv.reader(io.StringIO(filled.get("/v1/export?format=csv").text))
    assert {f"'{title}" for title in FORMULAS} <= {cell for row in rows for cell in row}


def test_an_answer_to_sparql_has_no_formula_and_its_tsv_every_term(filled):
    told = filled.get("/sparql", params={"query": QUERY, "format": "csv"})
    assert {f"'{title}" for title in FORMULAS} <= {row[0] for row in csv.reader(io.StringIO(told.text)) if row}
    exact = filled.get("/sparql", params={"query": QUERY, "format": "tsv"})
    assert {f'"{title}"' for title in FORMULAS} <= set(exact.text.split("\n"))
