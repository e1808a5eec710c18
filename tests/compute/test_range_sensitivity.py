"""Which input matters most within its range: against brute force, and on functions whose indices are known."""

from decimal import Decimal

import numpy as np
import pytest

from compute.prices.price_models import Assumption
from compute.verify.claim_verifier import explain
from tests.compute.made import book_of
from tests.compute.range_cases import CASES, MIX, START, claim, drawn

EMPTY = book_of()
NAMED = "sum sum-mixed quotient band within root log power smallest branch solved-curve"


@pytest.mark.parametrize("case", [case for case in CASES if case.name in NAMED.split()], ids=lambda case: case.name)
def test_total_indices_agree_with_the_variance_left_when_all_other_inputs_are_known(case):
    """E[Var(value | the others)] / Var(value), by 64 values of one input at each of 4,000 points of the others."""
    rng, count, each = np.random.default_rng(3), 4_000, 64
    found = {one.input: float(one.total) for one in explain(case.claim, EMPTY, START).sensitivity}

    def column(name, size):
        told = case.ranges.get(name)
        return drawn(rng, case.given[name], told, size) if told else np.full(size, float(case.given[name]))

    for name in case.ranges:
        columns = [column(one, count * each) if one == name else np.repeat(column(one, count), each) for one in "abc"]
        values = case.formula(*columns).reshape(count, each)
        total = values.var(axis=1, ddof=1).mean() / values.var()
        assert abs(found.get(name, 0) - total) < 0.06, name


@pytest.mark.parametrize(
    ("value", "ranges", "given", "expected"),
    [
        ("a + 2 * b", {"a": ("0", "2"), "b": ("0", "2")}, {}, {"b": 0.8, "a": 0.2}),
        ("a * b", {"a": ("-1", "1"), "b": ("-1", "1")}, {"a": "0.5", "b": "0.5"}, {"a": 1, "b": 1}),
        ("a ^ 2", {"a": ("0", "2")}, {}, {"a": 1}),
        ("a + 0 * b", {"a": ("0", "2"), "b": ("0", "2")}, {}, {"a": 1, "b": 0}),
        ("a - a", {"a": ("0", "2")}, {}, {}),
        ("sqrt(-a)", {"a": ("0.5", "2")}, {}, {}),
        ("a / b", {name: MIX[name] for name in "ab"}, {"a": "3", "b": "2"}, {"b": 1, "a": 0}),
        ("sqrt(a - b)", {"a": ("0", "2"), "b": ("0", "0.5")}, {"b": "0.2"}, {"a": 0.97, "b": 0.05}),
        ("exp(a)", {"a": ("400", "600")}, {"a": "500"}, {"a": 1}),
    ],
    ids=["widths", "together", "alone", "no effect", "no variance", "no value", "endless", "some values", "large"],
)
def test_indices_are_those_that_are_known_the_largest_first(value, ranges, given, expected):
    stated = {name: given.get(name, "1") for name in ranges}
    verdict = explain(claim("it", stated, value, {"at_least": "0"}, ranges), EMPTY, START)
    found = {one.input: float(one.total) for one in verdict.sensitivity}
    assert found == {name: pytest.approx(total, abs=0.05) for name, total in expected.items()}
    assert [1, *found.values()] == sorted([1, *found.values()], reverse=True), "none is above 1"


def test_swings_have_the_value_at_both_ends_the_widest_first():
    load = Assumption(name="load", value=Decimal(60), unit="%", low=Decimal(40), high=Decimal(80))
    one = claim("it", {"rent": "2 USD/h"}, 'rent / assume("load")', {"at_most": "4 USD/h"}, {"rent": ("1.90", "2.10")})
    first, second = explain(one, book_of(assumptions=[load]), START).swings
    assert (first.input, first.unit, first.low, first.high) == ('assume("load")', "%", 40, 80)
    assert (first.at_low, first.at_high) == (5, Decimal("2.5"))
    assert (second.input, second.unit, second.low, second.high) == ("rent", "USD/h", Decimal("1.9"), Decimal("2.1"))
    assert second.at_high == Decimal("3.5")
    pole = claim("it", {"a": "1"}, "1 / a", {"at_least": "0"}, {"a": ("0", "2")})
    [found] = explain(pole, EMPTY, START).swings
    assert (found.at_low, found.at_high) == (None, Decimal("0.5")), "no value where it is undefined"
