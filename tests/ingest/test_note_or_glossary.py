"""What looks like a glossary and is mostly other text is a note; links find files of several nodes by their names.

Found with Brain's own documentation as a vault: four guides lost nine lines of ten, since a few of their lines were bold
labels, and seven links to files with several sections were dead.
"""

import pytest

from ingest.document_reader import read
from ingest.linking.link_resolution import linked_documents

MINUTES = """# Minutes of 4 May

- **Chair:** Ruth, as ever.
- **Budget:** $400 came in and $300 went out, which leaves $100.
- **Next meeting:** 8 June, at eight.

It rained, and nine of us came, so the vote on the new mooring waits.

The pump of the lower lock was repaired in April.

Nobody could say how long the part, which was second-hand, would last.

Paul offered to look at it in autumn, when the water is low.

The slipway was closed for a week, and two members want their money back.

They were told that the rules have no such case.

Nobody had swept the hall, and the key to the shed was lost again.

We sang, and went home at ten.
"""
GLOSSARY = """# Words of the lock

These words are used by those who look after the lock.

- **Sill:** the step under the upper gate.
- **Paddle:** a slide that lets water through.
- **Pound:** the water between two locks.
- **Balance beam:** the arm by which a gate is opened.
"""
GUIDE = """# Looking after a pump

## Parts

```
list parts
```

| part | price |
|---|---|
| seal | 4 |

## Winter

| month | turns |
|---|---|
| May | 3 |

```
drain
```
"""


def read_as(text, name="minutes.md", **options):
    return read(text.encode(), name, **options)


def test_minutes_with_a_few_bold_labels_are_a_note_and_nothing_is_left_out():
    found = read_as(MINUTES)
    assert (found.format, found.lines.skipped) == ("note", 0)
    assert "bullet-glossary" in found.evidence[0]
    assert "leave out" in found.evidence[0]


def test_a_glossary_with_an_introduction_is_a_glossary():
    found = read_as(GLOSSARY, "words.md")
    assert (found.format, len(found.nodes)) == ("bullet-glossary", 4)


def test_the_format_that_the_caller_names_is_kept():
    found = read_as(MINUTES, format="bullet-glossary")
    assert found.format == "bullet-glossary"
    assert found.lines.skipped > found.lines.kept


def test_a_table_of_terms_in_a_long_guide_leaves_nothing_out():
    table = "| **Sill** | the step |\n| **Paddle** | a slide |\n| **Pound** | water |\n"
    text = "\n".join(f"A line of the guide to locks, which is number {number} of many." for number in range(12))
    found = read_as(f"# Guide\n\n{table}\n{text}\n", "guide.md")
    assert (found.format, found.lines.skipped) == ("note", 0)


@pytest.mark.parametrize(
    "written", ["[[pump]]", "[[tools/pump]]", "[the pump](tools/pump.md)", "[it](./tools/pump.md)"]
)
def test_a_link_finds_a_file_of_several_sections(written):
    guide, note = read_as(GUIDE, "tools/pump.md"), read_as(f"We follow {written}.\n", "diary.md")
    assert len(guide.nodes) > 1
    _, found = linked_documents([guide, note])
    (citation,) = found.document.nodes[0].citations
    assert citation.target == min(guide.nodes, key=lambda node: node.provenance.first_line).id
    assert not found.unresolved


def test_a_node_of_that_name_comes_before_the_file():
    guide, note, pump = read_as(GUIDE, "tools/guide.md"), read_as("See [[guide]].", "a.md"), read_as("x", "guide.md")
    _, found, _ = linked_documents([guide, note, pump])
    assert found.document.nodes[0].citations[0].target == pump.nodes[0].id


def test_two_files_of_one_name_are_told_apart_or_named_both():
    one, two = read_as(GUIDE, "tools/pump.md"), read_as(GUIDE.replace("a pump", "a boat pump"), "boats/pump.md")
    note = read_as("We follow [[pump]].", "diary.md")
    for order in ((one, two, note), (two, one, note)):
        found = linked_documents(order)[-1]
        assert [problem.code for problem in found.document.problems] == ["link-ambiguous"]


def test_a_file_of_terms_with_mistakes_keeps_its_errors():
    wrong = "  - labl: X\n    definition: y\n    note: z\n" * 10
    found = read_as(f"brain: terms\nterms:\n  - label: Sill\n    definition: the step\n{wrong}", "terms.yaml")
    assert found.format == "terms"
    assert found.problems


def test_what_is_called_a_glossary_is_one_however_long_its_preface():
    preface = "\n\n".join(f"Line {number} of a preface that tells how the words came about." for number in range(14))
    text = GLOSSARY.replace("# Words of the lock", f"# Glossary of the lock\n\n{preface}")
    assert read_as(text, "lock.md").format == "bullet-glossary"
    assert read_as(text.replace("Glossary", "Words"), "lock.md").format == "note"
