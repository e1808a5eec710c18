"""The context pack and the tables in it."""

import pytest

from ingest.markdown.markdown_tables import cells, tables_in, unit_in
from tests.ingest.own_documents import own_text


def test_every_heading_with_something_under_it_is_a_node(reading):
    document = reading(own_text("context-pack"), "pack.md")
    nodes = {node.slug: node for node in document.nodes}
    assert (document.format, document.brain) == ("context-pack", "harbour-costs")
    assert list(nodes) == ["harbour-cost-pack", "rates", "volume", "sources-of-error"]
    assert {node.kind.value for node in document.nodes} == {"reference"}
    assert nodes["harbour-cost-pack"].body == "What a harbour costs to keep open."
    assert nodes["rates"].section == ("Dredging",)
    assert dict(document.about)["name"] == "harbour-costs"
    assert [(skip.first_line, skip.reason) for skip in document.skipped] == [(8, "heading of a group of sections")]


def test_tables_are_data_with_their_units_and_code_formulas_and_lists_stay_as_written(reading):
    (table,) = reading(own_text("context-pack")).nodes[1].tables
    assert (table.name, table.units) == ("Rates", (None, "$/m3", "%"))
    assert table.header == ("Soil", "Price ($/m3)", "Share (%)")
    assert table.rows == (("**Silt**", "3.10", "60"), ("Sand", "4.40", "40"))
    assert table.line == 12
    nodes = {node.slug: node for node in reading(own_text("context-pack")).nodes}
    code = "```\nvolume = length x width x depth\n# not a heading\n```"
    assert nodes["volume"].body == f"{code}\n\nLoss follows $V \\propto d^{{1.5}}$."
    assert nodes["sources-of-error"].body == "- tide gauges drift\n- bids are *not* prices"


def test_text_before_the_first_heading_and_a_second_title_are_nodes(reading):
    more = "Read this first.\n\n# Harbour Cost Pack\n\nThen this."
    text = own_text("context-pack").replace("# Harbour Cost Pack", more)
    document = reading(text + "\n# Annex\n\nLast.\n")
    assert [(node.title, node.body) for node in document.nodes if node.title in {"Annex", "Harbour Cost Pack"}] == [
        ("Harbour Cost Pack", "What a harbour costs to keep open.\n\nRead this first."),
        ("Harbour Cost Pack", "Then this."),
        ("Annex", "Last."),
    ]
    assert document.lines.kept + document.lines.skipped == document.lines.total


def test_a_rule_below_a_line_makes_it_a_heading(reading):
    body = "Of silt.\n\n---\n\nTwo lines\nof text\n---\n\n- item\n---"
    text = f"# Pack\n\nDredging\n========\n\n**Rates**\n---\n\n{body}\n"
    document = reading(f"---\nname: p\ndescription: d\n---\n{text}")
    found = [(node.title, node.section, node.provenance.first_line) for node in document.nodes]
    assert found == [("Pack", (), 1), ("Rates", ("Dredging",), 10)]
    assert document.nodes[1].body == body
    assert [(skip.first_line, skip.last_line) for skip in document.skipped] == [(7, 8)]


def test_rows_of_another_width_and_a_code_block_that_never_ends_are_reported(reading):
    rows = "| Sand | 4.40 |\n| Clay | 5 | 1 | x |"
    document = reading(own_text("context-pack").replace("| Sand | 4.40 | 40 |", rows))
    assert document.nodes[1].tables[0].rows[1:] == (("Sand", "4.40", ""), ("Clay", "5", "1 | x"))
    assert [(p.code, p.line, p.severity) for p in document.problems] == [("table-row", n, "note") for n in (15, 16)]
    text = own_text("context-pack").replace("# not a heading\n```", "# not a heading")
    assert [(p.code, p.line) for p in reading(text).problems] == [("code-unclosed", 21)]


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


@pytest.mark.parametrize(("header", "unit"), [
    ("Input ($/M tokens)", "$/M tokens"), ("Effective $/GPU-hr (on-prem)", "$/GPU-hr"), ("Latency (ms)", "ms"),
    ("Latency, ms", "ms"), ("Size in GB", "GB"), ("Rate [USD per GPU hour]", "USD per GPU hour"),
    ("**Power (kW)**", "kW"), ("Use %", "%"), ("Rent $/GPU/h, list", "$/GPU/h"), ("Rent in $/GPU/h", "$/GPU/h"),
    ("$/M output tokens", "$/M output tokens"), ("$/M images", "$/M images"), ("Spent ($M)", "$M"),
    ("Spent ($bn)", "$bn"), ("Revenue, USD m", "USD m"), ("TDP (watts)", "watts"), ("Speed (tok/s)", "tok/s"),
    ("Grid (g/kWh)", "g/kWh"), ("Tariff [¢/kWh]", "¢/kWh"), ("Context (K tokens)", "K tokens"), ("Note (A)", None),
    ("Vitamin (g)", None), ("Overhead over 100%", None), ("Reserved (1yr)", None), ("On-Prem (3-year)", None),
    ("Cloud (on-demand)", None), ("Notes", None), ("%", None),
])  # fmt: skip  # pairs
def test_the_unit_that_a_header_states(header, unit):
    assert unit_in(header) == unit


def test_code_holds_no_table_and_a_second_table_of_a_section_has_a_number():
    text = "```\n|a|b|\n|-|-|\n```\n| a | b |\n|---|---|\n| 1 |\n| 1 | 2 | 3 |\n\n|a|\n|-|\n|1|"
    one, two = tables_in(text.split("\n"), "t")
    assert (one.first, one.last, one.table.rows) == (5, 8, (("1", ""), ("1", "2 | 3")))
    assert [found.table.name for found in (one, two)] == ["t", "t (2)"]
