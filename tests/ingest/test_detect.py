"""The detector: formats by content, with evidence."""

import re
from pathlib import Path

import pytest

from ingest.document_reader import read
from ingest.format_detection import DATA, KNOWN
from tests.ingest.own_documents import OWN

DOCS = (Path(__file__).parents[2] / "docs/documents.md").read_text("utf-8").partition("## Formats")[2]


def found(text, name="upload", **options):
    return read(text.encode(), name, **options)


def test_every_format_is_recognised_by_its_content_whatever_its_name(own):
    form, _, text = own
    for name in ("upload", "x.bin", "kai-brain-page.txt"):
        document = found(text, name)
        assert document.format == form, (
            f"write its line in KNOWN of ingest/format_detection.py, and give it a sign: {form}"
        )
        assert document.evidence


def test_every_format_that_has_a_parser_has_a_sample():
    assert set(OWN) == {known.name for known in KNOWN if known.parse}, "each has a file in tests/ingest/samples/NAME/"


@pytest.mark.parametrize("known", KNOWN, ids=lambda known: known.name)
def test_every_format_is_documented_as_its_record_describes_it(known):
    rows = re.findall(r"^\| (`.*`) \| (.*) \|$", DOCS, re.M)
    written = [looks for names, looks in rows if f"`{known.name}`" in names.split(", ")]
    assert written == [known.looks], f"docs/documents.md, Formats, needs: | `{known.name}` | {known.looks} |"


def test_the_evidence_names_what_was_found_and_what_its_rivals_would_lose(own_text):
    document = found(own_text("bullet-glossary").replace("## ", "[[link]]\n## "), "pilots.md")
    assert document.format == "note"
    assert document.evidence[0] == "the name is that of a Markdown file"
    assert document.evidence[1].startswith("not bullet-glossary: it would leave out")


@pytest.mark.parametrize("key", DATA)
def test_yaml_of_rules_is_recognised_by_its_key(reading, key):
    document = reading(f"# a comment\n{key}:\n  - id: a\n", "file.yaml")
    assert (document.format, document.nodes, document.problems) == (key, (), ())
    assert document.lines.kept == document.lines.total == 3


def test_a_bare_list_of_claims_is_claims():
    assert found("- id: a\n  node: n\n  value: 1\n  expect: {is: 1}\n").format == "claims"


def test_the_real_key_may_be_behind_others():
    assert found("catalog: cards\nlicence: own\nprices:\n  - item: a\n").format == "prices"


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


def test_plain_prose_is_a_note_where_its_name_says_markdown_or_text():
    assert found("Only prose.", "a.md").format == "note"
    assert "name" in found("Only prose.", "a.md").evidence[0]
    assert found("Only prose.", "a.txt").format == "note"
    assert found("Only prose", "a.txt").format == "unknown"
    assert found("Only prose.", "a").format == "unknown"


MANUAL = "# quaygrep\n\nA tool.\n\n## Installation\n\n```sh\nmake\n```\n\n## Usage\n\n```sh\nquaygrep x\n```\n\n"
OTHERS = {
    "a manual": MANUAL + "| Flag | Effect |\n|---|---|\n| `-r` | all |\n\n## Licence\n\nMIT\n",
    "a manual with a table of names": MANUAL + "| Name | Description |\n|---|---|\n| `PORT` | where |\n",
    "a manual with bold items": MANUAL + "- **Fast**: yes\n- **Small**: yes\n- **Old**: yes\n",
    "a log of changes": "# Changelog\n\n## [1.2.0]\n\n### Added\n- **API**: one\n- **CLI**: two\n\n### Fixed\n- **BOM** → gone\n",
    "a list to tick": "# Week\n\n- [ ] a → b\n- [x] c → d\n- [ ] e → f\n- [ ] g → h\n- [ ] i → j\n",
}


@pytest.mark.parametrize("kind", sorted(OTHERS))
def test_what_is_only_written_in_the_same_ways_is_at_most_a_note(kind):
    assert found(OTHERS[kind], "x.md").format == "note"


def test_a_note_that_talks_of_other_formats_is_a_note(own_text):
    table = own_text("term-table").split("\n", 2)[2]
    assert found(f"---\ntitle: T\nkind: reading\n---\n{table}").format == "note"
    bullets = own_text("bullet-glossary")
    assert found(f"---\ntitle: T\ntags: [a]\nsources: []\n---\n{bullets}").format == "note"


def test_a_glossary_with_front_matter_is_a_glossary(own_text):
    assert found(f"---\ntitle: Words\n---\n{own_text('term-table')}").format == "term-table"
    assert found(f"---\ntitle: Words\n---\n{own_text('bullet-glossary')}").format == "bullet-glossary"


def test_the_caller_may_demand_a_format(reading, own_text):
    document = reading(own_text("bullet-glossary"), format="note")
    assert (document.format, len(document.nodes)) == ("note", 1)
    assert reading("x", format="poem").problems[0].code == "format-unknown"


def test_a_format_that_gives_no_node_falls_back_to_a_note(reading):
    declared = reading("---\nformat: term-table\n---\nOnly prose.", "a.md")
    demanded = reading("Only prose.", "a.md", format="term-table")
    for document in (declared, demanded):
        assert (document.format, document.nodes[0].body) == ("note", "Only prose.")
        assert [(p.code, p.severity) for p in document.problems] == [("no-nodes", "warning")]


@pytest.mark.parametrize("form", ["bullet-glossary", "term-table", "context-pack", "note"])
def test_a_file_or_its_folder_declares_its_format(reading, own_text, form):
    text = own_text(form)
    other = (
        text.replace("---\n", f"---\nformat: {form}\n", 1)
        if text.startswith("---")
        else f"---\nformat: {form}\n---\n{text}"
    )
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


def test_a_demanded_format_of_data_leaves_prose_as_it_is_and_one_of_prose_reads_no_data(reading):
    assert reading("claim:\n  - id: a\n", "claims.yaml", format="note").nodes == ()
    assert reading("# Pump\n\nIt leaks.\n", "pump.md", format="claims").format == "note"


def test_a_markdown_file_that_begins_like_a_file_of_rules_is_a_note(reading):
    document = reading("tags: one, two\nprices: were high\n\n# Pump\n", "pump.md")
    assert (document.format, document.lines.skipped) == ("note", 0)
