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


@pytest.mark.parametrize(("text", "code", "line"), [
    ("terms:\n- label: A\n  definition: x\n  colour: red\n", "term-field", 4),
    ("terms:\n- definition: x\n", "term-label", 2), ("terms:\n- label: A\n", "term-empty", 2),
    ("terms:\n- label: A\n  label: B\n  definition: x\n", "yaml", 3), ("terms: &x\n- label: A\n", "yaml", 1),
    ("terms:\n- label: [A\n", "yaml", 2), ("terms: none\n", "terms-shape", 1),
])  # fmt: skip  # rows
def test_what_is_wrong_in_a_file_of_terms_is_reported_with_its_line(reading, text, code, line):
    assert (code, line) in [(problem.code, problem.line) for problem in reading(text, "t.yaml").problems]


@pytest.mark.parametrize(("head", "definition", "expected"), [
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
])  # fmt: skip  # rows
def test_the_names_of_a_term(head, definition, expected):
    labels = labels_of(head, definition)
    assert (labels.preferred, labels.abbreviation, labels.expansion, labels.variants) == expected


TABLES = {
    "other columns in another order": "| No. | Meaning | Jargon | See also |\n|--|--|--|--|\n| 1 | A stone | Sett | kerb |\n| 2 | A beam | Sill | |\n",
    "another language": "| Begriff | Bedeutung |\n|--|--|\n| Sett | A stone |\n| Sill | A beam |\n",
    "no bars at the sides": "Term | In plain words\n--- | ---\nSett | A stone\nSill | A beam\n",
    "no delimiter row": "| Term | Definition |\n| Sett | A stone |\n| Sill | A beam |\n",
    "no header": "| **Sett** | A stone |\n| **Sill** | A beam |\n| **Spar** | |\n",
    "a delimiter row without a header": "| **Sett** | A stone |\n|---|---|\n| **Sill** | A beam |\n| **Spar** | A pole |\n",
    "cells of several rows": "| Term | Definition |\n|--|--|\n| Sett | A |\n| | stone |\n| Sill | A beam |\n",
    "breaks in cells": "| Term | Definition |\n|--|--|\n| Sett | A stone<br>of granite |\n| Sill | A beam |\n",
}


@pytest.mark.parametrize("layout", sorted(TABLES))
def test_a_table_of_terms_is_read_in_any_layout(reading, layout):
    document = reading(f"# Words\n\n{TABLES[layout]}")
    assert document.format == "term-table"
    assert [node.title for node in document.nodes][:2] == ["Sett", "Sill"]
    assert " ".join(document.nodes[0].body.split()).startswith("A stone")
    assert document.nodes[1].body.startswith("A beam")
    assert (
        document.nodes[0].body == "A stone\n\n**See also:** kerb" or "columns" not in layout
    )  # without the row's number
    guessed = [problem.line for problem in document.problems if problem.code == "table-header"]
    assert guessed == ([3] if "a header" in layout or layout == "no header" else [])


@pytest.mark.parametrize("other", [f"{word} sett stone" for word in ("or", "also known as", "aka", "also:")] + [" "])
def test_another_name_in_a_bracket_is_a_variant(reading, other):
    text = f"# Words\n- **Kerb ({other})**: A stone.\n- **Sill**: A beam.\n"
    (node, _) = reading(text, format="bullet-glossary").nodes
    assert (node.body, node.labels.variants) == ("A stone.", ("sett stone",) if other.strip() else ())
    assert node.title == "Kerb" or not other.strip()


BULLETS = {
    "letters in lower case": "# Words\n\n## s\n\n- **Sett**: A stone: flat.\n- **Sill** – A beam - of oak.\n- **Spar**: A pole.\n",
    "bare letters": "Words\n\nS\n\n* **Sett** - A stone: flat.\n* **Sill:** A beam - of oak.\n\nT\n* **Spar**: A pole.\n",
    "numbers": "# A glossary of words\n\n1. **Sett**: A stone: flat.\n2. **Sill** — A beam - of oak.\n3) **Spar** : A pole.\n",
    "paragraphs": "# A glossary of words\n\n**Sett**: A stone:\nflat.\n\n**Sill:** A beam - of oak.\n\n**Spar** – A pole.\n",
    "headings": "# A glossary of words\n\n## S\n\n### Sett\n\nA stone: flat.\n\n### Sill\nA beam - of oak.\n\n### Spar\n\nA pole.\n\n## T\n",
    "lines": "Glossary of words\n\nSett: A stone: flat.\nSill: A beam\n  - of oak.\nSpar — A pole.\n\nTar: Black.\nTide: Wet.\n",
    "a definition list": "# A glossary of words\n\n## S\n\nSett\n: A stone: flat.\n\nSill\n:   A beam\n: - of oak.\n\nSpar\n: A pole.\n\n## T\n",
    "plain": "# A glossary of words\n\n## S\n- Sett: A stone: flat.\n- Sill - A beam - of oak.\n- Spar: A pole.\n## T\n",
}


