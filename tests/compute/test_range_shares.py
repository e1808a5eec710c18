"""In which share of its ranges a claim holds and which input matters most: against brute force, and the same bytes each time."""

import os
import re
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compute.claims.claim_cases import Terms
from compute.claims.claim_loader import load
from compute.claims.overrides import overrides
from compute.prices.price_models import Assumption
from compute.ranges.ranged_claims import POINTS, Spread, latin_hypercube
from compute.reports.claim_report import sentence
from compute.units.number_format import said
from compute.verify.claim_verifier import explain
from graph.models.written_figures import RangeShape
from graph.values import dumps
from tests.compute.made import book_of, verify
from tests.compute.range_cases import CASES, MIX, START, brute, claim, drawn

EMPTY = book_of()
MANY = 200_000


def assumption(name="load", value="50", low="0", high="100", **rest):
    return Assumption(name=name, value=Decimal(value), unit="%", low=Decimal(low), high=Decimal(high), **rest)


def robust(one, book=EMPTY, terms=None):
    return explain(one, book, START, terms or Terms()).robust


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_shares_and_percentiles_agree_with_many_random_points(case):
    found, values = robust(case.claim), brute(case, MANY)
    with np.errstate(invalid="ignore"):
        held = case.holds(values) & ~np.isnan(values)
    assert abs(float(found.share) - held.mean()) < 0.02
    assert abs(found.undefined / found.points - np.isnan(values).mean()) < 0.02
    if found.p50 is None:
        assert case.name == "comparison"
        return
    defined = np.sort(values[~np.isnan(values)])
    for level, told in zip((0.05, 0.5, 0.95), (found.p05, found.p50, found.p95), strict=True):
        assert abs(np.searchsorted(defined, float(told), "left") / len(defined) - level) < 0.02 or (
            abs(np.searchsorted(defined, float(told) * (1 + 1e-9), "right") / len(defined) - level) < 0.02
            or np.quantile(defined, level) == float(told)
        )


@pytest.mark.parametrize(
    ("value", "a", "expect", "ends", "share", "undefined", "median"),
    [
        ("a * 2", "4", {"at_most": "a + 3"}, ("1", "5"), 0.5, 0, 6),
        ("a * 10", "2", {"at_most": "20"}, ("1", "5"), 0.25, 0, 30),
        ("sqrt(a)", "4", {"at_least": "0"}, ("-5", "5"), 0.5, 0.5, 1.58),
        ("sqrt(-a)", "4", {"at_least": "0"}, ("1", "5"), 0, 1, None),
        ("if(a > 0, a, inverse)", "4", {"at_least": "0"}, ("1", "5"), 0, 1, None),
        ("exp(a)", "800", {"at_least": "1"}, ("690", "810"), 0.1648, 0.8352, None),  # too large for a float
    ],
)
def test_points_are_evenly_spaced_and_without_a_value_do_not_hold(value, a, expect, ends, share, undefined, median):
    given = {"a": a, **({"inverse": "1 / (a - a)"} if "inverse" in value else {})}
    found = robust(claim("it", given, value, expect, {"a": ends}))
    assert float(found.share) == pytest.approx(share, abs=0.001)
    assert found.points == POINTS
    assert found.undefined / POINTS == pytest.approx(undefined, abs=0.001)
    assert median is None or float(found.p50) == pytest.approx(median, abs=0.01)
    assert found.undefined < POINTS or found.p50 is None


@pytest.mark.parametrize(
    ("a", "high", "verdict", "fragile"),
    [("2", "5", "depends", True), ("2", "2.9", "holds", False), ("3", "5", "depends", False)],
)
def test_a_claim_that_holds_in_less_than_half_of_its_ranges_is_fragile_and_depends(a, high, verdict, fragile):
    found = explain(claim("it", {"a": a}, "a", {"at_most": "2"}, {"a": ("1", high)}), EMPTY, START)
    assert (found.verdict, found.robust.fragile) == (verdict, fragile)


def test_the_range_of_a_figure_that_the_caller_replaced_is_left_out():
    one = claim("it", {"a": "2"}, "a", {"at_most": "2"}, {"a": ("1", "5")})
    assert robust(one, terms=Terms(overrides=overrides({"a": "1.5"}))) is None
    load = claim("it", {}, 'assume("load")', {"at_most": "60%"}, {})
    book = book_of(assumptions=[assumption()])
    assert abs(robust(load, book).share - Decimal("0.6")) < Decimal("0.001")
    assert robust(load, book, Terms(overrides=overrides({"assume:load": "30%"}))) is None


def test_a_claim_compared_with_another_shares_its_assumptions():
    other = claim("other", {}, 'assume("load") * 2', {"at_least": "0"}, {})
    same = claim("it", {}, 'assume("load") + assume("load")', {"same_as": "other"}, {})
    apart = claim("it", {"x": "1"}, "x", {"same_as": "other", "within": "50%"}, {})
    book = book_of(assumptions=[assumption()])
    assert robust(same, book, Terms(find={"other": other}.get)).share == 1
    found = robust(apart, book, Terms(find={"other": other}.get))
    assert abs(found.share - Decimal("0.6667")) < Decimal("0.005"), "|1 - 2u| <= u for u from 1/3 to 1"


def rows_text():
    return dumps(list(verify([case.claim for case in CASES], EMPTY, START)))


