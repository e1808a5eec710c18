import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.models.link_models import Link
from graph.models.node_models import Kind, Labels, Node, Provenance, Relation
from ingest.terms.term_mentions import Matcher, link
from ingest.terms.term_senses import clusters, key, same_as


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


def sense(name, definition, glossary="one", *, expansion=None, variants=(), step_to=None):
    where = Provenance(document=glossary, first_line=1, last_line=1, sha256="0" * 64)
    labels = Labels(preferred=name, abbreviation=expansion and name, expansion=expansion, variants=variants)
    relations = (Relation(kind="step", target=step_to),) if step_to else ()
    parts = {"kind": Kind.TERM, "title": name, "body": definition, "labels": labels, "relations": relations}
    return Node(id=f"{glossary}/{key(name)}", brain=glossary, provenance=where, **parts)


def kinds(*terms):
    return [(edge.kind, edge.subject, edge.target) for edge in same_as(terms)]


SILT = "Fine mud carried by a river and laid down on the harbour floor."
VTS = sense("VTS", "Radar", expansion="Vessel Traffic Service")

SAME = [
    (sense("Tide table", "Hours of high water"), sense("tide-tables", "High water, hour by hour", "two")),
    (
        sense("DWT", "Cargo a ship may carry", expansion="Dead Weight Tonnage"),
        sense("Dead weight tonnage", SILT, "two"),
    ),
    (sense("SiltScan", "Sonar for mud"), sense("Silt Scan", "A sonar that maps mud", "two")),
    (sense("Silt", SILT), sense("Silt", "Mud that a river lays down on a harbour floor.", "two")),
    (sense("Pilotage", SILT), sense("Pilotage", SILT, "two")),
    (sense("Berth utilisation", "Share of hours in use"), sense("Berth Utilization", "Hours in use as a share", "two")),
]
APART = [
    (sense("Bar", "A bank of silt across a harbour mouth"), sense("Bar", "Unit of air pressure in weather", "two")),
    (sense("Lock (canal)", "A chamber that lifts ships"), sense("Lock", "A key turns it on a cabin door", "two")),
    (VTS, sense("VTS", "Gauge", "two", expansion="Volume Test Standard")),
    (sense("Dredge", "Machine to train new crews with"), sense("Dredge", "Tool for oysters at inference", "two")),
    (sense("Silt", SILT), sense("Sand", SILT, "two")),
]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [(*pair, pair in SAME) for pair in (*SAME, *APART)],
    ids=lambda value: getattr(value, "title", ""),
)
def test_names_and_senses_that_agree_are_one_term_and_spelling_alone_is_not_enough(one, other, same):
    assert kinds(one, other) == ([("same_as", one.id, other.id)] if same else [])


def test_a_step_of_a_flow_is_not_the_thing_of_its_name_and_a_term_that_covers_more_is_only_related():
    thing = sense("Mooring", "Rope and buoy to which a ship is made fast")
    last = sense("Mooring", "Captain steers alongside, hands the papers in", "two")
    first = sense("Approach", "Enter the fairway", "two", step_to=last.id)
    assert kinds(thing, first, last) == []
    both = sense("Crew size", "Number of sailors on board when training or during inference runs")
    one = sense("Crew size", "Number of sailors on board processed in training", "two")
    assert kinds(both, one) == [("related", both.id, one.id)]
    both = sense("Buoy / Beacon", "Floating or fixed marks", variants=("Buoy", "Beacon"))
    buoy, beacon = sense("Buoy", "A floating mark", "two"), sense("Beacon", "A fixed mark", "two")
    assert kinds(both, buoy, beacon) == [("related", both.id, buoy.id), ("related", both.id, beacon.id)]
    assert len(clusters([both, buoy, beacon], same_as([both, buoy, beacon]))) == 3


def test_a_reason_names_what_was_shared_and_three_glossaries_make_one_group():
    (edge,) = same_as(SAME[3])
    assert "the same everyday word (Silt)" in edge.reason
    assert "harbour" in edge.reason or "floor" in edge.reason
    (brief,) = same_as([sense("Silt", "Mud.", "one"), sense("Silt", "Mud.", "two")])
    assert 0.6 <= brief.confidence < edge.confidence <= 1
    terms = [sense("Tide table", SILT, glossary) for glossary in ("one", "two", "three")]
    assert [len(group) for group in clusters(terms, same_as(terms))] == [3]


@settings(max_examples=60)
@given(st.lists(st.tuples(st.text(max_size=12), st.text(max_size=40)), max_size=8))
def test_no_glossary_raises(drafts):
    terms = [sense(name, body, f"g{i}").model_copy(update={"id": f"g/{i}"}) for i, (name, body) in enumerate(drafts)]
    edges = same_as(terms)
    assert all(edge.subject != edge.target for edge in edges)
    assert sum(len(group) for group in clusters(terms, edges)) == len(terms)


GLOSSARIES = ("compute-economics-terms.md", "performance-glossary.md", "genai-glossary.txt")


@pytest.mark.documents
def test_the_real_glossaries_share_the_terms_that_they_share(real):
    terms = [node for name in GLOSSARIES for node in real(name).nodes]
    by_id = {node.id: node for node in terms}
    same = [(by_id[edge.subject], by_id[edge.target]) for edge in same_as(terms) if edge.kind == "same_as"]
    pairs = {(one.title, other.title) for one, other in same if one.brain != other.brain}
    equal = {(name, name) for name in ("TTFT", "FSDP", "AWQ")} | {("KV cache", "KV Cache")}
    spelt = {("Data parallelism", "Data Parallelism"), ("GPU Utilization", "GPU Utilisation")}
    assert equal | spelt | {("PagedAttention", "Paged Attention")} <= pairs
    assert not pairs & {("Decode", "Decode"), ("Batch Size", "Batch Size")}
    assert not [pair for pair in pairs if "/" in pair[0]]


def test_terms_that_others_make_the_same_are_not_related_besides_and_stated_relations_come_before_both():
    """SKOS S27 and S46: exactMatch is transitive, disjoint with relatedMatch, and a document's own relation comes first."""
    low = sense("Silt", f"{SILT} It is dredged in training of pilots.", "one")
    both = sense("Silt", SILT, "two")
    more = sense("Silt", f"{SILT} It matters in training of pilots and in inference of depths.", "three")
    assert kinds(low, more) == [("related", low.id, more.id)]
    assert kinds(low, both, more) == [("same_as", low.id, both.id), ("same_as", both.id, more.id)]
    middle = sense("River mud", "Mud of a river", "one")
    stated = [
        one.model_copy(update={"relations": (Relation(kind="broader", target=target),)})
        for one, target in ((low, middle.id), (middle, more.id))
    ]
    assert kinds(*stated, more) == []
    assert kinds(*stated, both) == [("same_as", low.id, both.id)]