@pytest.mark.parametrize("layout", sorted(BULLETS))
def test_a_list_of_terms_is_read_in_any_layout(reading, layout):
    document = reading(BULLETS[layout])
    assert document.format == "bullet-glossary"
    found = [(node.title, " ".join(node.body.split())) for node in document.nodes][:3]
    assert found == [("Sett", "A stone: flat."), ("Sill", "A beam - of oak."), ("Spar", "A pole.")]
    assert document.brain.endswith("words")
    assert {skip.reason for skip in document.skipped} <= {"document title", "heading of a letter"}


def test_a_list_inside_a_definition_is_no_list_of_terms(reading):
    text = "# Words\n- **Sett**: In steps:\n  1. **Cut**: with a saw.\n  - sides: four\n- **Sill**: A beam.\n- **Spar**: A pole.\n"
    sett, *_ = reading(text).nodes
    assert sett.body == "In steps:\n1. **Cut**: with a saw.\n- sides: four"


SECTIONS = {
    "Level 2: Heat\n\n2.1 Pans\n\nOf Iron": ("L2 – Heat", "Pans", "Of Iron"),
    "Chapter 2 — Heat\n\n3. Pans\n\nOf Iron": ("Chapter 2 – Heat", "Pans", "Of Iron"),
    "I. Heat\n\nB. Pans\n\nOf Iron": ("Heat", "Pans", "Of Iron"),
    "2. Heat\n\n2.1. Pans\n\n2.1.1 Of Iron": ("Heat", "Pans", "Of Iron"),
    "## Heat\n\n### Pans\n\nOf Iron": ("Heat", "Pans", "Of Iron"),
}
ARROWS = ("→", "->", "=>", "⟶", "▸", "➤", "⇨")


@pytest.mark.parametrize("headings", sorted(SECTIONS))
def test_the_path_to_an_entry_is_recognised_by_any_numbering(reading, headings):
    text = f"Kitchen\n\n{headings}\n\n- **Pan** → A dish.\n- **Lid** → A cover.\n- **Wok** → Round.\n\n{headings}\n\n- **Rack** → A shelf.\n"
    document = reading(text)
    assert document.format == "arrow-glossary"
    assert {node.section for node in document.nodes} == {SECTIONS[headings]}


@pytest.mark.parametrize("arrow", ARROWS)
def test_any_arrow_divides_term_and_definition(reading, arrow):
    text = f"Kitchen\n\n1. Pans\n\n- **Pan** {arrow} A dish.\n  - **Wok** {arrow} Round.\n* **Lid** {arrow} A cover → of iron.\n"
    document = reading(text)
    found = [(node.title, node.body) for node in document.nodes]
    assert found == [("Pan", "A dish."), ("Wok", "Round."), ("Lid", "A cover → of iron.")]


STEPS = ("{}. **{}**", "{}) **{}**", "Step {}: **{}**", "**Step {}: {}**", "- **Step {} – {}**")


@pytest.mark.parametrize("step", STEPS)
def test_the_steps_of_a_flow_follow_each_other_however_they_are_numbered(reading, step):
    lines = [f"{step.format(number, name)} → now" for number, name in enumerate(("Cut", "Heat", "Serve"), 1)]
    document = reading("Kitchen\n\n1. Pans\n\n- **Pan** → A dish.\n\n2. Flow\n\n" + "\n".join(lines))
    assert [node.title for node in document.nodes] == ["Pan", "Cut", "Heat", "Serve"]
    following = [[one.target for one in node.relations] for node in document.nodes[1:]]
    assert following == [["kitchen/heat"], ["kitchen/serve"], []]


def test_what_a_converter_leaves_is_left_out_with_its_reason(reading):
    text = (
        "Kitchen\n\nContents\n1. Pans ..... 3\n1.1 Woks . . . . . 4\n\n1. Pans\n\n- **Pan** → A dish.\n\n"
        "Kitchen          Page 3 of 12\n\n![A pan](pan.png)\nFigure 2: A pan from the side\n\n- **Lid** → A cover.\n"
    )
    document = reading(text)
    assert [(node.title, node.body) for node in document.nodes] == [("Pan", "A dish."), ("Lid", "A cover.")]
    reasons = (
        "document title",
        "table of contents",
        "section heading",
        "page boilerplate",
        "image",
        "caption of an image",
    )
    places = ((1, 1), (3, 5), (7, 7), (11, 11), (13, 13), (14, 14))
    found = [(skip.first_line, skip.last_line, skip.reason) for skip in document.skipped]
    assert found == [(*place, reason) for place, reason in zip(places, reasons, strict=True)]
