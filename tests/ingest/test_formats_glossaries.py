"""The glossaries: tables, bullets, arrows, YAML."""

import pytest

from ingest.terms.term_labels import labels_of
from tests.ingest.own_documents import own_text, resolve


def by_slug(document):
    return {node.slug: node for node in document.nodes}


def reasons(document):
    return {skip.reason for skip in document.skipped}


def relations(node):
    return [(r.kind, r.target.partition("/")[2], r.confidence) for r in node.relations]


def test_a_term_table_gives_terms_with_names_and_path(reading):
    document = reading(own_text("term-table"))
    nodes = by_slug(document)
    assert (document.format, document.brain) == ("term-table", "harbour-words")
    assert list(nodes) == ["mhw", "ebb-flood", "lowest-astronomical-tide", "draught", "gt"]
    assert nodes["mhw"].labels.expansion == "Mean High Water"
    assert nodes["ebb-flood"].labels.variants == ("Ebb", "Flood", "Falling", "rising tide")
    assert nodes["gt"].labels.expansion == "Gross Tonnage"
    assert nodes["gt"].section == ("Ships",)
    assert nodes["draught"].body == "How deep a hull sits | laden\n\n**Unit:** m"
    assert reasons(document) == {"document title", "section heading", "table header"}


def test_columns_of_names_become_labels_and_a_table_of_other_columns_is_a_reference_with_its_data(reading):
    text = "# W\n| Acronym | Full name | Synonyms | Meaning |\n|---|---|---|---|\n| ETA | Estimated time | due, landfall | When |\n"
    (node,) = reading(text).nodes
    assert (node.labels.expansion, node.labels.variants) == ("Estimated time", ("due", "landfall"))
    text = own_text("term-table") + "\n## Dues\n\n| Port | Due (USD/t) |\n|---|---|\n| North | 0.40 |\n"
    *_, node = reading(text).nodes
    assert (node.kind, node.title, node.labels) == ("reference", "Dues", None)
    assert (node.tables[0].units, node.tables[0].rows) == ((None, "USD/t"), (("North", "0.40"),))
    assert node.body.startswith("| Port | Due (USD/t) |")


def test_paragraphs_and_lists_under_an_arrow_entry_belong_to_it(reading):
    more = "Often of rubber.\n  - round\n\n  Checked yearly.\n"
    fender = by_slug(reading(own_text("arrow-glossary").replace("Often of rubber.\n", more)))["fender"]
    assert fender.body.endswith("Often of rubber.\n- round\n\nChecked yearly.")


def test_a_bullet_glossary_gives_terms_nested_and_continued(reading):
    document = reading(own_text("bullet-glossary"))
    nodes = by_slug(document)
    assert (document.format, document.brain) == ("bullet-glossary", "pilot-glossary")
    assert list(nodes) == ["abeam", "ais", "berth", "lay-by-berth", "bollard-pull"]
    assert nodes["ais"].labels.expansion == "Automatic Identification System"
    assert nodes["ais"].body == "Broadcasts a ship's place and course every few seconds."
    assert relations(nodes["lay-by-berth"]) == [("broader", "berth", 0.8)]
    assert "text between the entries" in reasons(document)


def test_an_arrow_glossary_gives_its_entries_parts_and_steps(reading):
    document = reading(own_text("arrow-glossary"), "quay.txt")
    nodes = by_slug(document)
    assert (document.format, document.brain, len(nodes)) == ("arrow-glossary", "harbour-glossary", 12)
    assert relations(nodes["z-pile"]) == [("broader", "sheet-pile", 1.0)]
    assert relations(nodes["larch"]) == relations(nodes["greenheart"]) == [("related", "basalt", 0.5)]
    flow = [relations(nodes[name]) for name in ("arrive", "turn", "berth")]
    assert flow == [[("step", "turn", 1.0)], [("step", "berth", 1.0)], []]
    assert nodes["fender"].body == "Keeps hull and wall apart. Often of rubber."
    assert nodes["caisson"].section == ("L1 – Stone", "Quay Walls", "Basic Shapes")
    assert nodes["turn"].section == ("L2 – Water", "Moving Parts")
    assert reasons(document) == {
        "document title", "introduction", "table of contents", "level heading", "section heading", "sub-head",
        "caption of an image", "source of an image: https://example.org/quay.png", "rule",
    }  # fmt: skip  # one set


