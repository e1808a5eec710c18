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


BETA = ("Beta/Overview.md",)
SIGNS = ("Uberblick.md", "Uber.md", "C.md", "Meeting (1).md")
TIDE = ("Harbour/Low tide.md", "Übung.md")
WHAT = ("sub/What is it?.md",)
BOTH = ("Alpha/Overview.md", "Beta/Overview.md")
FOLDERS = ("x/Alpha/Overview.md", "y/Alpha/Overview.md")


@pytest.mark.parametrize(
    ("link", "files", "near", "file"),
    [
        # a path that names no file means no other file of that name
        ("[[Alpha/Overview]]", BETA, "", "link-unresolved"),
        ("[[Nowhere/At/All/Overview]]", BETA, "", "link-unresolved"),
        ("[m](Alpha/Overview.md)", BETA, "", "link-unresolved"),
        ("[m](../Elsewhere/Overview.md)", BETA, "", "link-unresolved"),
        ("[m](./Overview.md)", BETA, "", "link-unresolved"),
        ("[[Bet/Overview]]", BETA, "", "link-unresolved"),
        ("[[Overview/Beta]]", BETA, "", "link-unresolved"),
        # a name with other signs is another name
        ("[[Überblick]]", SIGNS, "", "link-unresolved"),
        ("[[C!?]]", SIGNS, "", "link-unresolved"),
        ("[[C++]]", SIGNS, "", "link-unresolved"),
        ("[[🚀 uber]]", SIGNS, "", "link-unresolved"),
        ("[[Nope/Uber]]", SIGNS, "", "link-unresolved"),
        ("[[Meeting 1]]", SIGNS, "", "link-unresolved"),
        ("[[Uber!]]", SIGNS, "", "link-unresolved"),
        # it is written in any case and with any of the signs between words
        ("[[low tide]]", TIDE, "", "Harbour/Low tide.md"),
        ("[[LOW TIDE]]", TIDE, "", "Harbour/Low tide.md"),
        ("[[low-tide]]", TIDE, "", "Harbour/Low tide.md"),
        ("[[Low_Tide]]", TIDE, "", "Harbour/Low tide.md"),
        ("[[harbour/low tide]]", TIDE, "", "Harbour/Low tide.md"),
        ("[[u\u0308bung]]", TIDE, "", "Übung.md"),
        # a slug means what has it where nothing is called so
        ("[[what-is-it]]", WHAT, "", "sub/What is it?.md"),
        ("[[sub/what-is-it]]", WHAT, "", "sub/What is it?.md"),
        ("[[what-is-it]]", (*WHAT, "x/What is it.md"), "", "x/What is it.md"),
        # of several notes of a name the nearest, the highest or none is meant
        ("[[Overview]]", BOTH, "", "link-ambiguous"),
        ("[[Overview]]", BOTH, "Beta", "Beta/Overview.md"),
        ("[[Overview]]", (*BOTH, "Overview.md"), "Gamma", "Overview.md"),
        ("[[Overview]]", ("Alpha/Overview.md", "Beta/Deep/Overview.md"), "", "Alpha/Overview.md"),
        ("[[Alpha/Overview]]", FOLDERS, "", "link-ambiguous"),
        ("[[Alpha/Overview]]", FOLDERS, "y", "y/Alpha/Overview.md"),
        # a path goes before an id that looks so
        ("[[notes/overview]]", ("Overview.md", "notes/Overview.md"), "", "notes/Overview.md"),
        ("[[notes/overview]]", ("Overview.md",), "", "Overview.md"),
    ],
)
def test_which_file_a_link_means(link, files, near, file):
    assert meant(link, *files, near=near) == [file]


NEAR = ("Über", "Uber", "Meeting (1)", "Meeting 1", "C#", "C", "🚀 Launch", "Launch", "A", "a")


@pytest.mark.parametrize("folder", ["", "sub/"])
@pytest.mark.parametrize("name", NEAR)
def test_of_names_that_are_nearly_the_same_the_exact_one_is_meant(folder, name):
    link = f"[x](<{folder}{name.replace('#', '%23')}.md>)"
    assert meant(link, *(f"{folder}{one}.md" for one in NEAR)) == [f"{folder}{name}.md"]


def nodes_of(texts):
    found = linked_documents([read(text.encode(), name) for name, text in texts.items()])
    return [node for one in found for node in one.document.nodes]


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
    nodes, again = nodes_of(texts), nodes_of(write_vault(nodes_of(texts)))
    assert {node.id: node.citations for node in again} == {node.id: node.citations for node in nodes}
    assert sum(cite.target is None for node in nodes for cite in node.cites) == 2
