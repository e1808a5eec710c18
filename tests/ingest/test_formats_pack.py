"""The context pack and the tables in it."""

import pytest

from ingest.markdown.markdown_tables import cells, tables_in, unit_in


def test_every_heading_with_something_under_it_is_a_node(reading, own_text):
    document = reading(own_text("context-pack"), "pack.md")
    nodes = {node.slug: node for node in document.nodes}
    assert (document.format, document.brain) == ("context-pack", "harbour-costs")
    assert list(nodes) == ["harbour-cost-pack", "rates", "volume", "sources-of-error"]
    assert {node.kind.value for node in document.nodes} == {"reference"}
    assert nodes["harbour-cost-pack"].body == "What a harbour costs to keep open."
    assert nodes["rates"].section == ("Dredging",)
    assert dict(document.about)["name"] == "harbour-costs"
    assert [(skip.first_line, skip.reason) for skip in document.skipped] == [(8, "heading of a group of sections")]


def test_tables_are_data_with_their_units(reading, own_text):
    (table,) = reading(own_text("context-pack")).nodes[1].tables
    assert (table.name, table.header, table.units) == (
        "Rates",
        ("Soil", "Price ($/m3)", "Share (%)"),
        (None, "$/m3", "%"),
    )
    assert table.rows == (("**Silt**", "3.10", "60"), ("Sand", "4.40", "40"))
    assert table.line == 12


def test_code_formulas_and_lists_stay_as_written(reading, own_text):
    nodes = {node.slug: node for node in reading(own_text("context-pack")).nodes}
    assert nodes["volume"].body == (
        "```\nvolume = length x width x depth\n# not a heading\n```\n\nLoss follows $V \\propto d^{1.5}$."
    )
    assert nodes["sources-of-error"].body == "- tide gauges drift\n- bids are *not* prices"


def test_text_before_the_first_heading_and_a_second_title_are_nodes(reading, own_text):
    text = own_text("context-pack").replace(
        "# Harbour Cost Pack", "Read this first.\n\n# Harbour Cost Pack\n\nThen this."
    )
    document = reading(text + "\n# Annex\n\nLast.\n")
    assert [(node.title, node.body) for node in document.nodes if node.title in {"Annex", "Harbour Cost Pack"}] == [
        ("Harbour Cost Pack", "What a harbour costs to keep open.\n\nRead this first."),
        ("Harbour Cost Pack", "Then this."),
        ("Annex", "Last."),
    ]
    assert document.lines.kept + document.lines.skipped == document.lines.total


def test_a_rule_below_a_line_makes_it_a_heading(reading):
    text = (
        "# Pack\n\nDredging\n========\n\n**Rates**\n---\n\nOf silt.\n\n---\n\nTwo lines\nof text\n---\n\n- item\n---\n"
    )
    document = reading(f"---\nname: p\ndescription: d\n---\n{text}")
    assert [(node.title, node.section, node.provenance.first_line) for node in document.nodes] == [
        ("Pack", (), 1),
        ("Rates", ("Dredging",), 10),
    ]
    assert document.nodes[1].body == "Of silt.\n\n---\n\nTwo lines\nof text\n---\n\n- item\n---"
    assert [(skip.first_line, skip.last_line) for skip in document.skipped] == [(7, 8)]


def test_rows_of_another_width_are_reported(reading, own_text):
    document = reading(
        own_text("context-pack").replace("| Sand | 4.40 | 40 |", "| Sand | 4.40 |\n| Clay | 5 | 1 | x |")
    )
    assert document.nodes[1].tables[0].rows[1:] == (("Sand", "4.40", ""), ("Clay", "5", "1 | x"))
    assert [(p.code, p.line, p.severity) for p in document.problems] == [
        ("table-row", 15, "note"),
        ("table-row", 16, "note"),
    ]


def test_a_code_block_that_never_ends_is_reported(reading, own_text):
    text = own_text("context-pack").replace("# not a heading\n```", "# not a heading")
    assert [(p.code, p.line) for p in reading(text).problems] == [("code-unclosed", 21)]


def test_equal_headings_get_ids_of_their_own(reading, own_text):
    text = own_text("context-pack").replace("### Volume", "### Rates")
    ids = [node.id for node in reading(text).nodes]
    assert len(set(ids)) == len(ids) == 4


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("| a | b |", ("a", "b")),
        ("a | b", ("a", "b")),
        ("| a \\| b | `c|d` |", ("a | b", "`c|d`")),
        ("||", ("",)),
        ("| `open | b |", ("`open", "b")),
        ("| | b |", ("", "b")),
    ],
)
def test_the_cells_of_a_row(row, expected):
    assert cells(row) == expected


@pytest.mark.parametrize(
    ("header", "unit"),
    [
        ("Input ($/M tokens)", "$/M tokens"),
        ("Effective $/GPU-hr (on-prem)", "$/GPU-hr"),
        ("Latency (ms)", "ms"),
        ("Latency, ms", "ms"),
        ("Size in GB", "GB"),
        ("Rate [USD per GPU hour]", "USD per GPU hour"),
        ("**Power (kW)**", "kW"),
        ("Use %", "%"),
        ("Rent $/GPU/h, list", "$/GPU/h"),
        ("Rent in $/GPU/h", "$/GPU/h"),
        ("$/M output tokens", "$/M output tokens"),
        ("$/M images", "$/M images"),
        ("Spent ($M)", "$M"),
        ("Spent ($bn)", "$bn"),
        ("Revenue, USD m", "USD m"),
        ("TDP (watts)", "watts"),
        ("Speed (tok/s)", "tok/s"),
        ("Grid (g/kWh)", "g/kWh"),
        ("Tariff [¢/kWh]", "¢/kWh"),
        ("Context (K tokens)", "K tokens"),
        ("Note (A)", None),
        ("Vitamin (g)", None),
        ("Overhead over 100%", None),
        ("Reserved (1yr)", None),
        ("On-Prem (3-year)", None),
        ("Cloud (on-demand)", None),
        ("Notes", None),
        ("%", None),
    ],
)
def test_the_unit_that_a_header_states(header, unit):
    assert unit_in(header) == unit


def test_rows_are_fitted_to_the_header_and_code_holds_no_table():
    lines = ["```", "| a | b |", "|---|---|", "```", "| a | b |", "|---|---|", "| 1 |", "| 1 | 2 | 3 |", "end"]
    (found,) = tables_in(lines, "t")
    assert (found.first, found.last) == (5, 8)
    assert found.table.rows == (("1", ""), ("1", "2 | 3"))


def test_a_second_table_of_a_section_has_a_number():
    lines = ["|a|", "|-|", "|1|", "", "|b|", "|-|", "|2|"]
    assert [found.table.name for found in tables_in(lines, "t")] == ["t", "t (2)"]
