"""The names under which a link waits are names of every node that it could find."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.models.node_models import Kind, Labels, Node, Provenance
from ingest.document_reader import read
from ingest.linking.link_resolution import linked_documents
from ingest.linking.link_targets import LinkTargets, link_names, node_names

PARTS = ("a", "B c", "b-c", "Übung", "索引", "index", "..", ".", "", "d.e", "x" * 90, "$5")
words = st.sampled_from(PARTS)
paths = st.lists(words, min_size=1, max_size=3).map("/".join)
brains = st.sampled_from(("mira", "otto"))


@st.composite
def nodes(draw):
    brain, labels = draw(brains), draw(st.lists(words.filter(bool), max_size=2))
    document = draw(paths) + draw(st.sampled_from((".md", ".txt")))
    place = Provenance(document=document, first_line=1, last_line=1, sha256="a" * 64)
    names = Labels(preferred=labels[0], variants=tuple(labels[1:])) if labels else None
    node, title = f"{brain}/{draw(paths) or 'x'}", draw(words) or "untitled"
    return Node(id=node, brain=brain, kind=Kind.READING, title=title, labels=names, provenance=place)


@settings(max_examples=200)
@given(st.lists(nodes(), min_size=1, max_size=4, unique_by=lambda node: node.id), paths, brains, paths)
def test_a_link_finds_no_node_without_one_of_its_names(known, written, brain, near):
    by_id = {node.id: node for node in known}
    for found in LinkTargets(known).find(written, brain, near):
        assert link_names(written, near) & node_names(by_id[found]), (written, near, by_id[found])


def read_all(texts):
    return [read(text.encode(), name) for name, text in texts.items()]


def linked(texts, known=None):
    return linked_documents(read_all(texts), known)


def test_the_names_of_a_note_are_those_of_its_file_and_folders_and_of_links_that_end_at_it():
    (index,), (note,) = (one.nodes for one in read_all({"fleet/ships/Index.md": "x", "fleet/ships.md": "x"}))
    assert {"index", "ships-index", "fleet-ships-index"} <= node_names(index)
    assert LinkTargets([note]).find("./boats/..", "notes", "fleet/ships") == ["notes/ships"]
    assert link_names("./boats/..", "fleet/ships") & node_names(note)


SAME = {"x/one.md": "---\ntitle: Same\n---\nx", "y/two.md": "---\ntitle: Same\n---\ny"}
TERMS = "terms:\n  - label: Tide\n    definition: It comes back.\n    broader: [Moon works]\n"


@pytest.mark.parametrize(
    ("texts", "codes", "unresolved"),
    [
        ({"a.md": "[[b]], [[Nowhere at all]], [[ships/Index]]", "b.md": "x"}, ["link-unresolved"] * 2, {"nowhere-at-all", "index"}),
        ({"a.md": "See [[same]].", **SAME}, ["link-ambiguous"], {"same"}),
        ({"terms.yaml": TERMS}, ["relation-unresolved"], {"moon-works"}),
    ],
    ids=["nothing has its name", "it may mean several", "a relation"],
)  # fmt: skip
def test_a_link_that_waits_is_named_for_its_document(texts, codes, unresolved):
    first, *others = linked(texts)
    assert [problem.code for problem in first.document.problems] == codes
    assert (first.unresolved, [one.unresolved for one in others]) == (unresolved, [frozenset()] * len(others))


def test_a_note_that_the_store_has_too_is_one_note():
    texts = {"a.md": "See [[Late tide]].", "tide.md": "---\ntitle: Late tide\n---\nIt comes back."}
    (late,) = read_all(texts)[1].nodes
    found, _ = linked(texts, {late.id: late})
    assert [cite.target for node in found.document.nodes for cite in node.cites] == ["notes/tide"]


def test_of_two_brains_with_a_title_the_note_s_own_is_meant():
    titled = "---\ntitle: Late tide\nbrain: {}\n---\nIt comes back."
    texts = {"a.md": "See [[Late tide]].", "x.md": titled.format("otto"), "y.md": titled.format("notes")}
    found, *_ = linked(texts)
    assert [cite.target for node in found.document.nodes for cite in node.cites] == ["notes/y"]
