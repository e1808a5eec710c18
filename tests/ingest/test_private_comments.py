"""Comments in notes are private: they are in no node, no problem and no export; code that looks like one stays."""

import pytest

from ingest.document_reader import read, shareable_text
from ingest.format_detection import KNOWN, PROSE
from ingest.markdown.private_comments import public_text, uncommented
from tests.ingest.own_documents import resolve

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
