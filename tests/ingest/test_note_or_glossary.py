"""What looks like a glossary and is mostly other text is a note; links find files of several nodes by their names.

Found with Brain's own documentation as a vault: four guides lost nine lines of ten, since a few of their lines were bold
labels, and seven links to files with several sections were dead.
"""

import pytest

from ingest.document_reader import read
from ingest.linking.link_resolution import linked_documents

MINUTES = """# Minutes of 4 May

- **Chair:** Ruth, as ever.
- **Budget:** $400 came in and $300 went out.
- **Next meeting:** 8 June, at eight.
""" + "".join(f"\nMember {number} said that the vote on the new mooring waits.\n" for number in range(8))
GLOSSARY = """# Words of the lock

These words are used by those who look after the lock.

- **Sill:** the step under the upper gate.
- **Paddle:** a slide that lets water through.
- **Pound:** the water between two locks.
- **Balance beam:** the arm by which a gate is opened.
"""
PART = "```\nlist\n```\n\n| part | price |\n|---|---|\n| seal | 4 |\n"
GUIDE = f"# Looking after a pump\n\n## Parts\n\n{PART}\n## Winter\n\n{PART}"


def read_as(text, name="minutes.md", **options):
    return read(text.encode(), name, **options)


def test_a_glossary_that_places_every_line_is_one():
    entries = GLOSSARY.partition("\n\n")[2].partition("\n\n")[2]
    found = read_as(f"# Glossary of the lock\n\n{entries}")
    assert (found.format, len(found.nodes)) == ("bullet-glossary", 4)


def test_the_format_that_the_caller_names_is_kept_and_the_lines_that_it_leaves_out_are_named():
    found = read_as(MINUTES, format="bullet-glossary")
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


def test_a_node_of_that_name_comes_before_the_file():
    guide = read_as(GUIDE, "tools/guide.md", format="context-pack")
    note, pump = read_as("See [[guide]].", "a.md"), read_as("x", "guide.md")
    _, found, _ = linked_documents([guide, note, pump])
    assert found.document.nodes[0].citations[0].target == pump.nodes[0].id


def test_two_files_of_one_name_are_told_apart_or_named_both():
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
