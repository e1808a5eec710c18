"""Which nodes mention which terms."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.models.link_models import Link
from graph.models.node_models import Kind, Labels, Node, Provenance, Relation
from ingest.terms.term_mentions import Matcher, link


def node(name, body, kind=Kind.READING, labels=None, brain="b"):
    where = Provenance(document="d", first_line=1, last_line=1, sha256="0" * 64)
    return Node(id=f"{brain}/{name}", brain=brain, kind=kind, title=name, body=body, labels=labels, provenance=where)


def term(name, body="A thing of harbours.", brain="t", **labels):
    return node(name, body, Kind.TERM, Labels(preferred=name, **labels), brain)


TERMS = [
    term("Tide table", variants=("Tidal almanac",)),
    term("Tide"),
    term("VTS", abbreviation="VTS", expansion="Vessel Traffic Service"),
    term("LoLo", "Cranes lift boxes on and off."),
    term("Ferry"),
    term("Draught", "Depth of the keel below water, in metres."),
    term("Rank (harbour)", "Order by tonnage."),
    term("SiltScan", "Sonar."),
    term("14-foot channel"),
]
MATCHER = Matcher(TERMS)


def found(body):
    return [edge.target.removeprefix("t/") for edge in MATCHER.mentions(node("n", body))]


@pytest.mark.parametrize(
    ("body", "targets"),
    [
        ("The tide table is wrong.", ["Tide table"]),
        ("TIDE TABLES and tide-tables and tide\ntables", ["Tide table"]),
        ("A tidal almanac of 1890", ["Tide table"]),
        ("The VTS called; a vessel traffic service", ["VTS"]),
        ("two VTSs", ["VTS"]),
        ("vts and Vts are other words", []),
        ("lolo", []),
        ("LoLo ships", ["LoLo"]),
        ("A siltscan shows", ["SiltScan"]),
        ("xLoLo and LoLox and LoLo_2", []),
        ("The 14-foot channel, the 14 foot channels", ["14-foot channel"]),
        ("`LoLo` and ```\nLoLo\n``` and $LoLo = 1$", []),
        ("https://example.org/LoLo/tide-table and [LoLo](http://x.example/LoLo)", ["LoLo"]),
        ("[[LoLo]] and [[lolo-page|tide table]]", ["Tide table"]),
        ('<a href="LoLo">x</a> a@LoLo.example', []),
        ("", []),
        # the longest name counts
        ("A tide table lists the harbours and things of a tide.", ["Tide table", "Tide"]),
        ("A tide table of harbours and things.", ["Tide table"]),
        # an everyday word needs its subject around it, and a name without its qualifier the qualifier
        ("We draw a draught of beer.", []),
        ("The draught is the depth of the keel below water.", ["Draught"]),
        ("The rank of a matrix, by order of tonnage.", []),
        ("The rank of each harbour, in order of tonnage.", ["Rank (harbour)"]),
    ],
)
def test_a_name_is_found_in_prose_in_its_case_at_word_borders(body, targets):
    assert found(body) == targets


def test_the_reason_is_what_is_in_the_text_and_a_term_mentions_neither_itself_nor_its_duplicate():
    (edge,) = MATCHER.mentions(node("n", "Read the Tide\nTables."))
    assert (edge.subject, edge.kind, edge.reason) == ("b/n", "mentions", "Tide Tables")
    one, two = term("Tide table", "A tide table lists high water."), term("Tide tables", "High water, listed.", "u")
    (edge,) = link([one, two])
    assert (edge.kind, edge.subject, edge.target) == ("same_as", one.id, two.id)


def test_of_two_terms_with_one_name_the_closer_is_meant():
    canal = term("Lock gate", "Timber doors of a canal chamber that lifts ships.", "canals")
    cabin = term("Lock gate", "Brass fitting for a wardrobe in a cabin.", "cabins")
    matcher = Matcher([canal, cabin], same=())
    assert matcher.mentions(node("n", "Ships wait in the canal chamber for the lock gate."))[0].target == canal.id
    assert matcher.mentions(node("n", "The wardrobe of the cabin has a brass lock gate."))[0].target == cabin.id


def test_terms_that_are_the_same_are_mentioned_through_the_first_and_nodes_without_terms_have_no_edges():
    one, two = term("Tide table", "Hours of high water.", "x"), term("Tide tables", "High water, by hours.", "y")
    edges = link([one, two, node("n", "See tide tables.")])
    assert [edge.target for edge in edges if edge.kind == "mentions"] == [one.id]
    assert link([node("n", "Tide table")]) == link([]) == ()


PIECES = st.sampled_from(["VTS", "tide", " table", "\n", "`", "$", "İ", "ß", "[[", "|", "]]"])


@given(st.text(max_size=200) | st.lists(PIECES).map("".join))
def test_no_text_raises_and_every_mention_is_in_it(body):
    for edge in MATCHER.mentions(node("n", body)):
        assert edge.reason
        assert edge.reason in " ".join(body.split())


@given(st.lists(st.text(max_size=10), max_size=6))
def test_no_name_raises(names):
    Matcher([term("t", variants=tuple(names))]).mentions(node("n", " ".join(names)))


@pytest.mark.documents
def test_the_brain_page_mentions_terms_of_the_glossaries(real):
    names = ("compute-economics-terms.md", "performance-glossary.md", "genai-glossary.txt")
    terms = [each for name in names for each in real(name).nodes]
    page = real("kai-brain-page.txt").nodes
    matcher = Matcher(terms)
    edges = [edge for each in page for edge in matcher.mentions(each)]
    assert 400 < len(edges) < 800
    assert len({(edge.subject, edge.target) for edge in edges}) == len(edges)
    paged = [edge for edge in edges if "pagedattention" in edge.target]
    assert any("pagedattention-pages-kv-cache" in edge.subject for edge in paged)
    assert not [edge for edge in edges if edge.target.endswith(("/absolute", "/word-hardware", "/v"))]


def test_a_mention_of_terms_that_are_the_same_points_to_the_thing_and_not_to_a_step_of_a_flow():
    step = term("Harbour approach").model_copy(update={"relations": (Relation(kind="step", target="t/Berthing"),)})
    thing = term("Harbour approach", brain="u")
    matcher = Matcher([step, thing], [Link(subject=step.id, kind="same_as", target=thing.id)])
    (edge,) = matcher.mentions(node("n", "A harbour approach is narrow."))
    assert edge.target == thing.id
