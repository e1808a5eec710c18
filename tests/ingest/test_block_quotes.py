"""Block quotes of a note find their source among those that the note lists."""

import pytest

from ingest.formats.brain_export import write_note

ONE = "sources:\n  - url: https://a.example/one\n    title: First study"
TWO = f"{ONE}\n  - url: https://b.example/two\n    title: Second study"
A, B = "https://a.example/one", "https://b.example/two"


def quotes(reading, text, sources=TWO):
    (node,) = reading(f"---\ntitle: T\n{sources}\n---\n{text}\n", "a.md", format="note").nodes
    assert all(one.quote in node.body for one in node.quotes)
    return [(one.quote, one.source, one.resolution) for one in node.quotes]


@pytest.mark.parametrize(
    ("text", "source", "certainty"),
    [
        ("> Words.\n> — [Two](https://b.example/two)", B, "exact"),
        ("> Words.\n> -- https://www.b.example/two/?utm_source=x", B, "exact"),
        ("> Words.\n\n[Two](https://b.example/two)", B, "exact"),
        ("> Words.\n\nSource: https://b.example/two.", B, "exact"),
        ("> Words.\n— Bo, Second study, p. 4", B, "likely"),
        ("> Words.\n> — Bo, Second Study (2025)", B, "likely"),
        ("> Words.\n> — b.example", B, "likely"),
        ("> Words.[^n]\n\n[^n]: Bo. https://b.example/two", B, "exact"),
        ("> Words, as [Two](https://b.example/two) says.", B, "exact"),
        ("> [!quote] Bo\n> Words.\n> — Second study", B, "likely"),
        ("> Words.", None, "ambiguous"),
        ("> Words.\n> — Somebody else", None, "unresolved"),
        ("> Words.\n> — [Other](https://c.example/three)", None, "unresolved"),
        ("> Words.\n\nThe text goes on with [Two](https://b.example/two) and more words.", None, "ambiguous"),
    ],
)
def test_a_quotation_names_its_source(reading, text, source, certainty):
    ((_, found, sure),) = quotes(reading, text)
    assert (found, sure) == (source, certainty)


def test_a_note_with_one_source_quotes_that_one_and_one_without_quotes_none(reading):
    found = quotes(reading, "> Words\n> over lines.\n\nText.\n\n> - More.", ONE)
    assert found == [("Words\n> over lines.", A, "likely"), ("More.", A, "likely")]
    assert quotes(reading, "> Words.", "kind: thesis") == []


TABLE = "> | a | b |\n> |---|---|\n> | 1 | 2 |"


@pytest.mark.parametrize("text", ["> [!note] Title\n> Words.", "```\n> Words.\n```", TABLE, ">", "> — Bo", "a > b"])
def test_what_is_no_quotation(reading, text):
    assert quotes(reading, text) == []


def test_an_exported_note_comes_back_with_its_quotations_and_properties(reading):
    text = f"---\ntitle: T\nstatus: open\n{TWO}\n---\n> Words.\n> — Second study\n\n[[b]]\n"
    (node,) = reading(text, "a.md", format="note").nodes
    (again,) = reading(write_note(node), "notes/a.md").nodes
    assert again.model_copy(update={"provenance": node.provenance, "origin": None}) == node
