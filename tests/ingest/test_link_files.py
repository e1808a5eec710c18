import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.models.node_models import Kind, Labels, Node, Provenance
from ingest.document_reader import read
from ingest.linking.link_resolution import linked_documents
from ingest.linking.link_targets import LinkTargets, link_names, node_names
from ingest.linking.vault_export import write_vault
from tests.ingest.own_documents import resolve


def read_all(texts):
    return [read(text.encode(), name) for name, text in texts.items()]


def linked(texts, known=None):
    return linked_documents(read_all(texts), known)


def meant(link, *names, near=""):
    """The file that a link means in a note next to these files, or the problem."""
    home = f"{near}/Home.md".lstrip("/")
    documents = linked({name: f"The text of {name}." for name in names} | {home: f"See {link}."})
    owners = {node.id: one.document.name for one in documents for node in one.document.nodes}
    note = next(one.document for one in documents if one.document.name == home)
    problems = [problem.code for problem in note.problems if problem.code.startswith("link-")]
    return problems or [owners[cite.target] for cite in note.nodes[0].cites]


BETA = ("Beta/Overview.md",)
SIGNS = ("Uberblick.md", "Uber.md", "C.md", "Meeting (1).md")
TIDE = ("Harbour/Low tide.md", "Übung.md")
WHAT = ("sub/What is it?.md",)
ZETTEL = ("box/202609121430 Low tide.md", "20260912143005-ebb.md", "20260913 Meeting.md")
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
        ("[[LOW TIDE.md]]", TIDE, "", "Harbour/Low tide.md"),
        ("[[low-tide]]", TIDE, "", "Harbour/Low tide.md"),
        ("[[Low_Tide]]", TIDE, "", "Harbour/Low tide.md"),
        ("[[harbour/low tide]]", TIDE, "", "Harbour/Low tide.md"),
        ("[[u\u0308bung]]", TIDE, "", "Übung.md"),
        # a slug means what has it where nothing is called so
        ("[[what-is-it]]", WHAT, "", "sub/What is it?.md"),
        ("[[sub/what-is-it]]", WHAT, "", "sub/What is it?.md"),
        ("[[what-is-it]]", (*WHAT, "x/What is it.md"), "", "x/What is it.md"),
        # a number at the beginning of a file name, of the minute or second in which the note was made, is enough
        ("[[202609121430]]", ZETTEL, "", "box/202609121430 Low tide.md"),
        ("[[20260912143005]] Ebb", ZETTEL, "", "20260912143005-ebb.md"),
        ("[[20260913]]", ZETTEL, "", "link-unresolved"),
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
    return [node for one in linked(texts) for node in one.document.nodes]


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
    home, _ = resolve(read_all({"Home.md": text, "sub/Pump.md": PUMP}))
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


def test_the_names_of_a_note_are_those_of_its_file_and_folders_and_of_links_that_end_at_it():
    (index,), (note,) = (one.nodes for one in read_all({"fleet/ships/Index.md": "x", "fleet/ships.md": "x"}))
    assert {"index", "ships-index", "fleet-ships-index"} <= node_names(index)
    assert LinkTargets([note]).find("./boats/..", "notes", "fleet/ships") == ["notes/ships"]
    assert link_names("./boats/..", "fleet/ships") & node_names(note)


SAME = {f"x/{brain}.md": f"---\ntitle: Same\nbrain: {brain}\n---\nx" for brain in ("one", "two")}
TERMS = "terms:\n  - label: Tide\n    definition: It comes back.\n    broader: [Moon works]\n"


@pytest.mark.parametrize(("texts", "codes", "unresolved"), [
    ({"a.md": "[[b]], [[Nowhere at all]], [[ships/Index]]", "b.md": "x"}, ["link-unresolved"] * 2, {"nowhere-at-all", "index"}),
    ({"a.md": "See [[same]].", **SAME}, ["link-ambiguous"], {"same"}),
    ({"terms.yaml": TERMS}, ["relation-unresolved"], {"moon-works"}),
], ids=["nothing has its name", "it may mean several", "a relation"])  # fmt: skip
def test_a_link_that_waits_is_named_for_its_document(texts, codes, unresolved):
    first, *others = linked(texts)
    assert [problem.code for problem in first.document.problems] == codes
    assert (first.unresolved, [one.unresolved for one in others]) == (unresolved, [frozenset()] * len(others))


def test_a_note_that_the_store_has_too_is_one_of_two_brains_its_own_is_meant_and_a_missing_place_is_waited_for_by_none():
    titled = "---\ntitle: Late tide\nbrain: {}\n---\nIt comes back."
    own, other = ({f"{brain}.md": titled.format(brain)} for brain in ("notes", "otto"))
    (late,) = read_all(own)[0].nodes
    for link, texts, known in (
        ("[[Late tide]]", own, {late.id: late}),
        ("[[Late tide]]", other | own, None),
        ("[[notes#Nowhere]]", {"notes.md": "x"}, None),
    ):
        found = linked({"a.md": f"See {link}.", **texts}, known)[0]
        assert [cite.target for cite in found.document.nodes[0].cites] == ["notes/notes"]
        assert not found.unresolved
