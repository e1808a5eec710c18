"""No detector takes lines from a folder: what is read as a special format keeps what the notes would keep.

A line is kept in a node, or as the frame of a format: the title of a glossary, the letter above its terms, the head of a
table, the card of a page. The folders are the samples, a vault of people, the small cases and the real documents.
"""

from dataclasses import replace
from pathlib import Path

import pytest

from ingest import document_reader
from ingest.document_reader import read, shareable_text, unplaced
from ingest.format_detection import KNOWN, PROSE
from ingest.linking.link_resolution import linked_documents
from ingest.markdown.private_comments import public_text, uncommented
from ingest.source_files import read_paths
from tests.command import written
from tests.ingest.own_documents import resolve

TESTS = Path(__file__).parents[1]
SHARED = TESTS.parent.parent / "shared"
FOLDERS = [TESTS / "ingest/samples", *(TESTS.parent / name for name in ("docs", "content"))]
FOLDERS += [SHARED / name for name in ("cases", "documents")]
VAULT = {
    "README.md": "# Where to begin\n\n- **Prices:** in [prices](prices/README.md)\n- **People:** in [[Ruth]]\n",
    "prices/README.md": "# Prices\n\n| Name | Description |\n|---|---|\n| **H100** | 2.10 USD/h |\n",
    "Glossary.md": "# Glossary\n\nMy words, as I use them #words\n\n## B\n- **Batch:** half the price, see [[Prices]]\n\n## C\n- **Cache:** a tenth\n",
    "Definitions.md": "# Definitions\n\n- **Batch:** half\n- **Cache:** a tenth\n\nI wrote these in May.\n",
    "Inference.md": "#seed\nup: [[AI]]\n\n**Prefill**: reads\n\n**Decode**: writes\n\n## Measured\n\n- **Latency:** 310 ms\n\nWe split them.\n",
    "Moves.md": "# Moves\n\n- **Paris** → Lyon\n- **Nice** → Metz\n- **Brest** → Lille\n\nNobody liked the third.\n",
    "Skill.md": "---\nname: skill\ndescription: how to rent\n---\n# Rent\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nSee [[H100]] #rent\n",
    "Cluster.md": "@ada\n\nAda's brain\n\nSmall 12 nodes\n\nLarge 96 nodes\n\n- a list of them\n",
    "Minutes.txt": "Minutes of May\n\n- **Chair:** Ruth\n- **Next:** June\n\nIt rained.\n\nWe sang.\n\nWe went home at ten.\n",
    "Lock.md": "# Glossary\n\nWords of those who look after the lock.\n\n- **Sill:** a step.\n- **Pound:** water.\n- **Gate:** oak.\n",
    "Front.md": "---\ntags: [lock]\n---\n# Glossary\n\n- **Sill:** a step\n- **Pound:** water\n",
    "Spares.md": "| Term | Definition |\n|---|---|\n| Seal | rubber |\n\nWe ordered three of them.\n",
    "Guide.md": "# Guide\n\n| **Sill** | the step |\n| **Pound** | water |\n"
    + "\nA line of the guide to locks, one of many.\n" * 12,
    "Pump.md": "# Pump\n\n## Parts\n\n```\nlist\n```\n\n| part | price |\n|---|---|\n| seal | 4 |\n\n## Winter\n\n| May | 3 |\n",
    "Purpose.md": "# Pump\n\n- **Type:** a pump\n- **Purpose:** to drain\n- **Owner:** Ruth\n",
    "Ruth.md": "- **Type:** person\n- **Purpose:** to chair\n- **Since:** May\n",
}


def losses(folder):
    """The files of a folder that keep fewer lines as they are detected than as notes, and how many fewer."""
    found = {}
    for one in read_paths([folder]):
        seen, note = read(one.data, one.name, folder_format=one.form), read(one.data, one.name, format="note")
        lost = note.lines.kept - (seen.lines.total - sum(count for _, count in unplaced(seen)))
        if note.format == "note" and seen.nodes and lost > 0:
            found[one.name] = (seen.format, lost)
    return found


@pytest.fixture
def vault(tmp_path):
    return written(tmp_path, VAULT)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_no_file_of_a_folder_keeps_fewer_lines_than_as_a_note(folder):
    if not folder.is_dir():
        pytest.skip("the folder is not next to the repository")
    found = losses(folder)
    allowed = {  # one sentence of introduction in a text that is no Markdown
        "genai-glossary.txt": ("arrow-glossary", 1),
        "arrow-glossary/quay.txt": ("arrow-glossary", 1),
        "bullet-glossary/pilots.txt": ("bullet-glossary", 1),
    }
    assert {name: lost for name, lost in found.items() if allowed.get(name) != lost} == {}


def test_a_vault_of_people_keeps_every_line_every_tag_and_every_link(vault):
    assert losses(vault) == {}
    seen = [read(one.data, one.name) for one in read_paths([vault])]
    notes = [read(one.data, one.name, format="note") for one in read_paths([vault])]
    assert [document.nodes for document in seen] == [document.nodes for document in notes]
    assert len(seen) == len(VAULT)


