"""Terms of several glossaries: the same where their senses agree, not where only the spelling does."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.models.node_models import Kind, Labels, Node, Provenance, Relation
from ingest.terms.term_senses import clusters, key, same_as


def term(name, definition, glossary="one", *, expansion=None, variants=(), step_to=None):
    where = Provenance(document=glossary, first_line=1, last_line=1, sha256="0" * 64)
    labels = Labels(preferred=name, abbreviation=expansion and name, expansion=expansion, variants=variants)
    relations = (Relation(kind="step", target=step_to),) if step_to else ()
    parts = {"kind": Kind.TERM, "title": name, "body": definition, "labels": labels, "relations": relations}
    return Node(id=f"{glossary}/{key(name)}", brain=glossary, provenance=where, **parts)


def kinds(*terms):
    return [(edge.kind, edge.subject, edge.target) for edge in same_as(terms)]


SILT = "Fine mud carried by a river and laid down on the harbour floor."
VTS = term("VTS", "Radar", expansion="Vessel Traffic Service")

SAME = [
    (term("Tide table", "Hours of high water"), term("tide-tables", "High water, hour by hour", "two")),
    (term("DWT", "Cargo a ship may carry", expansion="Dead Weight Tonnage"), term("Dead weight tonnage", SILT, "two")),
    (term("SiltScan", "Sonar for mud"), term("Silt Scan", "A sonar that maps mud", "two")),
    (term("Silt", SILT), term("Silt", "Mud that a river lays down on a harbour floor.", "two")),
    (term("Pilotage", SILT), term("Pilotage", SILT, "two")),
    (term("Berth utilisation", "Share of hours in use"), term("Berth Utilization", "Hours in use as a share", "two")),
]
APART = [
    (term("Bar", "A bank of silt across a harbour mouth"), term("Bar", "Unit of air pressure in weather", "two")),
    (term("Lock (canal)", "A chamber that lifts ships"), term("Lock", "A key turns it on a cabin door", "two")),
    (VTS, term("VTS", "Gauge", "two", expansion="Volume Test Standard")),
    (term("Dredge", "Machine to train new crews with"), term("Dredge", "Tool for oysters at inference", "two")),
    (term("Silt", SILT), term("Sand", SILT, "two")),
]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [(*pair, pair in SAME) for pair in (*SAME, *APART)],
    ids=lambda value: getattr(value, "title", ""),
)
def test_names_and_senses_that_agree_are_one_term_and_spelling_alone_is_not_enough(one, other, same):
    assert kinds(one, other) == ([("same_as", one.id, other.id)] if same else [])


def test_a_step_of_a_flow_is_not_the_thing_of_its_name_and_a_term_that_covers_more_is_only_related():
    thing = term("Mooring", "Rope and buoy to which a ship is made fast")
    last = term("Mooring", "Captain steers alongside, hands the papers in", "two")
    first = term("Approach", "Enter the fairway", "two", step_to=last.id)
    assert kinds(thing, first, last) == []
    both = term("Crew size", "Number of sailors on board when training or during inference runs")
    one = term("Crew size", "Number of sailors on board processed in training", "two")
    assert kinds(both, one) == [("related", both.id, one.id)]
    both = term("Buoy / Beacon", "Floating or fixed marks", variants=("Buoy", "Beacon"))
    buoy, beacon = term("Buoy", "A floating mark", "two"), term("Beacon", "A fixed mark", "two")
    assert kinds(both, buoy, beacon) == [("related", both.id, buoy.id), ("related", both.id, beacon.id)]
    assert len(clusters([both, buoy, beacon], same_as([both, buoy, beacon]))) == 3


def test_a_reason_names_what_was_shared_and_three_glossaries_make_one_group():
    (edge,) = same_as(SAME[3])
    assert "the same everyday word (Silt)" in edge.reason
    assert "harbour" in edge.reason or "floor" in edge.reason
    assert 0.6 <= edge.confidence <= 1
    terms = [term("Tide table", SILT, glossary) for glossary in ("one", "two", "three")]
    assert [len(group) for group in clusters(terms, same_as(terms))] == [3]


@settings(max_examples=60)
@given(st.lists(st.tuples(st.text(max_size=12), st.text(max_size=40)), max_size=8))
def test_no_glossary_raises(drafts):
    terms = [term(name, body, f"g{i}").model_copy(update={"id": f"g/{i}"}) for i, (name, body) in enumerate(drafts)]
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
    low = term("Silt", f"{SILT} It is dredged in training of pilots.", "one")
    both = term("Silt", SILT, "two")
    more = term("Silt", f"{SILT} It matters in training of pilots and in inference of depths.", "three")
    assert kinds(low, more) == [("related", low.id, more.id)]
    assert kinds(low, both, more) == [("same_as", low.id, both.id), ("same_as", both.id, more.id)]
    middle = term("River mud", "Mud of a river", "one")
    stated = [
        one.model_copy(update={"relations": (Relation(kind="broader", target=target),)})
        for one, target in ((low, middle.id), (middle, more.id))
    ]
    assert kinds(*stated, more) == []
    assert kinds(*stated, both) == [("same_as", low.id, both.id)]
