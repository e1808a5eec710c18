"""Which file a link means: the one of that path and name, whatever else is called nearly so."""

import pytest

from ingest.document_reader import read
from ingest.linking.link_resolution import linked_documents
from ingest.linking.vault_export import write_vault


def meant(link, *names, near=""):
    """The file that a link means in a note next to these files, or the problem."""
    home = f"{near}/Home.md".lstrip("/")
    files = {name: f"The text of {name}." for name in names} | {home: f"See {link}."}
    documents = linked_documents([read(text.encode(), name) for name, text in files.items()])
    owners = {node.id: one.document.name for one in documents for node in one.document.nodes}
    note = next(one.document for one in documents if one.document.name == home)
    problems = [problem.code for problem in note.problems if problem.code.startswith("link-")]
    return problems or [owners[cite.target] for cite in note.nodes[0].cites]


@pytest.mark.parametrize(
    "link",
    ["[[Alpha/Overview]]", "[[Nowhere/At/All/Overview]]", "[m](Alpha/Overview.md)", "[m](../Elsewhere/Overview.md)",
     "[m](./Overview.md)", "[[Bet/Overview]]", "[[Overview/Beta]]"],
)  # fmt: skip  # one list
def test_a_path_that_names_no_file_means_no_other_file_of_that_name(link):
    assert meant(link, "Beta/Overview.md") == ["link-unresolved"]


@pytest.mark.parametrize(
    "link",
    ["[[Überblick]]", "[[C!?]]", "[[C++]]", "[[🚀 uber]]", "[[Nope/Uber]]", "[[Meeting 1]]", "[[Uber!]]"],
)
def test_a_name_with_other_signs_is_another_name(link):
    assert meant(link, "Uberblick.md", "Uber.md", "C.md", "Meeting (1).md") == ["link-unresolved"]


@pytest.mark.parametrize("folder", ["", "sub/"])
@pytest.mark.parametrize(
    "name", ["Über", "Uber", "Meeting (1)", "Meeting 1", "C#", "C", "🚀 Launch", "Launch", "A", "a"]
)
def test_of_names_that_are_nearly_the_same_the_exact_one_is_meant(folder, name):
    names = ("Über", "Uber", "Meeting (1)", "Meeting 1", "C#", "C", "🚀 Launch", "Launch", "A", "a")
    link = f"[x](<{folder}{name.replace('#', '%23')}.md>)"
    assert meant(link, *(f"{folder}{one}.md" for one in names)) == [f"{folder}{name}.md"]


def test_a_name_is_written_in_any_case_and_with_any_of_the_signs_between_words():
    for link in (
        "[[low tide]]",
        "[[LOW TIDE]]",
        "[[low-tide]]",
        "[[Low_Tide]]",
        "[[harbour/low tide]]",
        "[[u\u0308bung]]",
    ):
        assert meant(link, "Harbour/Low tide.md", "Übung.md")[0] in {"Harbour/Low tide.md", "Übung.md"}


def test_a_slug_means_what_has_it_where_nothing_is_called_so():
    assert meant("[[what-is-it]]", "sub/What is it?.md") == ["sub/What is it?.md"]
    assert meant("[[sub/what-is-it]]", "sub/What is it?.md") == ["sub/What is it?.md"]
    assert meant("[[what-is-it]]", "sub/What is it?.md", "x/What is it.md") == ["x/What is it.md"]


def test_of_several_notes_of_a_name_the_nearest_the_highest_or_none_is_meant():
    both = ("Alpha/Overview.md", "Beta/Overview.md")
    assert meant("[[Overview]]", *both) == ["link-ambiguous"]
    assert meant("[[Overview]]", *both, near="Beta") == ["Beta/Overview.md"]
    assert meant("[[Overview]]", *both, "Overview.md", near="Gamma") == ["Overview.md"]
    assert meant("[[Overview]]", "Alpha/Overview.md", "Beta/Deep/Overview.md") == ["Alpha/Overview.md"]
    assert meant("[[Alpha/Overview]]", "x/Alpha/Overview.md", "y/Alpha/Overview.md") == ["link-ambiguous"]
    assert meant("[[Alpha/Overview]]", "x/Alpha/Overview.md", "y/Alpha/Overview.md", near="y") == [
        "y/Alpha/Overview.md"
    ]


def test_a_path_goes_before_an_id_that_looks_so():
    files = ("Overview.md", "notes/Overview.md")
    assert meant("[[notes/overview]]", *files) == ["notes/Overview.md"]
    assert meant("[[notes/overview]]", "Overview.md") == ["Overview.md"]


def test_a_vault_that_was_exported_has_the_same_links():
    texts = {
        "Home.md": "# Home\n\n[[Alpha/Tasks]]",
        "Ref.md": "# Ref\n\n[tasks](Alpha/Tasks.md) and [[Tasks]]",
        "Other.md": "# Other\n\n[[Beta/Tasks]]",
        "Alpha/Tasks.md": "- the first list, then [[Overview]]",
        "Beta/Tasks.md": "- the second list",
        "Alpha/Overview.md": "---\ntitle: Tasks\n---\nOf Alpha.",
        "Deep/er/Overview.md": "Of the deep, see [[Tasks]].",
    }
    first = linked_documents([read(text.encode(), name) for name, text in texts.items()])
    nodes = {node.id: node for one in first for node in one.document.nodes}
    exported = write_vault(list(nodes.values()))
    second = linked_documents([read(text.encode(), name) for name, text in exported.items()])
    again = {node.id: node for one in second for node in one.document.nodes}
    assert {name: node.citations for name, node in again.items()} == {
        name: node.citations for name, node in nodes.items()
    }
    assert sum(cite.target is None for node in nodes.values() for cite in node.cites) == 2