@pytest.mark.parametrize("form", [known.name for known in document_reader.SPECIAL if not known.one_note])
def test_what_fits_is_kept_whatever_a_detector_claims(vault, monkeypatch, form):
    greedy = tuple(replace(known, sign=lambda _text: True) for known in document_reader.SPECIAL if known.name == form)
    monkeypatch.setattr(document_reader, "SPECIAL", greedy)
    assert losses(vault) == {}


ENTRIES = {"Chair": "Ruth, as ever.", "Budget": "$400 came in and $300 went out.", "Next meeting": "8 June, at eight."}
BULLETS = "".join(f"- **{name}:** {words}\n" for name, words in ENTRIES.items())
SAID = "".join(f"\nMember {number} said that the vote on the new mooring waits.\n" for number in range(8))
PART = "```\nlist\n```\n\n| part | price |\n|---|---|\n| seal | 4 |\n"
GUIDE = f"# Looking after a pump\n\n## Parts\n\n{PART}\n## Winter\n\n{PART}"


def read_as(text, name="minutes.md", **options):
    return read(text.encode(), name, **options)


def test_a_glossary_that_places_every_line_is_one_and_a_format_that_is_named_is_kept_and_its_lost_lines_are_named():
    found = read_as(f"# Glossary of the lock\n\n{BULLETS}- **Sill:** the step under the upper gate.\n")
    assert (found.format, len(found.nodes)) == ("bullet-glossary", 4)
    found = read_as(f"# Minutes of 4 May\n\n{BULLETS}{SAID}", format="bullet-glossary")
    assert found.format == "bullet-glossary"
    (warning,) = (problem for problem in found.problems if problem.code == "lines-left-out")
    assert warning.message == "read as bullet-glossary, 8 of 12 lines are left out: lines 7–21"


@pytest.mark.parametrize("written", ["[[pump]]", "[[tools/pump]]", "[it](tools/pump.md)", "[it](./tools/pump.md)"])
def test_a_link_finds_a_file_of_several_sections(written):
    guide = read_as(GUIDE, "tools/pump.md", format="context-pack")
    note = read_as(f"We follow {written}.\n", "diary.md")
    assert len(guide.nodes) > 1
    _, found = linked_documents([guide, note])
    (citation,) = found.document.nodes[0].citations
    assert citation.target == min(guide.nodes, key=lambda node: node.provenance.first_line).id
    assert not found.unresolved


def test_a_node_of_that_name_comes_before_the_file_and_two_files_of_one_name_are_ambiguous():
    guide = read_as(GUIDE, "tools/guide.md", format="context-pack")
    note, pump = read_as("See [[guide]].", "a.md"), read_as("x", "guide.md")
    _, found, _ = linked_documents([guide, note, pump])
    assert found.document.nodes[0].citations[0].target == pump.nodes[0].id
    one = read_as(GUIDE, "tools/pump.md", format="context-pack")
    two = read_as(GUIDE.replace("a pump", "a boat pump"), "boats/pump.md", format="context-pack")
    note = read_as("We follow [[pump]].", "diary.md")
    for order in ((one, two, note), (two, one, note)):
        found = linked_documents(order)[-1]
        assert [problem.code for problem in found.document.problems] == ["link-ambiguous"]


def test_a_file_of_terms_with_mistakes_keeps_its_errors():
    wrong = "  - labl: X\n    definition: y\n    note: z\n" * 10
    found = read_as(f"brain: terms\nterms:\n  - label: Sill\n    definition: the step\n{wrong}", "terms.yaml")
    assert (found.format, bool(found.problems)) == ("terms", True)


SECRET = [
    "a %%SECRET%% b", "%%\nSECRET $5 per seat\n%%\nb", "%% SECRET\n\nSECRET over\n\nparagraphs %% b",
    "<!-- SECRET --> b", "<!--\nSECRET\n-->\nb", "b %% SECRET never closed\n\nSECRET", "foo `bar\nbaz` %%SECRET%% `q`",
    "| ` | %%SECRET%% ` |", "> ```\n> code\nout %%SECRET%%", "> [!note] b\n> text %%SECRET%%",
    "- ```\n  code\n%%SECRET%%", "    ```\n%%SECRET%%", "```\ncode\n```\n%%SECRET%% b",
    "~~~\n```\ncode\n~~~\n%%SECRET%%", "- a\n  - b\n    ```\n    code\n    ```\n  %%SECRET%%", "`` ` `` %%SECRET%% `x`",
    "%% a ``` SECRET %% b", "text[^1]\n\n[^1]: A note %%SECRET%% of the foot", "%%%SECRET%%%",
    "> ```\n> code\n\n%%SECRET%%", "- > ```\n  > code\n  > ```\n  %%SECRET%%", "- > ```\n  > code\n> %%SECRET%%",
    "```\n    ```\n```\n%%SECRET%%", "~~~\n```\n~~~\n%%SECRET%%", "text\n    %%SECRET%%", "- a\n\n    %%SECRET%%",
    "1. a\nlazy\n\n    %%SECRET%%", "> text\n    %%SECRET%%", "[^1]: a\n\n    %%SECRET%%", "$$\na\n\n%%SECRET%%\n$$",
    "$$ a $$ %%SECRET%%", "a `b\n%%SECRET%%\nc` d", "https://example.org/a %%SECRET%%",
    "https://example.org/%%SECRET%%", "https://example.org/a%%20SECRET%% b", "- ```\n  a\n- %%SECRET%%",
]  # fmt: skip  # one list
KEPT = [
    "`%%KEPT%%`",
    "```mermaid\n%% KEPT\n```",
    "> ```\n> %%KEPT%%\n> ```",
    "- a\n\n  ```\n  %%KEPT%%\n  ```",
    "```\n> ```\n%%KEPT%%\n```",
    "\\%%KEPT%",
    "a <!-- KEPT",
    "100% KEPT 50%",
    "``` %%KEPT%%\n```",  # the name of a language
    "See [a](https://example.org/a%%20b) and more.",
]


