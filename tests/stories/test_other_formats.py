"""An analyst brings what other programs wrote: web pages, tables, notebooks, canvases, Roam and Notion exports."""

import json

from ingest.format_detection import KNOWN
from tests.ingest.own_documents import OWN

NUMBER = "0123456789abcdef0123456789abcdef"
OTHER = "fedcba9876543210fedcba9876543210"


def ingest(brain, path, code=0):
    told = brain("ingest", path, "--json")
    assert told.code == code, told.err
    return told.json


def node(brain, name):
    return brain("show", name, "--json").json


def targets(found):
    return {citation["marker"]: citation["target"] for citation in found["citations"]}


def test_a_folder_of_every_format_is_read_and_the_rest_is_named(brain, write):
    forms = {known.name for known in KNOWN if known.suffixes or known.named} | {"roam-export"}
    for form in forms:
        write(f"all/{OWN[form][0]}", OWN[form][1])
    folder = write("all/letter.docx", "x").parent
    report = ingest(brain, folder)
    assert {one["format"] for one in report["documents"]} == forms
    assert {one["outcome"] for one in report["documents"]} == {"new"}
    assert {file["name"] for file in report["left_out"]} == {"letter.docx"}
    again = ingest(brain, folder)
    assert {one["outcome"] for one in again["documents"]} == {"unchanged"}


def test_a_web_page_keeps_its_parts_and_names_what_is_left_out(brain, write):
    report = ingest(brain, write("tides.html", OWN["html-page"][1]))
    (document,) = report["documents"]
    assert [problem["message"] for problem in document["problems"] if problem["severity"] == "note"] == [
        "parts that are no text are left out: 1 × nav, 1 × script, 1 × style"
    ]
    assert {skip["reason"] for skip in document["skipped"]} == {"a style", "a script"}
    found = node(brain, "notes/tides")
    assert found["title"] == "Tide tables"
    assert found["published"] == "2026-03-02"
    assert set(found["tags"]) == {"tides", "harbour-works"}
    assert {source["url"] for source in found["sources"]} == {"https://example.org/tides", "https://example.org/pilot"}
    for part in ("**twice**", "## Heights", "| North | 4.20 |", "  - highest", "> Wait for the second", "```python"):
        assert part in found["body"]
    assert "track(" not in found["body"]
    assert "Home" not in found["body"]
    assert found["tables"][0]["rows"] == [["North", "4.20"]]
    page = "<html><title>Ebb – Site</title><h1>Ebb</h1><details><summary>More</summary>hidden</details><img src='a.png'><footer>End"
    ingest(brain, write("ebb.html", page))
    ebb = node(brain, "notes/ebb")
    assert ebb["body"].split("\n\n") == ["More", "hidden", "![](a.png)", "End"]
    assert ebb["properties"] == [{"name": "page-title", "value": "Ebb – Site"}]


ODD = {
    "fragment": "<p>Only a fragment", "open comments": "<html><body>" + "<!--" * 20_000 + "x",
    "spaces in code": "<html><pre>a" + " " * 20_000 + "b", "empty lines": "<html>a" + "\n" * 20_000 + "b",
}  # fmt: skip


def test_odd_web_pages_are_read_and_one_that_is_nested_too_deeply_is_named_and_left_out(brain, write):
    for name, page in ODD.items():
        write(f"odd/{name}.html", page)
    report = ingest(brain, write("odd/deep.html", "<html>" + "<div>" * 5_000 + "x").parent)
    found = {one["path"]: one["outcome"] for one in report["documents"]}
    assert found == {**{f"{name}.html": "new" for name in ODD}, "deep.html": "left out"}
    assert report["nodes"] == {"reading": len(ODD)}


def test_a_table_of_terms_is_a_glossary_and_any_other_table_is_data(brain, write):
    ingest(brain, write("words.csv", OWN["csv-table"][1]))
    assert node(brain, "words/fairway")["labels"]["variants"] == ["channel"]
    assert node(brain, "words/berth")["provenance"]["last_line"] == 4
    ingest(brain, write("rents.csv", 'Card;Rent (USD/h);Note\nA100;1,50;"two; words"\n\nH100;2.00\n'))
    found = node(brain, "notes/rents")
    assert found["kind"] == "reference"
    assert found["tables"][0]["rows"] == [["A100", "1,50", "two; words"], ["H100", "2.00", ""]]
    assert found["tables"][0]["units"] == [None, "USD/h", None]
    assert "| A100 | 1,50 | two; words |" in found["body"]
    assert ingest(brain, write("empty.csv", "a,b\n"), code=3)["stored"] is False


def test_a_notebook_keeps_text_and_code_and_names_pictures(brain, write):
    report = ingest(brain, write("heights.ipynb", OWN["notebook"][1]))
    assert "1 × image/png" in report["documents"][0]["problems"][0]["message"]
    found = node(brain, "notes/heights")
    assert found["title"] == "Heights of the tide"
    assert "```python\n4.2 * 2\n```" in found["body"]
    assert "```text\n8.4\n```" in found["body"]
    broken = ingest(brain, write("broken.ipynb", '{\n"cells": [\n'), code=3)
    assert broken["documents"][0]["problems"][0]["line"] == 3


def test_a_canvas_links_its_files_and_says_its_arrows(brain, write):
    write("vault/notes/tides.md", "# Tides\n\nTwice a day.\n")
    ingest(brain, write("vault/harbour.canvas", OWN["canvas"][1]).parent)
    found = node(brain, "notes/harbour")
    assert targets(found) == {"[[tides]]": "notes/tides"}
    assert "- [[notes/tides]] → Tides decide: supports" in found["body"]
    assert found["body"].index("Tides decide") < found["body"].index("## Causes")
    assert [link["id"] for link in brain("backlinks", "notes/tides", "--json").json["items"]] == ["notes/harbour"]