def test_the_same_bytes_each_time_in_any_order_with_any_other_claims_and_in_another_process():
    every = [case.claim for case in CASES]
    plain = {row.claim: dumps(row) for row in verify(every, EMPTY, START)}
    again = {row.claim: dumps(row) for row in verify(every[::-1], EMPTY, START)}
    alone = {one.id: dumps(next(verify([one], EMPTY, START))) for one in every}
    assert plain == again == alone
    assert all('"share"' in text for text in plain.values())
    code = "from tests.compute.test_range_shares import *; import sys; sys.stdout.write(rows_text())"
    environment = {**os.environ, "PYTHONHASHSEED": "4242", "PYTHONPATH": str(Path(__file__).parents[2])}
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, env=environment, check=True, timeout=120)
    assert told.stdout.decode() == rows_text()


def test_claims_with_equal_formulas_share_the_result_and_a_row_has_that_of_its_explanation():
    one = claim("one", {"a": "2"}, "a", {"at_most": "2"}, {"a": ("1", "5")})
    same, other = one.model_copy(update={"id": "two"}), one.model_copy(update={"ranges": ()})
    rows = list(verify([one, same, other], EMPTY, START))
    assert [row.robust for row in rows] == [robust(one), robust(one), None]
    found = explain(other, EMPTY, START)
    assert (found.robust, found.sensitivity, found.swings) == (None, (), ()), "it has no ranges"


points = st.decimals(-50, 50, places=1)


@given(st.lists(points, min_size=2, max_size=2), points, points, st.sampled_from(["uniform", "triangular", "normal"]))
@settings(max_examples=60)
def test_a_share_is_one_where_all_values_are_inside_and_zero_where_none_is(pair, low, width, shape):
    first, last = sorted(pair)
    upper = low + abs(width)

    def between(low, upper):
        ranges = {"a": (str(first), str(last), shape)}
        expect = {"between": str(low), "upper": str(upper)}
        return robust(claim("it", {"a": str((first + last) / 2)}, "a * 1 + 0 * abs(a)", expect, ranges))

    found = between(low, upper)
    if first == last:
        assert found is None
        return
    assert 0 <= found.share <= 1
    if shape != "normal" and low <= first and last <= upper:
        assert found.share == 1
    if shape != "normal" and (last < low or upper < first):
        assert found.share == 0
    assert found.share <= between(low - 10, upper + 10).share <= 1, "a wider expectation holds at least as often"


SHARES = np.array([0.05, 0.17, 0.5, 0.95])


@pytest.mark.parametrize("shape", list(RangeShape))
@pytest.mark.parametrize("mode", ["2", "3", "8"])
def test_quantiles_are_those_of_many_random_numbers(shape, mode):
    found = Spread(Decimal(2), Decimal(8), Decimal(mode), shape).quantiles(SHARES)
    random = drawn(np.random.default_rng(3), mode, ("2", "8", shape.value), MANY)
    assert found == pytest.approx(np.quantile(random, SHARES), rel=0.01)
    if shape in {RangeShape.NORMAL, RangeShape.LOGNORMAL}:
        assert (found[0], found[-1]) == (pytest.approx(2), pytest.approx(8))


def test_each_dimension_has_one_point_in_each_part_in_an_order_of_its_own_and_many_inputs_are_sampled_too():
    first, second = latin_hypercube(0), latin_hypercube(1)
    assert np.array_equal(np.sort(first), (np.arange(POINTS) + 0.5) / POINTS)
    assert abs(np.corrcoef(first, second)[0, 1]) < 0.05
    assert first[:3].tolist() == [0.3868408203125, 0.2979736328125, 0.7000732421875], "old runs keep their shares"
    names = [f"x{place}" for place in range(20)]
    given, ranges = dict.fromkeys(names, "1"), dict.fromkeys(names, ("0", "2"))
    one = claim("it", given, f"sum({', '.join(names)})", {"at_most": "20"}, ranges)
    assert abs(robust(one).share - Decimal("0.5")) < Decimal("0.02")


def test_a_figure_that_is_converted_to_another_currency_keeps_its_range():
    rate = Assumption(name="usd_per_eur", value=Decimal("1.25"), unit="USD/EUR")
    bill = Assumption(name="bill", value=Decimal(150), unit="USD")
    given = {"ours": "100 EUR", "theirs": 'assume("bill")'}
    one = claim("it", given, "ours", {"at_most": "theirs"}, {"ours": ("80 EUR", "160 EUR")})
    book = book_of(assumptions=[rate, bill])
    assert abs(robust(one, book).share - Decimal("0.5")) < Decimal("0.001"), "80 to 120 of 80 to 160"
    assert robust(one, book, Terms(overrides=overrides({"ours": "90 EUR"}))) is None
    plain = claim("it", given, "ours", {"at_most": "150 EUR"}, {"ours": ("80 EUR", "160 EUR")})
    shown = explain(plain, book, START, currency="USD")
    assert (shown.unit, shown.robust.p50) == ("USD", 150)


DOCS = Path(__file__).parents[2] / "docs/ranges.md"


def test_the_examples_of_the_documentation_give_what_it_says():
    text = DOCS.read_text("utf-8")
    plain = " ".join(text.replace("\n> ", " ").split())
    found = [load("docs", one)[0][0] for one in re.findall(r"```yaml\n(claims:.*?)```", text, re.S)]
    assert [one.id for one in found] == ["rack-below-ten-kilowatts", "board-bill-below-500"]
    for one in found:
        verdict = explain(one, EMPTY, START)
        assert sentence(verdict.robust, verdict.unit) in plain
    totals = {one.input: one.total for one in verdict.sensitivity}
    for one in verdict.swings:
        ends, values = (one.low, one.high, one.unit), (one.at_low, one.at_high, "USD")
        cells = [f"{said(low, unit)} to {said(high, unit)}" for low, high, unit in (ends, values)]
        assert f"| `{one.input}` | {cells[0]} | {cells[1]} | {said(totals[one.input] * 100, '%')} |" in text


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
