import re
from pathlib import Path

import pytest

from ingest.document_reader import read
from ingest.format_detection import DATA, KNOWN
from tests.ingest.own_documents import OWN, own_text

DOCS = (Path(__file__).parents[2] / "docs/documents.md").read_text("utf-8").partition("## Formats")[2]


def found(text, name="upload", **options):
    return read(text.encode(), name, **options)


def test_every_format_is_recognised_by_its_content_whatever_its_name(own):
    form, _, text = own
    for name in ("upload", "x.bin", "kai-brain-page.txt"):
        document = found(text, name)
        assert document.format == form, f"write its line in KNOWN of ingest/format_detection.py, with a sign: {form}"
        assert document.evidence


def test_every_format_that_has_a_parser_has_a_sample():
    assert set(OWN) == {known.name for known in KNOWN if known.parse}, "each has a file in tests/ingest/samples/NAME/"


@pytest.mark.parametrize("known", KNOWN, ids=lambda known: known.name)
def test_every_format_is_documented_as_its_record_describes_it(known):
    rows = re.findall(r"^\| (`.*`) \| (.*) \|$", DOCS, re.M)
    written = [looks for names, looks in rows if f"`{known.name}`" in names.split(", ")]
    assert written == [known.looks], f"docs/documents.md, Formats, needs: | `{known.name}` | {known.looks} |"


def test_the_evidence_names_what_was_found_and_what_its_rivals_would_lose():
    document = found(own_text("bullet-glossary").replace("## ", "[[link]]\n## "), "pilots.md")
    assert document.format == "note"
    assert document.evidence[0] == "the name is that of a Markdown file"
    assert document.evidence[1].startswith("not bullet-glossary: it would leave out")


@pytest.mark.parametrize("key", DATA)
def test_yaml_of_rules_is_recognised_by_its_key(reading, key):
    document = reading(f"# a comment\n{key}:\n  - id: a\n", "file.yaml")
    assert (document.format, document.nodes, document.problems) == (key, (), ())
    assert document.lines.kept == document.lines.total == 3


@pytest.mark.parametrize(
    "text",
    [
        "a,b,c\n1,2,3\n4,5,6\n",
        '{"name": "x", "version": 1}',
        "def f(x):\n    return x - 1\n",
        "key: value\nother: [1, 2]\n",
        "x" * 20_000,
        "2024-01-01 12:00:00 INFO started\n2024-01-01 12:00:01 WARN slow\n",
    ],
)
def test_what_is_of_no_known_format_is_an_error_that_names_the_formats(reading, text):
    document = reading(text, "some.txt")
    assert (document.format, document.nodes) == ("unknown", ())
    (problem,) = document.problems
    assert (problem.code, problem.severity) == ("format-unknown", "error")
    assert "brain-page" in problem.hint


MANUAL = "# quaygrep\n\nA tool.\n\n## Installation\n\n```sh\nmake\n```\n\n## Usage\n\n```sh\nquaygrep x\n```\n\n"
TERMS, BULLETS = OWN["term-table"][1], OWN["bullet-glossary"][1]
TEXTS = {
    "a bare list of claims": ("- id: a\n  node: n\n  value: 1\n  expect: {is: 1}\n", "upload", "claims"),
    "a key of rules behind others": ("catalog: cards\nlicence: own\nprices:\n  - item: a\n", "upload", "prices"),
    "prose in Markdown": ("Only prose.", "a.md", "note"),
    "prose in a text": ("Only prose.", "a.txt", "note"),
    "no sentence": ("Only prose", "a.txt", "unknown"),
    "prose of no kind": ("Only prose.", "a", "unknown"),
    "Markdown that begins like a file of rules": ("tags: one, two\nprices: were high\n\n# Pump\n", "pump.md", "note"),
    # what is only written in the same ways is at most a note
    "a manual": (f"{MANUAL}| Flag | Effect |\n|---|---|\n| `-r` | all |\n\n## Licence\n\nMIT\n", "x.md", "note"),
    "a manual with a table": (f"{MANUAL}| Name | Description |\n|---|---|\n| `PORT` | where |\n", "x.md", "note"),
    "a manual with bold items": (f"{MANUAL}- **Fast**: yes\n- **Small**: yes\n- **Old**: yes\n", "x.md", "note"),
    "a log": ("# Changes\n\n## [1.2.0]\n\n### Added\n- **API**: one\n- **CLI**: 2\n- **BOM** → gone\n", "x.md", "note"),
    "a list to tick": ("# Week\n\n- [ ] a → b\n- [x] c → d\n- [ ] e → f\n- [ ] g → h\n", "x.md", "note"),
    "a note with a glossary": (f"---\ntitle: T\nkind: reading\n---\n{TERMS.split(chr(10), 2)[2]}", "upload", "note"),
    "a note with bullets": (f"---\ntitle: T\ntags: [a]\nsources: []\n---\n{BULLETS}", "upload", "note"),
    "a glossary with front matter": (f"---\ntitle: Words\n---\n{TERMS}", "upload", "term-table"),
    "bullets with front matter": (f"---\ntitle: Words\n---\n{BULLETS}", "upload", "bullet-glossary"),
}


@pytest.mark.parametrize("kind", TEXTS)
def test_what_a_text_is(kind):
    text, name, form = TEXTS[kind]
    assert found(text, name).format == form


def test_the_caller_may_demand_a_format_and_one_that_gives_no_node_falls_back_to_a_note(reading):
    document = reading(own_text("bullet-glossary"), format="note")
    assert (document.format, len(document.nodes)) == ("note", 1)
    assert reading("x", format="poem").problems[0].code == "format-unknown"
    assert reading("claim:\n  - id: a\n", "claims.yaml", format="note").nodes == ()
    declared = reading("---\nformat: term-table\n---\nOnly prose.", "a.md")
    demanded = reading("Only prose.", "a.md", format="term-table")
    for document in (declared, demanded):
        assert (document.format, document.nodes[0].body) == ("note", "Only prose.")
        assert [(p.code, p.severity) for p in document.problems] == [("no-nodes", "warning")]


@pytest.mark.parametrize("form", ["bullet-glossary", "term-table", "context-pack", "note"])
def test_a_file_or_its_folder_declares_its_format(reading, form):
    text = own_text(form)
    rest = text.removeprefix("---\n") if text.startswith("---") else f"---\n{text}"
    other = f"---\nformat: {form}\n{rest}"
    assert reading(other, "a.md").format == form
    assert reading(text, "a.md", folder_format=form).format == form
    assert reading(text, "a.yaml", folder_format=form).format == "unknown"


DATA_FILES = {
    "claims.yaml": "claims:\n  - id: a\n    node: n\n",
    "prices.yml": "prices:\n  - item: a\n",
    "terms.yaml": "terms:\n  - label: Sill\n    definition: the step\n",
    "page.html": "<!doctype html><html><body><p>Words</p></body></html>",
    "words.csv": "Term,Definition\nSill,the step\n",
}


@pytest.mark.parametrize("name", DATA_FILES)
@pytest.mark.parametrize("demanded", ["note", "bullet-glossary", "claims"])
def test_a_demanded_format_is_for_prose_and_files_of_rules_and_data_stay_what_they_are(reading, name, demanded):
    assert reading(DATA_FILES[name], name, format=demanded) == reading(DATA_FILES[name], name)
    assert reading("# Pump\n\nIt leaks.\n", "pump.qmd", format="note").format == "note"
    assert [one.code for one in reading("# Pump\n\nIt leaks.\n", "pump.md", format="claims").problems] == [
        "format-kept"
    ]
