from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compute.claims.overrides import overrides
from compute.claims.table_cells import cell
from compute.formula.parser import parse
from compute.prices import amounts
from compute.prices.price_models import Missing
from compute.reports.report_model import figure as shown_figure
from compute.units import units
from compute.units.number_format import said, trimmed
from compute.units.units import PLAIN, UnitError, shown, unit
from graph.models.node_models import Table
from ingest.markdown.markdown_tables import unit_in


@pytest.mark.parametrize(("text", "factor"), [
    ("USD/Mtok", "0.000001"), ("USD/ktok", "0.001"), ("kWh", "1000"), ("USD/kWh", "0.001"), ("FLOPS", "3600"),
    ("TFLOPS/GPU", "3600e12"), ("month_720h", "720"), ("month_730h", "730"), ("month", "730"), ("ct", "0.01"),
    ("year", "8760"), ("GiB", "1073741824"), ("Gbit", "125000000"), ("%", "0.01"), ("pp", "0.01"), ("GPU^2/h", "1"),
])  # fmt: skip  # pairs
def test_a_unit_has_an_exact_size(text, factor):
    assert unit(text).factor == Decimal(factor)


@pytest.mark.parametrize(("one", "other", "same"), [
    ("USD/token", "USD/GPU/h", False), ("USD/instance/h", "USD/GPU/h", False), ("USD", "EUR", False),
    ("token", "parameter", False), ("W", "Wh", False), ("server", "rack", False), ("byte", "token", False),
    ("GPU", "%", False), ("USD/Mtok", "USD/token", True), ("W*h", "J", True), ("FLOP/s", "TFLOPS", True),
    ("USD/GPU/h", "USD/GPU/month_730h", True), ("GPU*h", "GPUh", True), ("%", "x", True), ("h*USD/h", "USD", True),
])  # fmt: skip  # rows
def test_units_of_one_thing_and_no_others_are_one_dimension(one, other, same):
    assert (unit(one).dimension is unit(other).dimension) is same


@pytest.mark.parametrize(("text", "hint"), [
    ("mnth", "month"), ("USD/1k h", "per 1k tokens"), ("1k tokens", "joined by / and *"),
    ("-h", "joined by / and *"), ("usd", "USD"), ("tokne", "token"), ("B", "70B"), ("USD//h", "joined by / and *"),
    ("USD h", "joined by / and *"), ("h^9", "largest power"), ("USD/Mtok; drop", "joined by / and *"),
    ("*h", "joined by / and *"), ("USD per million input_tokens", "per 1k tokens"),
])  # fmt: skip  # pairs
def test_what_is_no_unit_is_refused_with_a_hint(text, hint):
    with pytest.raises(UnitError) as caught:
        unit(text)
    assert hint in str(caught.value)


def test_a_computed_figure_is_shown_in_the_usual_unit_of_its_dimension_and_prices_are_counted_in_units_of_ours():
    usual = {"USD/token": "USD/Mtok", "W*h": "kWh", "USD*W/rack^2": "USD*W/rack^2", "": ""}
    assert {text: shown(unit(text).dimension).text for text in usual} == usual
    assert str(PLAIN) == "a plain number"
    counted = {counted for _, choices in amounts.COUNTED_IN for counted in choices if counted}
    assert counted
    assert all(unit(f"USD/{per}").factor > 0 for per in counted)


atoms = st.sampled_from(sorted(units.vocabulary().singulars))


@given(st.lists(st.tuples(atoms, st.sampled_from("*/")), min_size=1, max_size=4))
def test_the_factor_of_a_product_is_the_product_of_the_factors(parts):
    text, factor = parts[0][0], units.atom(parts[0][0]).factor
    for name, mark in parts[1:]:
        text += mark + name
        factor = factor * units.atom(name).factor if mark == "*" else factor / units.atom(name).factor
    assert abs(unit(text).factor / factor - 1) < Decimal("1e-25")


@given(st.text(max_size=30))
def test_any_text_is_a_unit_or_a_unit_error(text):
    try:
        found = unit(text)
    except UnitError as refused:
        found = refused
    assert found.found in text if isinstance(found, UnitError) else found.factor > 0


@pytest.mark.parametrize(("written", "text"), [
    ("USD/GB-month", "USD/GB/month"), ("USD/GB/month", "USD/GB/month"), ("USD/seat/month", "USD/seat/month"),
    ("USD per seat per month", "USD/seat/month"), ("ct/kWh", "ct/kWh"), ("€/MWh", "EUR/MWh"), ("$/hr", "USD/hr"),
    ("USD per request", "USD/request"), ("per conversation", "/conversation"), ("USD per 1k tokens", "USD/ktok"),
    ("USD/1,000 requests", "USD/krequest"), ("USD per 1M tokens", "USD/Mtok"), ("kW-h", "kW*h"),
    ("USD/tokens", "USD/token"),
])  # fmt: skip  # pairs
def test_a_unit_is_read_as_people_write_it(written, text):
    assert unit(written).text == text


marks = st.sampled_from(["*", "/", "-", " per "])
leads = st.sampled_from(sorted(units.vocabulary().names - {"times"}))
figures = st.decimals(min_value=Decimal("-1e6"), max_value=Decimal("1e14"), places=2, allow_nan=False)


@st.composite
def written_units(draw):
    text = draw(leads)
    for _ in range(draw(st.integers(0, 3))):
        text += draw(marks) + draw(atoms)
    return text


def equal_but_for_rounding(one, other):
    return one == other or abs(one / other - 1) < Decimal("1e-4")