def test_a_part_of_roam_is_no_link_to_a_page(brain, write):
    blocks = '{"string": "{{[[TODO]]}} ask"}, {"string": "then {{[[DONE]]}} and {{[[query]]: {and: [[Quay]]}}}"}'
    folder = write("roam/pages.json", f'[{{"title": "Tasks", "children": [{blocks}]}}, {{"title": "Quay"}}]').parent
    assert [one["problems"] for one in ingest(brain, folder)["documents"]] == [[]]
    body = json.loads(brain("show", "notes/tasks", "--json").out)["body"]
    assert body == "- [ ] ask\n- then {{DONE}} and {{query: {and: [[Quay]]}}}"


def test_a_roam_export_gives_pages_with_their_references(brain, write):
    write("roam/pages.json", OWN["roam-export"][1])
    report = ingest(brain, write("roam/other.json", '{"a": "string"}').parent)
    assert [file["reason"] for file in report["left_out"]] == ["JSON that is not an export of Brain or Roam"]
    currents, dues = node(brain, "notes/currents"), node(brain, "notes/light-dues")
    assert "  - [ ] ask the ==pilot==" in currents["body"]
    assert "spring-tide" in currents["tags"]
    assert targets(currents)["[[light-dues]]"] == "notes/light-dues"
    assert "They come *twice* a day" in dues["body"]
    assert targets(dues)["[[currents]]"] == "notes/currents"


def test_a_notion_export_loses_its_numbers_and_keeps_its_links(brain, write):
    top, below = f"Harbour {NUMBER}", f"Harbour {NUMBER}/Tides {OTHER}"
    link = f"Harbour%20{NUMBER}/Tides%20{OTHER}.md"
    write(f"notion/{top}.md", f"# Harbour\n\nTags: Spring tide\n\nSee [the tides]({link}).\n")
    write(f"notion/{below}.md", f"# Tides\n\nBack to [Harbour](../Harbour%20{NUMBER}.md).\n")
    table = write(f"notion/Quays {OTHER}.csv", "Name,Length (m)\nTides,40\n")
    report = ingest(brain, table.parent)
    assert {one["outcome"] for one in report["documents"]} == {"new"}
    found = node(brain, "notes/harbour")
    assert (found["title"], found["tags"]) == ("Harbour", ["spring-tide"])
    assert targets(found) == {"[[tides]]": "notes/tides"}
    assert targets(node(brain, "notes/tides")) == {"[[harbour]]": "notes/harbour"}
    assert targets(node(brain, "notes/quays")) == {"[[tides]]": "notes/tides"}
    assert NUMBER not in json.dumps([found["body"], found["title"], found["id"]])


def test_a_quarto_document_is_a_note_with_its_callouts_cells_and_links(brain, write):
    write("site/tides.qmd", "# Tides\n\n## Spring\n\nHigh.\n")
    report = ingest(brain, write("site/dues.qmd", OWN["quarto-document"][1]).parent)
    (dues,) = (one for one in report["documents"] if one["path"].endswith("dues.qmd"))
    assert (dues["format"], [one["code"] for one in dues["problems"]]) == ("quarto-document", ["link-unresolved"])
    assert {skip["reason"] for skip in dues["skipped"]} == {"a fence of a Quarto block"}
    found = node(brain, "notes/dues")
    assert (found["title"], found["published"]) == ("What the quay costs", "2026-03-14")
    assert found["tags"] == ["harbour", "dues"]
    assert targets(found)["[[tides]]"] == "notes/tides"
    assert found["tables"][0]["rows"] == [["North", "120"]]
    for part in (
        "```python\n#| label: fig-dues\n", "\n> [!warning]- Read this first\n>\n> The table is of 2025.\n",
        "\n> > [!tip] Ask\n> > Ask the harbour master.\n>\n", "[the tides](tides.md#spring)", "`[code](a.qmd)`",
    ):  # fmt: skip
        assert part in found["body"]
    assert ":::" not in found["body"]


def test_files_of_one_name_in_several_folders_or_of_several_kinds_get_longer_ids(brain, write):
    for folder, number in (("a", NUMBER), ("b", OTHER)):
        write(f"pages/{folder}/Index.html", f"<html><p>Index of {folder}.")
        write(f"pages/{folder}/Notes {number}.md", f"# Notes\n\nNotes of {folder}.\n")
    write("pages/Tides.html", "<html><p>From the web.")
    write("pages/Tides.csv", "Quay,Height\nNorth,4\n")
    report = ingest(brain, write("pages/Tides.md", "# Tides\n\nMine.\n").parent)
    assert {one["outcome"] for one in report["documents"]} == {"new"}
    found = {item["id"].removeprefix("notes/") for item in brain("search", "--json").json["items"]}
    assert found == {"index", "b-index", "notes", "b-notes", "tides", "tides-html", "tides-csv"}


def test_comments_on_a_canvas_and_in_a_notebook_are_private(brain, write):
    canvas = (
        '{"nodes": [{"id": "a", "type": "text", "text": "Open.\\n\\n%%the secret%%", "x": 0, "y": 0}], "edges": []}'
    )
    cells = (
        '{"nbformat": 4, "metadata": {}, "cells": [{"cell_type": "markdown", "source": ["Open <!-- the secret -->"]}]}'
    )
    ingest(brain, write("plan.canvas", canvas))
    ingest(brain, write("book.ipynb", cells))
    for name in ("notes/plan", "notes/book"):
        assert "Open" in node(brain, name)["body"]
        assert "secret" not in brain("show", name, "--json").out
