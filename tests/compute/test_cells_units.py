"""The unit of a cell is complete, from the cell and its header together, or there is no figure."""

import pytest

from compute.claims.table_cells import cell
from compute.prices.price_models import Missing
from graph.models.node_models import Table
from ingest.markdown.markdown_tables import unit_in


def read(header, text, pick=None):
    table = Table(name="t", header=("Kind", header), units=(None, unit_in(header)), rows=(("a", text),), line=1)
    return cell(table, "a", header, pick)


@pytest.mark.parametrize(
    ("header", "text", "unit"),
    [
        ("Input ($/M tokens)", "$1.00-5.00", "USD/Mtok"),
        ("Input ($/M tokens)", "1.00", "USD/Mtok"),
        ("Input ($/M)", "$2", "USD/Mtok"),
        ("Input ($/1M input tokens)", "$2", "USD/Mtok"),
        ("Price in $/MTok", "$2", "USD/Mtok"),
        ("Calls ($/1K requests)", "$2", "USD/krequest"),
        ("Effective $/GPU-hr (on-prem)", "$2", "USD/GPU/h"),
        ("Rent $/GPU/h", "2", "USD/GPU/h"),
        ("Rate [USD per GPU hour]", "$2", "USD/GPU/h"),
        ("Rent ($/hr)", "$2", "USD/h"),
        ("Energy (€/kWh)", "€0.2", "EUR/kWh"),
        ("Cost per GPU-hour", "$2", "USD/GPU/h"),
        ("Cost per GPU ($)", "2", "USD/GPU"),
        ("Cost/GPU", "$2", "USD/GPU"),
        ("Input/output fee", "$2", "USD"),
        ("Cost ($)", "$2", "USD"),
        ("Cost ($)", "2/hr", "USD/h"),
        ("Cost ($/GPU)", "$3.50/hr", "USD/h"),
        ("Use (%)", "40", "%"),
        ("Fee", "$2/M tokens", "USD/Mtok"),
        ("Overhead over 100%", "$2", "USD"),
    ],
)
def test_a_cell_takes_from_its_header_what_it_leaves_out(header, text, unit):
    assert read(header, text, "low").unit.text == unit


@pytest.mark.parametrize(
    ("header", "text", "reason"),
    [
        ("Fee ($/stool)", "$2", "‘stool’ is not a unit"),
        ("Cost per stool", "$2", "‘stool’ is not a unit"),
        ("Fee ($/M stools)", "$2", "‘Mstool"),
        ("Spent ($M)", "$2", "not a unit"),
        ("Input ($/1,000 seats)", "$2", "not a unit"),
        ("Input (€/M tokens)", "$2", "the cell is in USD, its column in EUR/Mtok"),
        ("Size (GB)", "$2", "the cell is in USD, its column in GB"),
        ("Fee ($)", "0,13", "‘0,13’ is not a figure"),
        ("Fee ($)", "1,25", "‘1,25’ is not a figure"),
        ("Size (GB)", "2/hr", "the cell is in ‘/h’, its column in ‘GB’"),
    ],
)
def test_what_cannot_be_understood_is_no_figure_in_another_unit(header, text, reason):
    found = read(header, text)
    assert isinstance(found, Missing)
    assert reason in found.reason