@given(written_units(), figures)
def test_the_text_of_a_unit_is_that_unit_and_what_is_printed_can_be_read_in_again(text, value):
    try:
        asked = unit(text)
    except UnitError:
        return  # a power above the largest
    assert (unit(asked.text).text, unit(asked.text).dimension) == (asked.text, asked.dimension)
    assert unit(shown(asked.dimension).text).dimension is asked.dimension
    printed = said(trimmed(value), asked.text)
    card = amounts.parse(printed)
    own = overrides({"rate": printed}).givens["rate"]
    if "%" not in asked.text and not asked.text.startswith("/"):
        tree = parse(printed)
        assert "-" in printed or tree.unit is None or tree.unit.dimension is asked.dimension
    for number, again in ((card.value, unit(card.unit)), (own.value, own.unit or units.ONE)):
        assert again.dimension is asked.dimension
        assert again.factor == asked.factor
        assert equal_but_for_rounding(number, trimmed(value))


@pytest.mark.parametrize(("value", "written", "shown"), [
    ("14.5", "month_730h", "14.5 months"), ("1", "month_720h", "1 month_720h"),
    ("2", "month_730h*GPU", "2 months*GPU"), ("2", "USD/GPU/month_730h", "2.00 USD/GPU/month"), ("2", "h", "2 h"),
    ("2", "%", "2%"), ("60", "x", "60×"), ("60", "times", "60×"), ("2", "", "2"),
    ("999999999", "token", "999,999,999 tokens"), ("29200000000", "token/month_730h", "29.2 billion tokens/month"),
    ("-58666666666.67", "USD/year", "-58.6667 billion USD/year"), ("1800000000000", "USD", "1.8 trillion USD"),
    ("314000000000000000000000", "FLOP", "3.14e23 FLOP"), ("2.00", "USD", "2.00 USD"),
    ("37.10743801652892561983471074", "%", "37.11%"), ("0.7999999999999999999999999999", "x", "0.8×"),
    ("2.68435456", "GB", "2.68435 GB"), ("2.44140625", "x", "2.44141×"), ("39935.034", "USD", "39,935.03 USD"),
    ("1048576", "token", "1,048,576 tokens"), ("123456.7", "token", "123,457 tokens"), ("99.7002999", "%", "99.7%"),
    ("99.9999", "%", "99.9999%"), ("99.9033", "%", "99.9033%"), ("99.9033333333", "%", "99.903%"),
    ("672.66944", "USD", "672.669 USD"), ("99.9999999", "%", "99.9999999%"), ("99.99999123456", "%", "99.9999912%"),
    ("100", "%", "100%"), ("100.00000001", "%", "100%"),
])  # fmt: skip  # rows
def test_a_figure_and_its_unit_are_said_as_people_say_them_and_the_same_everywhere(value, written, shown):
    assert said(Decimal(value), unit(written).text) == shown_figure(Decimal(value), written) == shown


def read_cell(header, text, pick=None):
    table = Table(name="t", header=("Kind", header), units=(None, unit_in(header)), rows=(("a", text),), line=1)
    return cell(table, "a", header, pick)


@pytest.mark.parametrize(("header", "text", "unit"), [
    ("Input ($/M tokens)", "$1.00-5.00", "USD/Mtok"), ("Input ($/M tokens)", "1.00", "USD/Mtok"),
    ("Input ($/M)", "$2", "USD/Mtok"), ("Input ($/1M input tokens)", "$2", "USD/Mtok"),
    ("Price in $/MTok", "$2", "USD/Mtok"), ("Calls ($/1K requests)", "$2", "USD/krequest"),
    ("Effective $/GPU-hr (on-prem)", "$2", "USD/GPU/h"), ("Rent $/GPU/h", "2", "USD/GPU/h"),
    ("Rate [USD per GPU hour]", "$2", "USD/GPU/h"), ("Rent ($/hr)", "$2", "USD/h"),
    ("Energy (€/kWh)", "€0.2", "EUR/kWh"), ("Cost per GPU-hour", "$2", "USD/GPU/h"),
    ("Cost per GPU ($)", "2", "USD/GPU"), ("Cost/GPU", "$2", "USD/GPU"), ("Input/output fee", "$2", "USD"),
    ("Cost ($)", "$2", "USD"), ("Cost ($)", "2/hr", "USD/h"), ("Cost ($/GPU)", "$3.50/hr", "USD/h"),
    ("Use (%)", "40", "%"), ("Fee", "$2/M tokens", "USD/Mtok"), ("Overhead over 100%", "$2", "USD"),
])  # fmt: skip  # rows
def test_a_cell_takes_from_its_header_what_it_leaves_out(header, text, unit):
    assert read_cell(header, text, "low").unit.text == unit


@pytest.mark.parametrize(("header", "text", "reason"), [
    ("Fee ($/stool)", "$2", "‘stool’ is not a unit"), ("Cost per stool", "$2", "‘stool’ is not a unit"),
    ("Fee ($/M stools)", "$2", "‘Mstool"), ("Spent ($M)", "$2", "not a unit"),
    ("Input ($/1,000 seats)", "$2", "not a unit"),
    ("Input (€/M tokens)", "$2", "the cell is in USD, its column in EUR/Mtok"),
    ("Size (GB)", "$2", "the cell is in USD, its column in GB"), ("Fee ($)", "0,13", "‘0,13’ is not a figure"),
    ("Fee ($)", "1,25", "‘1,25’ is not a figure"), ("Size (GB)", "2/hr", "the cell is in ‘/h’, its column in ‘GB’"),
])  # fmt: skip  # rows
def test_what_cannot_be_understood_is_no_figure_in_another_unit(header, text, reason):
    found = read_cell(header, text)
    assert isinstance(found, Missing)
    assert reason in found.reason
