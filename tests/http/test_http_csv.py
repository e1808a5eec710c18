"""Nothing that people download as CSV is a formula: lists, the export, answers to SPARQL."""

import csv
import io

import pytest

from graph.text.csv_text import FORMULA, text_cell

pytestmark = pytest.mark.usefixtures("exports_here")

FORMULAS = ("=HYPERLINK(1)", "+1+1", "-2+3", "@SUM(A1)", "=cmd|' /C calc'!A0")
NOTE = """---
title: "{title}"
kind: reading
sources: [{{url: "https://a.example/x", title: "{title}"}}]
---
A batch costs half. #b
"""
LISTS = ("export?", "nodes?", "sources?", "documents?", "tags?", "nodes?q=batch&")
QUERY = "SELECT ?title WHERE { ?node <http://purl.org/dc/terms/title> ?title }"


def test_no_cell_of_a_download_is_a_formula_and_the_titles_are_there_as_text(own, put):
    for number, title in enumerate(FORMULAS):
        assert put(f"n{number}.md", NOTE.format(title=title)).status_code == 201
    titles = {f"'{title}" for title in FORMULAS}
    for name in LISTS:
        answer = own.get(f"/v1/{name}format=csv")
        assert answer.status_code == 200
        rows = list(csv.reader(io.StringIO(answer.text, newline="")))
        assert len(rows) > 1
        cells = {cell for row in rows for cell in row}
        assert {cell for cell in cells if cell.startswith(FORMULA) and cell != text_cell(cell)} == set()
        assert titles <= cells or "export" not in name
    told, exact = (own.get("/sparql", params={"query": QUERY, "format": form}) for form in ("csv", "tsv"))
    assert titles <= {row[0] for row in csv.reader(io.StringIO(told.text)) if row}
    assert {f'"{title}"' for title in FORMULAS} <= set(exact.text.split("\n"))