@pytest.mark.parametrize("text", SECRET)
def test_a_comment_is_in_no_public_text_and_lines_keep_their_numbers(text):
    public = public_text(text)
    assert "SECRET" not in public
    assert public.count("\n") == text.count("\n")
    assert public_text(public) == public


@pytest.mark.parametrize("text", KEPT)
def test_code_and_single_signs_are_no_comments(text):
    assert public_text(text) == text


def test_front_matter_is_no_place_for_comments():
    assert public_text("---\nrate: 5%% or %%\n---\nx %%y%%") == "---\nrate: 5%% or %%\n---\nx"


def test_an_unclosed_comment_hides_the_rest_and_says_so(reading):
    document = reading("# A\nopen\n\n%% SECRET\nmore SECRET\n", "a.md", format="note")
    assert document.nodes[0].body == "open"
    assert [(one.code, one.line) for one in document.problems] == [("comment-unclosed", 4)]
    assert uncommented(["a", "%%b"])[1] == 2


CONVERTED = {
    "html-page": "<html><h1>Dues</h1><p>50%% off</p><p>SECRET</p></html>",
    "csv-table": "Quay,Dues\nNorth,50%% off\nSouth,SECRET\n",
    "notebook": '{"cells": [{"cell_type": "markdown", "source": "# Dues\\n\\n50%% off\\n\\nSECRET"}]}',
    "canvas": '{"nodes": [{"id": "a", "type": "text", "text": "50%% off"}, {"id": "b", "type": "text", "text": "SECRET"}]}',
    "roam-export": '[{"title": "Dues", "children": [{"string": "50%% off"}, {"string": "SECRET"}]}]',
}


def test_what_is_converted_says_where_an_unclosed_comment_hides_the_rest(reading):
    """A web page lost all after `50%%` without a word, and the JSON of Roam was cut there and refused."""
    assert {one.name for one in KNOWN if one.parse and not one.key and one.name not in PROSE} == set(CONVERTED)
    for form, text in CONVERTED.items():
        document = reading(text, "dues.csv" if form == "csv-table" else "dues")
        (problem,) = document.problems
        assert (document.format, problem.code) == (form, "comment-unclosed")
        assert "50'" in (problem.hint or "")
        assert "SECRET" not in document.nodes[0].body


@pytest.mark.parametrize("text", SECRET)
@pytest.mark.parametrize("form", ["note", "bullet-glossary", "context-pack"])
def test_no_document_shows_a_comment_but_in_its_stored_text(reading, text, form):
    content = f"## A\n\n- **Term:** what it is, [[Nowhere]] %%SECRET%%\n\n[[Not there]] %%SECRET%%\n\n{text}\n"
    (document,) = resolve([reading(content, "a.md", format=form)])
    assert document.nodes
    assert "SECRET" not in document.model_dump_json(exclude={"text"})
    assert "SECRET" in document.text
    assert "SECRET" not in shareable_text(document.format, document.text)


def test_links_tags_and_tables_of_a_comment_do_not_count(reading):
    document = reading("# A\nx\n\n%% [[b]] #tag [^1]\n| a | b |\n|---|---|\n| 1 | 2 |\n%%\n", "a.md", format="note")
    (node,) = document.nodes
    assert (node.citations, node.tags, node.tables) == ((), (), ())
    (skip,) = document.skipped
    assert (skip.first_line, skip.last_line, skip.reason) == (4, 8, "a private comment")
    assert document.lines.total == document.lines.kept + document.lines.skipped


def test_the_encoding_problem_of_a_comment_does_not_show_it(reading):
    document = read("# A\nx %%SECR\xc9T%%\n".encode("cp1252"), "a.md", format="note")
    assert [one.code for one in document.problems] == ["encoding"]
    assert "SECR" not in document.model_dump_json(exclude={"text"})
