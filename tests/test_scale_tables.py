"""What the scale benchmark makes of its figures: slopes, larger brains, and their cost by the price catalogue."""

from datetime import date
from decimal import Decimal

import pytest

from compute.prices.price_book import CatalogBook
from compute.prices.price_models import Price
from tests.bench.scale_tables import cost, rates, series, table


def figures(name, of):
    return series({count: {name: of(count)} for count in (1_000, 10_000, 100_000)})[name]


def test_what_grows_in_proportion_has_the_exponent_one():
    line = figures("ingest, s", lambda count: count / 1000)
    assert line.exponent == pytest.approx(1)
    assert line.at(10_000_000) == pytest.approx(10_000)


def test_what_every_process_needs_does_not_hide_what_a_node_needs():
    """150 MB and 2 kB a node: the exponent is small, and yet ten million nodes need 20 GB."""
    line = figures("start, MB of memory", lambda count: 150 + count * 0.002)
    assert line.exponent < 0.3
    assert line.at(10_000_000) == pytest.approx(20_150)


def test_what_grows_faster_than_the_nodes_is_followed_by_its_exponent():
    assert figures("ingest, s", lambda count: (count / 1000) ** 2).at(1_000_000) == pytest.approx(1_000_000)


def test_a_request_is_no_sum_over_nodes():
    assert figures("node, ms", lambda count: 0.08).at(100_000_000) == pytest.approx(0.08)


def test_the_search_is_followed_by_the_engine_of_large_brains():
    found = {1_000: {"index, s": 9}, 10_000: {"index, s": 90}, 100_000: {"index, s": 10}, 1_000_000: {"index, s": 100}}
    assert series(found, engine_from=10_000)["index, s"].exponent == pytest.approx(1)


def test_a_step_that_needed_too_much_memory_says_so_in_its_cell():
    said = table("Nodes", "node", series({1_000: {"ingest, s": 1.0}}), {(10_000, "ingest, s"): "needs more than 1 GB"})
    assert "| ingest, s | 1.00 | needs more than 1 GB |" in said


def test_a_rent_is_of_the_catalogue_where_it_has_one_else_assumed():
    egress = Price(
        item="aws/internet", component="egress", value=Decimal("0.09"), unit="USD/GB", catalog="cards",
        valid_from=date(2025, 1, 1),
    )  # fmt: skip
    paid = rates(CatalogBook.of([egress]))
    assert paid.sent.source == "aws/internet in the catalogue cards"
    assert paid.memory.source.startswith("assumed")


def test_the_cost_is_what_is_needed_times_its_rent():
    disk = series({1_000: {"store, MB of disk": 7.0}, 100_000: {"store, MB of disk": 700.0}})
    assert "| disk: store and search index | 7.00 | 70.00 |" in cost(disk, {}, rates(CatalogBook.of([])))
