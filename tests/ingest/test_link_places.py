"""A link to a heading or block that is not there is reported, with its place."""

import pytest

from ingest.document_reader import read
from ingest.linking.link_resolution import linked_documents
from tests.ingest.resolved_links import resolve

PUMP = """\
# Pump

## Cost *per* site

The budget is 40,000 euros. ^budget

> [!note] Seen
> ### In the callout

- ## In a bullet

Underlined
----------
"""


def told(text):
    documents = resolve([read(text.encode(), "Home.md"), read(PUMP.encode(), "sub/Pump.md")])
    home = next(one for one in documents if one.name == "Home.md")
    return [(one.line, one.column, one.message) for one in home.problems if one.code == "link-place"]


@pytest.mark.parametrize(
    ("link", "what"),
    [
        ("[[Pump#Costs]]", "no heading 'Costs'"),
        ("[[Pump#Pump#Costs|words]]", "no heading 'Costs'"),
        ("![[Pump#^nothing]]", "no block '^nothing'"),
        ("[x](sub/Pump.md#Costs%20of%20it)", "no heading 'Costs of it'"),
        ("[[#Further down]]", "no heading 'Further down'"),
    ],
)
def test_a_place_that_is_not_there_is_reported(link, what):
    ((line, column, message),) = told(f"Before.\n\nSee {link}.")
    assert (line, column is None, message.partition("; the note has ")[2]) == (3, False, what)


@pytest.mark.parametrize(
    "link",
    ["[[Pump]]", "[[pump#cost per site]]", "[[Pump#Pump]]", "[[Pump#Pump#Cost per site|x]]", "[[Pump#^BUDGET]]", "[[Pump#]]",
     "[x](sub/Pump.md#cost-per-site)", "[x](sub/Pump.md#Cost%20per%20site \"Costs\")", "[[Pump#In the callout]]", "[[Pump#Underlined]]",
     "`[[Pump#Costs]]`", "[[Nowhere#Costs]]", "[[Pump#In a bullet]]", "[[Home#Further down]]"],
)  # fmt: skip  # one list
def test_a_place_that_is_there_is_not_reported(link):
    assert told(f"See {link}.") == []


def test_a_link_to_a_missing_place_is_resolved_and_waits_for_nothing():
    texts = {"a.md": "See [[b#Nowhere]].", "b.md": "x"}
    found, _ = linked_documents([read(text.encode(), name) for name, text in texts.items()])
    assert [cite.target for cite in found.document.nodes[0].cites] == ["notes/b"]
    assert not found.unresolved
