"""Every function of the language, by the example that documents it."""

from datetime import date
from pathlib import Path

import pytest

from compute.formula.function_table import BY_NAME, reference
from compute.units import units
from graph.models.node_models import Table
from tests.compute.calculator import calculate
from tests.compute.made import assumed, book_of, price

DOCS = (Path(__file__).parents[2] / "docs" / "formulas.md").read_text()
DAY = date(2026, 5, 1)


BOOK = book_of(
    [
        price("2.00", "acme/large", "input", "USD/Mtok"),
        price("8", "acme/retired", "input", "USD/Mtok", valid_to=date(2026, 1, 1)),
        price("2.00", "north/h100", "on_demand", "USD/GPU/h"),
        price("3.50", "south/h100", "on_demand", "USD/GPU/h"),
        price("20", "odd/h100", "on_demand", "USD/instance/h"),
    ],
    assumptions=[assumed("pue", "1.3")],
)


class Handbook:
    """The tables of one node."""

    def tables(self, node):
        rows = (("Large", "~70B", "$3.50/hr ($30K/yr)", "40-60%"), ("Small", "8B+", "unknown", "2x"))
        table = Table(name="Training runs", header=("Run", "Parameters", "Rate", "Share"), units=(None,) * 4, rows=rows)
        return {"acme/handbook": (table,), "acme/empty": ()}.get(node)


def answer(formula):
    return calculate(formula, BOOK, DAY, tables=Handbook().tables)


@pytest.mark.parametrize("function", BY_NAME.values(), ids=lambda function: function.name)
def test_the_example_of_a_function_gives_the_result_that_is_documented(function):
    found = answer(function.example)
    assert (found.text, found.reason) == (function.result, "")


def test_the_documentation_lists_every_function_as_its_record_describes_it():
    section = DOCS.partition("are literals, never computed.\n\n")[2].partition("\n\n## Verdicts")[0]
    assert section == reference(), "paste what `python -m compute.formula.function_table` prints into docs/formulas.md"


def test_every_unit_of_the_documentation_exists_and_every_base_unit_is_documented():
    section = DOCS.partition("## Units")[2].partition("## Functions")[0]
    rows = [line.split("|")[2] for line in section.splitlines() if line.startswith("| ") and "`" in line]
    told = {word.strip("`,") for row in rows for word in row.split() if word.startswith("`")}
    assert len(told) > 50
    assert [word for word in told if word not in units.vocabulary().names] == []
    assert {"token", "GPU", "instance", "hour", "watt", "byte", "FLOP", "request", "rack", "server"} <= set(
        section.replace(",", " ").split()
    )


def cell(row, column, pick=""):
    pick = pick and f', pick="{pick}"'
    return f'table("acme/handbook", "1", "{row}", "{column}"{pick})'


GROWTH = 'cagr(price("north/h100", "on_demand"), price("{}/h100", "on_demand"), 2)'
COUNT = f"training_flop({cell('Large', 'Parameters')}{{}}, 2T)"


@pytest.mark.parametrize(
    ("formula", "reason"),
    [
        ('latest("acme/large", "output")', "output"),
        ('cheapest(["north/h100", "nobody/h100"], "on_demand")', "nobody/h100"),
        ('cheapest(["north/h100", "odd/h100"], "on_demand")', "they are in different units"),
        ('assume("pu")', "pu"),
        ('table("acme/handbook", "Training runs", "Large", "Colour")', "there is no such column"),
        ('table("acme/handbook", "Training runs", "Huge", "Rate")', "there is no such row"),
        ('table("acme/handbook", "Costs", "Large", "Rate")', 'no such table; there are "1" (Training runs)'),
        ('table("acme/handbook", "2", "Large", "Rate")', 'no such table; there are "1" (Training runs)'),
        ('table("acme/empty", "1", "Large", "Rate")', "no such table; the node has none"),
        ('table("acme/handbok", "1", "Large", "Rate")', "there is no such node"),
        (cell("Small", "Rate"), "cannot be read: ‘unknown’ is not a figure"),
        (cell("Large", "Share"), "‘40-60%’ is a range"),
        (cell("Small", "Parameters"), "‘8B+’ is a range"),
        ('price("acme/retired", "input")', "acme/retired"),
        (GROWTH.format("odd"), "the power of GPU/instance must be a literal number"),
        (COUNT.format(""), "multiply it by 1 parameter"),
    ],
)
def test_a_lookup_without_an_answer_names_what_is_missing(formula, reason):
    found = answer(formula)
    assert found.value is None
    assert reason in found.reason


@pytest.mark.parametrize(
    ("formula", "shown"),
    [
        # cells are read as people write them
        (cell("Large", "Rate"), "3.50 USD/h"),
        (cell("large", "share", "low"), "0.4"),
        (cell("Large", "Share", "middle"), "0.5"),
        (cell("Large", "Share", "high"), "0.6"),
        (cell("Small", "Share"), "2"),
        (cell("Small", "Parameters", "low"), "8 billion"),
        # the last price of a retired model; units that are known only then; a count whose unit a lookup leaves out
        ('latest("acme/retired", "input", on=2025-06-01)', "8.00 USD/Mtok"),
        (GROWTH.format("south"), "0.322876"),
        (COUNT.format(" * 1 parameter"), "8.4e23 FLOP"),
    ],
)
def test_a_lookup_gives_a_figure_with_its_unit(formula, shown):
    assert answer(formula).text == shown