def test_a_term_that_occurs_twice_keeps_its_id_when_others_come(reading):
    text = own_text("arrow-glossary")
    ids = [node.id for node in reading(text).nodes if node.title == "Fender"]
    more = text.replace("1. Quay Walls\n\nBasic", "1. Quay Walls\n\n- **Stair** → Steps to the water.\n\nBasic")
    assert len(set(ids)) == 2
    assert [node.id for node in reading(more).nodes if node.title == "Fender"] == ids


def test_terms_that_are_not_bold_are_read(reading):
    entries = "- Bowline -> A loop that holds.\n- Hitch => Ties to a post.\n- Bend ⇒ Joins ropes.\n"
    document = reading(f"Sea Words\n\n1. Knots\n\n{entries}", format="arrow-glossary")
    assert [node.title for node in document.nodes] == ["Bowline", "Hitch", "Bend"]
    assert document.nodes[0].body == "A loop that holds."


def test_terms_in_yaml_become_terms_with_relations(reading):
    document = reading(own_text("terms"), "tides.yaml")
    nodes = by_slug(document)
    assert (document.format, document.brain) == ("terms", "words")
    assert nodes["mean-high-water"].labels.all() == ("Mean high water", "MHW", "mean-high-water")
    assert relations(nodes["mean-high-water"]) == [("broader", "tide", 1.0)]
    assert relations(nodes["tide"]) == [("related", "mean-high-water", 1.0)]
    differ = "**Definitions differ.** One table averages over 18.6 years, another over 19."
    assert nodes["mean-high-water"].body.endswith(differ)
    assert nodes["mean-high-water"].origin == "table.md:7, glossary.md:3"
    assert (nodes["tide"].provenance.first_line, nodes["tide"].provenance.last_line) == (14, 16)
    assert reasons(document) == {"comment", "field of the file"}


def test_a_term_may_name_a_term_of_another_file(reading):
    one = reading("terms:\n- label: Neap\n  definition: Weak.\n  broader: [Spring tides]\n", "a.yaml")
    two = reading("terms:\n- label: Tide\n  variants: [Spring tides]\n  definition: Strong.\n", "b.yaml")
    linked, _ = resolve([one, two])
    assert relations(linked.nodes[0]) == [("broader", "tide", 1.0)]
    (alone,) = resolve([one])
    assert alone.nodes[0].relations == ()
    (problem,) = alone.problems
    assert (problem.code, problem.line, problem.column) == ("relation-unresolved", 4, 13)


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("terms:\n- label: A\n  definition: x\n  colour: red\n", "term-field", 4),
        ("terms:\n- definition: x\n", "term-label", 2),
        ("terms:\n- label: A\n", "term-empty", 2),
        ("terms:\n- label: A\n  label: B\n  definition: x\n", "yaml", 3),
        ("terms: &x\n- label: A\n", "yaml", 1),
        ("terms:\n- label: [A\n", "yaml", 2),
        ("terms: none\n", "terms-shape", 1),
    ],
)
def test_what_is_wrong_in_a_file_of_terms_is_reported_with_its_line(reading, text, code, line):
    assert (code, line) in [(problem.code, problem.line) for problem in reading(text, "t.yaml").problems]


@pytest.mark.parametrize(
    ("head", "definition", "expected"),
    [
        ("NAT (Network Address Translation)", "", ("NAT", "NAT", "Network Address Translation", ())),
        ("Ready to load (RTL)", "", ("Ready to load", "RTL", "Ready to load", ())),
        ("QOS", "Quality of Service — a promise", ("QOS", "QOS", "Quality of Service", ())),
        ("QOS", "Promise of a network.", ("QOS", None, None, ())),
        ("Slack water (tide)", "", ("Slack water (tide)", None, None, ())),
        ("Knot / kn", "", ("Knot / kn", None, None, ("Knot", "kn"))),
        ("Quay (Wharf)", "", ("Quay", None, None, ("Wharf",))),
        ("Two Berth (Twin) Quay", "", ("Two Berth (Twin) Quay", None, None, ("Two Berth Quay", "Two Twin Quay"))),
        ("USD/TEU", "", ("USD/TEU", None, None, ())),
        ("Large Vessel Queues (LVQs)", "", ("Large Vessel Queues", "LVQ", "Large Vessel Queues", ("LVQs",))),
        ("AB Store (Alpha Beta Store)", "", ("AB Store", "AB Store", "Alpha Beta Store", ())),
        ("GGX", "File format of the port", ("GGX", None, None, ())),
    ],
)
def test_the_names_of_a_term(head, definition, expected):
    labels = labels_of(head, definition)
    assert (labels.preferred, labels.abbreviation, labels.expansion, labels.variants) == expected
